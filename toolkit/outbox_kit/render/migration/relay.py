"""The objects of a relay, and how they change between two schema files. Pure."""

from collections.abc import Iterator
from typing import Any

from outbox_kit.render import ddl, text
from outbox_kit.render.migration.step import BEFORE_DEPLOY, MigrationStep, Phase
from outbox_kit.schema.model import Outbox

AFTER_REPLACED = "after the old table is replaced, before the relay is started again"
AFTER_RELAY = "after the relay has stopped, and no event waits in its tables (outbox-kit relay keys)"
LOST = "dead letters in the tables are lost, and events that wait in them"
REWRITE = "writers are blocked while the table gets a column with the transaction of each row"
AFTER_LOG = "after what read the log has published the last row and has been removed"
OBJECTS = {
    "heartbeat": "heartbeat table",
    "publication": "publication",
    "capture": "capture instances",
    "rights": "privileges of the connector",
}
"""What the templates of a reader of the log create."""
ALL_ROWS = "the relay publishes all rows of the table: before it is started, delete those that are published"
AGAIN = "the relay publishes the rows of the table again, as their transactions are new"
UNMARKED = "the relay publishes the rows of the table again, as none is marked"
REVERSED = "rows with the status '{}', which was not the one of unpublished rows before, are published"
DRAINED = "the rows that are there are marked as published: stop the old publisher only when it has published them"


def steps(old: Outbox, new: Outbox, *, moved: bool) -> Iterator[MigrationStep]:
    """The steps for the relay's objects. moved: whether the outbox table itself is replaced."""
    yield from _log(old, new)
    before, after = _script(old), _script(new)
    late = moved and _records_position(new)
    if after and (after != before or (moved and _polls(new))):
        rewritten = _records_position(new) and not _records_position(old)
        emptied = _deletes(new) and not _deletes(old)
        why = AGAIN if late else REWRITE if rewritten else ALL_ROWS if emptied else _unmarked(old, new, moved=moved)
        phase, timing = (Phase.contract, AFTER_REPLACED) if moved and _polls(new) else (Phase.expand, BEFORE_DEPLOY)
        rows = {"none_before": _none_before(new) and not moved}
        yield MigrationStep(phase, "ddl/relay", "create the relay's tables", timing, why, rows)
    unneeded = _unneeded(old, new)
    if any(unneeded.values()):
        title = "drop the objects that the relay no longer needs"
        variables = {"was": ddl.context(old), **unneeded}
        yield MigrationStep(Phase.contract, "drop-relay", title, AFTER_RELAY, LOST, variables, destructive=True)


def _log(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    """The steps for what a reader of the server's log needs and relays that read the table do not."""
    needed = new.dialect.ddl.of_log
    if _polls(old) == _polls(new) or not needed:
        return
    if _polls(new):
        with_slot = "the slot, " if new.dialect.capture.uses_slot else ""
        title = f"drop {with_slot}the {' and the '.join(OBJECTS[part] for part in needed[::-1])} of '{old.service}'"
        yield MigrationStep(
            Phase.contract, "leave-log", title, AFTER_LOG, "", {"was": ddl.context(old)}, destructive=True
        )
        return
    first, *others = needed
    yield MigrationStep(Phase.expand, f"ddl/{first}", f"create the {OBJECTS[first]}", BEFORE_DEPLOY)
    yield MigrationStep(Phase.expand, "read-log", "let the role read the log", BEFORE_DEPLOY)
    for part in others:
        title = (
            f"create the {OBJECTS[part]} '{new.names.publication}'"
            if part == "publication"
            else f"create the {OBJECTS[part]}"
        )
        yield MigrationStep(Phase.expand, f"ddl/{part}", title, BEFORE_DEPLOY)


def _script(outbox: Outbox) -> str:
    """The statements that create the relay's objects; empty if there is no relay."""
    if outbox.delivery.by != "relay":
        return ""
    return text.sql(f"ddl/relay.{outbox.dialect.ddl.suffix}.j2", outbox.dialect, **ddl.context(outbox))


def _polls(outbox: Outbox) -> bool:
    return outbox.delivery.polls


def _records_position(outbox: Outbox) -> bool:
    return _polls(outbox) and outbox.delivery.record == "position"


def _unmarked(old: Outbox, new: Outbox, *, moved: bool) -> str:
    """What the relay does with the rows that are there, if other columns or values say what is published."""
    if before := _reversed(old, new):
        return REVERSED.format(before)
    if new.mark is None or not (moved or _recorded(new) - _recorded(old)):
        return ""
    return DRAINED if _none_before(new) and not moved else UNMARKED


def _reversed(old: Outbox, new: Outbox) -> str:
    """The status of unpublished rows, if rows that are published or failed have had it; empty if none has."""
    former, status = (each.mark.status if each.mark else None for each in (old, new))
    if former is None or status is None or former.column != status.column:
        return ""
    return status.pending if status.pending in (former.published, former.failed) else ""


def _none_before(outbox: Outbox) -> bool:
    return outbox.connect.snapshot == "no_data"


def _recorded(outbox: Outbox) -> set[str]:
    """The columns that say whether a row is published."""
    mark = outbox.mark
    columns = [] if mark is None else [mark.published_at, mark.status.column if mark.status else None]
    return {column for column in columns if column is not None}


def _numbered(outbox: Outbox) -> bool:
    """Whether the relay's script creates an index of the numbers; other databases number rows by an index."""
    numbers = outbox.dialect.capture.uses_slot and outbox.ordering.assigned_by == "database"
    return _polls(outbox) and outbox.mark is None and numbers


def _finds_stored(outbox: Outbox) -> bool:
    """Whether the relay finds failed events by the ids of their rows."""
    return outbox.mark is not None and not outbox.mark.tells_failures


def _deletes(outbox: Outbox) -> bool:
    return _polls(outbox) and outbox.delivery.record == "delete"


def _tables(outbox: Outbox) -> list[tuple[str, str]]:
    names = outbox.names
    tables = [names.failure_table, names.run_table] if outbox.delivery.by == "relay" else []
    tables += [names.lane_table, names.member_table] if _polls(outbox) else []
    return [(names.schema, table) for table in tables]


def _unneeded(old: Outbox, new: Outbox) -> dict[str, Any]:
    """What the relay of the old schema file had and the new one's has not: the variables of the template."""
    needed = _tables(new)
    functions = [(o.names.schema, o.names.wake_function) if _polls(o) else None for o in (old, new)]
    return {
        "obsolete": [table for table in _tables(old) if table not in needed],
        "silent": functions[0] is not None and functions[0] != functions[1],
        "untracked": _records_position(old) and not _records_position(new),
        "undeleting": _deletes(old) and not _deletes(new),
        "unmarked": sorted({*(old.mark.written if old.mark else ())} - {*(new.mark.written if new.mark else ())}),
        "unordered": _polls(new) and _numbered(old) and not _numbered(new),
        "unfound": _finds_stored(old) and not _finds_stored(new),
    }
