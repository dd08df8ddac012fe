"""PostgreSQL."""

from outbox_kit.databases import facts
from outbox_kit.tls import TlsSettings

POSTGRES = facts.Dialect(
    name="postgres",
    title="PostgreSQL",
    rank=0,
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
    timestamp_type="timestamp(6)",
    row_transactions=True,
    access=facts.Access(
        port=5432,
        dsn="host={host} port={port} dbname={database}",
        example="postgresql://USER@HOST/NAME",
        variable="PGPASSWORD",
        tls=TlsSettings(
            server="the database server",
            address="OUTBOX_KIT_DSN",
            authority="sslrootcert in OUTBOX_KIT_DSN",
            client="sslcert and sslkey in OUTBOX_KIT_DSN",
            on="sslmode=verify-full in OUTBOX_KIT_DSN",
            off="sslmode=disable in OUTBOX_KIT_DSN",
        ),
    ),
    naming=facts.Naming(
        quotes=('"', '"'),
        schema="public",
    ),
    strings=facts.Strings(
        backslash_prefix="E",
    ),
    ddl=facts.Ddl(
        folders=("postgres",),
        templates=("setup", "outbox", "heartbeat", "role", "writers", "publication"),
        of_log=("heartbeat", "publication"),
        log_roles=("rds_replication", "rds_superuser", "cloudsqlsuperuser", "azure_pg_admin"),
        transactional=True,
        default_clauses={"identity": "generated always as identity", "now": "default clock_timestamp()"},
    ),
    migration=facts.Migration(
        table_swap="online",
        sync_trigger=True,
    ),
    limits=facts.Limits(
        name=63,  # it cuts longer identifiers without a word
        table=63 - len("_null_payload_is_a_tombstone"),
        schema=63 - len("_before"),  # where the table goes that another one takes the place of
        role=63,
    ),
    conditions=facts.Conditions(
        text="{}::text",
        topic_safe="{} ~ '^[A-Za-z0-9._-]{{1,200}}$'",
    ),
    adoption=facts.Adoption(
        rewritten_types=("jsonb",),
        generated_columns=facts.GeneratedColumns(published_since="18", setting="publish_generated_columns = stored"),
        trigger=facts.TriggerExpressions(
            member="element ->> {text}",
            row="row_to_json(new)",
            row_member="",
            hexadecimal="encode({}, 'hex')",
            ids={"uuid": "{}"},
        ),
    ),
    capture=facts.Capture(
        test_container="PostgreSQLContainer",
        offset=facts.OffsetForm(required={"lsn": "integer"}),
        options={
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            **facts.TABLE_OPTIONS,
            "database.dbname": "{database}",
            "plugin.name": "pgoutput",
            "slot.name": "{slot}",
            "publication.name": "{publication}",
            "publication.autocreate.mode": "disabled",
            "message.prefix.include.list": "{messages}",
            # insert only, because the publication carries nothing else; the row before goes with it. Another session,
            # such as that of a deployment, may write a row in the same microsecond
            "heartbeat.action.query": (
                "WITH gone AS (DELETE FROM {heartbeat}) INSERT INTO {heartbeat} (beat_at) VALUES (clock_timestamp())"
                " ON CONFLICT DO NOTHING"
            ),
        },
        uses_slot=True,
        exactly_once="2.3",
        measured=True,
        managed_class="PostgresCdcSourceV2",
        polled=("position", "delete", "mark"),
        decoder="io.debezium.connector.postgresql.transforms.DecodeLogicalDecodingMessageContent",
    ),
    runbook=facts.Runbook(
        resends=True,
        client='psql "$OUTBOX_KIT_DSN" -c',
        password_statement="alter role {role} password ...",  # noqa: S106 - a statement
    ),
    inbox=facts.InboxFacts(
        add=("insert into {table} ({columns})", " values ({values})", " on conflict do nothing"),
        many=True,
        returning=" returning message_id",
        clock="select extract(epoch from clock_timestamp())::float8",
        newer=(
            "select 1 from {table}",
            " where consumer = {consumer} and received_at >= to_timestamp({instant}) limit 1",
        ),
        expire=(
            "delete from {table} where ctid = any (array(select ctid from {table}",
            " where consumer = {consumer} and received_at < to_timestamp({instant}) limit {limit}))",
        ),
        listing=(
            "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid "
            "where i.inhparent = cast({parent} as regclass) order by c.relname"
        ),
        partitions=True,
        no_partition="23514",
    ),
    two_phase=facts.TwoPhaseFacts(
        insert=(
            "insert into {table} (message_id, outcome, writer)",
            " values ({message}, {outcome}, {writer}) on conflict do nothing",
        ),
        read=("select {columns} from {table} where message_id = {message}",),
        bounded=("set local lock_timeout = '2s'",),
        coordinator=True,
    ),
    code=facts.Code(
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
    ),
)
