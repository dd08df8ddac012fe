import json
import os
import requests
from dotenv import load_dotenv

load_dotenv(dotenv_path="./common/compose/.env")
CONNECT_URL = "http://localhost:8083/connectors"

def outbox_settings(name, database, table, slot, topic):
    return {
        "name": name,
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": "postgres",
            "database.port": os.getenv("PG_PORT"),
            "database.user": os.getenv("PG_USER"),
            "database.password": os.getenv("PG_PASSWORD"),
            "database.dbname": database,
            "topic.prefix": database,
            "plugin.name": "pgoutput",
            "slot.name": slot,
            "publication.autocreate.mode": "filtered",
            "table.include.list": f"public.{table}",
            "tombstones.on.delete": "false",

            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "id",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            # "transforms.outbox.table.field.event.timestamp": "created_at",
            "transforms.outbox.table.field.event.payload": "payload",
            "transforms.outbox.table.expand.json.payload": "true",
            "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
            "transforms.outbox.route.by.field": "event_type",
            "transforms.outbox.route.topic.replacement": topic,
        },
    }

cart_connector = outbox_settings(
    name="cart-outbox-connector",
    database="cart_db",
    table="outbox_rows",
    slot="cart_outbox_slot",
    topic="cart",
)

depot_connector = outbox_settings(
    name="depot-outbox-connector",
    database="depot_db",
    table="depot_outbox_rows",
    slot="depot_outbox_slot",
    topic="depot",
)

def register(connector):
    response = requests.post(
        CONNECT_URL,
        headers={"Content-Type": "application/json"},
        data=json.dumps(connector),
    )
    if response.status_code == 201:
        print(f"{connector['name']}: registered")
    elif response.status_code == 409:
        print(f"{connector['name']}: there already, change it with PUT {CONNECT_URL}/{connector['name']}/config")
    else:
        print(f"{connector['name']}: {response.status_code}")
        print(response.text)
        response.raise_for_status()


if __name__ == "__main__":
    register(cart_connector)
    register(depot_connector)
