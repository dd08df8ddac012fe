"""Creates the outbox connector of the parking service (payload: protobuf in a bytea column)."""
import os

import requests

CONNECT = os.environ.get("CONNECT_URL", "http://localhost:8083")

CONFIG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": os.environ["PARKING_DB_HOST"],
    "database.port": "5432",
    "database.user": os.environ["PARKING_DB_USER"],
    "database.password": os.environ["PARKING_DB_PASSWORD"],
    "database.dbname": "parking",
    "plugin.name": "pgoutput",
    "slot.name": "parking_outbox",
    "publication.name": "parking_outbox",
    "topic.prefix": "parking",
    "table.include.list": "public.outbox",
    # the database is quiet at night
    "heartbeat.interval.ms": "60000",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "io.debezium.converters.BinaryDataConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "garage_id",
    "transforms.outbox.route.topic.replacement": "parking.${routedByValue}",
}


def main() -> None:
    response = requests.put(f"{CONNECT}/connectors/parking-outbox/config", json=CONFIG, timeout=30)
    response.raise_for_status()
    print(response.json()["name"], "ok")


if __name__ == "__main__":
    main()
