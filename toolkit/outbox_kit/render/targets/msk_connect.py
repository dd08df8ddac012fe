"""The request CreateConnector of Amazon MSK Connect, as JSON for `aws kafkaconnect create-connector`. Pure.

The file has what follows from the schema file. The cluster, the plugin, the role and the version of Kafka Connect are
those of the account: `aws` takes them as options beside `--cli-input-json`. A worker there has no environment that can
be set, so a secret is a reference to AWS Secrets Manager: the secret has the connector's name, its keys are the
variables' names.
"""

import json

from outbox_kit.render.deployed import DeployedConnector, variable
from outbox_kit.secret import refers

PROVIDER = "secretsmanager"
CAPACITY = {"provisionedCapacity": {"mcuCount": 1, "workerCount": 1}}  # the connector has one task


def document(connector: DeployedConnector) -> str:
    """The part of the request that the schema file decides."""

    def reference(name: str, value: str) -> str:
        elsewhere = refers(value) and not value.startswith("${env:")
        return value if elsewhere else f"${{{PROVIDER}:{connector.name}:{variable(name, value)}}}"

    request = {
        "connectorName": connector.name,
        "capacity": CAPACITY,
        "connectorConfiguration": connector.referring(reference),
    }
    return json.dumps(request, indent=2) + "\n"
