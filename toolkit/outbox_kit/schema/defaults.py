"""What a schema file means where it says nothing and its database leaves no other choice. Pure."""

from collections.abc import Mapping
from typing import Any

from outbox_kit import dialects


def with_defaults(given: Any) -> Any:
    """A raw schema file on top of its dialect's own defaults; what is none, or names none, as it is."""
    database = given.get("database") if isinstance(given, dict) else None
    name = database.get("dialect") if isinstance(database, dict) else None
    dialect = dialects.ALL.get(name) if isinstance(name, str) else None
    return over(dialect.defaults, given) if dialect else given


def over(beneath: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Two documents as one: mappings are joined, and of everything else what is said wins."""
    joined = dict(beneath)
    for name, value in said.items():
        under = joined.get(name)
        joined[name] = over(under, value) if isinstance(value, Mapping) and isinstance(under, Mapping) else value
    return joined
