"""Names of tables in lists of a connector. Pure."""

import re

from outbox_kit.lazy_pattern import lazy_pattern

OUTBOX_WORDS = ("outbox", "event", "message", "*")
"""What the name of an outbox has, or a pattern that may match one."""
PLAIN_TABLE = lazy_pattern(r"[\w.$-]+\.[\w$-]+")
"""An entry that names a table with its schema or database, and is no pattern."""


def parts(name: str) -> list[str]:
    """The names in a table or column of a list, such as its schema and itself; their dots may be escaped."""
    return re.split(r"\\?\.", name)


def scopes(table: str) -> set[str]:
    """What may be the name of a table's schema or database: each of them may have dots, and so may the table."""
    names = parts(table)
    return {".".join(names[:end]) for end in range(1, len(names))}
