"""The topics of a connector or relay beside those of its events: change records, heartbeats, positions. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from outbox_kit.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox

NOT_IN_A_TOPIC = lazy_pattern(r"[^A-Za-z0-9._-]")  # Debezium writes an underscore for each


@dataclass(frozen=True)
class ConnectorTopics:
    """Topics of one connector or relay, by raw options too."""

    rows: str
    """What the outbox's change records have as their topic until the event router gives them another one."""
    heartbeat_rows: str
    """The change records of the heartbeat's table."""
    heartbeat_prefix: str
    """Debezium's `topic.heartbeat.prefix`."""
    heartbeat: str
    """Debezium's heartbeats: `<topic.heartbeat.prefix>.<topic.prefix>`."""
    history: str
    """The schema history of a connector that needs one."""
    position: str
    """Where a relay that publishes exactly once stores its position; also its transactional id."""


def connector_topics(outbox: "Outbox") -> ConnectorTopics:
    """The connector's topics."""
    derived, raw = outbox.names, outbox.connect.config
    prefix = derived.topic_prefix
    heartbeat = raw.get("topic.heartbeat.prefix", "").strip() or f"{prefix}.heartbeat"
    history = raw.get("schema.history.internal.kafka.topic", "").strip() or f"{prefix}.schema-history"
    in_log = outbox.table.storage == "log"
    return ConnectorTopics(
        rows=f"{prefix}.message" if in_log else change_topic(outbox, outbox.table.name),
        heartbeat_rows=change_topic(outbox, derived.heartbeat_table),
        heartbeat_prefix=heartbeat,
        heartbeat=f"{heartbeat}.{prefix}",
        history=history,
        position=NOT_IN_A_TOPIC.sub("_", f"{prefix}.{derived.slot}.position"),
    )


def change_topic(outbox: "Outbox", table: str) -> str:
    """The topic of a table's change records."""
    derived, dialect = outbox.names, outbox.dialect
    parts = {"prefix": derived.topic_prefix, "database": derived.database, "schema": derived.schema, "table": table}
    return NOT_IN_A_TOPIC.sub("_", dialect.capture.raw_topic.format(**parts))


def server_name(outbox: "Outbox") -> str:
    """The name of the server in the connector's metrics: `topic.prefix`."""
    return outbox.names.topic_prefix
