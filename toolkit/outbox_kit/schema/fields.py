"""The fields of a schema file, each with what it alone can know of its value. No file is touched here.

Every field's description is product text: it goes into the published JSON Schema.
"""

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

import jsonschema_rs
from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from outbox_kit import databases
from outbox_kit.databases.facts import Dialect
from outbox_kit.schema.characters import HOST, ONE_LINE_OR_NONE
from outbox_kit.schema.patterns import endless
from outbox_kit.schema.rules import rule
from outbox_kit.schema.table import Identifier, Line, Part, Table

MOST_PARTITIONS = 200_000  # of a whole cluster, by the advice of Kafka's makers; the field of its protocol has 32 bits
SECRET_REFERENCE = re.compile(r"\$\{[A-Za-z][A-Za-z0-9_-]*:[^{}]+\}")


def _secret_reference(text: str) -> str:
    if not SECRET_REFERENCE.fullmatch(text):
        raise ValueError("must be a reference that the Connect worker resolves, such as ${env:OUTBOX_DB_PASSWORD}")
    return text


def _path_or_schema(value: Any) -> Any:
    if value is not None and not isinstance(value, str | dict):
        raise ValueError("is neither a path nor a JSON Schema")
    return value


if TYPE_CHECKING:
    DatabaseName = str
else:
    DatabaseName = Literal[tuple(databases.ALL)]
Service = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
PostgresName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,63}$")]
Value = Annotated[str, StringConstraints(pattern=ONE_LINE_OR_NONE)]
Secret = Annotated[Line, AfterValidator(_secret_reference)]


class Database(Part):
    """The database that holds the outbox, as the Kafka Connect worker reaches it."""

    dialect: DatabaseName
    """The kind of database."""
    name: Identifier | None = None
    """The database's name; the service's name if left out."""
    db_schema: Identifier | None = Field(None, alias="schema")
    """The database schema that holds the outbox table; if left out `public`, in SQL Server `dbo`, in Oracle the
    service's name. MySQL, MariaDB and MongoDB have none."""
    container: Identifier | None = None
    """Oracle's container database, to whose root the connector connects; null where `name` is in none."""
    version: str | None = Field(None, pattern=r"^\d{1,9}(\.\d{1,9}){0,5}$", coerce_numbers_to_str=True)
    """The server's version, where the generated files may use its newer features."""
    host: str = Field("localhost", pattern=HOST)
    """The host as the Kafka Connect worker sees it."""
    port: int | None = Field(None, ge=1, le=65535)
    """The port as the Kafka Connect worker sees it; the database's usual one if left out."""
    replica_set: str | None = Field(None, pattern=r"^[^\s/?&#%]+$")
    """The name of MongoDB's replica set; left out for a sharded cluster, which is reached by its mongos."""
    user: Identifier | None = None
    """The connector's role; `<service>_outbox` if left out."""
    writers: tuple[Identifier, ...] = ()
    """Your application's roles, which are there already: `gen-ddl` lets them insert into the outbox, and no more. In
    MySQL and MariaDB users, `name` or `name@host`, in SQL Server and Oracle users of the database; not in MongoDB."""
    password: Secret = "${env:OUTBOX_DB_PASSWORD}"  # noqa: S105 - a reference, not a password
    """A reference to the role's password, resolved by the Connect worker. Never the password itself."""


class Routing(Part):
    """Which topic and which key an event gets."""

    topic: Line = "outbox.event.{aggregate}"
    """The topic's name; `{aggregate}`, `{type}` or an extra column's name stands for that column's value, and `{1}` for
    the first group of `pattern`."""
    pattern: str | None = None
    """A regular expression that the whole type matches, where the type is no topic's name: `{1}` in `topic` is what its
    first group has found. In the words that Java's and Python's have in common."""
    key: Literal["aggregate_id", "id"] | Identifier = "aggregate_id"
    """The column that becomes the message key."""

    @model_validator(mode="after")
    def _pattern_compiles(self) -> "Routing":
        try:
            re.compile(self.pattern or "")
            why = endless(self.pattern or "")
        except (re.error, OverflowError, RecursionError) as cause:
            raise ValueError(f"the pattern is no regular expression: {cause}") from cause
        if why:
            raise ValueError(f"the pattern could take for ever: {why}")
        return self


class Ordering(Part):
    """What proves the order of one aggregate's events."""

    sequence: Identifier | None = "sequence"
    """A column that grows from event to event of one aggregate; null if there is none."""
    assigned_by: Literal["database", "application"] = "database"
    """Who fills it: an identity column, or your code with a version that is unique per aggregate. MongoDB has no such
    column."""

    @property
    def dense(self) -> bool:
        """Whether a number that is missing is an event that is missing."""
        return self.sequence is not None and self.assigned_by == "application"


class Header(Part):
    """What a message header must look like."""

    name: Line
    """The header's name on the wire."""
    required: bool = True
    """Whether every message must carry it."""
    pattern: str | None = None
    """A regular expression that the whole value must match."""
    values: tuple[Value, ...] = ()
    """The allowed values; any if empty."""

    @model_validator(mode="after")
    def _pattern_compiles(self) -> "Header":
        try:
            re.compile(self.pattern or "")  # says best what is wrong
            jsonschema_rs.validator_for({"pattern": f"^(?:{self.pattern or ''})$"})  # but this one will be asked
        except (re.error, jsonschema_rs.ValidationError) as cause:
            why = cause if isinstance(cause, re.error) else "JSON Schema's have no such thing"
            raise ValueError(f"the pattern of header '{self.name}' is no regular expression: {why}") from cause
        return self


class EventType(Part):
    """One event type of the contract."""

    type: Line = Field(max_length=255)
    """The event's type, as written into the type column."""
    aggregate: Line = Field(max_length=200)
    """The aggregate it belongs to, as written into the aggregate type column."""
    payload: Annotated[str | dict[str, Any] | None, BeforeValidator(_path_or_schema)] = None
    """The payload's JSON Schema: a path relative to this file, or the schema itself."""
    tombstone: bool = False
    """Whether the event says that the aggregate is gone: a null payload that arrives as a tombstone."""
    after: tuple[Line, ...] | None = None
    """The types that may come directly before it in its aggregate's life; any if left out, and none if empty."""
    first: bool | None = None
    """Whether an aggregate may begin with it; if left out, only where `after` is left out or empty."""
    rules: tuple[str, ...] = ()
    """What holds across fields, in CEL, of `payload`, `key` and `headers`: `payload.net <= payload.gross`."""
    description: str = ""
    """What happened, for readers."""

    @model_validator(mode="after")
    def _rules_are_cel(self) -> "EventType":
        for text in self.rules:
            rule(text)
        return self

    @property
    def may_begin(self) -> bool:
        """Whether an aggregate may begin with it."""
        return not self.after if self.first is None else self.first


class CloudEvents(Part):
    """Events as CloudEvents, so that readers of any make know their attributes."""

    mode: Literal["binary", "structured"] = "binary"
    """`binary`: the attributes are headers, the payload is the data. `structured`: the payload is the whole event."""
    source: str | None = Field(None, pattern=r'^(/|[A-Za-z][A-Za-z0-9+.-]*:)[^\s"\\]*$')
    """The attribute `source` of binary events, a URI or an absolute path; `/<service>` if left out."""
    content_type: str | None = Field(None, pattern=r'^[^\s"\\/]+/[^"\\]+$')
    """What binary events' data is; if left out, `application/json`, `application/octet-stream` where it is bytes, or
    what `table.registry` says."""


class TopicSettings(Part):
    """How Kafka Connect creates the topics it needs."""

    partitions: int = Field(6, ge=1, le=MOST_PARTITIONS)
    """Partitions of each event topic. More of them later breaks the order per key."""
    replication_factor: int = Field(-1, ge=-1, le=2**15 - 1)
    """Copies of each partition; -1 takes the broker's default."""

    @model_validator(mode="after")
    def _zero_copies_is_no_topic(self) -> "TopicSettings":
        if self.replication_factor == 0:
            raise ValueError("replication_factor is -1 (the broker's default) or at least 1")
        return self


class ConnectSettings(Part):
    """The Kafka Connect side."""

    debezium: str = Field("3.6", pattern=r"^\d{1,9}\.\d{1,9}(\.\d{1,9})?(\.[A-Za-z0-9]+)?$", coerce_numbers_to_str=True)
    """The Debezium release on the worker."""
    connector: str | None = Field(None, pattern=r"^[A-Za-z0-9._-]{1,100}$")
    """The connector's name; `<service>-outbox` if left out."""
    topic_prefix: str | None = Field(None, pattern=r"^[A-Za-z0-9._-]{1,100}$")
    """Debezium's `topic.prefix`; the service's name if left out. Changing it later loses the position."""
    slot: PostgresName | None = None
    """PostgreSQL's replication slot; `<service>_outbox` if left out."""
    publication: PostgresName | None = None
    """PostgreSQL's publication; `<service>_outbox` if left out."""
    bootstrap: Line = "localhost:9092"
    """The Kafka brokers as the worker reaches them; asked for where a connector keeps its schema history there."""
    heartbeat_ms: int = Field(10_000, ge=100, le=2**31 - 1)
    """Milliseconds between heartbeats, which move the position on while the outbox is idle."""
    snapshot: Literal["initial", "no_data"] = "initial"
    """Whether rows from before the connector's first start are published (`initial`) or not (`no_data`)."""
    topics: TopicSettings = TopicSettings()
    """How topics are created."""
    config: dict[str, str] = Field(default_factory=dict)
    """Raw connector options that win over the generated ones."""

    @model_validator(mode="before")
    @classmethod
    def _options_are_text(cls, value: Any) -> Any:
        """Connect knows only text; YAML's numbers and booleans are what people write."""
        raw = value.get("config") if isinstance(value, dict) else None
        if not isinstance(raw, dict):
            return value
        as_text = {
            key: str(v).lower() if isinstance(v, bool) else str(v) if isinstance(v, int | float) else v
            for key, v in raw.items()
        }
        return value | {"config": as_text}


class Lint(Part):
    """What your team has decided about the findings of `check`."""

    ignore: dict[str, Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]] = Field(
        default_factory=dict
    )
    """Findings to set aside: a rule, or `rule:option`, and the reason."""
    severity: dict[str, Literal["error", "warning", "info", "off"]] = Field(default_factory=dict)
    """Other severities of rules; `off` switches a rule off."""


class OutboxFields(Part):
    """The fields of one outbox. Whether they hold together is for `schema.model.Outbox` to say."""

    service: Service
    """The service that owns the outbox; names the slot, the publication, the connector and the role."""
    database: Database
    table: Table = Table()
    routing: Routing = Routing()
    ordering: Ordering = Ordering()
    delivery: Literal["at-least-once", "exactly-once"] = "at-least-once"
    """What consumers may count on. `exactly-once` needs workers with exactly.once.source.support=enabled."""
    headers: tuple[Header, ...] = ()
    """What the headers must look like, beyond `id`, `eventType` and the extra columns'."""
    cloudevents: CloudEvents | None = None
    """Whether events are CloudEvents; they are not if left out."""
    events: tuple[EventType, ...] = Field(min_length=1)
    """The events of the contract; the table refuses any other."""
    connect: ConnectSettings = ConnectSettings()
    lint: Lint = Lint()

    @property
    def dialect(self) -> Dialect:
        """The facts of its database."""
        return databases.get(self.database.dialect)

    @property
    def column_names(self) -> list[str]:
        """Every column of the table, in the order it is created in."""
        c = self.table.columns
        standard = (c.id, c.aggregate_type, c.aggregate_id, c.type, c.payload, self.ordering.sequence)
        return [name for name in (*standard, *(x.name for x in self.table.extra), c.created_at) if name is not None]

    @property
    def order_column(self) -> str:
        """The column by which rows are in the order of their writing, as far as the table has one."""
        return self.ordering.sequence or self.table.columns.created_at or self.table.columns.id
