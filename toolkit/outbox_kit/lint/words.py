"""The words by which a text is known to have a connector."""

CONNECTORS = (
    "connector.class",
    "KafkaConnector",
    "kind: Connector",
    "kind: DebeziumServer",
    "outbox.EventRouter",
    "outbox.MongoEventRouter",
    "debezium.source.",
    "quarkus.debezium.",
    "DEBEZIUM_SOURCE_",
)


def names_connector(text: str) -> bool:
    """Whether a text may have a connector."""
    return any(word in text for word in CONNECTORS)
