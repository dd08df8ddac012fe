"""What a schema file means where it says nothing and its database leaves no other choice. Pure."""

from collections.abc import Mapping
from typing import Any

from outbox_kit import dialects


def under(given: Any) -> Any:
    """A raw schema file on top of its dialect's own defaults; what is none, or names none, as it is."""
    database = given.get("database") if isinstance(given, dict) else None
    name = database.get("dialect") if isinstance(database, dict) else None
    dialect = dialects.ALL.get(name) if isinstance(name, str) else None
    return _on_top(given, dialect.defaults) if dialect else given


def _on_top(given: Any, defaults: Any) -> Any:
    """What was given in the place of the defaults, level by level."""
    if not (isinstance(given, dict) and isinstance(defaults, Mapping)):
        return given
    return given | {
        name: _on_top(given.get(name, {}), below) if isinstance(below, Mapping) else given.get(name, below)
        for name, below in defaults.items()
    }
