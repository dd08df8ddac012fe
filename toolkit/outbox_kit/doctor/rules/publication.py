"""Rules about the publication: which rows the server passes on."""

from collections.abc import Iterator

from outbox_kit.doctor.needs import CREATED, PUBLICATION
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity

APPLY = "outbox-kit gen-ddl --apply"
LATER = f"{APPLY}; rows from before it are not passed on: compare with outbox-kit verify, and insert lost events again"


def _tables(system: SystemObservation) -> list[str]:
    names = system.outbox.names
    table = [outbox_table(system)] if system.outbox.table.storage == "table" else []
    return [*table, f"{names.schema}.{names.heartbeat_table}"]


def outbox_table(system: SystemObservation) -> str:
    """The qualified name of the outbox table."""
    return f"{system.outbox.names.schema}.{system.outbox.table.name}"


@rule("DOC-PUBLICATION-01", Severity.error, fix=LATER, needs=(Need.reads_slot, *CREATED))
def exists(system: SystemObservation) -> Iterator[SystemViolation]:
    """The publication exists.

    The server passes nothing on. The connector's task fails, also at older changes after the publication was created
    again.
    """
    name = system.outbox.names.publication
    if system.log and system.log.publication is None:
        text = f"publication '{name}' does not exist in database '{system.outbox.names.database}'"
        yield SystemViolation(text, name)


@rule("DOC-PUBLICATION-02", Severity.error, fix=LATER, needs=PUBLICATION)
def contains(system: SystemObservation) -> Iterator[SystemViolation]:
    """The publication contains the outbox table and the heartbeat's.

    Rows of other tables are not passed on, and nothing reports it.
    """
    publication, name = system.log.publication if system.log else None, system.outbox.names.publication
    for table in _tables(system) if publication else ():
        if publication and table not in publication.tables:
            yield SystemViolation(f"publication '{name}' does not contain {table}", table)


@rule("DOC-PUBLICATION-03", Severity.error, fix=LATER, needs=PUBLICATION)
def inserts(system: SystemObservation) -> Iterator[SystemViolation]:
    """The publication passes inserts on, whole and all of them.

    Without inserts, with a list of columns or with a condition on rows, events are lost without an error.
    """
    publication, name = system.log.publication if system.log else None, system.outbox.names.publication
    if publication is None:
        return
    if "insert" not in publication.operations:
        yield SystemViolation(f"publication '{name}' does not publish inserts", f"{name}: operations")
    table = outbox_table(system)
    if condition := publication.filters.get(table):
        yield SystemViolation(f"publication '{name}' publishes only rows of {table} with {condition}", f"{name}: rows")
    listed = publication.tables.get(table)
    if listed is not None and (missing := [column for column in system.outbox.column_names if column not in listed]):
        yield SystemViolation(
            f"publication '{name}' does not publish {', '.join(missing)} of {table}", f"{name}: columns"
        )


@rule("DOC-PUBLICATION-04", Severity.warning, fix=APPLY, needs=PUBLICATION)
def inserts_only(system: SystemObservation) -> Iterator[SystemViolation]:
    """The publication passes inserts on only.

    An update would publish an event again, deletes of a cleanup cost the reader as much as inserts, and a truncate
    makes the connector's task fail.
    """
    publication, name = system.log.publication if system.log else None, system.outbox.names.publication
    others = sorted(publication.operations - {"insert"}) if publication else []
    if others:
        yield SystemViolation(f"publication '{name}' also publishes {', '.join(others)}", name)


@rule("DOC-PUBLICATION-05", Severity.error, fix=APPLY, needs=PUBLICATION)
def via_root(system: SystemObservation) -> Iterator[SystemViolation]:
    """A partitioned outbox is published as one table.

    Otherwise each row has the name of its partition, which the connector does not capture.
    """
    publication, name = system.log.publication if system.log else None, system.outbox.names.publication
    if publication and system.database and system.database.table.partitioned and not publication.via_root:
        yield SystemViolation(f"publication '{name}' publishes partitions under their own names", name)
