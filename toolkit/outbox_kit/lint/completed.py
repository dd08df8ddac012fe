"""Configs to which something adds options that the text does not show. Pure."""

from collections.abc import Mapping

from outbox_kit.lint.document import Document
from outbox_kit.router import options

CLASS = "connector.class"
REACH = frozenset(("database.hostname", "database.user", "database.password", "mongodb.connection.string"))
"""How a source reaches its server: what adds one of these options adds all."""
FRAMEWORKS = ("com.hazelcast.jet", "com.ververica.cdc", "org.apache.flink", "DebeziumSourceFunction")
"""What runs the engine in its own way: Flink and Hazelcast Jet keep the position and the schema history themselves."""


FEWEST = 3
"""Options beside the class that a page shows at least of a config that it means to be whole."""


def is_excerpt(document: Document) -> bool:
    """Whether a page shows a few options of a source alone, such as those for batches."""
    return is_completed_later(document.config) and len(document.spots) <= FEWEST + 1


def is_completed_later(config: Mapping[str, str]) -> bool:
    """Whether another part of a program or of a page adds how a source of Debezium reaches its server."""
    return config.get(CLASS, "") in options.connectors() and REACH.isdisjoint(config)
