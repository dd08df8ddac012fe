"""The steps of a migration where rows are documents: a validator in place of CHECKs. Pure.

The event router fails at a document without a field that its configuration names.
"""

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
    ConnectorChanges,
    MigrationStep,
    Phase,
)
from outbox_kit.render.migration.steps import deployed, fallback_source
from outbox_kit.schema.columns import Column
from outbox_kit.schema.model import Outbox

READ = f"{AFTER_OLD_WRITERS}, and after the connector has processed its last event, which lacks the new fields"
UNSET = "documents without the index's fields would violate its unique key"
REMOVE = "outbox-kit remove --reset-offsets --allow-destructive"
NOTHING = {**EMPTY, "integer": 0, "bigint": 0, "boolean": False}

Filling = tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]  # the documents' filter, and their update


def steps(old: Outbox, new: Outbox, connector: ConnectorChanges) -> Iterator[MigrationStep]:
    """All steps.

    connector: the changes to the connector's configuration. Raises UsageProblem if existing documents cannot be
    migrated.
    """
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
    """Raise UsageProblem if a document would not show whether it is migrated already."""
    names_now, was, now = renamed(old, new), _fields(old), _fields(new)
    reused = sorted(({*names_now} & {*now}) | ({*names_now.values()} & {*was}))
    why = f"'{reused[0]}' was the name of another field" if reused else ""
    if "_id" in now and "_id" not in was:
        why = "the '_id' of a document cannot be changed"
    if why:
        raise UsageProblem(
            f"{why}: existing documents cannot be migrated to the new schema file",
            fix="change table.name too: the new collection starts empty, and the old one keeps its documents",
        )


def _moving(old: Outbox, new: Outbox, connector: ConnectorChanges) -> Iterator[MigrationStep]:
    both = (old.table.name, new.table.name) if old.names.role == new.names.role else ()
    why = "existing events stay in the old collection"
    commands = documents.up(new, *both)
    yield _commands(Phase.expand, f"create the collection '{new.table.name}'", BEFORE_DEPLOY, why, commands)
    why = "a stored offset is valid for one collection only; the initial snapshot reads the new, empty collection"
    title = f"remove the connector and deploy it again: {REMOVE}, then {DEPLOY}"
    yield MigrationStep(Phase.migrate, "", title, OFFLINE, why, {"lines": connector.lines})
    if both:
        title = f"restrict the connector's role to '{new.table.name}'"
        yield _commands(Phase.contract, title, AFTER_CONNECTOR_RESTART, "", documents.reader(new))
    timing = "after the events of the old collection are no longer needed"
    title, dropped = f"drop the collection '{old.table.name}'", iter([documents.dropped(old)])
    yield _commands(Phase.contract, title, timing, "", dropped, destructive=True)


def _expanding(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    before, after = documents.validator(old), documents.validator(new)
    if before != after:
        why = "the events of both versions of the application must be accepted"
        either = iter([documents.ruled(new, {"$or": [before, after]})])
        yield _commands(Phase.expand, "relax the validator", BEFORE_DEPLOY, why, either)
    if old.names.role != new.names.role:
        why = "create the user separately: this script contains no password"
        yield _commands(Phase.expand, f"create the role '{new.names.role}'", BEFORE_DEPLOY, why, documents.reader(new))
    was, now, table, database = documents.indexes(old), documents.indexes(new), new.table.name, new.names.database
    for name, index in was.items():
        if _key(index) != _key(now.get(name, {})):
            why = UNSET if "unique" in index else "documents no longer expire by its field"
            dropped = documents.CommandStep("", database, {"dropIndexes": table, "index": name}, (documents.NO_INDEX,))
            yield _commands(Phase.expand, f"drop the index '{name}'", BEFORE_DEPLOY, why, iter([dropped]))
    for index in now.values():
        if _seconds(was) < index.get("expireAfterSeconds", 0):
            commands = documents.aging(database, table, index, "")
            yield _commands(Phase.expand, "extend the retention of events", BEFORE_DEPLOY, "", commands)


def _connector(old: Outbox, new: Outbox, connector: ConnectorChanges) -> Iterator[MigrationStep]:
    """The deployment of the connector, at a time when no event lacks a field that its configuration names."""
    missed, gained = read_columns(old) - {*_fields(new)}, read_columns(new) - {*_fields(old)}
    if (missed and gained) or old.table.payload != new.table.payload:
        return deployed(connector, Phase.migrate, OFFLINE)
    if missed:
        return deployed(connector, Phase.expand, f"{BEFORE_DEPLOY}, whose events lack fields of the old configuration")
    return deployed(connector, Phase.migrate, READ if gained else AFTER_LAST_ROW)


def _filling(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    filled, numbered = list[tuple[Column, Filling]](), list[Column]()
    for column in described(new):
        if filling := _filled(old, new, column):
            filled.append((column, filling))
        elif column.name == new.ordering.sequence and column.name not in _fields(old):
            numbered.append(column)
    if filled or numbered:
        title = f"fill {_listed([*(column for column, _ in filled), *numbered])}"
        why = "existing events have no value there; change the statements if other values are better"
        timing = f"{AFTER_OLD_WRITERS}; earlier is safe for a field that is only renamed"
        variables = {"fillings": [filling for _, filling in filled], "steps": [_numbers(new)] if numbered else []}
        yield MigrationStep(Phase.migrate, "migrate/fill", title, timing, why, variables)


def _filled(old: Outbox, new: Outbox, column: Column) -> Filling | None:
    """The update that fills a field of existing documents; None if they have the field, or if it is their number."""
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
        "Existing events get numbers up to 0, in the order of creation. The application continues with 1.",
        new.names.database,
        {"aggregate": table, "pipeline": pipeline, "cursor": {}, "bypassDocumentValidation": True},
    )


def _contracting(old: Outbox, new: Outbox) -> Iterator[MigrationStep]:
    was, now, table, database = documents.indexes(old), documents.indexes(new), new.table.name, new.names.database
    if documents.validator(old) != documents.validator(new):
        title = "tighten the validator"
        why = "only events of the new version may be written; the server does not validate existing documents"
        final = iter([documents.ruled(new, documents.validator(new))])
        yield _commands(Phase.contract, title, AFTER_OLD_WRITERS, why, final)
    for name, index in now.items():
        if "unique" in index and _key(index) != _key(was.get(name, {})):
            command = documents.CommandStep("", database, {"createIndexes": table, "indexes": [index]})
            title, why = f"create the index '{name}'", "all events have the index's fields after the previous steps"
            yield _commands(Phase.contract, title, AFTER_OLD_WRITERS, why, iter([command]))
    for name, index in now.items():
        if "expireAfterSeconds" in index and (name not in was or _seconds(was) > _seconds(now)):
            title = f"let the server delete events {new.table.kept_title} after '{new.table.columns.created_at}'"
            sooner = _seconds(was) > _seconds(now)
            aged = documents.aging(database, table, index, "")
            yield _commands(Phase.contract, title, AFTER_OLD_WRITERS, "", aged, destructive=sooner)
    if dropped := [column for name, column in _fields(old).items() if name not in _fields(new) and name != "_id"]:
        fillings = [({x.name: {"$exists": True}}, [{"$unset": x.name}]) for x in dropped]
        variables = {"fillings": fillings, "steps": []}
        title, timing = (
            f"remove {_listed(dropped)} from the documents",
            f"{AFTER_OLD_WRITERS}, and {AFTER_CONNECTOR_RESTART}",
        )
        yield MigrationStep(Phase.contract, "migrate/fill", title, timing, "", variables, destructive=True)


def _fields(outbox: Outbox) -> dict[str, Column]:
    return {column.name: column for column in described(outbox)}


def _key(index: Mapping[str, Any]) -> list[tuple[str, int]]:
    return [*index.get("key", {}).items()]  # the order of the fields is part of an index


def _seconds(indexes: Mapping[str, documents.Command]) -> float:
    """The time after which documents expire, in seconds."""
    return min((x["expireAfterSeconds"] for x in indexes.values() if "expireAfterSeconds" in x), default=float("inf"))


def _listed(fields: Sequence[Column]) -> str:
    return ", ".join(f"'{field.name}'" for field in fields)
