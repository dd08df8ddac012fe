"""What is generated beside the table: the connector, the runbook, application code."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from outbox_kit.databases.facts.offsets import OffsetForm

TABLE_OPTIONS = {
    "database.hostname": "{host}",
    "database.port": "{port}",
    "database.user": "{role}",
    "database.password": "{password}",
    "table.include.list": "{tables}",
    "column.exclude.list": "{unread}",
}
"""Options of every connector that reads tables."""
HISTORY_OPTIONS = {
    "schema.history.internal.kafka.bootstrap.servers": "{bootstrap}",
    "schema.history.internal.kafka.topic": "{history}",
    "schema.history.internal.store.only.captured.tables.ddl": "true",
    "include.schema.changes": "false",
}
"""Options of every connector that keeps the history of the tables' columns in a topic."""


@dataclass(frozen=True)
class Capture:
    """How the database's connector captures the outbox."""

    options: Mapping[str, str]
    """The options that follow from the database alone. `{name}` stands for a derived name: see `render.connector`."""
    container_options: Mapping[str, str] = field(default_factory=dict)
    """Options that replace them if the database is in a container; empty if there are no containers."""
    uses_slot: bool = False
    """Whether the server remembers how far the connector has read, in a replication slot."""
    polled: tuple[str, ...] = ()
    """How a relay that reads the table can know what was published; empty if it cannot read the table."""
    raw_topic: str = "{prefix}.{schema}.{table}"
    """The topic of a table's rows without the router."""
    table_list_format: str = "{schema}.{table}"
    """How options name a table."""
    snapshot_query: str = "SELECT * FROM {rows} ORDER BY {order}"
    """The query of the initial snapshot, of `{columns}` in `{order}`; empty if the connector takes no query."""
    override_format: str = ""
    """How the option of that query names a table, if not by `table_list_format`."""
    router: str = "io.debezium.transforms.outbox.EventRouter"
    """The class of the router."""
    option_prefix: str = "table"
    """The first part of the router's options for columns."""
    decoder: str = ""
    """The transformation that makes a row of a message in the server's log; empty if the log has no messages."""
    uses_heartbeat_table: bool = True
    """Whether the connector writes a row so that its position moves while the outbox is idle."""
    log_has_schema: bool = True
    """Whether the log says which columns a row had when it was written; if not, the connector must have passed all
    rows of a table before its columns change."""
    idle_seconds: float = 0
    """How long an idle server delays a heartbeat."""
    deletes_log: bool = False
    """Whether the server deletes its log by age, whether or not a connector has read it, and the kit observes that."""
    measured: bool = False
    """Whether the kit has statements for the figures of tables, inserts and open transactions."""
    test_container: str = ""
    """The class of Testcontainers that runs it; empty if there is none."""
    managed_class: str = ""
    """The class of Confluent Cloud's managed connector; empty if no config is generated for it."""
    min_debezium: str = "2.0"
    """The first release of Debezium that supports what is generated."""
    exactly_once: str = "3.3"
    """The first release of Debezium whose connector supports exactly-once delivery."""
    offset: OffsetForm = field(default_factory=OffsetForm)
    """The form of the connector's stored offsets."""


@dataclass(frozen=True)
class Runbook:
    """Commands of an operator."""

    client: str
    """The shell client with a quoted statement after it."""
    resends: bool = False
    """Whether `resend` has statements for the database."""
    limit_clause: str = "limit 20"
    """The end of a query for a few rows."""
    password_statement: str = "alter user ... identified by ..."  # noqa: S105 - a statement
    """How the connector's user gets another password."""


@dataclass(frozen=True)
class Code:
    """What `gen-code` needs to know of a database."""

    stacks: tuple[str, ...]
    """The stacks whose library supports it."""
    placeholder: str = ""
    """How its drivers mark a bound value; `{n}` is its number. Empty where rows are documents."""
    bound: Mapping[str, str] = field(default_factory=dict)
    """How a bound value of a kind stands in a statement, if it needs more than its mark."""
    inbox: str = "inbox.sql"
    """The file of the script that creates the inbox."""
