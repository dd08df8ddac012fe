"""Sets up the tram outbox: one Kafka partition per depot."""
import os

import psycopg
import requests

DDL = """
CREATE TABLE IF NOT EXISTS tram.outbox (
    id            uuid PRIMARY KEY,
    aggregatetype varchar(50) NOT NULL,
    aggregateid   varchar(50) NOT NULL,
    depot         smallint    NOT NULL CHECK (depot BETWEEN 0 AND 7),
    payload       text        NOT NULL
)
"""

CONFIG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": os.environ["TRAM_DB_HOST"],
    "database.port": "5432",
    "database.user": os.environ["TRAM_DB_USER"],
    "database.password": os.environ["TRAM_DB_PASSWORD"],
    "database.dbname": "tram",
    "topic.prefix": "tram",
    "plugin.name": "pgoutput",
    "slot.name": "tram_outbox",
    "publication.name": "tram_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "tram.outbox",
    "topic.creation.default.replication.factor": "3",
    "topic.creation.default.partitions": "8",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "depot:partition",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
}

with psycopg.connect(os.environ["TRAM_DSN"]) as con:
    con.execute(DDL)

answer = requests.put(
    os.environ["CONNECT_URL"] + "/connectors/tram-outbox/config", json=CONFIG, timeout=30
)
answer.raise_for_status()
