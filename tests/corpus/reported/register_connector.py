"""Register the outbox connector (Debezium 3.4, Kafka Connect 4.1)."""
import os
import sys

import requests

CONNECT_URL = os.environ.get("CONNECT_URL", "http://connect:8083")

CONFIG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": os.environ["PGHOST"],
    "database.port": os.environ.get("PGPORT", "5432"),
    "database.user": "debezium",
    "database.password": "${secretsmanager:prod/profile/debezium:password}",
    "database.dbname": "profile",
    "topic.prefix": "profile",
    "plugin.name": "pgoutput",
    "slot.name": "profile_outbox",
    "publication.name": "profile_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.outbox",
    # the slot is created by the migration before the first deployment, so no snapshot is needed
    "snapshot.mode": "never",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "profile.${routedByValue}",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
}


def main() -> int:
    response = requests.put(
        f"{CONNECT_URL}/connectors/profile-outbox/config", json=CONFIG, timeout=30
    )
    if not response.ok:
        print(response.text, file=sys.stderr)
        return 1
    print(response.json()["name"], "registered")
    return 0


if __name__ == "__main__":
    sys.exit(main())
