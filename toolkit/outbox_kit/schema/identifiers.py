"""Whether a database takes the names that a schema file has for it. Sentences, and no file. Pure."""

import re
from collections.abc import Iterator, Sequence

from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.names import names as derived


def complaints(outbox: OutboxFields) -> list[str]:
    """What is wrong with the names: too long for the server, or with characters that it does not take."""
    parts = (_columns, _table, _around, _characters, _scripted)
    return [complaint for part in parts for complaint in part(outbox)]


def _columns(outbox: OutboxFields) -> Iterator[str]:
    limits = outbox.dialect.limits
    for name in outbox.column_names:
        if limits.length(name) > limits.name:
            yield f"the column '{name}' is longer than {limits.name} {limits.unit}"


def _table(outbox: OutboxFields) -> Iterator[str]:
    limits = outbox.dialect.limits
    if limits.length(outbox.table.name) > limits.table:
        room = f"{limits.table} {limits.unit}; names made of it must fit {limits.name}"
        yield f"the table's name is longer than {room}"


def _around(outbox: OutboxFields) -> Iterator[str]:
    """The names around the table. A server may cut a longer one, and mean another object then."""
    dialect, names, feed = outbox.dialect, derived(outbox), outbox.table.fed_by
    limits = dialect.limits
    any_name = limits.other or limits.name
    reason = "" if outbox.table.existing else "; a migration makes names of it that must fit too"
    schema = limits.name if outbox.table.existing else limits.schema or limits.name
    if limits.length(names.role) > limits.role:
        yield (f"the role's name '{names.role}' is longer than {limits.role} {limits.unit}; name one in database.user")
    if dialect.naming.schema is not None and limits.length(names.schema) > schema:
        yield f"database.schema '{names.schema}' is longer than {schema} {limits.unit}{reason}"
    names_by_setting: dict[str, Sequence[str | None]] = {
        "database.name": [names.database],
        "database.container": [outbox.database.container],
        "database.writers": outbox.database.writers,
        "table.fed_by.table": [feed.table if feed else None],
        "table.fed_by.schema": [feed.db_schema if feed else None],
        "table.fed_by.each": [feed.each if feed else None],
    }
    limits_by_setting = {"database.name": limits.database or any_name}
    for setting, listed in names_by_setting.items():
        longest = limits_by_setting.get(setting, any_name)
        for name in listed:
            if name and limits.length(name.partition("@")[0] if _of_host(outbox, setting) else name) > longest:
                yield f"{setting} '{name}' is longer than {longest} {limits.unit}"


def _of_host(outbox: OutboxFields, setting: str) -> bool:
    """Whether a name goes on with the host that its user comes from."""
    return setting == "database.writers" and outbox.dialect.naming.users_have_host


def _characters(outbox: OutboxFields) -> Iterator[str]:
    dialect, names = outbox.dialect, derived(outbox)
    limits = dialect.limits
    for name in _names(outbox):
        if set(name) & set(limits.forbidden):
            yield f"'{name}' cannot be a name in {dialect.title}: it holds one of {limits.forbidden}"
        for pattern, why in limits.refused.items():
            if re.search(pattern, name):
                yield f"'{name}' cannot be a name in {dialect.title}: it has {why}; use another name"
    if set(names.database) & set(limits.not_in_database):
        yield f"'{names.database}' cannot be a database in {dialect.title}: it holds one of {limits.not_in_database}"


def _names(outbox: OutboxFields) -> list[str]:
    names, feed = derived(outbox), outbox.table.fed_by
    feed_names = (feed.table, feed.db_schema, feed.each) if feed else ()
    around = (outbox.table.name, names.database, names.schema, names.role, outbox.database.container)
    all_names = (*around, *outbox.column_names, *outbox.database.writers, *feed_names)
    return list(dict.fromkeys(name for name in all_names if name))


def _scripted(outbox: OutboxFields) -> Iterator[str]:
    """What stands in a script as it is, and would be taken for a word of the program that runs it."""
    dialect = outbox.dialect
    texts = [text for event in outbox.events for text in (event.aggregate, event.type)]
    texts += [extra.alias or extra.name for extra in outbox.table.extra]
    for mark, why in dialect.limits.marks.items():
        for text in dict.fromkeys((*_names(outbox), *texts)):
            if mark in text:
                reason = f"it holds '{mark}', {why}; use another name"
                yield f"'{text}' cannot stand in a script for {dialect.title}: {reason}"
