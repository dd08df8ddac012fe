"""Registers the outbox connector of the document vault with Kafka Connect.

Usage: CONNECT_URL=http://localhost:8083 python vault_register.py
"""
import os
import sys

import requests

DDL = """
CREATE TABLE IF NOT EXISTS vault.outbox (
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
    "database.hostname": os.environ["VAULT_DB_HOST"],
    "database.port": "5432",
    "database.user": os.environ["VAULT_DB_USER"],
    "database.password": os.environ["VAULT_DB_PASSWORD"],
    "database.dbname": "vault",
    "topic.prefix": "vault",
    "plugin.name": "pgoutput",
    "slot.name": "vault_outbox",
    "publication.name": "vault_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "vault.outbox",
    "snapshot.mode": "no_data",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
    "transforms.outbox.route.topic.replacement": "vault.${routedByValue}.v1",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    # hand the bytes of the payload through, the consumers parse them themselves
    "value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
}


def main() -> int:
    base = os.environ.get("CONNECT_URL", "http://localhost:8083")
    answer = requests.put(f"{base}/connectors/vault-outbox/config", json=CONNECTOR, timeout=30)
    if answer.status_code not in (200, 201):
        print(answer.text, file=sys.stderr)
        return 1
    print("vault-outbox:", answer.status_code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
