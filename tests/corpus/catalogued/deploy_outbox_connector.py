"""Creates the outbox connector of the subscriptions service (MongoDB)."""
import os
import sys

import requests

CONNECT_URL = os.environ.get("CONNECT_URL", "http://localhost:8083")
NAME = "subscriptions-outbox"

CONFIG = {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": "1",
    "mongodb.connection.string": os.environ["SUBSCRIPTIONS_MONGO_URI"],
    "topic.prefix": "subscriptions",
    "collection.include.list": "subscriptions.outbox",
    "capture.mode": "change_streams_update_full",
    "snapshot.mode": "no_data",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "_id",
    "transforms.outbox.table.field.event.key": "aggregateId",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "aggregateType",
    "transforms.outbox.route.topic.replacement": "subscriptions.${routedByValue}",
}


def main() -> int:
    answer = requests.put(f"{CONNECT_URL}/connectors/{NAME}/config", json=CONFIG, timeout=20)
    if answer.status_code not in (200, 201):
        print(answer.text, file=sys.stderr)
        return 1
    print(f"{NAME}: {answer.status_code}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
