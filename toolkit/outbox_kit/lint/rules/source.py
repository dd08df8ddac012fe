"""The database's side: what is captured, from where on, and what that does to the server."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Edit, Violation, rule
from outbox_kit.lint.subject import MONGO, Subject
from outbox_kit.router import options

OVERRIDES = "snapshot.select.statement.overrides"


@rule("no-table-filter", Severity.error, evidence="C10 O", fix="name the outbox table in table.include.list")
def no_table_filter(subject: Subject) -> Iterator[Violation]:
    """Nothing says which tables are captured, so all of them are.

    Rows of other tables leak to topics of their own, or stop the task in the router.
    """
    filters = options.catalogue(subject.connector).facts.get("filters", ()) if subject.connector else ()
    if subject.router and filters and not any(name in subject.config for name in filters):
        yield Violation("connector.class", f"none of {', '.join(filters)} is set: every table is captured")


@rule(
    "several-tables",
    Severity.warning,
    evidence="K01",
    fix="one connector for each shape, or a router with a predicate for each",
)
def several_tables(subject: Subject) -> Iterator[Violation]:
    """Several tables go through one router.

    It knows one set of columns; a table that lacks one of them stops the task.
    """
    if subject.router and len(subject.tables) > 1 and "predicate" not in subject.router.options:
        yield Violation("table.include.list", f"{len(subject.tables)} tables, one map of columns")


@rule("decoderbufs", Severity.error, evidence="I01", connectors=POSTGRES.name, fix="set plugin.name=pgoutput")
def decoderbufs(subject: Subject) -> Iterator[Violation]:
    """The logical decoding plugin is decoderbufs, which no PostgreSQL server brings.

    The connector fails: could not access file "decoderbufs".
    """
    if (subject.setting("plugin.name") or "").lower() == "decoderbufs":
        key = "plugin.name" if "plugin.name" in subject.config else "connector.class"
        how = "is" if key == "plugin.name" else "is by default"
        yield Violation(key, f"plugin.name {how} decoderbufs", Edit("plugin.name", value="pgoutput"))


@rule(
    "publication-for-all-tables",
    Severity.warning,
    evidence="I02 I03 I05",
    connectors=POSTGRES.name,
    fix="make the publication yourself and set publication.autocreate.mode=disabled",
)
def publication_for_all_tables(subject: Subject) -> Iterator[Violation]:
    """The connector makes a publication for all tables.

    That needs a superuser, and sends every table's changes to the worker.
    """
    if (subject.setting("plugin.name") or "").lower() == "decoderbufs":
        return
    if (subject.setting("publication.autocreate.mode") or "").lower() == "all_tables":
        key = "publication.autocreate.mode"
        yield Violation(key if key in subject.config else "connector.class", f"{key} is all_tables")


@rule(
    "default-slot",
    Severity.warning,
    evidence="I06",
    connectors=POSTGRES.name,
    fix="give the slot a name of this service",
)
def default_slot(subject: Subject) -> Iterator[Violation]:
    """The replication slot has its default name.

    The second connector on the server finds it active and does not start.
    """
    if subject.setting("slot.name") == "debezium":
        key = "slot.name"
        yield Violation(key if key in subject.config else "connector.class", "slot.name is debezium, as everybody's")


@rule("slot-name-form", Severity.error, evidence="I06", connectors=POSTGRES.name, fix="use a-z, 0-9 and _ only")
def slot_name_form(subject: Subject) -> Iterator[Violation]:
    """The slot's name holds what PostgreSQL does not take.

    Connect answers with an internal error.
    """
    name = subject.config.get("slot.name", "x").strip()
    if "${" not in name and not re.fullmatch(r"[a-z0-9_]{1,63}", name):
        yield Violation("slot.name", f"'{name}' is no name for a slot")


@rule(
    "default-publication",
    Severity.warning,
    evidence="I07",
    connectors=POSTGRES.name,
    fix="give the publication a name of this service",
)
def default_publication(subject: Subject) -> Iterator[Violation]:
    """The publication has its default name.

    Two connectors on one database share it; with `filtered`, each takes the other's tables out.
    """
    if (
        subject.setting("publication.name") == "dbz_publication"
        and (subject.setting("plugin.name") or "") == "pgoutput"
    ):
        key = "publication.name"
        yield Violation(key if key in subject.config else "connector.class", "publication.name is dbz_publication")


@rule(
    "partitions-published-apart",
    Severity.error,
    evidence="I04 G11",
    connectors=POSTGRES.name,
    since="3.2",
    fix="set publish.via.partition.root=true",
)
def partitions_published_apart(subject: Subject) -> Iterator[Violation]:
    """The outbox is partitioned, and the connector's publication names the partitions.

    Each partition's rows have a raw topic of their own, which the predicate does not know.
    """
    creates = (subject.setting("publication.autocreate.mode") or "") in ("all_tables", "filtered")
    if subject.outbox and subject.outbox.table.retention == "partition" and creates:
        if not subject.on("publish.via.partition.root"):
            yield Violation("connector.class", "publish.via.partition.root is not true")


@rule(
    "snapshot-replays",
    Severity.info,
    evidence="L01 L02",
    fix="choose no_data for a table that is in use, initial for a new one",
)
def snapshot_replays(subject: Subject) -> Iterator[Violation]:
    """The first start, and every start without stored offsets, publishes all rows of the outbox again.

    Consumers get events that they have seen.
    """
    # a replay that somebody has thought of; MongoDB's connector cannot be told an order
    option_key = (
        f"{OVERRIDES}.{subject.config.get(OVERRIDES, '')}" if subject.option_prefix != MONGO else "snapshot.mode"
    )
    if (
        subject.router
        and option_key not in subject.config
        and (subject.setting("snapshot.mode") or "").lower() == "initial"
    ):
        key = "snapshot.mode"
        yield Violation(key if key in subject.config else "connector.class", "snapshot.mode is initial")


@rule("snapshot-again-and-again", Severity.error, evidence="L01", fix="use initial or no_data")
def snapshot_again(subject: Subject) -> Iterator[Violation]:
    """Every restart of the connector publishes all rows again."""
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "always":
        yield Violation("snapshot.mode", "every restart is a full replay")


@rule("snapshot-then-nothing", Severity.error, evidence="L01", fix="use initial or no_data")
def snapshot_then_nothing(subject: Subject) -> Iterator[Violation]:
    """The connector reads the table once and stops.

    No event that is written later is ever published.
    """
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "initial_only":
        yield Violation("snapshot.mode", "nothing is streamed")


@rule("snapshot-when-needed", Severity.warning, evidence="L04", fix="let it fail, and recover by the runbook")
def snapshot_when_needed(subject: Subject) -> Iterator[Violation]:
    """When the position in the log is lost, all retained rows are published again, unasked.

    Thousands of duplicates arrive at the worst of times.
    """
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "when_needed":
        yield Violation("snapshot.mode", "a lost position becomes a replay")


@rule("truncate-not-skipped", Severity.error, evidence="F06", fix="leave t in skipped.operations")
def truncate_not_skipped(subject: Subject) -> Iterator[Violation]:
    """Truncations are let through to the router.

    A TRUNCATE of the outbox stops the task.
    """
    skipped = subject.config.get("skipped.operations")
    if subject.router and skipped is not None and "t" not in [word.strip().lower() for word in skipped.split(",")]:
        yield Violation("skipped.operations", f"'{skipped}' does not skip truncations")


@rule("inserts-skipped", Severity.error, evidence="F06", fix="take c out of skipped.operations")
def inserts_skipped(subject: Subject) -> Iterator[Violation]:
    """Inserts are skipped.

    No event is ever published.
    """
    skipped = [word.strip().lower() for word in subject.config.get("skipped.operations", "").split(",")]
    if subject.router and "c" in skipped:
        yield Violation("skipped.operations", "inserts are what an outbox is made of")


@rule("tombstones-for-nothing", Severity.info, evidence="F03", fix="set tombstones.on.delete=false")
def tombstones_for_nothing(subject: Subject) -> Iterator[Violation]:
    """A tombstone is made for every deleted outbox row, only for the router to drop it."""
    if subject.router and subject.option("tombstones.on.delete") and subject.on("tombstones.on.delete"):
        if "tombstones.on.delete" in subject.config:
            yield Violation(
                "tombstones.on.delete", "the router drops them", Edit("tombstones.on.delete", value="false")
            )


@rule("updates-stop-the-task", Severity.info, evidence="F01", fix="use warn in production, and watch the log")
def updates_stop_the_task(subject: Subject) -> Iterator[Violation]:
    """An UPDATE of an outbox row stops the task.

    Right in a test, an outage in production: the task fails again after every restart.
    """
    if subject.router and (subject.router_option("table.op.invalid.behavior") or "").strip().lower() == "fatal":
        yield Violation(subject.router_key("table.op.invalid.behavior"), "one UPDATE and the task is down")


@rule(
    "schema-changes-published",
    Severity.info,
    evidence="G14",
    connectors=f"{MYSQL.name} {MARIADB.name} {SQLSERVER.name} {ORACLE.name}",
    fix="set include.schema.changes=false",
)
def schema_changes_published(subject: Subject) -> Iterator[Violation]:
    """Schema changes are published to a topic named like the prefix.

    They pass the router, and a converter for bytes fails on them.
    """
    if subject.router and subject.on("include.schema.changes"):
        yield Violation("connector.class", "include.schema.changes is true")


@rule("transaction-metadata", Severity.warning, evidence="G13", fix="set provide.transaction.metadata=false")
def transaction_metadata(subject: Subject) -> Iterator[Violation]:
    """Transaction boundaries are published to a topic of their own.

    They pass the router as structs, which a converter for text writes as Java's text.
    """
    if subject.router and not subject.structured and "provide.transaction.metadata" in subject.config:
        if subject.on("provide.transaction.metadata"):
            yield Violation("provide.transaction.metadata", "the value's converter cannot write these records")


STATUS = re.compile(r"(^|_)(status|state|published|processed|sent|dispatched|retries|retry|attempts?)(_|$)")


@rule(
    "status-column",
    Severity.warning,
    evidence="F01",
    fix="append rows only; what was published is known by the log's position",
)
def status_column(subject: Subject) -> Iterator[Violation]:
    """The outbox has a column that looks like a status.

    Whoever marks rows as published updates them; the router drops updates with a warning, or stops the task.
    """
    for extra in subject.outbox.table.extra if subject.outbox else ():
        if STATUS.search(extra.name.lower()) and extra.to is None:
            yield Violation("connector.class", f"'{extra.name}' invites updates of rows that are events")
