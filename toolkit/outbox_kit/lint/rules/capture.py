"""Rules about capture: tables, snapshot, slot, publication, operations."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import ddl
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.rule import Consequence, Edit, Violation, at, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.table_names import OUTBOX_WORDS, PLAIN_TABLE, parts, scopes
from outbox_kit.router.javatext import whole_number
from outbox_kit.router.options import COMPLETE


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
    # one layout, as a table for each tenant
    alike = all("outbox" in table.lower() for table in tables) or len({parts(table)[-1] for table in tables}) == 1
    strange = [table for table in tables if not any(word in table.lower() for word in OUTBOX_WORDS)]
    if subject.router and len(tables) > 1 and not alike and "predicate" not in subject.router.options:
        yield Violation(
            "table.include.list",
            f"{len(tables)} tables share one event router",
            consequence=Consequence.stop if strange else None,
        )


@rule(
    "database-filter-never-matches",
    Consequence.loss,
    evidence="C10",
    connectors=f"{MYSQL.name} {MARIADB.name} {MONGODB.name}",
    fix="name the databases alone, and the tables in table.include.list",
)
def database_filter_never_matches(subject: Subject) -> Iterator[Violation]:
    """An entry of the list of databases is a database, not a table.

    The filter compares the name of the database. If no entry matches one, nothing is captured, without an error.
    """
    option = "database.include.list" if subject.release >= COMPLETE else "database.whitelist"
    entries = [entry.replace("\\", "") for entry in subject.entries(option)]
    databases = set().union(*map(scopes, subject.tables))
    if entries and all(map(PLAIN_TABLE.fullmatch, entries)) and databases.isdisjoint(entries) and subject.says(option):
        yield Violation(option, f"'{entries[0]}' appears to be a table: no database has that name")


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


TO_FILL = lazy_pattern(r"[A-Z]+(?:_[A-Z]+)*_SLOT(?:_NAME)?")
"""The name of a variable in the place of its value."""


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
    if "${" not in name and not re.fullmatch(r"[a-z0-9_]{1,63}", name) and not TO_FILL.fullmatch(name):
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


ROOT = "publish_via_partition_root"


@rule(
    "partitions-published-separately",
    Consequence.loss,
    evidence="I04 G11",
    connectors=POSTGRES.name,
    fix="set publish.via.partition.root=true, or create the publication WITH (publish_via_partition_root = true)",
)
def partitions_published_separately(subject: Subject) -> Iterator[Violation]:
    """The publication of a partitioned outbox table uses the name of the root table.

    The rows of each partition have a raw topic of their own, which the predicate does not match.
    """
    creates = (subject.setting("publication.autocreate.mode") or "") in ("all_tables", "filtered")
    of_schema = subject.outbox is not None and subject.outbox.table.retention == "partition"
    in_file = subject.created_table is not None and subject.created_table.is_partitioned
    option = "publish.via.partition.root"
    reads = of_schema or (in_file and subject.setting("plugin.name") == "pgoutput")
    if not reads:
        return
    if creates:
        if not subject.on(option):
            yield Violation("connector.class", f"{option} is not true", unset=option)
        return
    name = re.escape(subject.setting("publication.name") or "")
    written = re.search(rf"\bcreate\s+publication\s+\"?{name}\b[^;]*", subject.text, re.IGNORECASE)
    if written and ROOT not in written[0].lower():
        yield Violation("table.include.list", f"the publication that the file creates lacks {ROOT}")


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
    key = "skipped.operations"
    if subject.router and key in subject.config and "t" not in subject.skipped:
        yield Violation(key, f"'{subject.config[key]}' does not skip truncations")


@rule("inserts-skipped", Consequence.loss, evidence="F06", fix="remove c from skipped.operations")
def inserts_skipped(subject: Subject) -> Iterator[Violation]:
    """Inserts are not skipped.

    No event is ever published.
    """
    if subject.router and "c" in subject.skipped:
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
    "updated-row-stops",
    Consequence.stop,
    evidence="F01",
    fix="set table.op.invalid.behavior=warn, or skip updates: skipped.operations=u,d,t",
)
def updated_row_stops(subject: Subject) -> Iterator[Violation]:
    """No statement of the file updates rows of the outbox, if an update stops the task."""
    key = subject.router_key("table.op.invalid.behavior")
    if not subject.router or (subject.effective("table.op.invalid.behavior") or "").strip().lower() != "fatal":
        return
    for table in subject.tables if "u" not in subject.skipped else ():
        name = re.escape(parts(table)[-1])
        if re.search(rf"\bupdate\s+(?:\w+\.)?[\"`\[]?{name}[\"`\]]?\s+set\b", subject.text, re.IGNORECASE):
            yield Violation(key, f"the file updates rows of '{table}'")


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


STATUS = lazy_pattern(r"(^|_)(status|state|published|processed|sent|dispatched|retries|retry|attempts?)(_|$)")


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


@rule(
    "guardrail-exceeded",
    Consequence.stop,
    evidence="N20",
    since="3.3",
    fix="raise guardrail.collections.max, or set guardrail.collections.limit.action=warn",
)
def guardrail_exceeded(subject: Subject) -> Iterator[Violation]:
    """The captured tables are not more than the connector may capture.

    With guardrail.collections.limit.action=fail the task fails when it starts.
    """
    limit, action = "guardrail.collections.max", "guardrail.collections.limit.action"
    most = whole_number(subject.config.get(limit, ""))
    fails = subject.config.get(action, "").strip().lower() == "fail"
    plain = all(PLAIN_TABLE.fullmatch(table.replace("\\.", ".")) for table in subject.tables)
    if fails and most and len(subject.tables) > most and plain:
        yield Violation(limit, f"{len(subject.tables)} tables are captured, and {most} are allowed")


@rule(
    "table-in-another-schema",
    Consequence.loss,
    evidence="C10",
    connectors=f"{POSTGRES.name} {SQLSERVER.name}",
    fix="name the table with the schema in which it is created",
)
def table_in_another_schema(subject: Subject) -> Iterator[Violation]:
    """The captured table is in the schema in which the file creates it.

    A table that does not exist is not captured, without an error.
    """
    created = ddl.schemas(subject.text)
    is_source_alone = all(peer.connector for peer in subject.neighbours)  # a sink has tables in another database
    for table in subject.tables if is_source_alone and subject.says("table.include.list") else ():
        *schema, name = (part.lower() for part in parts(table))
        places = created.get(name, frozenset())
        if PLAIN_TABLE.fullmatch(table) and len(schema) == 1 and places and not places & {"", *schema}:
            yield Violation("table.include.list", f"the file creates '{min(places)}.{name}', not '{table}'")


ENABLED = lazy_pattern(r"\bsp_cdc_enable_table\b[^;]{0,800}?@source_name\s*=\s*N?'([^']+)'", re.IGNORECASE)


@rule(
    "cdc-not-enabled",
    Consequence.loss,
    evidence="C10",
    connectors=SQLSERVER.name,
    fix="enable CDC for the table: sys.sp_cdc_enable_table",
)
def cdc_not_enabled(subject: Subject) -> Iterator[Violation]:
    """CDC is enabled for the captured tables, if the file enables it for tables.

    SQL Server has no changes of other tables: the connector publishes nothing of them, without an error.
    """
    enabled = {match[1].lower() for match in matches(subject.text, ENABLED)}
    names = {parts(table)[-1].lower() for table in subject.tables}
    # a file that enables several of the captured tables, and no other, is about all of them
    about_all = len(enabled) > 1 and enabled < names
    for table in subject.tables if enabled else ():
        name = parts(table)[-1].lower()
        if PLAIN_TABLE.fullmatch(table) and name not in enabled and (about_all or name in ddl.tables(subject.text)):
            yield Violation("table.include.list", f"the file enables CDC for other tables than '{table}'")
