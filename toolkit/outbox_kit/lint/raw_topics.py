"""The topics of a connector without transformations, from the pattern of its registry. Pure."""

import re
from collections.abc import Mapping, Sequence

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.table_names import PLAIN_TABLE
from outbox_kit.wire.connector_topics import NOT_IN_A_TOPIC

DELIMITER = lazy_pattern(r"(?<=\})\.(?=\{)")
"""What stands between the parts of a pattern."""
ONE_WORD = lazy_pattern(r"[^,\s{}]+")
FIELD = lazy_pattern(r"\{([^}]+)\}")
EXAMPLES = {"database.names": "name", "table": "name.name"}
"""Names in the places of those that a config does not list."""


def raw_topics(pattern: str, config: Mapping[str, str], tables: Sequence[str]) -> list[str]:
    """The raw topics of tables that are named without patterns.

    pattern: the connector's, such as `{topic.prefix}.{table}`. Empty with a naming strategy of somebody else's.
    """
    if "topic.naming.strategy" in config:
        return []
    delimiter = config.get("topic.delimiter", ".")
    joined = DELIMITER.sub(lambda _: delimiter, pattern)
    unescaped = [re.sub(r"\\(.)", r"\1", table) for table in tables]
    plain = [table.replace(".", delimiter) for table in unescaped if PLAIN_TABLE.fullmatch(table)]
    former = {"topic.prefix": config.get("database.server.name", "")}
    topics = [_filled(joined, {**former, **config, "table": table}) for table in plain]
    return [NOT_IN_A_TOPIC.sub("_", topic) for topic in topics if topic]


def example_topics(pattern: str, config: Mapping[str, str]) -> list[str]:
    """A raw topic where the tables are not listed; empty if its prefix or the way it is joined is not known."""
    prefix = config.get("topic.prefix") or config.get("database.server.name")
    if not pattern or "topic.delimiter" in config or not prefix:
        return []
    return raw_topics(pattern, {**EXAMPLES, **config}, [EXAMPLES["table"]])


def _filled(pattern: str, values: Mapping[str, str]) -> str:
    """A pattern with the values of its fields; empty if one is missing, or is not a plain word."""
    if all(ONE_WORD.fullmatch(values.get(name, "")) for name in FIELD.findall(pattern)):
        return FIELD.sub(lambda name: values[name[1]], pattern)
    return ""
