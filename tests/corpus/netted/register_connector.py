import json

import requests

CONNECT_URL = "http://localhost:8083"


def register_postgres_connector():
    """Registers the Debezium connector for PostgreSQL."""
    config = {
        "name": "lake-cdc",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": "postgres",
            "database.port": "5432",
            "database.user": "lake",
            "database.password": "lake",
            "database.dbname": "warehouse",
            "database.server.name": "warehouse1",
            "plugin.name": "pgoutput",
            "topic.prefix": "lake",
            "schema.include.list": "public",
            "table.include.list": "public.invoices,public.suppliers,public.articles",

            # outbox pattern
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.expand.json.payload": "true",
            "transforms.outbox.route.topic.replacement": "${routedByValue}.events",

            # format
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter.schemas.enable": "true",

            "snapshot.mode": "initial",
            "heartbeat.interval.ms": "10000",
        },
    }

    response = requests.post(f"{CONNECT_URL}/connectors", json=config)
    print(f"Status: {response.status_code}")
    print(json.dumps(response.json(), indent=2))


def check_status():
    response = requests.get(f"{CONNECT_URL}/connectors/lake-cdc/status")
    print(response.json()["connector"]["state"])


if __name__ == "__main__":
    register_postgres_connector()
    check_status()
