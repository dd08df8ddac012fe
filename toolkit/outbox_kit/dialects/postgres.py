"""PostgreSQL."""

from outbox_kit.dialects.base import Dialect

POSTGRES = Dialect(
    name="postgres",
    title="PostgreSQL",
    types={
        "uuid": "uuid",  # arrives as lower-case text
        "text": "text",
        "json": "json",  # not jsonb: jsonb rewrites the bytes that a consumer may have signed
        "bytes": "bytea",
        "integer": "integer",  # the only type the router takes for a partition
        "bigint": "bigint",
        "boolean": "boolean",
        "instant": "timestamp with time zone",  # never the router's timestamp: it refuses zoned types
    },
    quotes=('"', '"'),
    connector={
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "{host}",
        "database.port": "{port}",
        "database.user": "{role}",
        "database.password": "{password}",
        "database.dbname": "{database}",
        "plugin.name": "pgoutput",
        "slot.name": "{slot}",
        "publication.name": "{publication}",
        "publication.autocreate.mode": "disabled",
        # insert only, because the publication carries nothing else; the row before goes with it
        "heartbeat.action.query": (
            "WITH gone AS (DELETE FROM {heartbeat}) INSERT INTO {heartbeat} (beat_at) VALUES (clock_timestamp())"
        ),
    },
    insert_once=("insert into {table} ({columns})", " values ({values})", " on conflict do nothing"),
)
