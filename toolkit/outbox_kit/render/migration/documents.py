"""The steps where rows are documents: a validator for CHECKs, and a router that dies of a missing field. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.render import documents
from outbox_kit.render.described import described
from outbox_kit.render.migration.layout import read_columns, renamed
from outbox_kit.render.migration.step import (
    AFTER_CONNECTOR_RESTART,
    AFTER_LAST_ROW,
    AFTER_OLD_WRITERS,
    BEFORE_DEPLOY,
    DEPLOY,
    EMPTY,
    OFFLINE,
    MigrationStep,
    Phase,
)
from outbox_kit.render.migration.steps import deployed, fallback_source
from outbox_kit.schema.columns import Column
from outbox_kit.schema.model import Outbox

READ = f"{AFTER_OLD_WRITERS}, and the connector has passed its last event, which lacks what is read from now on"
ALIKE = "where the new code leaves its fields out, all its events would be the same event"
REMOVE = "outbox-kit remove --reset-offsets --allow-destructive"
NOTHING = {**EMPTY, "integer": 0, "bigint": 0, "boolean": False}

Filling = tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]  # which documents, and what becomes of them


def steps(old: Outbox, new: Outbox, connector: Sequence[str]) -> Iterator[MigrationStep]:
    """All steps. connector: the lines that say what changes in the connector's config. Raises UsageProblem."""
    if old.table.name != new.table.name:
        yield from _moving(old, new, connector)
    else:
        _refuse(old, new)
        yield from _expanding(old, new)
        yield from _connector(old, new, connector)
        yield from _filling(old, new)
        yield from _contracting(old, new)
    if old.names.role != new.names.role:
        title = f"drop the role '{old.names.role}'"
        yield _commands(Phase.contract, title, AFTER_CONNECTOR_RESTART, "", documents.no_reader(old), destructive=True)


def _commands(
    phase: Phase,
    title: str,
    timing: str,
    why: str,
    commands: Iterator[documents.CommandStep],
    *,
    destructive: bool = False,
) -> MigrationStep:
    return MigrationStep(phase, "ddl/steps", title, timing, why, {"steps": list(commands)}, destructive)


def _refuse(old: Outbox, new: Outbox) -> None:
    """Raise UsageProblem where no document could tell what it has been changed to."""
    names_now, was, now = renamed(old, new), _fields(old), _fields(new)
    reused = sorted(({*names_now} & {*now}) | ({*names_now.values()} & {*was}))
    why = f"'{reused[0]}' was another field's name" if reused else ""
    if "_id" in now and "_id" not in was:
        why = "a document's '_id' stays as it is"
    if why:
        raise UsageProblem(
            f"{why}: documents that are there cannot be brought to the new file",
            fix="give it another table.name too: the new collection begins empty, and the old one keeps its documents",
        )


def _moving(old: Outbox, new: Outbox, connector: Sequence[str]) -> Iterator[MigrationStep]:
    both = (old.table.name, new.table.name) if old.names.role == new.names.role else ()
    why = "events from before stay where they are"
    commands = documents.up(new, *both)
    yield _commands(Phase.expand, f"make the collection '{new.table.name}'", BEFORE_DEPLOY, why, commands)
    why = "a position in one collection's stream is none in another's; the first read finds what is new, and no more"
    yield MigrationStep(Phase.migrate, "", f"{REMOVE}, then {DEPLOY}", OFFLINE, why, {"lines": connector})
    if both:
        title = f"let the connector read '{new.table.name}' alone"
        yield _commands(Phase.contract, title, AFTER_CONNECTOR_RESTART, "", documents.reader(new))
    timing = "when nobody asks for its events any more"
    title, dropped = f"drop the collection '{old.table.name}'", iter([documents.dropped(old)])
    yield _commands(Phase.contract, title, timing, "", dropped, destructive=True)


def _expanding(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    before, after = documents.validator(old), documents.validator(new)
    if before != after:
        why = "events that only the new code writes must not be refused"
        either = iter([documents.ruled(new, {"$or": [before, after]})])
        yield _commands(Phase.expand, "let the validator pass what both may write", BEFORE_DEPLOY, why, either)
    if old.names.role != new.names.role:
        why = "its user is made apart from this script, which knows no passwords"
        yield _commands(Phase.expand, f"make the role '{new.names.role}'", BEFORE_DEPLOY, why, documents.reader(new))
    was, now, table, database = documents.indexes(old), documents.indexes(new), new.table.name, new.names.database
    for name, index in was.items():
        if _key(index) != _key(now.get(name, {})):
            why = ALIKE if "unique" in index else "nothing goes by its field any more"
            dropped = documents.CommandStep("", database, {"dropIndexes": table, "index": name}, (documents.NO_INDEX,))
            yield _commands(Phase.expand, f"drop the index '{name}'", BEFORE_DEPLOY, why, iter([dropped]))
    for index in now.values():
        if _seconds(was) < index.get("expireAfterSeconds", 0):
            commands = documents.aging(database, table, index, "")
            yield _commands(Phase.expand, "let events stay for longer", BEFORE_DEPLOY, "", commands)


def _connector(old: Outbox, new: Outbox, lines: Sequence[str]) -> Iterator[MigrationStep]:
    """When the connector gets its new config: it fails where an event lacks a field that it is told to read."""
    missed, gained = read_columns(old) - {*_fields(new)}, read_columns(new) - {*_fields(old)}
    if (missed and gained) or old.table.payload != new.table.payload:
        return deployed(lines, Phase.migrate, OFFLINE)
    if missed:
        return deployed(lines, Phase.expand, f"{BEFORE_DEPLOY}, whose events lack what the connector reads now")
    return deployed(lines, Phase.migrate, READ if gained else AFTER_LAST_ROW)


def _filling(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    filled, numbered = list[tuple[Column, Filling]](), list[Column]()
    for column in described(new):
        if filling := _filled(old, new, column):
            filled.append((column, filling))
        elif column.name == new.ordering.sequence and column.name not in _fields(old):
            numbered.append(column)
    if filled or numbered:
        title = f"fill {_listed([*(column for column, _ in filled), *numbered])}"
        why = "events from before have nothing there; put in what you know better than this script does"
        timing = f"{AFTER_OLD_WRITERS}; before that where it is only a new name"
        variables = {"fillings": [filling for _, filling in filled], "steps": [_numbers(new)] if numbered else []}
        yield MigrationStep(Phase.migrate, "migrate/fill", title, timing, why, variables)


def _filled(old: Outbox, new: Outbox, column: Column) -> Filling | None:
    """What documents from before get in a field; None where they have it, or where it is their number."""
    name, was = column.name, _fields(old)
    source = {now: before for before, now in renamed(old, new).items()}.get(name, "")
    if name in was:
        demanded = column.required and not was[name].required and name != new.table.columns.payload
        return ({name: None}, [{"$set": {name: NOTHING[column.kind]}}]) if demanded else None
    if source or (source := fallback_source(old, new, column)):
        return {name: {"$exists": False}, source: {"$exists": True}}, [{"$set": {name: f"${source}"}}]
    if name == new.ordering.sequence or not (column.required or name in read_columns(new)):
        return None
    return {name: {"$exists": False}}, [{"$set": {name: NOTHING[column.kind] if column.required else None}}]


def _numbers(new: Outbox) -> documents.CommandStep:
    c, number, table = new.table.columns, str(new.ordering.sequence), new.table.name
    everyone = {"$count": {}, "window": {"documents": ["unbounded", "unbounded"]}}
    within = {
        "partitionBy": {"aggregate": f"${c.aggregate_type}", "id": f"${c.aggregate_id}"},
        "sortBy": {c.created_at: 1, "_id": 1},
        "output": {"place": {"$documentNumber": {}}, "every": everyone},
    }
    pipeline = [
        {"$match": {number: None}},
        {"$setWindowFields": within},
        {"$project": {number: {"$toLong": {"$subtract": ["$place", "$every"]}}}},
        {"$merge": {"into": table, "whenMatched": "merge", "whenNotMatched": "discard"}},
    ]
    return documents.CommandStep(
        "Numbers below 1, in the order of writing: whatever the application counts from 1 on comes after them.",
        new.names.database,
        {"aggregate": table, "pipeline": pipeline, "cursor": {}, "bypassDocumentValidation": True},
    )


def _contracting(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    was, now, table, database = documents.indexes(old), documents.indexes(new), new.table.name, new.names.database
    if documents.validator(old) != documents.validator(new):
        title = "let the validator pass only what the new code writes"
        why = "what nobody may write any more; the server does not look at documents that are there"
        final = iter([documents.ruled(new, documents.validator(new))])
        yield _commands(Phase.contract, title, AFTER_OLD_WRITERS, why, final)
    for name, index in now.items():
        if "unique" in index and _key(index) != _key(was.get(name, {})):
            command = documents.CommandStep("", database, {"createIndexes": table, "indexes": [index]})
            title, why = f"make the index '{name}'", "every event has its fields by now"
            yield _commands(Phase.contract, title, AFTER_OLD_WRITERS, why, iter([command]))
    for name, index in now.items():
        if "expireAfterSeconds" in index and (name not in was or _seconds(was) > _seconds(now)):
            title, why = f"let events go {new.table.kept_title} after '{new.table.columns.created_at}'", ""
            sooner = _seconds(was) > _seconds(now)
            aged = documents.aging(database, table, index, "")
            yield _commands(Phase.contract, title, AFTER_OLD_WRITERS, why, aged, destructive=sooner)
    if dropped := [column for name, column in _fields(old).items() if name not in _fields(new) and name != "_id"]:
        fillings = [({x.name: {"$exists": True}}, [{"$unset": x.name}]) for x in dropped]
        variables = {"fillings": fillings, "steps": []}
        title, timing = (
            f"take {_listed(dropped)} out of the documents",
            f"{AFTER_OLD_WRITERS}, and {AFTER_CONNECTOR_RESTART}",
        )
        yield MigrationStep(Phase.contract, "migrate/fill", title, timing, "", variables, destructive=True)


def _fields(outbox: Outbox) -> dict[str, Column]:
    return {column.name: column for column in described(outbox)}


def _key(index: Mapping[str, Any]) -> list[tuple[str, int]]:
    return [*index.get("key", {}).items()]  # in order: another order is another index


def _seconds(indexes: Mapping[str, documents.Command]) -> float:
    """How long documents stay."""
    return min((x["expireAfterSeconds"] for x in indexes.values() if "expireAfterSeconds" in x), default=float("inf"))


def _listed(fields: Sequence[Column]) -> str:
    return ", ".join(f"'{field.name}'" for field in fields)
