"""The files of targets, checked against the target's own schema: Strimzi's definitions, the model of the AWS SDK, and a
parser of Terraform's language.

`tests/live/test_debezium_server.py` starts the real Debezium Server with its file.
"""

import json
from pathlib import Path
from typing import Any

import hcl2
import pytest
from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.validate import ParamValidator
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from outbox_kit.render import targets
from outbox_kit.render.deployed import DeployedConnector, deployed
from outbox_kit.wire.connector import config
from tests.support import example_files, strimzi

EXAMPLES = Path(__file__).parents[1] / "examples"
OUTBOXES = {
    f"{file.relative_to(EXAMPLES)}/{outbox.service}": outbox
    for file in example_files.PATHS
    for outbox in example_files.outboxes(file)
}
HOSTILE = "${a} %{b} $${c} \"d\" 'e' \\f \t # // ü 🎉 ${env:G}"
ACCOUNT = {
    "kafkaConnectVersion": "3.7.x",
    "serviceExecutionRoleArn": "arn:aws:iam::123456789012:role/connect",
    "plugins": [{"customPlugin": {"customPluginArn": "arn:aws:kafkaconnect:x:1:custom-plugin/d/1", "revision": 1}}],
    "kafkaCluster": {
        "apacheKafkaCluster": {"bootstrapServers": "b:9098", "vpc": {"subnets": ["s"], "securityGroups": ["g"]}}
    },
    "kafkaClusterClientAuthentication": {"authenticationType": "IAM"},
    "kafkaClusterEncryptionInTransit": {"encryptionType": "TLS"},
}
"""What an account adds to the request, by options of `aws kafkaconnect create-connector`."""


def connector_of(name: str) -> DeployedConnector:
    connector = deployed(OUTBOXES[name])
    return DeployedConnector(connector.name, connector.config | {"my.option": HOSTILE})


@pytest.mark.parametrize("name", OUTBOXES)
def test_strimzi_accepts_the_resource(name: str) -> None:
    connector = connector_of(name)
    resource = YAML(typ="safe", pure=True).load(targets.document("strimzi", connector))
    Draft202012Validator(strimzi.schema("KafkaConnector")).validate(resource)
    specified = {"connector.class": resource["spec"]["class"], "tasks.max": str(resource["spec"]["tasksMax"])}
    assert resource["spec"]["config"] | specified == connector.config


def test_strimzi_s_schema_refuses_an_unknown_field() -> None:
    resource = YAML(typ="safe").load(targets.document("strimzi", connector_of("minimal.yaml/orders")))
    for part, changes in ((resource["spec"], {"tasksMax": "one"}), (resource["spec"], {"klass": "x"})):
        broken = json.loads(json.dumps(resource))
        broken["spec"] = part | changes
        assert list(Draft202012Validator(strimzi.schema("KafkaConnector")).iter_errors(broken))


@pytest.mark.parametrize("name", OUTBOXES)
def test_the_sdk_of_aws_accepts_the_request(name: str) -> None:
    request = json.loads(targets.document("msk-connect", connector_of(name)))
    model = ServiceModel(Loader().load_service_model("kafkaconnect", "service-2"))
    operation = model.operation_model("CreateConnector")
    assert not ParamValidator().validate(request | ACCOUNT, operation.input_shape).has_errors()
    assert request.keys() <= operation.input_shape.members.keys() - ACCOUNT.keys()
    assert ParamValidator().validate(request, operation.input_shape).has_errors()


def unquoted(value: Any) -> Any:
    """A parsed value without the quotes and the escapes that the parser leaves in a text."""
    if isinstance(value, dict):
        return {unquoted(key): unquoted(member) for key, member in value.items() if not key.startswith("__")}
    if isinstance(value, list):
        return [unquoted(member) for member in value]
    if isinstance(value, str) and value.startswith('"'):
        return json.loads(value.replace("\\U", "\\u")).replace("$${", "${").replace("%%{", "%{")
    return value


@pytest.mark.parametrize("name", OUTBOXES)
def test_terraform_s_file_has_the_config_in_two_maps(name: str) -> None:
    connector = connector_of(name)
    parsed = unquoted(hcl2.loads(targets.document("terraform", connector)))
    ((resource,),) = (of_name.values() for of_type in parsed["resource"] for of_name in of_type.values())
    assert resource["name"] == resource["config"]["name"] == connector.name
    assert resource["config"] | resource["config_sensitive"] == connector.config | {"name": connector.name}
    assert {"database.password", "mongodb.password"} & resource["config_sensitive"].keys()


def test_the_managed_connector_s_file_declares_what_it_refers_to() -> None:
    outbox = OUTBOXES["minimal.yaml/orders"]
    text = targets.document("confluent-cloud", deployed(outbox))
    parsed = unquoted(hcl2.loads(text))
    declared = {name for variable in parsed["variable"] for name in variable}
    ((resource,),) = (of_name.values() for of_type in parsed["resource"] for of_name in of_type.values())
    assert resource.keys() == {"environment", "kafka_cluster", "config_nonsensitive", "config_sensitive"}
    assert {f"var.{name}" in text for name in declared} == {True}
    assert "var." in resource["config_sensitive"]["database.password"]
    plain = resource["config_nonsensitive"]
    assert plain["slot.name"] == config(outbox)["slot.name"] and "database.password" not in plain
