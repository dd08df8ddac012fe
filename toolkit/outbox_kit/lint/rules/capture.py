"""Rules about capture: tables, snapshot, slot, publication, operations."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.lint.rule import Consequence, Edit, Violation, at, rule
from outbox_kit.lint.subject import MONGO, OUTBOX_WORDS, Subject

OVERRIDES = "snapshot.select.statement.overrides"


@rule(
    "multiple-tables",
    Consequence.risk,
    evidence="K01",
    fix="use one connector per table layout, or one event router with a predicate per table",
)
def multiple_tables(subject: Subject) -> Iterator[Violation]:
    """The event router receives the rows of one table.

    It has one set of column names; a table that lacks one of the columns stops the task.
    """
    tables = [table for table in subject.tables if "heartbeat" not in table.lower() and "signal" not in table.lower()]
    alike = all("outbox" in table.lower() for table in tables)  # one layout, as a table for each tenant
    strange = [table for table in tables if not any(word in table.lower() for word in OUTBOX_WORDS)]
    if subject.router and len(tables) > 1 and not alike and "predicate" not in subject.router.options:
        yield Violation(
            "table.include.list",
            f"{len(tables)} tables share one event router",
            consequence=Consequence.stop if strange else None,
        )


@rule("decoderbufs", Consequence.risk, evidence="I01", connectors=POSTGRES.name, fix="set plugin.name=pgoutput")
def decoderbufs(subject: Subject) -> Iterator[Violation]:
    """The logical decoding plugin is part of PostgreSQL.

    Only servers on which it was installed have decoderbufs, such as the images of Debezium. On others the connector
    fails: could not access file "decoderbufs".
    """
    if (subject.setting("plugin.name") or "").lower() == "decoderbufs":
        isset = "plugin.name" in subject.config
        yield Violation(
            "plugin.name" if isset else "connector.class",
            "plugin.name is decoderbufs" if isset else "plugin.name is not set; its default is decoderbufs",
            Edit("plugin.name", value="pgoutput", safe=False),
            unset="" if isset else "plugin.name",
        )


@rule(
    "publication-for-all-tables",
    Consequence.risk,
    evidence="I02 I03 I05",
    connectors=POSTGRES.name,
    fix="create the publication yourself and set publication.autocreate.mode=disabled",
)
def publication_for_all_tables(subject: Subject) -> Iterator[Violation]:
    """The connector does not create a publication for all tables.

    That requires a superuser, and sends the changes of every table to the worker.
    """
    if subject.says("plugin.name") and (subject.setting("plugin.name") or "").lower() != "pgoutput":
        return
    if (subject.setting("publication.autocreate.mode") or "").lower() == "all_tables":
        yield at(subject, "publication.autocreate.mode", "publication.autocreate.mode is all_tables")


@rule(
    "default-slot-name",
    Consequence.risk,
    evidence="I06",
    connectors=POSTGRES.name,
    fix="name the slot after the service",
)
def default_slot_name(subject: Subject) -> Iterator[Violation]:
    """The replication slot does not have the default name.

    A second connector with the default name on the server finds the slot active and does not start.
    """
    if subject.config.get("slot.name") == "debezium_slot":
        yield Violation("slot.name", "slot.name is 'debezium_slot', the name in tutorials")
    if subject.setting("slot.name") == "debezium":
        yield at(subject, "slot.name", "slot.name is the default name 'debezium'")


@rule(
    "invalid-slot-name",
    Consequence.stop,
    evidence="I06",
    connectors=POSTGRES.name,
    fix="use a-z, 0-9 and _ only, at most 63 characters",
)
def invalid_slot_name(subject: Subject) -> Iterator[Violation]:
    """The slot name is valid in PostgreSQL.

    Kafka Connect reports an internal error.
    """
    name = subject.config.get("slot.name", "x")
    if "${" not in name and not re.fullmatch(r"[a-z0-9_]{1,63}", name):
        yield Violation("slot.name", f"invalid slot name '{name}'")


@rule(
    "default-publication-name",
    Consequence.risk,
    evidence="I07",
    connectors=POSTGRES.name,
    fix="name the publication after the service",
)
def default_publication_name(subject: Subject) -> Iterator[Violation]:
    """The publication does not have the default name.

    Two connectors on one database share it; with publication.autocreate.mode=filtered each one removes the other's
    tables.
    """
    if (
        subject.setting("publication.name") == "dbz_publication"
        and (subject.setting("plugin.name") or "") == "pgoutput"
    ):
        yield at(subject, "publication.name", "publication.name is the default name 'dbz_publication'")


@rule(
    "partitions-published-separately",
    Consequence.loss,
    evidence="I04 G11",
    connectors=POSTGRES.name,
    since="3.2",
    fix="set publish.via.partition.root=true",
)
def partitions_published_separately(subject: Subject) -> Iterator[Violation]:
    """The publication of a partitioned outbox table uses the name of the root table.

    The rows of each partition have a raw topic of their own, which the predicate does not match.
    """
    creates = (subject.setting("publication.autocreate.mode") or "") in ("all_tables", "filtered")
    if subject.outbox and subject.outbox.table.retention == "partition" and creates:
        if not subject.on("publish.via.partition.root"):
            yield Violation("connector.class", "publish.via.partition.root is not true")


@rule(
    "snapshot-mode-initial",
    Consequence.advice,
    evidence="L01 L02",
    fix="use no_data for a table that is in use, and initial for a new table",
)
def snapshot_mode_initial(subject: Subject) -> Iterator[Violation]:
    """Whether the initial snapshot publishes existing rows is decided in the config.

    By default the first start, and every start without stored offsets, publishes all rows of the outbox. Consumers
    receive events that they have already processed.
    """
    # an intended replay is sorted; MongoDB's connector cannot sort it
    option_key = (
        f"{OVERRIDES}.{subject.config.get(OVERRIDES, '')}" if subject.option_prefix != MONGO else "snapshot.mode"
    )
    if (
        subject.router
        and option_key not in subject.config
        and "snapshot.mode" not in subject.config
        and (subject.setting("snapshot.mode") or "").lower() == "initial"
    ):
        yield at(subject, "snapshot.mode", "snapshot.mode is not set; its default is initial")


@rule("snapshot-mode-always", Consequence.wrong, evidence="L01", fix="set snapshot.mode to initial or no_data")
def snapshot_mode_always(subject: Subject) -> Iterator[Violation]:
    """A restart does not repeat the snapshot.

    Every restart of the connector publishes all rows again.
    """
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "always":
        yield Violation("snapshot.mode", "snapshot.mode is always")


@rule("snapshot-only", Consequence.loss, evidence="L01", fix="set snapshot.mode to initial or no_data")
def snapshot_only(subject: Subject) -> Iterator[Violation]:
    """The connector streams changes after the snapshot.

    With snapshot.mode=initial_only the connector reads the table once and stops: events that are written later are
    never published.
    """
    if subject.config.get("snapshot.mode", "").strip().lower() == "initial_only":
        consequence = None if subject.router else Consequence.risk
        yield Violation("snapshot.mode", "snapshot.mode is initial_only", consequence=consequence)


@rule(
    "snapshot-mode-when-needed",
    Consequence.risk,
    evidence="L04",
    fix="set snapshot.mode to initial or no_data, and recover as the runbook describes",
)
def snapshot_mode_when_needed(subject: Subject) -> Iterator[Violation]:
    """A lost offset does not start a new snapshot.

    With snapshot.mode=when_needed all retained rows are published again, automatically, if the stored offset is no
    longer in the log. Consumers may receive thousands of duplicates during an outage.
    """
    if subject.router and subject.config.get("snapshot.mode", "").strip().lower() == "when_needed":
        yield Violation("snapshot.mode", "snapshot.mode is when_needed")


@rule(
    "truncate-not-skipped",
    Consequence.risk,
    evidence="F06",
    connectors=f"{POSTGRES.name} {MYSQL.name} {MARIADB.name} {ORACLE.name}",
    fix="add t to skipped.operations",
)
def truncate_not_skipped(subject: Subject) -> Iterator[Violation]:
    """Truncations are skipped.

    A TRUNCATE of the outbox table stops the task.
    """
    skipped = subject.config.get("skipped.operations")
    if subject.router and skipped is not None and "t" not in [word.strip().lower() for word in skipped.split(",")]:
        yield Violation("skipped.operations", f"'{skipped}' does not skip truncations")


@rule("inserts-skipped", Consequence.loss, evidence="F06", fix="remove c from skipped.operations")
def inserts_skipped(subject: Subject) -> Iterator[Violation]:
    """Inserts are not skipped.

    No event is ever published.
    """
    skipped = [word.strip().lower() for word in subject.config.get("skipped.operations", "").split(",")]
    if subject.router and "c" in skipped:
        yield Violation("skipped.operations", "skipped.operations contains c: inserts are skipped")


@rule("unneeded-tombstones", Consequence.advice, evidence="F03", fix="set tombstones.on.delete=false")
def unneeded_tombstones(subject: Subject) -> Iterator[Violation]:
    """No tombstones are created for deleted outbox rows.

    The event router drops them.
    """
    if subject.router and subject.option("tombstones.on.delete") and subject.on("tombstones.on.delete"):
        if "tombstones.on.delete" in subject.config:
            yield Violation(
                "tombstones.on.delete",
                "tombstones.on.delete is true: the event router drops the tombstones",
                Edit("tombstones.on.delete", value="false"),
            )


@rule(
    "update-behavior-fatal",
    Consequence.advice,
    strict=True,
    evidence="F01",
    fix="set table.op.invalid.behavior=warn in production, and monitor the log of the worker",
)
def update_behavior_fatal(subject: Subject) -> Iterator[Violation]:
    """An UPDATE of an outbox row does not stop the task.

    With fatal the task stops, and stops again after every restart: useful in a test, an outage in production.
    """
    if subject.router and (subject.router_option("table.op.invalid.behavior") or "").strip().lower() == "fatal":
        yield Violation(subject.router_key("table.op.invalid.behavior"), "an UPDATE of an outbox row stops the task")


@rule(
    "schema-changes-published",
    Consequence.advice,
    evidence="G14",
    connectors=f"{MYSQL.name} {MARIADB.name} {SQLSERVER.name} {ORACLE.name}",
    fix="set include.schema.changes=false",
)
def schema_changes_published(subject: Subject) -> Iterator[Violation]:
    """Schema changes are not published.

    Their topic is named like the topic prefix. The records pass the event router, and a converter for bytes fails on
    them.
    """
    if subject.router and subject.on("include.schema.changes"):
        yield at(subject, "include.schema.changes", "include.schema.changes is true")


@rule("transaction-metadata-published", Consequence.wrong, evidence="G13", fix="set provide.transaction.metadata=false")
def transaction_metadata_published(subject: Subject) -> Iterator[Violation]:
    """Transaction metadata is not published if the value converter cannot write it.

    Transaction boundaries are published to a topic of their own. They pass the event router as structs, which a
    converter for text writes in the notation of Java.
    """
    if subject.router and not subject.structured and "provide.transaction.metadata" in subject.config:
        if subject.on("provide.transaction.metadata"):
            yield Violation("provide.transaction.metadata", "the value converter cannot write transaction records")


STATUS = re.compile(r"(^|_)(status|state|published|processed|sent|dispatched|retries|retry|attempts?)(_|$)")


@rule(
    "status-column",
    Consequence.risk,
    evidence="F01",
    fix="only insert rows; the stored offset of the connector records what was published",
)
def status_column(subject: Subject) -> Iterator[Violation]:
    """The outbox table has no status column.

    A publisher that marks rows as published updates them; the event router skips updates with a warning, or stops the
    task.
    """
    for extra in subject.outbox.table.extra if subject.outbox else ():
        if STATUS.search(extra.name.lower()) and extra.to is None:
            yield Violation("connector.class", f"'{extra.name}' appears to be a status column")
