"""Registers the outbox connector of the student service. Run once after `docker compose up`."""
import os
import sys
import time

import requests

CONNECT = os.getenv("CONNECT_URL", "http://localhost:8083")

OUTBOX = {
    "name": "student-outbox-connector",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": os.getenv("DB_HOST", "postgres"),
        "database.port": os.getenv("DB_PORT", "5432"),
        "database.user": os.environ["DB_USER"],
        "database.password": os.environ["DB_PASSWORD"],
        "database.dbname": "students",
        "database.server.name": "students",
        "topic.prefix": "students",
        "plugin.name": "pgoutput",
        "slot.name": "debezium",
        "publication.autocreate.mode": "filtered",
        "table.include.list": "public.outbox_events",
        "tombstones.on.delete": "false",
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "false",
        "value.converter.schemas.enable": "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id": "id",
        "transforms.outbox.table.field.event.key": "id",
        "transforms.outbox.table.field.event.type": "event_type",
        "transforms.outbox.table.field.event.payload": "payload",
        "transforms.outbox.route.by.field": "aggregate_type",
        "transforms.outbox.route.topic.replacement": "${routedByValue}",
    },
}


def wait_for_connect(tries: int = 30) -> None:
    for _ in range(tries):
        try:
            if requests.get(f"{CONNECT}/connectors", timeout=3).ok:
                return
        except requests.ConnectionError:
            pass
        time.sleep(2)
    sys.exit("Kafka Connect did not come up")


if __name__ == "__main__":
    wait_for_connect()
    name = OUTBOX["name"]
    answer = requests.put(f"{CONNECT}/connectors/{name}/config", json=OUTBOX["config"], timeout=10)
    print(answer.status_code, answer.text)
    answer.raise_for_status()
