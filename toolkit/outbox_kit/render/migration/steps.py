"""The steps from one schema file to the next: expand, fill what is missing, and contract when nobody needs it. Pure."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl
from outbox_kit.render.captures import TableCapture, captures
from outbox_kit.render.migration import writers
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
    DEPLOY,
    OFFLINE,
    WRITERS_STOPPED,
    Backfill,
    MigrationStep,
    Phase,
)
from outbox_kit.schema.columns import Column
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

EXCHANGE = "put the new table in the old one's place"
STAYING_PARTS = "foreign keys, triggers, and views where they do not go by a name, stay with the old table"
REWRITE = "rewrite the table, while nobody can write: delete old rows before, so that it is short"
COLUMNS = ("add-columns", "loosen", "require", "drop-columns")  # the parts after which a table is another one


def steps(old: Outbox, new: Outbox, connector: Sequence[str] = ()) -> list[MigrationStep]:
    """All steps. connector: the lines that say what changes in the connector's config."""
    reasons = rebuilt(old, new)
    changes = _rebuilding(old, new, reasons, connector) if reasons else _changing(old, new, connector)
    all_steps = [*changes, *_leftovers(old, new, moved=bool(reasons))]
    return all_steps if new.dialect.capture.log_has_schema else list(map(_with_writers_stopped, all_steps))


def _with_writers_stopped(step: MigrationStep) -> MigrationStep:
    """The same step, and the connector finds no row of before in the log when it has changed columns."""
    return replace(step, timing=f"{step.timing}; {WRITERS_STOPPED}") if step.part in COLUMNS else step


def refuse(old: Outbox, new: Outbox) -> None:
    """Raise UsageProblem where the one cannot become the other."""
    if "log" in (old.table.storage, new.table.storage):
        raise UsageProblem(
            "storage: log has no table, and so no way from one to the next",
            fix="gen-ddl --apply makes its procedure as the file says; where a table was there before, it stays "
            "until the connector has passed its last row",
        )
    if any(outbox.table.existing or outbox.table.fed_by for outbox in (old, new)):
        raise UsageProblem(
            "a table that its owner makes, or fills, has no way from one schema file to the next",
            fix="its owner changes it; then gen-ddl --apply brings all beside it up to date",
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
            f"{setting} was '{was}' and is '{now}': that is another outbox, which no script can turn this one into",
            fix="make the new one with gen-ddl --apply and deploy-connector, move the writers, wait until the old "
            "connector has passed the last row, then remove the old one",
        )


def _changing(old: Outbox, new: Outbox, connector: Sequence[str]) -> Iterator[MigrationStep]:
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
        why = "nullable, so that no row is rewritten and the code that does not know them can go on"
        yield MigrationStep(Phase.expand, "add-columns", f"add {_listed(added)}", BEFORE_DEPLOY, why, {"added": added})
    if renamed_columns:
        why = "the connector reads one name and the code of either schema file writes one: both must hold the value"
        pairs = ", ".join(f"'{was}' and '{now}'" for was, now in renamed_columns.items())
        variables = {"renamed_columns": renamed_columns}
        yield MigrationStep(
            Phase.expand, "mirror", f"keep {pairs} the same by a trigger", BEFORE_DEPLOY, why, variables
        )
    yield from _indexes(Phase.expand, before, middle, BEFORE_DEPLOY)
    loosened = [x for name, x in middle.columns.items() if name in before.columns and x != before.columns[name]]
    if loosened:
        why = "code that leaves it out must not fail"
        yield MigrationStep(
            Phase.expand, "loosen", f"let {_listed(loosened)} be null", BEFORE_DEPLOY, why, {"loosened": loosened}
        )
    why = "rows that only the new code writes must not be refused"
    yield from _checks(Phase.expand, before, middle, "let the CHECKs pass what both may write", BEFORE_DEPLOY, why)


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
        why = "rows from before have nothing there; put in what you know better than this script does"
        timing = f"{AFTER_OLD_WRITERS}; before that where it is only a new name"
        yield MigrationStep(Phase.migrate, "backfill", f"fill {listed}", timing, why, {"fillings": fillings})


def fallback_source(old: Outbox, new: Outbox, column: Column) -> str:
    """The column that says for rows from before what a new one says from now on."""
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
        why = "no row may lack it any more; those that do must be filled, or gone, before"
        yield MigrationStep(
            Phase.contract, "require", f"require {_listed(required)}", AFTER_OLD_WRITERS, why, {"required": required}
        )
    why = "what nobody may write any more; rows that break a rule must be gone by then"
    yield from _checks(
        Phase.contract, middle, after, "let the CHECKs pass only what the new code writes", AFTER_OLD_WRITERS, why
    )
    yield from _indexes(Phase.contract, middle, after, AFTER_OLD_WRITERS)
    if renamed_columns:
        timing, loosened = (
            f"{AFTER_OLD_WRITERS}, and {AFTER_CONNECTOR_RESTART}",
            [replace(middle.columns[name], required=False) for name in renamed_columns],
        )
        why = "nobody fills it any more"
        yield MigrationStep(
            Phase.contract, "loosen", f"let {_listed(loosened)} be null", timing, why, {"loosened": loosened}
        )
        yield MigrationStep(Phase.contract, "unmirror", "take the trigger away", timing)
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


def _rebuilding(old: Outbox, new: Outbox, reasons: Sequence[str], connector: Sequence[str]) -> Iterator[MigrationStep]:
    before, middle = layout(old), between(old, new)
    missed, gained = read_columns(old) - {*layout(new).columns}, read_columns(new) - {*before.columns}
    exchanges = new.dialect.migration.table_swap
    offline = exchanges == "offline" or _seen(old) != _seen(new) or bool(missed and gained)
    stays = bool(exchanges)  # the old table: another one takes its place
    variables, why = {**_rewrite(old, new), "offline": offline}, "; ".join(reasons)
    first = bool(missed) and not offline
    if not offline:
        reason = "rows that only the new code writes must not be refused"
        yield from _checks(
            Phase.expand, before, middle, "let the CHECKs pass what both may write", BEFORE_DEPLOY, reason
        )
        yield from _let_write(old, new)
    yield MigrationStep(
        Phase.migrate, "build", "write the table anew, beside the old one", BEFORE_DEPLOY, why, variables
    )
    yield from deployed(connector if first else (), Phase.migrate, "before the next step")
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
    after = "before anybody writes again" if offline else "after the connector has passed the step before"
    yield from deployed(() if first else connector, Phase.contract, after)
    if stays:
        timing = "when nobody asks for its rows any more"
        yield MigrationStep(
            Phase.contract, "drop-before", "drop the table as it was", timing, "", variables, destructive=True
        )


def _seen(outbox: Outbox) -> tuple[object, ...]:
    """What code and connector know of the table: where it differs, the old ones cannot go on."""
    derived = outbox.names
    return derived.role, derived.publication, table(outbox), written_columns(outbox)


def _rewrite(old: Outbox, new: Outbox) -> dict[str, Any]:
    """What the templates are told that write a table anew."""
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
    """The same outbox in a schema of its own, where all of its parts can have the names that they will have."""
    beside = {"db_schema": f"{outbox.names.schema}_{word}"}
    return outbox.model_copy(update={"database": outbox.database.model_copy(update=beside)})


def _sources(old: Outbox, new: Outbox) -> list[Backfill]:
    """What each new column gets from the old table; none of those that the database fills by itself."""
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
        why = "its password is set apart from this script"
        yield MigrationStep(Phase.expand, "ddl/role", f"make the role '{now.role}'", BEFORE_DEPLOY, why)
    if was.publication != now.publication:
        why = "a connector fails that asks for it in a part of the log from before it was there"
        yield MigrationStep(
            Phase.expand, "ddl/publication", f"make the publication '{now.publication}'", BEFORE_DEPLOY, why
        )


def _superseded(old: Outbox, new: Outbox, *, moved: bool) -> list[TableCapture]:
    """The captures that newer ones take the place of; a table that is exchanged has left its own behind."""
    if "capture" not in new.dialect.ddl.templates:
        return []
    return [capture for capture in captures(old)[1 if moved else 0 :] if capture not in captures(new)]


def _capture(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    if _superseded(old, new, moved=False):
        why = "a capture keeps the columns that its table had; the connector goes over to the newer one by itself"
        variables = {"was": ddl.context(old)}
        yield MigrationStep(
            Phase.expand, "capture", "capture the columns that there are now", BEFORE_DEPLOY, why, variables
        )


def _let_write(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    if names := writers.gaining_rights(old, new):
        yield MigrationStep(
            Phase.expand,
            "ddl/writers",
            f"grant {_named(names)} what the writers of the new code need",
            BEFORE_DEPLOY,
        )


def _slot(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    was, now = old.names.slot, new.names.slot
    if was != now and new.dialect.capture.uses_slot:
        variables = {"was": ddl.context(old)}
        why = "a new slot would begin at the log's end, and leave a gap"
        timing = "while the connector is stopped"
        yield MigrationStep(Phase.migrate, "copy-slot", f"copy the slot '{was}' to '{now}'", timing, why, variables)


def deployed(lines: Sequence[str], phase: Phase, timing: str) -> Iterator[MigrationStep]:
    """The connector's new config; no step where it is the old one."""
    if lines:
        why = (
            "it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log"
        )
        yield MigrationStep(phase, "", DEPLOY, timing, why, {"lines": lines})


def _leftovers(old: Outbox, new: Outbox, *, moved: bool) -> Iterator[MigrationStep]:
    was, now, more = old.names, new.names, {"was": ddl.context(old)}
    if captured := _superseded(old, new, moved=moved):
        why = "the connector misses it once, and starts again by itself"
        variables = {**more, "superseded": captured}
        yield MigrationStep(
            Phase.contract,
            "drop-capture",
            "drop the older capture",
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
        title = f"take from {_named([writer.name for writer in less])} what the writers of the new code do not need"
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
        title = " and ".join(
            [*(f"drop the index '{name}'" for name in dropped), *(f"make '{name}'" for name in created)]
        )
        yield MigrationStep(phase, "indexes", title, timing, "", {"made": created, "unneeded": dropped})


def _listed(columns: Sequence[Column]) -> str:
    return _named([column.name for column in columns])


def _named(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
