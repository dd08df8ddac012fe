"""PostgreSQL."""

from outbox_kit.dialects.base import Capture, Code, Conditions, Dialect, Limits, Runbook

POSTGRES = Dialect(
    name="postgres",
    title="PostgreSQL",
    types={
        "uuid": "uuid",  # arrives as lower-case text
        "text": "text",
        "document": "text",
        "json": "json",  # not jsonb: jsonb rewrites the bytes that a consumer may have signed
        "bytes": "bytea",
        "integer": "integer",  # the only type the router takes for a partition
        "bigint": "bigint",
        "boolean": "boolean",
        "instant": "timestamp with time zone",  # never the router's timestamp: it refuses zoned types
    },
    moment="timestamp(6)",
    quotes=('"', '"'),
    folders=("postgres",),
    port=5432,
    schema="public",
    ddl=("setup", "outbox", "heartbeat", "role", "writers", "publication"),
    atomic=True,
    escaped="E",
    fills={"identity": "generated always as identity", "now": "default clock_timestamp()"},
    exchanges="unseen",
    mirrors=True,
    row_transactions=True,
    slots=True,
    dsn="host={host} port={port} dbname={database}",
    limits=Limits(
        name=63,  # it cuts longer identifiers without a word
        table=63 - len("_null_payload_is_a_tombstone"),
        schema=63 - len("_before"),  # where the table goes that another one takes the place of
        role=63,
    ),
    conditions=Conditions(
        text="{}::text",
        topic_safe="{} ~ '^[A-Za-z0-9._-]{{1,200}}$'",
    ),
    capture=Capture(
        options={
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": "{host}",
            "database.port": "{port}",
            "database.user": "{role}",
            "database.password": "{password}",
            "table.include.list": "{tables}",
            "column.exclude.list": "{unread}",
            "database.dbname": "{database}",
            "plugin.name": "pgoutput",
            "slot.name": "{slot}",
            "publication.name": "{publication}",
            "publication.autocreate.mode": "disabled",
            "message.prefix.include.list": "{messages}",
            # insert only, because the publication carries nothing else; the row before goes with it
            "heartbeat.action.query": (
                "WITH gone AS (DELETE FROM {heartbeat}) INSERT INTO {heartbeat} (beat_at) VALUES (clock_timestamp())"
            ),
        },
        decoder="io.debezium.connector.postgresql.transforms.DecodeLogicalDecodingMessageContent",
    ),
    runbook=Runbook(
        client='psql "$OUTBOX_KIT_DSN" -c',
        new_password="alter role {role} password ...",  # noqa: S106 - a statement
        trouble=("slot-growing", "slot-lost"),
    ),
    code=Code(
        stacks=(
            "python-psycopg",
            "python-sqlalchemy",
            "python-django",
            "java-spring",
            "go-pgx",
            "go-sql",
            "csharp-efcore",
            "node-pg",
            "node-prisma",
        ),
        placeholder="${n}",
        bound={"uuid": "cast({} as uuid)", "json": "cast({} as json)"},  # drivers send these as text
        insert_once=("insert into {table} ({columns})", " values ({values})", " on conflict do nothing"),
    ),
)
