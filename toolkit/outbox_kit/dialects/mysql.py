"""MySQL, and what MariaDB has in common with it."""

from outbox_kit.dialects.base import Capture, Code, Conditions, Dialect, Limits, Runbook

MYSQL = Dialect(
    name="mysql",
    title="MySQL",
    types={
        "uuid": "char(36)",  # not binary(16): the router takes the id as text
        "text": "varchar(255)",  # can be a key, which text cannot
        "json": "longtext",  # not json: that type rewrites the bytes that a consumer may have signed
        "document": "longtext",
        "bytes": "longblob",
        "integer": "int",  # the only type the router takes for a partition
        "bigint": "bigint",
        "boolean": "bit(1)",  # arrives as true and false; a tinyint(1) as a number
        "instant": "timestamp(6)",  # UTC whatever a session's time zone; never the router's: it refuses zoned types
    },
    moment="datetime(6)",
    quotes=("`", "`"),
    folders=("mysql",),
    port=3306,
    schema=None,
    hosts=True,
    ddl=("setup", "outbox", "heartbeat", "role", "writers"),
    atomic=False,
    fills={"identity": "auto_increment", "now": "default current_timestamp(6)"},
    escapes={"'": "''", "\\": "\\\\"},
    slots=False,
    dsn="mysql://{host}:{port}/{database}",
    limits=Limits(
        name=64,
        table=64 - len("_null_payload_is_a_tombstone_012345"),
        role=32,
        unit="characters",
        refused={"[\U00010000-\U0010ffff]": "a character beyond U+FFFF", " $": "a blank at its end"},
    ),
    conditions=Conditions(
        text="concat({})",
        topic_safe="{} regexp '^[A-Za-z0-9._-]{{1,200}}\\\\z'",  # $ would let a last newline pass
        is_json="json_valid({})",
        is_uuid="{} regexp '^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}$'",
    ),
    capture=Capture(
        options={
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "database.hostname": "{host}",
            "database.port": "{port}",
            "database.user": "{role}",
            "database.password": "{password}",
            "table.include.list": "{tables}",
            "column.exclude.list": "{unread}",
            "database.ssl.mode": "preferred",
            "database.server.id": "{server_id}",
            "database.include.list": "{databases}",
            "schema.history.internal.kafka.bootstrap.servers": "{bootstrap}",
            "schema.history.internal.kafka.topic": "{history}",
            "schema.history.internal.store.only.captured.databases.ddl": "true",
            "schema.history.internal.store.only.captured.tables.ddl": "true",
            "include.schema.changes": "false",
            "skipped.operations": "{skipped}",
            "snapshot.locking.mode": "minimal",
            "heartbeat.action.query": (
                "INSERT INTO {heartbeat} (id, beat_at) VALUES (1, CURRENT_TIMESTAMP(6)) "
                "ON DUPLICATE KEY UPDATE beat_at = CURRENT_TIMESTAMP(6)"
            ),
        },
        idle_seconds=60,  # the connector beats when the log says something, were it only that there is nothing new
    ),
    runbook=Runbook(
        client="mysql --defaults-extra-file=outbox.cnf -e",
        trouble=("binlog-lost",),
    ),
    code=Code(
        stacks=(
            "python-sqlalchemy",
            "python-django",
            "java-spring",
            "go-sql",
            "csharp-efcore",
            "node-mysql2",
            "node-prisma",
        ),
        placeholder="?",
        # not `insert ignore`, which ignores other errors too; and a change, because a row that stays as it was counts 1
        # for the many drivers that ask for the rows found, and a new one does too
        insert_once=(
            "insert into {table} ({columns})",
            " values ({values})",
            " on duplicate key update received_at = received_at + interval 1 microsecond",
        ),
    ),
)
