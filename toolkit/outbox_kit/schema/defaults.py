"""What a schema file means where it says nothing and its database leaves no other choice. Pure."""

from collections.abc import Mapping
from typing import Any

from outbox_kit import databases


def with_defaults(document: Any) -> Any:
    """A raw schema file on top of its dialect's own defaults; unchanged if it is not one, or names no dialect."""
    database = document.get("database") if isinstance(document, dict) else None
    name = database.get("dialect") if isinstance(database, dict) else None
    dialect = databases.ALL.get(name) if isinstance(name, str) else None
    return over(dialect.file_defaults, document) if dialect else document


def over(beneath: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """Two documents as one: mappings are joined; other values replace those of the defaults."""
    joined = dict(beneath)
    for name, value in document.items():
        under = joined.get(name)
        joined[name] = over(under, value) if isinstance(value, Mapping) and isinstance(under, Mapping) else value
    return joined
