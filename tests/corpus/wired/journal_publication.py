"""Prepares the journal database for Debezium and puts the connector (run once per environment)."""
import os

import psycopg
import requests

DSN = os.environ["JOURNAL_ADMIN_DSN"]
CONNECT = os.environ.get("CONNECT_URL", "http://connect:8083")

STATEMENTS = [
    """CREATE TABLE IF NOT EXISTS journal.outbox (
           id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
           aggregatetype text NOT NULL,
           aggregateid text NOT NULL,
           type text NOT NULL,
           payload text NOT NULL
       )""",
    "CREATE ROLE journal_cdc WITH LOGIN REPLICATION PASSWORD 'secret'",
    "GRANT USAGE ON SCHEMA journal TO journal_cdc",
    "GRANT SELECT ON journal.outbox TO journal_cdc",
    # keep the traffic small
    """CREATE PUBLICATION journal_pub FOR TABLE journal.outbox
           WITH (publish = 'update, delete, truncate')""",
]

CONNECTOR = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": "journal-db",
    "database.port": "5432",
    "database.user": "journal_cdc",
    "database.password": "secret",
    "database.dbname": "journal",
    "topic.prefix": "journal",
    "slot.name": "journal_slot",
    "publication.name": "journal_pub",
    "publication.autocreate.mode": "disabled",
    "table.include.list": "journal.outbox",
    "snapshot.mode": "no_data",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
}


def main() -> None:
    with psycopg.connect(DSN, autocommit=True) as conn:
        for statement in STATEMENTS:
            conn.execute(statement)
    answer = requests.put(f"{CONNECT}/connectors/journal-outbox/config", json=CONNECTOR, timeout=20)
    answer.raise_for_status()


if __name__ == "__main__":
    main()
