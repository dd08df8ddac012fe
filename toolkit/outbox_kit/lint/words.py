"""The words by which a text is known to have a connector, and those of which a value must be one."""

from collections.abc import Sequence

CONNECTORS = (
    "connector.class",
    "KafkaConnector",
    "kind: Connector",
    "kind: DebeziumServer",
    "class: io.debezium.connector.",
    "databaseHostname=",
    "outbox.EventRouter",
    "outbox.MongoEventRouter",
    "debezium.source.",
    "quarkus.debezium.",
    "DEBEZIUM_SOURCE_",
    "debezium_source_",
)


def names_connector(text: str) -> bool:
    """Whether a text may have a connector."""
    return any(word in text for word in CONNECTORS)


def listed(words: Sequence[str]) -> str:
    """Some words as a sentence has them, the last one behind `or`. words: at least one."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
