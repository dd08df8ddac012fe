"""What a schema file means where it says nothing and its database leaves no other choice. Pure."""

from collections.abc import Mapping
from typing import Any

from outbox_kit import databases
from outbox_kit.databases.facts import Dialect


def with_defaults(document: Any) -> Any:
    """A raw schema file on top of its dialect's own defaults; unchanged if it is not one, or names no dialect."""
    database = document.get("database") if isinstance(document, dict) else None
    name = database.get("dialect") if isinstance(database, dict) else None
    dialect = databases.ALL.get(name) if isinstance(name, str) else None
    return over(dialect.file_defaults, _with_relay(document, dialect)) if dialect else document


def _with_relay(document: Mapping[str, Any], dialect: Dialect) -> Mapping[str, Any]:
    """A raw schema file with what its relay reads, on a database whose log it cannot read.

    What the relay does with the rows of an existing table has to be written down.
    """
    delivery, table = document.get("delivery"), document.get("table")
    records = dialect.capture.polled
    if not isinstance(delivery, dict) or delivery.get("by") != "relay" or dialect.capture.uses_slot or not records:
        return document
    is_existing = isinstance(table, dict) and table.get("existing") is True
    is_said = is_existing or "mark" in delivery
    beneath = {"source": "table"} | ({} if is_said else {"record": records[0]})
    return {**document, "delivery": over(beneath, delivery)}


def over(beneath: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """Two documents as one: mappings are joined; other values replace those of the defaults."""
    joined = dict(beneath)
    for name, value in document.items():
        under = joined.get(name)
        joined[name] = over(under, value) if isinstance(value, Mapping) and isinstance(under, Mapping) else value
    return joined
