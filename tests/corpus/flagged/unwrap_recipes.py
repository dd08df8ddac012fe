"""Registers the source of the recipe store (replica set rs0)."""
import os
import sys

import requests

CONNECT_URL = os.environ.get("CONNECT_URL", "http://connect:8083")

CONFIG = {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": "1",
    "mongodb.connection.string": "mongodb://mongo-0.mongo:27017,mongo-1.mongo:27017/?replicaSet=rs0",
    "mongodb.user": os.environ["MONGO_USER"],
    "mongodb.password": os.environ["MONGO_PASSWORD"],
    "topic.prefix": "recipes",
    "capture.mode": "change_streams_update_full",
    "filters.match.mode": "literal",
    "collection.include.list": r"cookbook\.recipe.*,cookbook.author",
    "snapshot.mode": "initial",
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.add.headers": "op",
    "transforms.unwrap.delete.tombstone.handling.mode": "tombstone",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}


def main() -> int:
    response = requests.put(f"{CONNECT_URL}/connectors/recipes-source/config", json=CONFIG, timeout=20)
    if response.status_code not in (200, 201):
        print(response.text, file=sys.stderr)
        return 1
    print(response.json()["name"], "is registered")
    return 0


if __name__ == "__main__":
    sys.exit(main())
