"""The pytest plugin: the fixture `outbox_topic`. Loaded by pytest itself where outbox-kit is installed.

pytest --outbox-schema outbox.yaml --outbox-bootstrap localhost:9092 --outbox-kafka-config client.properties
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from outbox_kit.testing.topic import OutboxTopic


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where the contract and the brokers are."""
    group = parser.getgroup("outbox-kit")
    group.addoption("--outbox-schema", default="outbox.yaml", help="the schema file (outbox.yaml)")
    group.addoption("--outbox-service", default=None, help="the service, if the schema file defines more than one")
    environment = os.environ.get("OUTBOX_KIT_ENV")
    group.addoption("--outbox-env", default=environment, help="the environment, if the schema file defines some")
    bootstrap = os.environ.get("OUTBOX_KIT_BOOTSTRAP", "localhost:9092")
    group.addoption("--outbox-bootstrap", default=bootstrap, help="the Kafka brokers (OUTBOX_KIT_BOOTSTRAP)")
    config = os.environ.get("OUTBOX_KIT_KAFKA_CONFIG")
    group.addoption("--outbox-kafka-config", default=config, help="client properties (OUTBOX_KIT_KAFKA_CONFIG)")
    registry = os.environ.get("OUTBOX_KIT_REGISTRY")
    group.addoption("--outbox-registry", default=registry, help="the Schema Registry (OUTBOX_KIT_REGISTRY)")


@pytest.fixture
def outbox_topic(pytestconfig: pytest.Config) -> "OutboxTopic":
    """The events that arrive on the declared topics from the test's beginning on."""
    from outbox_kit.kafka.access import settings
    from outbox_kit.kafka.read import Cluster
    from outbox_kit.schema.read import read
    from outbox_kit.testing.topic import OutboxTopic

    path = Path(pytestconfig.getoption("--outbox-schema"))
    path = path if path.is_absolute() else Path(pytestconfig.rootpath) / path
    outbox = read(path, pytestconfig.getoption("--outbox-env")).outbox(pytestconfig.getoption("--outbox-service"))
    config = pytestconfig.getoption("--outbox-kafka-config")
    cluster = Cluster(pytestconfig.getoption("--outbox-bootstrap"), settings(Path(config) if config else None))
    return OutboxTopic(outbox, cluster, pytestconfig.getoption("--outbox-registry"))
