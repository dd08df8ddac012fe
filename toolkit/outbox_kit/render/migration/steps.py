"""The steps from one schema file to the next: expand, fill what is missing, and contract when nobody needs it. Pure."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from outbox_kit import dialects
from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl
from outbox_kit.render.captures import Capture, captures
from outbox_kit.render.migration import writers
from outbox_kit.render.migration.layout import (
    Layout,
    between,
    layout,
    read,
    rebuilt,
    renamed,
    table,
    written,
)
from outbox_kit.schema.columns import Column
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names

FIRST = "before the new code is deployed"
LAST = "after the last old writer is gone"
FREE = "after the connector runs with its new config"
STILL = "while nobody writes, and after the connector has passed the last row (outbox-kit status)"
QUIET = f"{STILL}; then the connector's new config, then the new code"
PASSED = "after the connector has passed the last row from before the expand phase (outbox-kit status), and before \
anything is taken away"
RECAPTURED = "after the connector has passed a row of the newer one (outbox-kit status)"
ANY_TIME = "when the expand phase has been run; who writes waits until it is done"
EXCHANGE = "put the new table in the old one's place"
DEPLOY = "outbox-kit deploy-connector --probe"
OWN = "foreign keys, triggers, and views where they do not go by a name, stay with the old table"
REWRITE = "rewrite the table, while nobody can write: delete old rows before, so that it is short"
COLUMNS = ("add-columns", "loosen", "require", "drop-columns")  # the parts after which a table is another one
EMPTY = {"text": "", "integer": "0", "bigint": "0", "uuid": "00000000-0000-0000-0000-000000000000"}


class Phase(StrEnum):
    """When a step is safe: before the new code, beside both, or without the old code."""

    expand = "expand"
    migrate = "migrate"
    contract = "contract"


@dataclass(frozen=True)
class Step:
    """One step. part: its template, none where it is not the database's. when, why: sentences.

    more: what the template is told beside the new outbox. destructive: whether something is lost that was there.
    """

    phase: Phase
    part: str
    what: str
    when: str
    why: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    destructive: bool = False


@dataclass(frozen=True)
class Filling:
    """What rows from before get in a column: another column's value, numbers, or what stands for nothing."""

    column: Column
    source: str = ""
    numbers: bool = False

    @property
    def empty(self) -> str:
        """What stands for nothing; not for a boolean, which is false."""
        return EMPTY.get(self.column.kind, "")


def steps(old: Outbox, new: Outbox, connector: Sequence[str] = ()) -> list[Step]:
    """All steps. connector: the lines that say what changes in the connector's config."""
    reasons = rebuilt(old, new)
    found = _rebuilding(old, new, reasons, connector) if reasons else _changing(old, new, connector)
    every = [*found, *_leftovers(old, new, moved=bool(reasons))]
    return every if dialects.named(new.database.dialect).capture.described else list(map(_stilled, every))


def _stilled(step: Step) -> Step:
    """The same step, and the connector finds no row of before in the log when it has changed columns."""
    return replace(step, when=f"{step.when}; {STILL}") if step.part in COLUMNS else step


def refuse(old: Outbox, new: Outbox) -> None:
    """Raise UsageProblem where the one cannot become the other."""
    if "log" in (old.table.storage, new.table.storage):
        raise UsageProblem(
            "storage: log has no table, and so no way from one to the next",
            fix="gen-ddl --apply makes its procedure as the file says; where a table was there before, it stays "
            "until the connector has passed its last row",
        )
    if any(one.table.existing or one.table.fed_by for one in (old, new)):
        raise UsageProblem(
            "a table that its owner makes, or fills, has no way from one schema file to the next",
            fix="its owner changes it; then gen-ddl --apply brings all beside it up to date",
        )
    differing = [
        (what, was, now)
        for what, was, now in (
            ("database.dialect", old.database.dialect, new.database.dialect),
            ("service", old.service, new.service),
            ("database.name", names(old).database, names(new).database),
        )
        if was != now
    ]
    for what, was, now in differing:
        raise UsageProblem(
            f"{what} was '{was}' and is '{now}': that is another outbox, which no script can turn this one into",
            fix="make the new one with gen-ddl --apply and deploy-connector, move the writers, wait until the old "
            "connector has passed the last row, then remove the old one",
        )


def _changing(old: Outbox, new: Outbox, connector: Sequence[str]) -> Iterator[Step]:
    before, middle, after = layout(old), between(old, new), layout(new)
    mirrored = renamed(old, new)
    yield from _expanding(before, middle, mirrored)
    yield from _let_write(old, new)
    yield from _role_and_publication(old, new)
    yield from _capture(old, new)
    yield from _filling(old, new, middle, after)
    yield from _slot(old, new)
    yield from deployed(connector, Phase.migrate, PASSED)
    yield from _contracting(middle, after, mirrored)


def _expanding(before: Layout, middle: Layout, mirrored: Mapping[str, str]) -> Iterator[Step]:
    if added := [column for name, column in middle.columns.items() if name not in before.columns]:
        why = "nullable, so that no row is rewritten and the code that does not know them can go on"
        yield Step(Phase.expand, "add-columns", f"add {_listed(added)}", FIRST, why, {"added": added})
    if mirrored:
        why = "the connector reads one name and the code of either schema file writes one: both must hold the value"
        named = ", ".join(f"'{was}' and '{now}'" for was, now in mirrored.items())
        more = {"mirrored": mirrored}
        yield Step(Phase.expand, "mirror", f"keep {named} the same by a trigger", FIRST, why, more)
    yield from _indexes(Phase.expand, before, middle, FIRST)
    loosened = [x for name, x in middle.columns.items() if name in before.columns and x != before.columns[name]]
    if loosened:
        why = "code that leaves it out must not fail"
        yield Step(Phase.expand, "loosen", f"let {_listed(loosened)} be null", FIRST, why, {"loosened": loosened})
    why = "rows that only the new code writes must not be refused"
    yield from _checks(Phase.expand, before, middle, "let the CHECKs pass what both may write", FIRST, why)


def _filling(old: Outbox, new: Outbox, middle: Layout, after: Layout) -> Iterator[Step]:
    sources = {now: was for was, now in renamed(old, new).items()}
    fillings = []
    for column in after.columns.values():
        missing = column.required and not middle.columns[column.name].required
        if (missing and column.name != new.table.columns.payload) or column.name in sources:
            source = sources.get(column.name) or stand_in(old, new, column)
            fillings.append(Filling(column, source, numbers=not source and column.name == new.ordering.sequence))
    if fillings:
        listed = _listed([one.column for one in fillings])
        why = "rows from before have nothing there; put in what you know better than this script does"
        when = f"{LAST}; before that where it is only a new name"
        yield Step(Phase.migrate, "backfill", f"fill {listed}", when, why, {"fillings": fillings})


def stand_in(old: Outbox, new: Outbox, column: Column) -> str:
    """The column that says for rows from before what a new one says from now on."""
    if column.name == new.key_column:
        return old.key_column
    return (old.table.columns.aggregate_type or "") if column.name == new.route_column else ""


def _contracting(middle: Layout, after: Layout, mirrored: Mapping[str, str]) -> Iterator[Step]:
    required = [
        column
        for name, column in after.columns.items()
        if (column.required, column.filled) != (middle.columns[name].required, middle.columns[name].filled)
    ]
    if required:
        why = "no row may lack it any more; those that do must be filled, or gone, before"
        yield Step(Phase.contract, "require", f"require {_listed(required)}", LAST, why, {"required": required})
    why = "what nobody may write any more; rows that break a rule must be gone by then"
    yield from _checks(Phase.contract, middle, after, "let the CHECKs pass only what the new code writes", LAST, why)
    yield from _indexes(Phase.contract, middle, after, LAST)
    if mirrored:
        when, loosened = f"{LAST}, and {FREE}", [replace(middle.columns[name], required=False) for name in mirrored]
        why = "nobody fills it any more"
        yield Step(Phase.contract, "loosen", f"let {_listed(loosened)} be null", when, why, {"loosened": loosened})
        yield Step(Phase.contract, "unmirror", "take the trigger away", when)
    if dropped := [column for name, column in middle.columns.items() if name not in after.columns]:
        what, more = f"drop {_listed(dropped)}", {"dropped": dropped}
        yield Step(Phase.contract, "drop-columns", what, f"{LAST}, and {FREE}", "", more, destructive=True)


def _rebuilding(old: Outbox, new: Outbox, reasons: Sequence[str], connector: Sequence[str]) -> Iterator[Step]:
    before, middle = layout(old), between(old, new)
    missed, gained = read(old) - {*layout(new).columns}, read(new) - {*before.columns}
    exchanges = dialects.named(new.database.dialect).exchanges
    calm = exchanges == "quietly" or _seen(old) != _seen(new) or bool(missed and gained)
    stays = bool(exchanges)  # the old table: another one takes its place
    more, why = {**_rewrite(old, new), "calm": calm}, "; ".join(reasons)
    first = bool(missed) and not calm
    if not calm:
        said = "rows that only the new code writes must not be refused"
        yield from _checks(Phase.expand, before, middle, "let the CHECKs pass what both may write", FIRST, said)
        yield from _let_write(old, new)
    yield Step(Phase.migrate, "build", "write the table anew, beside the old one", FIRST, why, more)
    yield from deployed(connector if first else (), Phase.migrate, "before the next step")
    what, when = EXCHANGE if stays else REWRITE, QUIET if calm else ANY_TIME
    told = "; ".join(filter(None, [why, OWN])) if stays else why
    yield Step(Phase.contract, "swap", what, when, told, more, destructive=bool(more["gone"]) and not stays)
    yield from _slot(old, new)
    after = "before anybody writes again" if calm else "after the connector has passed the step before"
    yield from deployed(() if first else connector, Phase.contract, after)
    if stays:
        when = "when nobody asks for its rows any more"
        yield Step(Phase.contract, "drop-before", "drop the table as it was", when, "", more, destructive=True)


def _seen(outbox: Outbox) -> tuple[object, ...]:
    """What code and connector know of the table: where it differs, the old ones cannot go on."""
    derived = names(outbox)
    return derived.role, derived.publication, table(outbox), written(outbox)


def _rewrite(old: Outbox, new: Outbox) -> dict[str, Any]:
    """What the templates are told that write a table anew."""
    held, names_now = layout(old).columns, renamed(old, new)
    return {
        "was": ddl.context(old),
        "next": ddl.context(_beside(new, "next")),
        "before": names(_beside(old, "before")).schema,
        "sources": _sources(old, new),
        "kinds": {name: column.kind for name, column in held.items()},
        "origins": {now: was for was, now in names_now.items()},
        "gone": [name for name in held if name not in {*layout(new).columns, *names_now}],
        "numbered_before": old.ordering.sequence if old.ordering.assigned_by == "database" else None,
        "mark": f"as of {hashlib.sha256(ddl.body(new).encode()).hexdigest()[:12]}, by outbox-kit",
    }


def _beside(outbox: Outbox, word: str) -> Outbox:
    """The same outbox in a schema of its own, where all of its parts can have the names that they will have."""
    beside = {"db_schema": f"{names(outbox).schema}_{word}"}
    return outbox.model_copy(update={"database": outbox.database.model_copy(update=beside)})


def _sources(old: Outbox, new: Outbox) -> list[Filling]:
    """What each new column gets from the old table; none of those that the database fills by itself."""
    sources = {now: was for was, now in renamed(old, new).items()}
    held = layout(old).columns
    fillings = []
    for column in layout(new).columns.values():
        source = sources.get(column.name) or (column.name if column.name in held else "")
        if not source and column.required and not column.filled:
            source = stand_in(old, new, column)
        if source or (column.required and not column.filled):
            numbers = not source and column.name == new.ordering.sequence
            fillings.append(Filling(column, source, numbers=numbers))
    return fillings


def _role_and_publication(old: Outbox, new: Outbox) -> Iterator[Step]:
    was, now = names(old), names(new)
    if was.role != now.role:
        why = "its password is set apart from this script"
        yield Step(Phase.expand, "ddl/role", f"make the role '{now.role}'", FIRST, why)
    if was.publication != now.publication:
        why = "a connector fails that asks for it in a part of the log from before it was there"
        yield Step(Phase.expand, "ddl/publication", f"make the publication '{now.publication}'", FIRST, why)


def _superseded(old: Outbox, new: Outbox, *, moved: bool) -> list[Capture]:
    """The captures that newer ones take the place of; a table that is exchanged has left its own behind."""
    if "capture" not in dialects.named(new.database.dialect).ddl:
        return []
    return [one for one in captures(old)[1 if moved else 0 :] if one not in captures(new)]


def _capture(old: Outbox, new: Outbox) -> Iterator[Step]:
    if _superseded(old, new, moved=False):
        why = "a capture keeps the columns that its table had; the connector goes over to the newer one by itself"
        more = {"was": ddl.context(old)}
        yield Step(Phase.expand, "capture", "capture the columns that there are now", FIRST, why, more)


def _let_write(old: Outbox, new: Outbox) -> Iterator[Step]:
    if more := writers.gained(old, new):
        yield Step(Phase.expand, "ddl/writers", f"grant {_named(more)} what the writers of the new code need", FIRST)


def _slot(old: Outbox, new: Outbox) -> Iterator[Step]:
    was, now = names(old).slot, names(new).slot
    if was != now and dialects.named(new.database.dialect).slots:
        more = {"was": ddl.context(old)}
        why = "a new slot would begin at the log's end, and leave a gap"
        when = "while the connector is stopped"
        yield Step(Phase.migrate, "copy-slot", f"copy the slot '{was}' to '{now}'", when, why, more)


def deployed(lines: Sequence[str], phase: Phase, when: str) -> Iterator[Step]:
    """The connector's new config; no step where it is the old one."""
    if lines:
        why = (
            "it restarts with it; [wire] is another message or another order of a key's, [position] a place in the log"
        )
        yield Step(phase, "", DEPLOY, when, why, {"lines": lines})


def _leftovers(old: Outbox, new: Outbox, *, moved: bool) -> Iterator[Step]:
    was, now, more = names(old), names(new), {"was": ddl.context(old)}
    if captured := _superseded(old, new, moved=moved):
        why = "the connector misses it once, and starts again by itself"
        told = {**more, "superseded": captured}
        yield Step(Phase.contract, "drop-capture", "drop the older capture", RECAPTURED, why, told, destructive=True)
    gone = [
        ("drop-heartbeat", f"drop the heartbeat '{was.heartbeat_table}'", moved and table(old) != table(new)),
        ("drop-slot", f"drop the slot '{was.slot}'", was.slot != now.slot),
        ("drop-publication", f"drop the publication '{was.publication}'", was.publication != now.publication),
        ("drop-role", f"drop the role '{was.role}'", was.role != now.role),
    ]
    if less := list(writers.lost(old, new, by_name=not dialects.named(new.database.dialect).exchanges)):
        what = f"take from {_named([one.name for one in less])} what the writers of the new code do not need"
        yield Step(Phase.contract, "revoke", what, LAST, "", {**more, "lost": less})
    for part, what, wanted in gone:
        if wanted and (dialects.named(new.database.dialect).slots or part in ("drop-heartbeat", "drop-role")):
            yield Step(Phase.contract, part, what, FREE, "", more, destructive=True)


def _checks(phase: Phase, was: Layout, now: Layout, what: str, when: str, why: str) -> Iterator[Step]:
    held = [*now.checks, *(name for name in was.checks if name not in now.checks)]
    changed = [
        (name, was.checks.get(name), now.checks.get(name))
        for name in held
        if was.checks.get(name) is None
        or now.checks.get(name) is None
        or was.checks[name].expression != now.checks[name].expression
    ]
    if changed:
        yield Step(phase, "checks", what, when, why, {"checks": changed})


def _indexes(phase: Phase, was: Layout, now: Layout, when: str) -> Iterator[Step]:
    made = {name: of for name, of in now.indexes.items() if was.indexes.get(name) != of}
    dropped = [name for name, of in was.indexes.items() if now.indexes.get(name) != of]
    if made or dropped:
        what = " and ".join([*(f"drop the index '{name}'" for name in dropped), *(f"make '{name}'" for name in made)])
        yield Step(phase, "indexes", what, when, "", {"made": made, "unneeded": dropped})


def _listed(found: Sequence[Column]) -> str:
    return _named([column.name for column in found])


def _named(found: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in found)
