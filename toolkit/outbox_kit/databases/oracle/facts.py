"""Oracle, read by LogMiner."""

from outbox_kit.databases import facts

CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
DIGIT = "[0123456789abcdef]"  # not a-f: what is in a range depends on the session's language

ORACLE = facts.Dialect(
    name="oracle",
    title="Oracle",
    rank=4,
    types={
        "uuid": "varchar2(36 char)",  # not raw(16): the router takes the id as text
        "text": "varchar2(255 char)",
        "json": "clob",
        "short json": "varchar2(4000 byte)",  # in the row itself: LogMiner tells a LOB in several pieces
        "document": "clob",
        "short document": "varchar2(4000 byte)",
        "bytes": "blob",
        "integer": "number(9)",  # up to nine digits are an INT32, the only type the router takes for a partition
        "bigint": "number(18)",  # up to eighteen are an INT64; integer is number(38), which is none of both
        "boolean": "number(1)",
        "instant": "timestamp(6)",  # in UTC; with a time zone it could not be what partitions are made by
    },
    timestamp_type="timestamp(6)",
    short_types={"json": 4000, "document": 4000},
    access=facts.Access(
        port=1521,
        dsn="oracle://{host}:{port}/{database}",
        example="oracle://USER@HOST/SERVICE",
        variable="ORACLE_PASSWORD",
        extra="oracle",
    ),
    naming=facts.Naming(
        quotes=('"', '"'),
        schema="{service}",
        unquoted_pattern="[a-z][a-z0-9_$#]*",
        common_user_prefix="C##",
    ),
    strings=facts.Strings(booleans={"true": "1", "false": "0"}),
    ddl=facts.Ddl(
        folders=("oracle",),
        templates=("user", "place", "outbox", "heartbeat", "rights", "writers"),
        transactional=False,
        default_clauses={
            "identity": "generated always as identity (order)",  # in order, on several nodes too
            "now": "default sys_extract_utc(systimestamp)",
        },
        of_log=("heartbeat", "rights"),
        preamble="set define off\nwhenever sqlerror exit failure\n",
        global_unique_index=True,
    ),
    migration=facts.Migration(
        table_swap="offline",  # LogMiner tells a row by what its table is called by then
    ),
    limits=facts.Limits(
        name=30,  # LogMiner passes over longer ones without a word
        table=30 - len("_HEARTBEAT"),
        role=30,
        other=128,
        forbidden="\"'\\",  # the first the database takes in none; the others end up in the connector's own SQL
    ),
    conditions=facts.Conditions(
        text="{}",
        topic_safe=f"length({{0}}) <= 200 and translate({{0}}, ' {CHARACTERS}', ' ') is null",
        is_json="{} is json strict",
        is_uuid=f"regexp_like({{}}, '^{DIGIT}{{{{8}}}}(-{DIGIT}{{{{4}}}}){{{{3}}}}-{DIGIT}{{{{12}}}}$', 'c')",
        is_boolean="{} in (0, 1)",
        same="case when {} then 1 else 0 end = case when {} then 1 else 0 end",
        empty_is_null=True,
        counted={
            "json": ("length({})", 3),  # of its UTF-16: no function counts a CLOB's bytes
            "document": ("length({})", 3),
            "short json": ("lengthb({})", 1),
            "short document": ("lengthb({})", 1),
            "bytes": ("length({})", 1),
        },
        comma=",\n    ",  # SQL*Plus takes no line of more than a few thousand characters
    ),
    adoption=facts.Adoption(
        generated_columns=facts.GeneratedColumns(missing="it is not in the log"),
        trigger=facts.TriggerExpressions(
            member="json_value(element, {path})",
            row="json_object({members} returning clob)",
            row_member="key {text} value :new.{column}",
            hexadecimal="lower(rawtohex({}))",
            ids={"raw(16)": "regexp_replace(rawtohex({}), '(.{{8}})(.{{4}})(.{{4}})(.{{4}})', '\\1-\\2-\\3-\\4-')"},
            new=":new",
            document="coalesce(json_value(element, {path} returning clob), json_query(element, {path} returning clob))",
        ),
    ),
    capture=facts.Capture(
        test_container="OracleContainer",
        offset=facts.OffsetForm(required={"scn": "integer or text"}),
        options={
            "connector.class": "io.debezium.connector.oracle.OracleConnector",
            **facts.TABLE_OPTIONS,
            **facts.HISTORY_OPTIONS,
            "database.dbname": "{database}",
            "database.connection.adapter": "logminer",
            "log.mining.strategy": "online_catalog",
            "log.mining.query.filter.mode": "in",
            "lob.enabled": "{large}",
            "converters": "boolean",
            "boolean.type": "io.debezium.connector.oracle.converters.NumberOneToBooleanConverter",
            "time.precision.mode": "isostring",
            "skipped.operations": "{skipped}",
            "snapshot.locking.mode": "shared",
            "internal.snapshot.enhance.predicate.scn": "AS_OF_ITS_BEGINNING",
            "heartbeat.action.query": (
                "MERGE INTO {heartbeat} USING DUAL ON (ID = 1) "
                "WHEN MATCHED THEN UPDATE SET BEAT_AT = SYS_EXTRACT_UTC(SYSTIMESTAMP) "
                "WHEN NOT MATCHED THEN INSERT (ID, BEAT_AT) VALUES (1, SYS_EXTRACT_UTC(SYSTIMESTAMP))"
            ),
        },
        container_options={"database.dbname": "{container}", "database.pdb.name": "{database}"},
        log_has_schema=False,
        polled=("delete", "mark"),
        idle_seconds=60,
        min_debezium="3.1",  # the first that writes times as text
        override_format='"{database}"."{schema}"."{table}"',  # two parts would be a database and a table
        snapshot_query="SELECT * FROM {rows} AS_OF_ITS_BEGINNING ORDER BY {order}",
    ),
    inbox=facts.InboxFacts(
        # no merge: of two at the same moment the second would fail, instead of adding nothing
        add=(
            "insert /*+ ignore_row_on_dupkey_index({name}({key_columns})) */",
            " into {table} ({columns})",
            " values ({values})",
        ),
        text="nvl({}, ' ')",  # an empty text is NULL, which no key has and which equals nothing
    ),
    two_phase=facts.TwoPhaseFacts(
        insert=(
            "insert /*+ ignore_row_on_dupkey_index(two_phase_barrier(message_id)) */",
            " into {table} (message_id, outcome, writer)",
            " values ({message}, {outcome}, {writer})",
        ),
        read=("select {columns} from {table} where message_id = {message}",),
    ),
    code=facts.Code(
        stacks=("python-sqlalchemy", "python-django", "java-spring", "go-sql", "csharp-efcore"),
        placeholder=":{n}",
    ),
    runbook=facts.Runbook(
        client="ask",  # SQL*Plus takes no statement as an argument: the runbook makes a function of it
        limit_clause="fetch first 20 rows only",
    ),
)
