"""The names that follow from a schema file: slot, publication, role, connector, topics, indexes."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from outbox_kit import dialects
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox

INBOX = "inbox"
NOT_IN_A_TOPIC = re.compile(r"[^A-Za-z0-9._-]")  # Debezium writes an underscore for each


@dataclass(frozen=True)
class Names:
    """Every derived name of one outbox, so that no two places can spell one differently.

    schema: what qualifies a table's name; the database's own name where a database has no schemas.
    writer: the procedure that writes events where there is no table; messages: the prefix of what it writes.
    inbox: a consumer's table; not qualified where a database has no schemas, for the consumer's has a name of its own.
    """

    connector: str
    database: str
    schema: str
    role: str
    slot: str
    publication: str
    topic_prefix: str
    heartbeat_table: str
    heartbeat_topic_prefix: str
    raw_topic: str
    raw_heartbeat_topic: str
    canary_route: str
    writer: str
    messages: str
    inbox: tuple[str, ...]
    inbox_role: str
    feed: str

    @property
    def heartbeat_topic(self) -> str:
        """Debezium's own heartbeat topic: `<topic.heartbeat.prefix>.<topic.prefix>`."""
        return f"{self.heartbeat_topic_prefix}.{self.topic_prefix}"

    @property
    def history_topic(self) -> str:
        """Where a connector that needs it keeps its schema history."""
        return f"{self.topic_prefix}.schema-history"


def service_of(name: str) -> str:
    """A service's name made of a folder's or a database's."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).lstrip("-0123456789")[:40].rstrip("-") or "orders"


def address(outbox: "Outbox") -> str:
    """The database as the kit is told of it, without a user."""
    dialect, database = dialects.named(outbox.database.dialect), outbox.database
    service = database.container or names(outbox).database
    if "://" not in dialect.dsn and set(service) & set(" '\\="):  # of name=value pairs, which a blank separates
        service = "'" + service.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return dialect.dsn.format(host=database.host, port=database.port or dialect.port, database=service)


def names(outbox: "Outbox") -> Names:
    """All names derived from one outbox; what the schema file says itself wins."""
    dialect = dialects.named(outbox.database.dialect)
    snake = outbox.service.replace("-", "_")
    database = outbox.database.name or (outbox.service.upper() if dialect.unquoted else outbox.service)
    usual = dialect.spelled(dialect.schema.format(service=snake)) if dialect.schema else database
    schema = outbox.database.db_schema or usual
    common = dialect.common if outbox.database.container else ""
    prefix = outbox.connect.topic_prefix or outbox.service
    heartbeat = dialect.made(outbox.table.name, "heartbeat")
    raw = {
        table: NOT_IN_A_TOPIC.sub(
            "_", dialect.capture.raw_topic.format(prefix=prefix, database=database, schema=schema, table=table)
        )
        for table in (outbox.table.name, heartbeat)
    }
    if outbox.table.storage == "log":
        raw[outbox.table.name] = f"{prefix}.message"
    canary_route = CANARY_TYPE if outbox.route_column == outbox.table.columns.type else CANARY_AGGREGATE
    return Names(
        connector=outbox.connect.connector or f"{outbox.service}-outbox",
        database=database,
        schema=schema,
        role=outbox.database.user or common + dialect.made(snake, "outbox"),
        slot=outbox.connect.slot or f"{snake}_outbox",
        publication=outbox.connect.publication or f"{snake}_outbox",
        topic_prefix=prefix,
        heartbeat_table=heartbeat,
        heartbeat_topic_prefix=f"{prefix}.heartbeat",
        raw_topic=raw[outbox.table.name],
        raw_heartbeat_topic=raw[heartbeat],
        canary_route=canary_route,
        writer=f"{outbox.table.name}_write",
        messages=f"{snake}_{outbox.table.name}",
        inbox=(schema, dialect.spelled(INBOX)) if dialect.schema else (INBOX,),
        inbox_role=dialect.made(snake[: dialect.limits.role - len(INBOX) - 1], INBOX),
        feed=dialect.made(outbox.table.name, "feed"),
    )
