import json
import os
import requests
from dotenv import load_dotenv

load_dotenv(dotenv_path="./deploy/compose/.env")
CONNECT_URL = "http://localhost:8083/connectors"

def build_outbox_connector(name, db_name, table_name, slot_name, topic):
    return {
        "name": name,
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": "pgdb",
            "database.port": os.getenv("PG_PORT"),
            "database.user": os.getenv("PG_USER"),
            "database.password": os.getenv("PG_PASSWORD"),
            "database.dbname": db_name,
            "topic.prefix": db_name,
            "plugin.name": "pgoutput",
            "slot.name": slot_name,
            "publication.autocreate.mode": "filtered",
            "table.include.list": f"public.{table_name}",
            "tombstones.on.delete": "false",

            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "id",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            "transforms.outbox.table.field.event.timestamp": "created_at",
            "transforms.outbox.table.field.event.payload": "payload",
            "transforms.outbox.table.expand.json.payload": "true",
            "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
            "transforms.outbox.route.by.field": "event_type",
            "transforms.outbox.route.topic.replacement": topic,
        },
    }


rental_config = build_outbox_connector(
    name="rental-outbox-connector",
    db_name="rental_db",
    table_name="outbox_records",
    slot_name="rental_outbox_slot",
    topic="rental",
)

garage_config = build_outbox_connector(
    name="garage-outbox-connector",
    db_name="garage_db",
    table_name="garage_outbox_records",
    slot_name="garage_outbox_slot",
    topic="garage",
)

def create(config):
    response = requests.post(
        CONNECT_URL,
        headers={"Content-Type": "application/json"},
        data=json.dumps(config),
    )
    if response.status_code == 201:
        print(f"{config['name']} created.")
    elif response.status_code == 409:
        print(f"{config['name']} is there already, change it by PUT to:")
        print(f"  {CONNECT_URL}/{config['name']}/config")
    else:
        print(f"{config['name']}: HTTP {response.status_code}")
        print(response.text)
        response.raise_for_status()


if __name__ == "__main__":
    create(rental_config)
    create(garage_config)
