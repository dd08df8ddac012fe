"""The names that follow from a schema file: slot, publication, role, connector, topics, indexes."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox

NOT_IN_A_TOPIC = re.compile(r"[^A-Za-z0-9._-]")  # Debezium writes an underscore for each


@dataclass(frozen=True)
class Names:
    """Every derived name of one outbox, so that no two places can spell one differently."""

    connector: str
    database: str
    role: str
    slot: str
    publication: str
    topic_prefix: str
    heartbeat_table: str
    heartbeat_topic_prefix: str
    raw_topic: str
    raw_heartbeat_topic: str
    canary_topic: str

    @property
    def heartbeat_topic(self) -> str:
        """Debezium's own heartbeat topic: `<topic.heartbeat.prefix>.<topic.prefix>`."""
        return f"{self.heartbeat_topic_prefix}.{self.topic_prefix}"


def names(outbox: "Outbox") -> Names:
    """All names derived from one outbox; what the schema file says itself wins."""
    snake = outbox.service.replace("-", "_")
    prefix = outbox.connect.topic_prefix or outbox.service
    heartbeat = f"{outbox.table.name}_heartbeat"
    canary_route = CANARY_TYPE if outbox.route_column == outbox.table.columns.type else CANARY_AGGREGATE
    return Names(
        connector=outbox.connect.connector or f"{outbox.service}-outbox",
        database=outbox.database.name or outbox.service,
        role=outbox.database.user or f"{snake}_outbox",
        slot=outbox.connect.slot or f"{snake}_outbox",
        publication=outbox.connect.publication or f"{snake}_outbox",
        topic_prefix=prefix,
        heartbeat_table=heartbeat,
        heartbeat_topic_prefix=f"{prefix}.heartbeat",
        raw_topic=NOT_IN_A_TOPIC.sub("_", f"{prefix}.{outbox.database.db_schema}.{outbox.table.name}"),
        raw_heartbeat_topic=NOT_IN_A_TOPIC.sub("_", f"{prefix}.{outbox.database.db_schema}.{heartbeat}"),
        canary_topic=outbox.topic(canary_route),
    )
