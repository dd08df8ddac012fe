"""Swimming pool: the way of an outbox row to Kafka, with real containers (pytest, testcontainers)."""
import time
import uuid

import psycopg
import pytest
import requests
from testcontainers.core.container import DockerContainer
from testcontainers.core.network import Network
from testcontainers.kafka import KafkaContainer
from testcontainers.postgres import PostgresContainer

DDL = """
CREATE TABLE pool.outbox (
    id            uuid PRIMARY KEY,
    aggregatetype varchar(64)  NOT NULL,
    aggregateid   varchar(64)  NOT NULL,
    type          varchar(128) NOT NULL,
    payload       jsonb        NOT NULL,
    trace_id      varchar(64)
)
"""

CONNECTOR = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "pool-db",
    "database.port": "5432",
    "database.user": "test",
    "database.password": "test",
    "database.dbname": "test",
    "topic.prefix": "pool",
    "plugin.name": "pgoutput",
    "slot.name": "pool_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "pool.outbox",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType,trace_id:header:traceId",
    "transforms.outbox.route.topic.replacement": "pool.${routedByValue}.events",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
}


@pytest.fixture(scope="module")
def stack():
    with Network() as net:
        with (
            PostgresContainer("postgres:16").with_network(net).with_network_aliases("pool-db")
            .with_command("postgres -c wal_level=logical") as db,
            KafkaContainer("confluentinc/cp-kafka:7.6.1").with_network(net).with_network_aliases("broker") as broker,
            DockerContainer("quay.io/debezium/connect:3.1").with_network(net).with_exposed_ports(8083)
            .with_env("BOOTSTRAP_SERVERS", "broker:9092").with_env("GROUP_ID", "it")
            .with_env("CONFIG_STORAGE_TOPIC", "it_c").with_env("OFFSET_STORAGE_TOPIC", "it_o") as connect,
        ):
            yield db, broker, f"http://localhost:{connect.get_exposed_port(8083)}"


def test_row_becomes_message(stack, consume):
    db, broker, connect_url = stack
    with psycopg.connect(db.get_connection_url(driver=None), autocommit=True) as conn:
        conn.execute("CREATE SCHEMA pool")
        conn.execute(DDL)
        for _ in range(40):
            try:
                requests.put(f"{connect_url}/connectors/pool/config", json=CONNECTOR, timeout=5).raise_for_status()
                break
            except requests.RequestException:
                time.sleep(2)
        conn.execute(
            "INSERT INTO pool.outbox VALUES (%s, 'lane', '4', 'LaneClosed', '{\"until\": \"18:00\"}', 't-1')", (uuid.uuid4(),)
        )
    message = consume(broker.get_bootstrap_server(), "pool.lane.events")
    assert message.headers()["eventType"] == b"LaneClosed"
