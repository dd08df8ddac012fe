import json
import os

import requests
from dotenv import load_dotenv

load_dotenv(dotenv_path="./deploy/.env")
CONNECT = "http://localhost:8083/connectors"

connector = {
    "name": "basket-outbox-connector",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "plugin.name": "pgoutput",
        "slot.name": "basket_outbox_slot",
        "publication.autocreate.mode": "filtered",
        "database.hostname": "postgres",
        "database.port": os.getenv("PG_PORT"),
        "database.user": os.getenv("PG_USER"),
        "database.password": os.getenv("PG_PASSWORD"),
        "database.dbname": "basket",
        "topic.prefix": "basket",
        "table.include.list": "public.outbox",
        "tombstones.on.delete": "false",

        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id": "id",
        "transforms.outbox.table.field.event.key": "aggregate_id",
        "transforms.outbox.table.field.event.timestamp": "created_at",
        "transforms.outbox.table.field.event.payload": "payload",
        "transforms.outbox.route.by.field": "event_type",
        "transforms.outbox.route.topic.replacement": "shop.events.${routedByValue}",
    },
}


def register():
    answer = requests.post(CONNECT, headers={"Content-Type": "application/json"}, data=json.dumps(connector))
    if answer.status_code == 201:
        print(json.dumps(answer.json(), indent=2))
    elif answer.status_code == 409:
        print(f"there already; change it with PUT {CONNECT}/{connector['name']}/config")
    else:
        print(answer.text)
        answer.raise_for_status()


if __name__ == "__main__":
    register()
