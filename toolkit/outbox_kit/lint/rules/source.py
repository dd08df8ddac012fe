"""The database's side: what is captured, from where on, and what that does to the server."""

import re
from collections.abc import Iterator

from outbox_kit.finding import Severity
from outbox_kit.lint.rule import Edit, Flaw, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router import options
from outbox_kit.versions import Version

UPSERT = re.compile(r"\bon\s+conflict\b|\bupdate\b|\bmerge\b|\breplace\s+into\b", re.IGNORECASE)
INSERT = re.compile(r"\binsert\b", re.IGNORECASE)
DELETE = re.compile(r"\bdelete\b", re.IGNORECASE)
WRITES_ROWS = re.compile(r"\b(insert|update|delete|merge)\b", re.IGNORECASE)
EMIT = re.compile(r"pg_logical_emit_message\s*\(\s*(true|false)?", re.IGNORECASE)


@rule("no-table-filter", Severity.error, evidence="C10 O", fix="name the outbox table in table.include.list")
def no_table_filter(subject: Subject) -> Iterator[Flaw]:
    """Nothing says which tables are captured, so all of them are.

    Rows of other tables leak to topics of their own, or stop the task in the router.
    """
    filters = options.catalogue(subject.connector).facts.get("filters", ()) if subject.connector else ()
    if subject.router and filters and not any(name in subject.config for name in filters):
        yield Flaw("connector.class", f"none of {', '.join(filters)} is set: every table is captured")


@rule(
    "several-tables",
    Severity.warning,
    evidence="K01",
    fix="one connector for each shape, or a router with a predicate for each",
)
def several_tables(subject: Subject) -> Iterator[Flaw]:
    """Several tables go through one router.

    It knows one set of columns; a table that lacks one of them stops the task.
    """
    if subject.router and len(subject.tables) > 1 and "predicate" not in subject.router.options:
        yield Flaw("table.include.list", f"{len(subject.tables)} tables, one map of columns")


@rule("decoderbufs", Severity.error, evidence="I01", connectors="postgres", fix="set plugin.name=pgoutput")
def decoderbufs(subject: Subject) -> Iterator[Flaw]:
    """The logical decoding plugin is decoderbufs, which no PostgreSQL server brings.

    The connector fails: could not access file "decoderbufs".
    """
    if (subject.setting("plugin.name") or "").lower() == "decoderbufs":
        key = "plugin.name" if "plugin.name" in subject.config else "connector.class"
        how = "is" if key == "plugin.name" else "is by default"
        yield Flaw(key, f"plugin.name {how} decoderbufs", Edit("plugin.name", value="pgoutput"))


@rule(
    "publication-for-all-tables",
    Severity.warning,
    evidence="I02 I03 I05",
    connectors="postgres",
    fix="make the publication yourself and set publication.autocreate.mode=disabled",
)
def publication_for_all_tables(subject: Subject) -> Iterator[Flaw]:
    """The connector makes a publication for all tables.

    That needs a superuser, and sends every table's changes to the worker.
    """
    if (subject.setting("plugin.name") or "").lower() == "decoderbufs":
        return
    if (subject.setting("publication.autocreate.mode") or "").lower() == "all_tables":
        key = "publication.autocreate.mode"
        yield Flaw(key if key in subject.config else "connector.class", f"{key} is all_tables")


@rule(
    "default-slot", Severity.warning, evidence="I06", connectors="postgres", fix="give the slot a name of this service"
)
def default_slot(subject: Subject) -> Iterator[Flaw]:
    """The replication slot has its default name.

    The second connector on the server finds it active and does not start.
    """
    if subject.setting("slot.name") == "debezium":
        key = "slot.name"
        yield Flaw(key if key in subject.config else "connector.class", "slot.name is debezium, as everybody's")


@rule("slot-name-form", Severity.error, evidence="I06", connectors="postgres", fix="use a-z, 0-9 and _ only")
def slot_name_form(subject: Subject) -> Iterator[Flaw]:
    """The slot's name holds what PostgreSQL does not take.

    Connect answers with an internal error.
    """
    name = subject.config.get("slot.name", "x").strip()
    if "${" not in name and not re.fullmatch(r"[a-z0-9_]{1,63}", name):
        yield Flaw("slot.name", f"'{name}' is no name for a slot")


@rule(
    "default-publication",
    Severity.warning,
    evidence="I07",
    connectors="postgres",
    fix="give the publication a name of this service",
)
def default_publication(subject: Subject) -> Iterator[Flaw]:
    """The publication has its default name.

    Two connectors on one database share it; with `filtered`, each takes the other's tables out.
    """
    if (
        subject.setting("publication.name") == "dbz_publication"
        and (subject.setting("plugin.name") or "") == "pgoutput"
    ):
        key = "publication.name"
        yield Flaw(key if key in subject.config else "connector.class", "publication.name is dbz_publication")


@rule(
    "no-heartbeat",
    Severity.warning,
    evidence="I08 G02",
    connectors="postgres",
    fix="set heartbeat.interval.ms, and a heartbeat.action.query that writes a row",
)
def no_heartbeat(subject: Subject) -> Iterator[Flaw]:
    """No heartbeat moves the slot on while the outbox is idle.

    Other databases on the server write, the slot holds their WAL back, and the disk fills.
    """
    interval = (subject.config.get("heartbeat.interval.ms") or "0").strip()
    if subject.router and interval in ("", "0"):
        yield Flaw("connector.class", "heartbeat.interval.ms is not set")


@rule(
    "heartbeat-table-not-captured",
    Severity.warning,
    evidence="G02",
    connectors="postgres",
    fix="add the heartbeat's table to table.include.list and to the publication",
)
def heartbeat_table_not_captured(subject: Subject) -> Iterator[Flaw]:
    """The heartbeat's query writes to a table that is not captured.

    The slot does not move by it: what is not published is not confirmed.
    """
    query = subject.config.get("heartbeat.action.query", "")
    written = re.search(r"\b(?:into|update)\s+([\w.\"]+)", query, re.IGNORECASE)
    if written and subject.tables:
        table = written[1].replace('"', "").split(".")[-1]
        if not any(table in entry.replace("\\", "") for entry in subject.tables):
            yield Flaw("heartbeat.action.query", f"'{written[1]}' is in no list of captured tables")


@rule(
    "heartbeat-updates",
    Severity.error,
    evidence="G03",
    connectors="postgres",
    since="3.6",
    fix="insert a row, and delete the one before in the same statement",
)
def heartbeat_updates(subject: Subject) -> Iterator[Flaw]:
    """The heartbeat updates a row, and updates are skipped.

    From 3.6 on, skipped.operations goes into the publication: the heartbeat is published no more, and the slot stands.
    """
    query = subject.config.get("heartbeat.action.query", "")
    skipped = [word.strip() for word in (subject.config.get("skipped.operations") or "").split(",")]
    if "u" in skipped and UPSERT.search(query) and not EMIT.search(query):
        yield Flaw("heartbeat.action.query", "its update is skipped with skipped.operations")


@rule(
    "emit-message-heartbeat",
    Severity.warning,
    evidence="G04",
    connectors="postgres",
    until="3.5",
    fix="run 3.6 or later, or write a row",
)
def emit_message_heartbeat(subject: Subject) -> Iterator[Flaw]:
    """Before 3.6, messages of pg_logical_emit_message are lost after a restart, and may take the next change along."""
    if EMIT.search(subject.config.get("heartbeat.action.query", "")):
        yield Flaw("heartbeat.action.query", "pg_logical_emit_message is not safe yet")


@rule(
    "transactional-emit-message",
    Severity.warning,
    evidence="G04",
    connectors="postgres",
    fix="pass false: a message without a transaction",
)
def transactional_emit_message(subject: Subject) -> Iterator[Flaw]:
    """The heartbeat's message is transactional.

    It is sent with its transaction, and may be sent twice.
    """
    found = EMIT.search(subject.config.get("heartbeat.action.query", ""))
    if found and (found[1] or "").lower() == "true":
        yield Flaw("heartbeat.action.query", "the first argument is true")


@rule("heartbeat-cleans-up", Severity.info, evidence="I14", fix="clean up in a job of its own")
def heartbeat_cleans_up(subject: Subject) -> Iterator[Flaw]:
    """The heartbeat's query deletes outbox rows.

    When the connector stops, cleaning stops with it; when cleaning is slow, the heartbeat is.
    """
    query = subject.config.get("heartbeat.action.query", "")
    if DELETE.search(query) and "heartbeat" not in query.lower():
        yield Flaw("heartbeat.action.query", "it deletes rows")


@rule("heartbeat-query-unsupported", Severity.error, evidence="G15", connectors="mongodb", fix="take it out")
def heartbeat_query_unsupported(subject: Subject) -> Iterator[Flaw]:
    """MongoDB's connector has no heartbeat query.

    It fails with a null pointer.
    """
    if "heartbeat.action.query" in subject.config:
        yield Flaw("heartbeat.action.query", "MongoDB takes no SQL", Edit("heartbeat.action.query"))


@rule(
    "partitions-published-apart",
    Severity.error,
    evidence="I04 G11",
    connectors="postgres",
    since="3.2",
    fix="set publish.via.partition.root=true",
)
def partitions_published_apart(subject: Subject) -> Iterator[Flaw]:
    """The outbox is partitioned, and the connector's publication names the partitions.

    Each partition's rows have a raw topic of their own, which the predicate does not know.
    """
    creates = (subject.setting("publication.autocreate.mode") or "") in ("all_tables", "filtered")
    if subject.outbox and subject.outbox.table.retention == "partition" and creates:
        if not subject.on("publish.via.partition.root"):
            yield Flaw("connector.class", "publish.via.partition.root is not true")


@rule(
    "snapshot-replays",
    Severity.info,
    evidence="L01 L02",
    fix="choose no_data for a table that is in use, initial for a new one",
)
def snapshot_replays(subject: Subject) -> Iterator[Flaw]:
    """The first start, and every start without stored offsets, publishes all rows of the outbox again.

    Consumers get events that they have seen.
    """
    if subject.router and subject.outbox is None and (subject.setting("snapshot.mode") or "").lower() == "initial":
        key = "snapshot.mode"
        yield Flaw(key if key in subject.config else "connector.class", "snapshot.mode is initial")


@rule("snapshot-again-and-again", Severity.error, evidence="L01", fix="use initial or no_data")
def snapshot_again(subject: Subject) -> Iterator[Flaw]:
    """Every restart of the connector publishes all rows again."""
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "always":
        yield Flaw("snapshot.mode", "every restart is a full replay")


@rule("snapshot-then-nothing", Severity.error, evidence="L01", fix="use initial or no_data")
def snapshot_then_nothing(subject: Subject) -> Iterator[Flaw]:
    """The connector reads the table once and stops.

    No event that is written later is ever published.
    """
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "initial_only":
        yield Flaw("snapshot.mode", "nothing is streamed")


@rule("snapshot-when-needed", Severity.warning, evidence="L04", fix="let it fail, and recover by the runbook")
def snapshot_when_needed(subject: Subject) -> Iterator[Flaw]:
    """When the position in the log is lost, all retained rows are published again, unasked.

    Thousands of duplicates arrive at the worst of times.
    """
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "when_needed":
        yield Flaw("snapshot.mode", "a lost position becomes a replay")


@rule("truncate-not-skipped", Severity.error, evidence="F06", fix="leave t in skipped.operations")
def truncate_not_skipped(subject: Subject) -> Iterator[Flaw]:
    """Truncations are let through to the router.

    A TRUNCATE of the outbox stops the task.
    """
    skipped = subject.config.get("skipped.operations")
    if subject.router and skipped is not None and "t" not in [word.strip().lower() for word in skipped.split(",")]:
        yield Flaw("skipped.operations", f"'{skipped}' does not skip truncations")


@rule("inserts-skipped", Severity.error, evidence="F06", fix="take c out of skipped.operations")
def inserts_skipped(subject: Subject) -> Iterator[Flaw]:
    """Inserts are skipped.

    No event is ever published.
    """
    skipped = [word.strip().lower() for word in subject.config.get("skipped.operations", "").split(",")]
    if subject.router and "c" in skipped:
        yield Flaw("skipped.operations", "inserts are what an outbox is made of")


@rule("tombstones-for-nothing", Severity.info, evidence="F03", fix="set tombstones.on.delete=false")
def tombstones_for_nothing(subject: Subject) -> Iterator[Flaw]:
    """A tombstone is made for every deleted outbox row, only for the router to drop it."""
    if subject.router and subject.option("tombstones.on.delete") and subject.on("tombstones.on.delete"):
        if "tombstones.on.delete" in subject.config:
            yield Flaw("tombstones.on.delete", "the router drops them", Edit("tombstones.on.delete", value="false"))


@rule("updates-stop-the-task", Severity.info, evidence="F01", fix="use warn in production, and watch the log")
def updates_stop_the_task(subject: Subject) -> Iterator[Flaw]:
    """An UPDATE of an outbox row stops the task.

    Right in a test, an outage in production: the task fails again after every restart.
    """
    if subject.router and (subject.router_option("table.op.invalid.behavior") or "").strip().lower() == "fatal":
        yield Flaw(subject.router_key("table.op.invalid.behavior"), "one UPDATE and the task is down")


@rule(
    "schema-changes-published",
    Severity.info,
    evidence="G14",
    connectors="mysql mariadb sqlserver oracle",
    fix="set include.schema.changes=false",
)
def schema_changes_published(subject: Subject) -> Iterator[Flaw]:
    """Schema changes are published to a topic named like the prefix.

    They pass the router, and a converter for bytes fails on them.
    """
    if subject.router and subject.on("include.schema.changes"):
        yield Flaw("connector.class", "include.schema.changes is true")


@rule("transaction-metadata", Severity.warning, evidence="G13", fix="set provide.transaction.metadata=false")
def transaction_metadata(subject: Subject) -> Iterator[Flaw]:
    """Transaction boundaries are published to a topic of their own.

    They pass the router as structs, which a converter for text writes as Java's text.
    """
    if subject.router and not subject.structured and "provide.transaction.metadata" in subject.config:
        if subject.on("provide.transaction.metadata"):
            yield Flaw("provide.transaction.metadata", "the value's converter cannot write these records")


@rule(
    "server-id",
    Severity.info,
    evidence="J02",
    connectors="mysql mariadb",
    fix="give each connector its own database.server.id",
)
def server_id(subject: Subject) -> Iterator[Flaw]:
    """The connector's number among the server's replicas is an everyday one.

    Two connectors or replicas with one number throw each other out.
    """
    if subject.config.get("database.server.id", "").strip() in ("1", "5400", "184054"):
        yield Flaw("database.server.id", f"{subject.config['database.server.id']} is in every tutorial")


@rule(
    "oracle-upper-case", Severity.error, evidence="J07", connectors="oracle", fix="write Oracle's names in upper case"
)
def oracle_upper_case(subject: Subject) -> Iterator[Flaw]:
    """A column is named in lower case, and Oracle's are upper-case unless quoted.

    The defaults are raised, explicit names and placements never: is not a valid field name.
    """
    if not subject.router:
        return
    for name in ("id", "key", "payload"):
        key = subject.router.key(f"table.field.event.{name}")
        if key in subject.config and subject.config[key] != subject.config[key].upper():
            yield Flaw(key, f"'{subject.config[key]}' is not in upper case")
    for entry in subject.placement:
        if entry.column != entry.column.upper():
            yield Flaw(subject.router_key("{}.fields.additional.placement"), f"'{entry.column}' is not in upper case")


@rule(
    "oracle-lob",
    Severity.info,
    evidence="J08",
    connectors="oracle",
    fix="keep payloads in a VARCHAR2, or set lob.enabled=true",
)
def oracle_lob(subject: Subject) -> Iterator[Flaw]:
    """Large objects are not captured.

    A CLOB payload arrives as a placeholder or null.
    """
    if subject.router and not subject.on("lob.enabled"):
        yield Flaw("connector.class", "lob.enabled is false")


@rule("oracle-lob-hybrid", Severity.error, evidence="J08", connectors="oracle", fix="use another mining strategy")
def oracle_lob_hybrid(subject: Subject) -> Iterator[Flaw]:
    """The hybrid mining strategy cannot capture large objects."""
    if subject.on("lob.enabled") and "hybrid" in (subject.setting("log.mining.strategy") or "").lower():
        yield Flaw("log.mining.strategy", "hybrid and lob.enabled exclude each other")


@rule(
    "mongo-payload-text",
    Severity.info,
    evidence="J11 A25",
    connectors="mongodb",
    fix="store the payload as a document, and expand it",
)
def mongo_payload_text(subject: Subject) -> Iterator[Flaw]:
    """A document payload is sent as indented extended JSON unless it is expanded.

    {"n": 1} arrives as {"n": {"$numberInt": "1"}}, over several lines.
    """
    if subject.router and subject.words == "collection" and not subject.expands:
        yield Flaw(subject.router.key("type"), "collection.expand.json.payload is not set")


@rule("mongo-key", Severity.warning, evidence="J12", connectors="mongodb", fix="set collection.field.event.key")
def mongo_key(subject: Subject) -> Iterator[Flaw]:
    """The key's field is left to its default, aggregateid, all in lower case.

    Most documents call it aggregateId: is not a valid field name.
    """
    if subject.router and subject.words == "collection" and subject.router_option("{}.field.event.key") is None:
        yield Flaw(subject.router.key("type"), "the key is the field aggregateid")


@rule("mongo-key-old", Severity.warning, evidence="J13", connectors="mongodb", until="3.0", fix="run 3.1 or later")
def mongo_arrays(subject: Subject) -> Iterator[Flaw]:
    """Documents with nested arrays crash the router of these releases."""
    if subject.router and subject.words == "collection" and subject.expands:
        yield Flaw(subject.router_key("{}.expand.json.payload"), "nested arrays are not safe yet")


@rule(
    "lost-lsn",
    Severity.info,
    evidence="I10",
    connectors="postgres",
    until="3.6",
    fix="run 3.7 or later, and compare topics with the table after restarts",
)
def lost_lsn(subject: Subject) -> Iterator[Flaw]:
    """Rows that share a log position with the last confirmed one can be lost at a restart; mended in 3.7."""
    if subject.router and subject.outbox is None and subject.release < Version.of("3.7"):
        yield Flaw("connector.class", "a restart can lose rows of one log position")


@rule(
    "sqlserver-defaults",
    Severity.info,
    evidence="B08 B07",
    connectors="sqlserver",
    until="3.6",
    fix="give the outbox's uniqueidentifier no default",
)
def sqlserver_defaults(subject: Subject) -> Iterator[Flaw]:
    """A uniqueidentifier column with a default keeps the connector from starting, before 3.7."""
    if subject.router:
        yield Flaw("connector.class", "DEFAULT NEWID() on the outbox's id stops it")


@rule(
    "mysql-json-bytes",
    Severity.info,
    evidence="A25",
    connectors="mysql",
    fix="store payloads as LONGTEXT where bytes matter",
)
def mysql_json_bytes(subject: Subject) -> Iterator[Flaw]:
    """MySQL writes a JSON column's text anew, and otherwise in the first read than in the log.

    A signature over the bytes does not hold.
    """
    if subject.router and (subject.setting("snapshot.mode") or "").lower() not in ("no_data", "schema_only"):
        yield Flaw("connector.class", "a JSON payload's blanks differ between the first read and the log")
