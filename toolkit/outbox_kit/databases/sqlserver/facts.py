"""SQL Server."""

from outbox_kit.databases import facts

SQLSERVER = facts.Dialect(
    name="sqlserver",
    title="SQL Server",
    rank=3,
    types={
        "uuid": "char(36)",  # not uniqueidentifier: it arrives in upper case, and most applications write lower case
        "text": "nvarchar(255)",  # can be in an index, which nvarchar(max) cannot
        "json": "nvarchar(max)",
        "document": "nvarchar(max)",
        "bytes": "varbinary(max)",
        "integer": "int",  # the only type the router takes for a partition
        "bigint": "bigint",
        "boolean": "bit",
        "instant": "datetimeoffset(6)",  # arrives as text; never the router's timestamp: it refuses zoned types
    },
    timestamp_type="datetime2(6)",
    access=facts.Access(
        port=1433,
        dsn="sqlserver://{host}:{port}/{database}",
        example="sqlserver://USER@HOST",
        variable="SQLCMDPASSWORD",
        extra="sqlserver",
    ),
    naming=facts.Naming(
        quotes=("[", "]"),
        schema="dbo",
    ),
    strings=facts.Strings(prefix="N"),
    # a captured table cannot be truncated; its partitions can be switched out, but splitting them can stop the capture
    retentions=("delete", "delete_on_insert", "forever"),
    ddl=facts.Ddl(
        folders=("sqlserver",),
        templates=("setup", "outbox", "heartbeat", "writers", "role", "commit", "capture"),
        transactional=False,
        default_clauses={"identity": "identity(1, 1)", "now": "default sysutcdatetime()"},
        of_log=("heartbeat", "capture"),
    ),
    migration=facts.Migration(
        table_swap="offline",  # a capture stays with its table
        sync_trigger=False,  # with a trigger on the table no INSERT may have an OUTPUT, which is how EF Core writes
    ),
    limits=facts.Limits(
        name=128,
        table=128 - len("_null_payload_is_a_tombstone_012345"),
        role=128 - len("_gate"),
        delete_batch=4000,
        schema=128 - len("_before"),  # where the table goes that another one takes the place of
        marks={"$(": "by which sqlcmd marks a variable", "%(": "by which the driver marks a value"},
        unit="characters",
    ),
    conditions=facts.Conditions(
        text="cast(cast({} as nvarchar(max)) collate Latin1_General_100_BIN2_UTF8 as varchar(max))",
        # with an end that is seen: blanks at the end of a text are not compared
        pair="concat({}, nchar(10), {}, nchar(10))",
        same="iif({}, 1, 0) = iif({}, 1, 0)",
        octets="datalength({})",
        topic_safe="{0} not like N'%[^A-Za-z0-9._-]%' and len({0}) between 1 and 200",
        is_json="isjson({}) = 1",
        is_uuid="{} like replace('xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx', 'x', '[0-9a-f]')",
    ),
    adoption=facts.Adoption(
        generated_columns=facts.GeneratedColumns(missing="its captured value is NULL"),
        trigger=facts.TriggerExpressions(
            member="(select value from openjson(element) where [key] = {text})",
            row="(select {members} for json path, include_null_values, without_array_wrapper)",
            row_member="new.{column}",
            hexadecimal="lower(convert(nvarchar(max), {}, 2))",
            ids={"uniqueidentifier": "{}"},
        ),
    ),
    capture=facts.Capture(
        test_container="MSSQLServerContainer",
        offset=facts.OffsetForm(("server", "database"), {"commit_lsn": "text"}),
        options={
            "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
            **facts.TABLE_OPTIONS,
            **facts.HISTORY_OPTIONS,
            "database.names": "{database}",
            "driver.encrypt": "true",
            "driver.trustServerCertificate": "false",
            "schema.history.internal.store.only.captured.databases.ddl": "true",
            "skipped.operations": "{skipped}",
            "snapshot.isolation.mode": "read_committed",
            "data.query.mode": "direct",
            "poll.interval.ms": "500",
            "heartbeat.action.query": "UPDATE {heartbeat} SET beat_at = SYSUTCDATETIME() WHERE id = 1",
        },
        raw_topic="{prefix}.{database}.{schema}.{table}",
        override_format="[{schema}].[{table}]",
        # spelled out: the connector puts its own list in place of a star, and stumbles over a dollar sign in it
        snapshot_query="SELECT {columns} FROM {rows} ORDER BY {order}",
        polled=("delete", "mark"),
        idle_seconds=10,  # the capture job looks every five
    ),
    runbook=facts.Runbook(
        client="sqlcmd -b -I -Q",
        limit_clause="offset 0 rows fetch next 20 rows only",
        password_statement="alter login {role} with password = ...",  # noqa: S106 - a statement
    ),
    inbox=facts.InboxFacts(
        add=(
            "merge {table} with (holdlock) as known",
            " using (values ({values})) as given ({columns})",
            " on {same}",
            " when not matched then insert ({columns})",
            " values ({given});",
        ),
        position=(
            "select next_offset, generation from {table} with (updlock)",
            " where consumer = {consumer} and topic = {topic} and topic_partition = {partition}",
        ),
    ),
    two_phase=facts.TwoPhaseFacts(
        insert=(
            "merge {table} with (holdlock) as known",
            " using (values ({message}, {outcome}, {writer})) as given (message_id, outcome, writer)",
            " on known.message_id = given.message_id",
            " when not matched then insert (message_id, outcome, writer)",
            " values (given.message_id, given.outcome, given.writer);",
        ),
        read=("select {columns} from {table} where message_id = {message}",),
        bounded=("set lock_timeout 2000",),
        restored=("set lock_timeout -1",),  # as it is unless an application sets it
    ),
    code=facts.Code(
        stacks=("python-sqlalchemy", "java-spring", "go-sql", "csharp-efcore"),
        placeholder="@p{n}",
    ),
)
