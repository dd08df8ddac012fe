"""MySQL, and what MariaDB has in common with it."""

from outbox_kit.databases import facts
from outbox_kit.tls import TlsSettings

MYSQL = facts.Dialect(
    name="mysql",
    title="MySQL",
    rank=1,
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
    timestamp_type="datetime(6)",
    access=facts.Access(
        port=3306,
        dsn="mysql://{host}:{port}/{database}",
        example="mysql://USER@HOST/NAME",
        variable="MYSQL_PWD",
        tls=TlsSettings(
            server="the database server",
            address="OUTBOX_KIT_DSN",
            authority="ssl-ca in OUTBOX_KIT_DSN",
            client="ssl-cert and ssl-key in OUTBOX_KIT_DSN",
            on="ssl-mode=verify-identity in OUTBOX_KIT_DSN",
            off="ssl-mode=disabled in OUTBOX_KIT_DSN",
        ),
    ),
    naming=facts.Naming(
        quotes=("`", "`"),
        schema=None,
        users_have_host=True,
    ),
    strings=facts.Strings(
        escapes={"'": "''", "\\": "\\\\"},
        booleans={"true": "1", "false": "0"},
    ),
    ddl=facts.Ddl(
        folders=("mysql",),
        templates=("setup", "outbox", "heartbeat", "role", "writers"),
        of_log=("heartbeat",),
        transactional=False,
        default_clauses={"identity": "auto_increment", "now": "default current_timestamp(6)"},
    ),
    limits=facts.Limits(
        name=64,
        table=64 - len("_null_payload_is_a_tombstone_012345"),
        role=32,
        unit="characters",
        refused={"[\U00010000-\U0010ffff]": "a character beyond U+FFFF", " $": "a blank at its end"},
    ),
    conditions=facts.Conditions(
        text="concat({})",
        topic_safe="{} regexp '^[A-Za-z0-9._-]{{1,200}}\\\\z'",  # $ would let a last newline pass
        is_json="json_valid({})",
        is_uuid="{} regexp '^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}$'",
    ),
    adoption=facts.Adoption(
        rewritten_types=("json",),
        trigger=facts.TriggerExpressions(
            member="json_unquote(json_extract(element, {path}))",
            row="json_object({members})",
            row_member="{text}, new.{column}",
            hexadecimal="lower(hex({}))",
        ),
    ),
    capture=facts.Capture(
        test_container="MySQLContainer",
        offset=facts.OffsetForm(required={"file": "text", "pos": "integer"}),
        deletes_log=True,
        measured=True,
        options={
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            **facts.TABLE_OPTIONS,
            **facts.HISTORY_OPTIONS,
            "database.ssl.mode": "preferred",
            "database.server.id": "{server_id}",
            "database.include.list": "{databases}",
            "schema.history.internal.store.only.captured.databases.ddl": "true",
            "skipped.operations": "{skipped}",
            "snapshot.locking.mode": "minimal",
            "heartbeat.action.query": (
                "INSERT INTO {heartbeat} (id, beat_at) VALUES (1, CURRENT_TIMESTAMP(6)) "
                "ON DUPLICATE KEY UPDATE beat_at = CURRENT_TIMESTAMP(6)"
            ),
        },
        polled=("delete", "mark"),
        idle_seconds=60,  # the connector beats when the log says something, were it only that there is nothing new
    ),
    runbook=facts.Runbook(
        resends=True,
        client="mysql --defaults-extra-file=outbox.cnf -e",
    ),
    inbox=facts.InboxFacts(
        add=("insert into {table} ({columns})", " values ({values})", " on duplicate key update consumer = consumer"),
        # not `insert ignore`, which ignores other errors too; and a change, because a row that stays as it was counts 1
        # for the many drivers that ask for the rows found, and a new one does too
        add_counted=(
            "insert into {table} ({columns})",
            " values ({values})",
            " on duplicate key update received_at = received_at + interval 1 microsecond",
        ),
        many=True,
        clock="select cast(unix_timestamp(now(6)) as double)",
        newer=(
            "select 1 from {table}",
            " where consumer = {consumer} and received_at >= from_unixtime({instant}) limit 1",
        ),
        expire=(
            "delete from {table}",
            " where consumer = {consumer} and received_at < from_unixtime({instant}) limit {limit}",
        ),
    ),
    two_phase=facts.TwoPhaseFacts(
        insert=(
            "insert into {table} (message_id, outcome, writer)",
            " values ({message}, {outcome}, {writer}) on duplicate key update"
            " decided_at = decided_at + interval 1 microsecond",
        ),
        read=("select {columns} from {table} where message_id = {message} for update",),
        bounded=(
            "set @outbox_kit_lock_wait = @@session.innodb_lock_wait_timeout",
            "set session innodb_lock_wait_timeout = 2",
        ),
        restored=("set session innodb_lock_wait_timeout = @outbox_kit_lock_wait",),
        coordinator=True,
    ),
    code=facts.Code(
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
    ),
)
