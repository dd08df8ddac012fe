"""The names that follow from a schema file: slot, publication, role, connector, tables."""

import re
from dataclasses import dataclass

from outbox_kit.schema.fields import OutboxFields

INBOX, TRANSACTION = "inbox", "txid"
BARRIER = ("two_phase", "barrier")


@dataclass(frozen=True)
class Names:
    """Every name that follows from one outbox, so that no two places can spell one differently."""

    connector: str
    """The connector's name in Kafka Connect."""
    database: str
    """The database's name."""
    schema: str
    """What qualifies a table's name; the database's own name if the database has no schemas."""
    role: str
    """The connector's role."""
    slot: str
    """PostgreSQL's replication slot."""
    publication: str
    """PostgreSQL's publication."""
    topic_prefix: str
    """Debezium's `topic.prefix`, by a raw option too."""
    heartbeat_table: str
    """The table whose row each heartbeat updates."""
    failure_table: str
    """The table of events that a relay could not publish."""
    run_table: str
    """The table of a relay's starts."""
    lane_table: str
    """The table of the lanes that relays share, and their positions; also the channel of wake-ups."""
    member_table: str
    """The table of the relays that run."""
    transaction_column: str
    """The outbox table's column with the transaction that wrote the row."""
    wake_function: str
    """The trigger, and its function, that wakes a relay."""
    write_procedure: str
    """The procedure that writes events if there is no table."""
    logical_message_prefix: str
    """The prefix of what that procedure writes into the log."""
    inbox: tuple[str, ...]
    """A consumer's inbox; not qualified if the database has no schemas, for the consumer's has another name."""
    inbox_mark: tuple[str, ...]
    """The inbox's table of the greatest sequence numbers."""
    inbox_position: tuple[str, ...]
    """The inbox's table of the next offsets."""
    inbox_role: str
    """The role that writes the inbox."""
    two_phase_table: str
    """The coordinator's table of two-phase messages."""
    barrier: tuple[str, ...]
    """The barrier of two-phase messages in a service's database; qualified as the inbox is."""
    barrier_role: str
    """The role that writes the barrier."""
    trigger: str
    """The trigger that writes events for the rows of another table."""


def service_of(name: str) -> str:
    """A service's name made of a folder's or a database's."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).lstrip("-0123456789")[:40].rstrip("-") or "orders"


def address(outbox: OutboxFields) -> str:
    """The database's address as commands expect it, without a user."""
    dialect, database = outbox.dialect, outbox.database
    service = database.container or names(outbox).database
    if "://" not in dialect.access.dsn and set(service) & set(" '\\="):  # of name=value pairs, which a blank separates
        service = "'" + service.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return dialect.access.dsn.format(host=database.host, port=database.port or dialect.access.port, database=service)


def names(outbox: OutboxFields) -> Names:
    """All names derived from one outbox; what the schema file says itself wins."""
    dialect = outbox.dialect
    snake = outbox.service.replace("-", "_")
    database = outbox.database.name or (outbox.service.upper() if dialect.naming.unquoted_pattern else outbox.service)
    usual = dialect.fold_case(dialect.naming.schema.format(service=snake)) if dialect.naming.schema else database
    schema = outbox.database.db_schema or usual
    common = dialect.naming.common_user_prefix if outbox.database.container else ""
    in_consumer = (schema,) if dialect.naming.schema else ()
    prefix = outbox.connect.config.get("topic.prefix", "").strip() or outbox.connect.topic_prefix or outbox.service
    return Names(
        connector=outbox.connect.connector or f"{outbox.service}-outbox",
        database=database,
        schema=schema,
        role=outbox.database.user or common + dialect.derived_name(snake, "outbox"),
        slot=outbox.connect.slot or f"{snake}_outbox",
        publication=outbox.connect.publication or f"{snake}_outbox",
        topic_prefix=prefix,
        heartbeat_table=dialect.derived_name(outbox.table.name, "heartbeat"),
        failure_table=dialect.derived_name(outbox.table.name, "failure"),
        run_table=dialect.derived_name(outbox.table.name, "relay"),
        lane_table=dialect.derived_name(outbox.table.name, "lane"),
        member_table=dialect.derived_name(outbox.table.name, "member"),
        transaction_column=TRANSACTION,
        wake_function=dialect.derived_name(outbox.table.name, "wake"),
        write_procedure=f"{outbox.table.name}_write",
        logical_message_prefix=f"{snake}_{outbox.table.name}",
        inbox=(*in_consumer, dialect.fold_case(INBOX)),
        inbox_mark=(*in_consumer, dialect.derived_name(INBOX, "mark")),
        inbox_position=(*in_consumer, dialect.derived_name(INBOX, "position")),
        inbox_role=dialect.derived_name(snake[: dialect.limits.role - len(INBOX) - 1], INBOX),
        two_phase_table=dialect.derived_name(outbox.table.name, "two_phase"),
        barrier=(*in_consumer, dialect.derived_name(*BARRIER)),
        barrier_role=dialect.derived_name(snake[: dialect.limits.role - len("barrier") - 1], "barrier"),
        trigger=dialect.derived_name(outbox.table.name, "feed"),
    )
