"""Kafka Connect's REST API: name and config as JSON, every option as the schema file has it. Pure."""

import json

from outbox_kit.render.deployed import DeployedConnector


def document(connector: DeployedConnector) -> str:
    """The body of `POST /connectors`."""
    return json.dumps({"name": connector.name, "config": connector.config}, indent=2) + "\n"
