"""Row in shipping.outbox -> message on Kafka, with real containers."""
import json
import time
import uuid

import psycopg
import pytest
import requests
from confluent_kafka import Consumer
from testcontainers.compose import DockerCompose

DSN = "host=localhost port=15432 dbname=shipping user=shipping password=shipping"
CONNECT = "http://localhost:18083"

DDL = """
CREATE SCHEMA IF NOT EXISTS shipping;
CREATE TABLE IF NOT EXISTS shipping.outbox (
    id            uuid PRIMARY KEY,
    aggregatetype text  NOT NULL,
    aggregateid   text  NOT NULL,
    type          text  NOT NULL,
    payload       jsonb NOT NULL
);
"""

CONNECTOR = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "db",
    "database.port": "5432",
    "database.user": "shipping",
    "database.password": "shipping",
    "database.dbname": "shipping",
    "topic.prefix": "shipping",
    "plugin.name": "pgoutput",
    "slot.name": "shipping_test",
    "publication.name": "shipping_test",
    "table.include.list": "public.outbox",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.expand.json.payload": "true",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}


@pytest.fixture(scope="module")
def stack():
    # db (debezium/postgres:16), kafka, connect (debezium/connect:2.7)
    with DockerCompose("tests/stack", wait=True):
        with psycopg.connect(DSN, autocommit=True) as conn:
            conn.execute(DDL)
        r = requests.put(f"{CONNECT}/connectors/shipping/config", json=CONNECTOR, timeout=30)
        r.raise_for_status()
        for _ in range(60):
            state = requests.get(f"{CONNECT}/connectors/shipping/status", timeout=5).json()
            if [t["state"] for t in state.get("tasks", [])] == ["RUNNING"]:
                break
            time.sleep(1)
        yield


def test_outbox_row_is_published(stack):
    with psycopg.connect(DSN, autocommit=True) as conn:
        conn.execute(
            "INSERT INTO shipping.outbox VALUES (%s, 'parcel', 'P-1', 'ParcelSent', %s)",
            (uuid.uuid4(), json.dumps({"weight": 3})),
        )
    consumer = Consumer(
        {"bootstrap.servers": "localhost:19092", "group.id": "pytest", "auto.offset.reset": "earliest"}
    )
    consumer.subscribe(["outbox.event.parcel"])
    msg = consumer.poll(30)
    assert msg is not None and msg.error() is None
    assert json.loads(msg.value())["weight"] == 3
