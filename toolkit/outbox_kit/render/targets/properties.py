"""Properties of a standalone Kafka Connect worker. Pure."""

from outbox_kit.properties import line
from outbox_kit.render.deployed import DeployedConnector


def document(connector: DeployedConnector) -> str:
    """The file that `connect-standalone` takes beside the worker's own."""
    lines = [line(name, value) for name, value in {"name": connector.name, **connector.by_reference}.items()]
    return "\n".join(lines) + "\n"
