"""The steps of a migration where rows are in a table: expand, fill new columns, and contract. Pure."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl
from outbox_kit.render.captures import TableCapture, captures
from outbox_kit.render.migration import relay, writers
from outbox_kit.render.migration.layout import (
    Layout,
    between,
    layout,
    read_columns,
    rebuilt,
    renamed,
    table,
    written_columns,
)
from outbox_kit.render.migration.step import (
    AFTER_CONNECTOR_RESTART,
    AFTER_EXPAND,
    AFTER_LAST_ROW,
    AFTER_NEWER_CAPTURE,
    AFTER_OLD_WRITERS,
    BEFORE_DEPLOY,
    BEFORE_SWAP,
    OFFLINE,
    UNCHANGED,
    WRITERS_STOPPED,
    Backfill,
    ConnectorChanges,
    MigrationStep,
    Phase,
)
from outbox_kit.schema.columns import Column
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

EXCHANGE = "replace the old table by the new one"
STAYING_PARTS = "foreign keys, triggers, and views that do not refer to the table by its name stay with the old table"
REWRITE = "rewrite the table: writers are blocked meanwhile, so delete old rows first"
RELAX = "relax the CHECKs"
ACCEPT_BOTH = "the rows of both versions of the application must be accepted"
EFFECTS = "; [wire] affects messages, topics or the order of a key, [position] the stored offset, [loss] delivery"
COLUMNS = ("add-columns", "loosen", "require", "drop-columns")  # the parts that change the table's columns


def steps(old: Outbox, new: Outbox, connector: ConnectorChanges = UNCHANGED) -> list[MigrationStep]:
    """All steps. connector: the changes to the connector's configuration."""
    reasons = rebuilt(old, new)
    changes = _rebuilding(old, new, reasons, connector) if reasons else _changing(old, new, connector)
    moved = bool(reasons)
    all_steps = [*changes, *relay.steps(old, new, moved=moved), *_leftovers(old, new, moved=moved)]
    has_log = not (old.delivery.polls and new.delivery.polls)
    return (
        all_steps if new.dialect.capture.log_has_schema or not has_log else list(map(_with_writers_stopped, all_steps))
    )


def _with_writers_stopped(step: MigrationStep) -> MigrationStep:
    """The step; if it changes columns, its timing requires stopped writers.

    A connector that reads rows by the current definition of the table must not find older rows in the log.
    """
    return replace(step, timing=f"{step.timing}; {WRITERS_STOPPED}") if step.part in COLUMNS else step


def refuse(old: Outbox, new: Outbox) -> None:
    """Raise UsageProblem if the old outbox cannot be migrated to the new one."""
    if "log" in (old.table.storage, new.table.storage):
        raise UsageProblem(
            "no migration exists for 'storage: log': it has no table",
            fix="create the procedure with: outbox-kit gen-ddl --apply. Keep a former outbox table until the connector "
            "has processed its last row",
        )
    if any(outbox.table.existing or outbox.table.source for outbox in (old, new)):
        raise UsageProblem(
            "no migration exists for an existing table or a source table",
            why="outbox-kit does not alter tables of other owners",
            fix="let the table's owner change it, then update outbox-kit's objects: outbox-kit gen-ddl --apply",
        )
    differing = [
        (setting, was, now)
        for setting, was, now in (
            ("database.dialect", old.database.dialect, new.database.dialect),
            ("service", old.service, new.service),
            ("database.name", old.names.database, new.names.database),
        )
        if was != now
    ]
    for setting, was, now in differing:
        raise UsageProblem(
            f"{setting} was '{was}' and is '{now}': this is a different outbox, which cannot be reached by a migration",
            fix="create the new outbox (outbox-kit gen-ddl --apply, outbox-kit deploy-connector), move the writers, "
            "wait until the old connector has processed the last row, then remove the old outbox (outbox-kit remove)",
        )


def _changing(old: Outbox, new: Outbox, connector: ConnectorChanges) -> Iterator[MigrationStep]:
    before, middle, after = layout(old), between(old, new), layout(new)
    renamed_columns = renamed(old, new)
    yield from _expanding(before, middle, renamed_columns)
    yield from _let_write(old, new)
    yield from _role_and_publication(old, new)
    yield from _capture(old, new)
    yield from _filling(old, new, middle, after)
    yield from _slot(old, new)
    yield from deployed(connector, Phase.migrate, AFTER_LAST_ROW)
    yield from _contracting(middle, after, renamed_columns)


def _expanding(before: Layout, middle: Layout, renamed_columns: Mapping[str, str]) -> Iterator[MigrationStep]:
    if added := [column for name, column in middle.columns.items() if name not in before.columns]:
        why = "nullable: no row is rewritten, and the old version of the application continues to work"
        yield MigrationStep(Phase.expand, "add-columns", f"add {_listed(added)}", BEFORE_DEPLOY, why, {"added": added})
    if renamed_columns:
        why = (
            "the connector reads one of the two columns, and each version of the application writes one: both must "
            "have the value"
        )
        pairs = ", ".join(f"'{was}' and '{now}'" for was, now in renamed_columns.items())
        variables = {"renamed_columns": renamed_columns}
        yield MigrationStep(
            Phase.expand, "mirror", f"create a trigger that keeps {pairs} equal", BEFORE_DEPLOY, why, variables
        )
    yield from _indexes(Phase.expand, before, middle, BEFORE_DEPLOY)
    loosened = [x for name, x in middle.columns.items() if name in before.columns and x != before.columns[name]]
    if loosened:
        title, why = f"allow NULL in {_listed(loosened)}", "one version of the application does not write the column"
        yield MigrationStep(Phase.expand, "loosen", title, BEFORE_DEPLOY, why, {"loosened": loosened})
    yield from _checks(Phase.expand, before, middle, RELAX, BEFORE_DEPLOY, ACCEPT_BOTH)


def _filling(old: Outbox, new: Outbox, middle: Layout, after: Layout) -> Iterator[MigrationStep]:
    sources = {now: was for was, now in renamed(old, new).items()}
    fillings = []
    for column in after.columns.values():
        missing = column.required and not middle.columns[column.name].required
        if (missing and column.name != new.table.columns.payload) or column.name in sources:
            source = sources.get(column.name) or fallback_source(old, new, column)
            fillings.append(Backfill(column, source, numbers=not source and column.name == new.ordering.sequence))
    if fillings:
        listed = _listed([filling.column for filling in fillings])
        why = "existing rows have no value there; change the statements if other values are better"
        timing = f"{AFTER_OLD_WRITERS}; earlier is safe for a column that is only renamed"
        yield MigrationStep(Phase.migrate, "backfill", f"fill {listed}", timing, why, {"fillings": fillings})


def fallback_source(old: Outbox, new: Outbox, column: Column) -> str:
    """The column of existing rows whose value a new column takes; empty if there is none."""
    read = router_columns(new)
    if column.name == read.key:
        return router_columns(old).key
    return (old.table.columns.aggregate_type or "") if column.name == read.route else ""


def _contracting(middle: Layout, after: Layout, renamed_columns: Mapping[str, str]) -> Iterator[MigrationStep]:
    required = [
        column
        for name, column in after.columns.items()
        if (column.required, column.filled) != (middle.columns[name].required, middle.columns[name].filled)
    ]
    if required:
        title, why = f"require {_listed(required)}", "fill or delete the rows without a value first"
        yield MigrationStep(Phase.contract, "require", title, AFTER_OLD_WRITERS, why, {"required": required})
    why = "only rows of the new version may be written; fill or delete the existing rows that violate a CHECK first"
    yield from _checks(Phase.contract, middle, after, "tighten the CHECKs", AFTER_OLD_WRITERS, why)
    yield from _indexes(Phase.contract, middle, after, AFTER_OLD_WRITERS)
    if renamed_columns:
        timing, loosened = (
            f"{AFTER_OLD_WRITERS}, and {AFTER_CONNECTOR_RESTART}",
            [replace(middle.columns[name], required=False) for name in renamed_columns],
        )
        title, why = (
            f"allow NULL in {_listed(loosened)}",
            "the new version of the application does not write the column",
        )
        yield MigrationStep(Phase.contract, "loosen", title, timing, why, {"loosened": loosened})
        yield MigrationStep(Phase.contract, "unmirror", "drop the trigger that keeps renamed columns equal", timing)
    if dropped := [column for name, column in middle.columns.items() if name not in after.columns]:
        title, variables = f"drop {_listed(dropped)}", {"dropped": dropped}
        yield MigrationStep(
            Phase.contract,
            "drop-columns",
            title,
            f"{AFTER_OLD_WRITERS}, and {AFTER_CONNECTOR_RESTART}",
            "",
            variables,
            destructive=True,
        )


def _rebuilding(
    old: Outbox, new: Outbox, reasons: Sequence[str], connector: ConnectorChanges
) -> Iterator[MigrationStep]:
    before, middle = layout(old), between(old, new)
    missed, gained = read_columns(old) - {*layout(new).columns}, read_columns(new) - {*before.columns}
    exchanges = new.dialect.migration.table_swap
    offline = exchanges == "offline" or _parts_in_use(old) != _parts_in_use(new) or bool(missed and gained)
    stays = bool(exchanges)  # whether the old table remains beside the new one
    variables, why = {**_rewrite(old, new), "offline": offline}, "; ".join(reasons)
    first = bool(missed) and not offline
    if not offline:
        yield from _checks(Phase.expand, before, middle, RELAX, BEFORE_DEPLOY, ACCEPT_BOTH)
        yield from _let_write(old, new)
    yield MigrationStep(
        Phase.migrate,
        "build",
        "create the new table beside the old one, and copy the rows",
        BEFORE_SWAP,
        why,
        variables,
    )
    yield from deployed(connector if first else UNCHANGED, Phase.migrate, "before the next step")
    title, timing = EXCHANGE if stays else REWRITE, OFFLINE if offline else AFTER_EXPAND
    explanation = "; ".join(filter(None, [why, STAYING_PARTS])) if stays else why
    yield MigrationStep(
        Phase.contract,
        "swap",
        title,
        timing,
        explanation,
        variables,
        destructive=bool(variables["dropped_columns"]) and not stays,
    )
    yield from _slot(old, new)
    processed = "after the connector has processed the last row from before the previous step (outbox-kit status)"
    after = "before the writers start again" if offline else processed
    yield from deployed(UNCHANGED if first else connector, Phase.contract, after)
    if stays:
        timing = "after the rows of the old table are no longer needed"
        yield MigrationStep(
            Phase.contract, "drop-before", "drop the old table", timing, "", variables, destructive=True
        )


def _parts_in_use(outbox: Outbox) -> tuple[object, ...]:
    """The parts of the table that application and connector depend on: if they change, the old ones stop working."""
    derived = outbox.names
    return derived.role, derived.publication, table(outbox), written_columns(outbox)


def _rewrite(old: Outbox, new: Outbox) -> dict[str, Any]:
    """The variables of the templates that rewrite a table."""
    columns, names_now = layout(old).columns, renamed(old, new)
    return {
        "was": ddl.context(old),
        "next": ddl.context(_beside(new, "next")),
        "before": _beside(old, "before").names.schema,
        "sources": _sources(old, new),
        "kinds": {name: column.kind for name, column in columns.items()},
        "origins": {now: was for was, now in names_now.items()},
        "dropped_columns": [name for name in columns if name not in {*layout(new).columns, *names_now}],
        "numbered_before": old.ordering.sequence if old.ordering.assigned_by == "database" else None,
        "mark": f"as of {hashlib.sha256(ddl.body(new).encode()).hexdigest()[:12]}, by outbox-kit",
    }


def _beside(outbox: Outbox, word: str) -> Outbox:
    """The same outbox in a separate schema, in which its objects can have their final names."""
    beside = {"db_schema": f"{outbox.names.schema}_{word}"}
    return outbox.model_copy(update={"database": outbox.database.model_copy(update=beside)})


def _sources(old: Outbox, new: Outbox) -> list[Backfill]:
    """The value of each new column in the rows of the old table; without the columns that the database fills."""
    sources = {now: was for was, now in renamed(old, new).items()}
    columns = layout(old).columns
    fillings = []
    for column in layout(new).columns.values():
        source = sources.get(column.name) or (column.name if column.name in columns else "")
        if not source and column.required and not column.filled:
            source = fallback_source(old, new, column)
        if source or (column.required and not column.filled):
            numbers = not source and column.name == new.ordering.sequence
            fillings.append(Backfill(column, source, numbers=numbers))
    return fillings


def _role_and_publication(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    was, now = old.names, new.names
    if was.role != now.role:
        why = "the password is not set by this script"
        yield MigrationStep(Phase.expand, "ddl/role", f"create the role '{now.role}'", BEFORE_DEPLOY, why)
    if was.publication != now.publication:
        why = "the connector fails if it reads WAL from before the publication was created"
        yield MigrationStep(
            Phase.expand, "ddl/publication", f"create the publication '{now.publication}'", BEFORE_DEPLOY, why
        )


def _superseded(old: Outbox, new: Outbox, *, moved: bool) -> list[TableCapture]:
    """The capture instances that newer ones replace. moved: whether the table itself is replaced, and drops its own."""
    if "capture" not in new.dialect.ddl.templates or old.delivery.polls or new.delivery.polls:
        return []
    return [capture for capture in captures(old)[1 if moved else 0 :] if capture not in captures(new)]


def _capture(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    if _superseded(old, new, moved=False):
        why = (
            "a capture instance has the columns of the time of its creation; the connector switches to the newer one "
            "automatically"
        )
        title, variables = "create a capture instance with the new columns", {"was": ddl.context(old)}
        yield MigrationStep(Phase.expand, "capture", title, BEFORE_DEPLOY, why, variables)


def _let_write(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    if names := writers.gaining_rights(old, new):
        yield MigrationStep(
            Phase.expand,
            "ddl/writers",
            f"grant {_name_list(names)} the privileges that the new version of the application needs",
            BEFORE_DEPLOY,
        )


def _slot(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    was, now = old.names.slot, new.names.slot
    if was != now and new.dialect.capture.uses_slot:
        variables = {"was": ddl.context(old)}
        why = "a new slot would start at the current end of the WAL: the events before it would be lost"
        timing = "while the connector is stopped"
        yield MigrationStep(Phase.migrate, "copy-slot", f"copy the slot '{was}' to '{now}'", timing, why, variables)


def deployed(connector: ConnectorChanges, phase: Phase, timing: str) -> Iterator[MigrationStep]:
    """The deployment of the connector's new configuration; no step if nothing changes."""
    if connector.lines:
        title = f"deploy the connector: {connector.command}"
        why = f"the connector restarts with the new configuration{EFFECTS if connector.destructive else ''}"
        yield MigrationStep(phase, "", title, timing, why, {"lines": connector.lines})


def _leftovers(old: Outbox, new: Outbox, *, moved: bool) -> Iterator[MigrationStep]:
    was, now, more = old.names, new.names, {"was": ddl.context(old)}
    if captured := _superseded(old, new, moved=moved):
        why = "the connector task fails once because the capture instance is missing, and restarts automatically"
        variables = {**more, "superseded": captured}
        yield MigrationStep(
            Phase.contract,
            "drop-capture",
            "drop the older capture instance",
            AFTER_NEWER_CAPTURE,
            why,
            variables,
            destructive=True,
        )
    obsolete = [
        ("drop-heartbeat", f"drop the heartbeat '{was.heartbeat_table}'", moved and table(old) != table(new)),
        ("drop-slot", f"drop the slot '{was.slot}'", was.slot != now.slot),
        ("drop-publication", f"drop the publication '{was.publication}'", was.publication != now.publication),
        ("drop-role", f"drop the role '{was.role}'", was.role != now.role),
    ]
    if less := list(writers.losing_rights(old, new, by_name=not new.dialect.migration.table_swap)):
        title = f"revoke from {_name_list([writer.name for writer in less])} the privileges that are no longer needed"
        yield MigrationStep(Phase.contract, "revoke", title, AFTER_OLD_WRITERS, "", {**more, "lost": less})
    for part, title, applies in obsolete:
        if applies and (new.dialect.capture.uses_slot or part in ("drop-heartbeat", "drop-role")):
            yield MigrationStep(Phase.contract, part, title, AFTER_CONNECTOR_RESTART, "", more, destructive=True)


def _checks(phase: Phase, was: Layout, now: Layout, title: str, timing: str, why: str) -> Iterator[MigrationStep]:
    names = [*now.checks, *(name for name in was.checks if name not in now.checks)]
    changed = [
        (name, was.checks.get(name), now.checks.get(name))
        for name in names
        if was.checks.get(name) is None
        or now.checks.get(name) is None
        or was.checks[name].expression != now.checks[name].expression
    ]
    if changed:
        yield MigrationStep(phase, "checks", title, timing, why, {"checks": changed})


def _indexes(phase: Phase, was: Layout, now: Layout, timing: str) -> Iterator[MigrationStep]:
    created = {name: of for name, of in now.indexes.items() if was.indexes.get(name) != of}
    dropped = [name for name, of in was.indexes.items() if now.indexes.get(name) != of]
    if created or dropped:
        actions = {name: "create" for name in created} | {name: "drop" for name in dropped}
        actions |= dict.fromkeys(created.keys() & {*dropped}, "replace")
        title = ", ".join(f"{action} the index '{name}'" for name, action in actions.items())
        yield MigrationStep(phase, "indexes", title, timing, "", {"made": created, "unneeded": dropped})


def _listed(columns: Sequence[Column]) -> str:
    return _name_list([column.name for column in columns])


def _name_list(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
