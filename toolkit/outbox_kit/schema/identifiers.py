"""The names in a schema file that its database does not accept. No file is touched here. Pure."""

import re
from collections.abc import Iterator, Sequence

from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.names import names as derived
from outbox_kit.schema.problem import SchemaProblem, Steps, quoted

WRITERS = ("database", "writers")


def complaints(outbox: OutboxFields) -> list[SchemaProblem]:
    """The names that are too long for the server, or have characters that it does not accept."""
    parts = (_columns, _table, _around, _characters, _scripted)
    return [problem for part in parts for problem in part(outbox)]


def _column_places(outbox: OutboxFields) -> dict[str, Steps]:
    """The columns' names and the place of each."""
    standard: dict[str | None, Steps] = {name: ("table", "columns", key) for key, name in outbox.table.columns}
    extra: dict[str | None, Steps] = {x.name: ("table", "extra", n, "name") for n, x in enumerate(outbox.table.extra)}
    mark = outbox.delivery.mark
    marked: dict[str | None, Steps] = {name: ("delivery", "mark", *at) for name, at in mark.places()} if mark else {}
    places = {**standard, outbox.ordering.sequence: ("ordering", "sequence"), **extra, **marked}
    return {name: place for name, place in places.items() if name is not None}


def _columns(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    limits = outbox.dialect.limits
    for name, place in _column_places(outbox).items():
        if limits.length(name) > limits.name:
            yield SchemaProblem(f"the column {quoted(name)} is longer than {limits.name} {limits.unit}", place)


def _table(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    limits = outbox.dialect.limits
    if limits.length(outbox.table.name) > limits.table:
        room = f"{limits.table} {limits.unit}; names derived from it must fit {limits.name}"
        yield SchemaProblem(f"table.name is longer than {room}", ("table", "name"))


def _around(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The names around the table. A server may cut a longer one, and mean another object then."""
    dialect, names, source = outbox.dialect, derived(outbox), outbox.table.source
    limits = dialect.limits
    any_name = limits.other or limits.name
    reason = "" if outbox.table.existing else "; a migration derives names from it, which must fit too"
    schema = limits.name if outbox.table.existing else limits.schema or limits.name
    if limits.length(names.role) > limits.role:
        text = f"the role's name {quoted(names.role)} is longer than {limits.role} {limits.unit}"
        yield SchemaProblem(f"{text}; choose one in database.user", ("database", "user"))
    if dialect.naming.schema is not None and limits.length(names.schema) > schema:
        text = f"database.schema {quoted(names.schema)} is longer than {schema} {limits.unit}{reason}"
        yield SchemaProblem(text, ("database", "schema"))
    names_by_setting: dict[Steps, Sequence[str | None]] = {
        ("database", "name"): [names.database],
        ("database", "container"): [outbox.database.container],
        WRITERS: outbox.database.writers,
        ("table", "source", "table"): [source.table if source else None],
        ("table", "source", "schema"): [source.db_schema if source else None],
        ("table", "source", "array_column"): [source.array_column if source else None],
    }
    limits_by_setting: dict[Steps, int] = {("database", "name"): limits.database or any_name}
    for setting, listed in names_by_setting.items():
        longest = limits_by_setting.get(setting, any_name)
        for n, name in enumerate(listed):
            if name and limits.length(name.partition("@")[0] if _of_host(outbox, setting) else name) > longest:
                place = (*setting, n) if setting == WRITERS else setting
                yield SchemaProblem(
                    f"{'.'.join(map(str, setting))} {quoted(name)} is longer than {longest} {limits.unit}", place
                )


def _of_host(outbox: OutboxFields, setting: Steps) -> bool:
    """Whether a name contains the host of its user."""
    return setting == WRITERS and outbox.dialect.naming.users_have_host


def _characters(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    dialect, names = outbox.dialect, derived(outbox)
    limits = dialect.limits
    for name, place in _names(outbox).items():
        if set(name) & set(limits.forbidden):
            yield SchemaProblem(
                f"invalid name {quoted(name)}: {dialect.title} accepts none of {limits.forbidden} in a name", place
            )
        for pattern, why in limits.refused.items():
            if re.search(pattern, name):
                yield SchemaProblem(
                    f"invalid name {quoted(name)}: {dialect.title} does not accept {why}; use another name", place
                )
    if set(names.database) & set(limits.not_in_database):
        yield SchemaProblem(
            f"invalid database.name {quoted(names.database)}: {dialect.title} accepts none of {limits.not_in_database}",
            ("database", "name"),
        )


def _names(outbox: OutboxFields) -> dict[str, Steps]:
    """The names of objects in the database, and the place of each."""
    names, source = derived(outbox), outbox.table.source
    places: list[tuple[str | None, Steps]] = [
        (outbox.table.name, ("table", "name")),
        (names.database, ("database", "name")),
        (names.schema, ("database", "schema")),
        (names.role, ("database", "user")),
        (outbox.database.container, ("database", "container")),
        *_column_places(outbox).items(),
        *((writer, (*WRITERS, n)) for n, writer in enumerate(outbox.database.writers)),
    ]
    if source:
        place = ("table", "source")
        places += [(source.table, (*place, "table")), (source.db_schema, (*place, "schema"))]
        places.append((source.array_column, (*place, "array_column")))
    return {name: place for name, place in reversed(places) if name}


def _scripted(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The texts that the program which runs a script would take for a command of its own."""
    dialect = outbox.dialect
    texts: dict[str, Steps] = {}
    for n, event in enumerate(outbox.events):
        texts.setdefault(event.aggregate, ("events", n, "aggregate"))
        texts.setdefault(event.type, ("events", n, "type"))
    for n, extra in enumerate(outbox.table.extra):
        texts.setdefault(extra.alias or extra.name, ("table", "extra", n))
    status = outbox.delivery.mark.status if outbox.delivery.mark else None
    for key in ("pending", "published", "failed") if status else ():
        if value := getattr(status, key):
            texts.setdefault(value, ("delivery", "mark", "status", key))
    for mark, why in dialect.limits.marks.items():
        for text, place in {**texts, **_names(outbox)}.items():
            if mark in text:
                reason = f"a script for {dialect.title} cannot contain '{mark}', {why}; use another name"
                yield SchemaProblem(f"invalid text {quoted(text)}: {reason}", place)
