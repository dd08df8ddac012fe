"""The fields of a schema file, each with the conditions on its own value. No file is touched here.

Every field's description is product text: it goes into the published JSON Schema and the reference page.
"""

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from outbox_kit import databases
from outbox_kit.databases.facts import Dialect
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.characters import HOST, ONE_LINE_OR_NONE
from outbox_kit.schema.inbox import InboxSettings
from outbox_kit.schema.mark import GENERATED, MarkColumns
from outbox_kit.schema.monitoring import Monitoring
from outbox_kit.schema.patterns import endless
from outbox_kit.schema.problem import mismatch
from outbox_kit.schema.rules import rule
from outbox_kit.schema.table import Identifier, Line, Part, Table
from outbox_kit.schema.words import SINK_TITLES

MOST_PARTITIONS = 200_000  # of a whole cluster, by the advice of Kafka's makers; the field of its protocol has 32 bits
SECRET_REFERENCE = lazy_pattern(r"\$\{[A-Za-z][A-Za-z0-9_-]*:[^{}]+\}")


def _secret_reference(text: str) -> str:
    if not SECRET_REFERENCE.fullmatch(text):
        raise ValueError(
            "expected a reference that the Kafka Connect worker resolves, such as ${env:OUTBOX_DB_PASSWORD}"
        )
    return text


def _path_or_schema(value: Any) -> Any:
    if value is not None and not isinstance(value, str | dict):
        raise ValueError("expected a path or a JSON Schema")
    return value


if TYPE_CHECKING:
    DatabaseName = str
    SinkName = str
else:
    DatabaseName = Literal[tuple(databases.ALL)]
    SinkName = Literal[tuple(SINK_TITLES)]
SERVICE = r"^[a-z][a-z0-9_-]{0,39}$"
POSTGRES_NAME = r"^[a-z0-9_]{1,63}$"
VERSION = r"^\d{1,9}(\.\d{1,9}){0,5}$"
REPLICA_SET = r"^[^\s/?&#%]+$"
URI = r'^(/|[A-Za-z][A-Za-z0-9+.-]*:)[^\s"\\]*$'
MEDIA_TYPE = r'^[^\s"\\/]+/[^"\\]+$'
RELEASE = r"^\d{1,9}\.\d{1,9}(\.\d{1,9})?(\.[A-Za-z0-9]+)?$"
CONNECT_NAME = r"^[A-Za-z0-9._-]{1,100}$"
EXCHANGE = r"^[A-Za-z0-9._:-]{0,127}$"
PATTERNS_IN_WORDS = {
    SERVICE: "at most 40 characters of a-z 0-9 _ -, the first one a letter",
    POSTGRES_NAME: "at most 63 characters of a-z 0-9 _",
    VERSION: "a version such as 17 or 8.0.36",
    REPLICA_SET: "a name without blanks and / ? & # %",
    URI: "a URI such as https://example.com/orders, or a path such as /orders",
    MEDIA_TYPE: "a media type such as application/json",
    RELEASE: "a release of Debezium such as 3.6",
    CONNECT_NAME: "at most 100 characters of A-Z a-z 0-9 . _ -",
    EXCHANGE: "at most 127 characters of A-Z a-z 0-9 . _ : -",
}
Service = Annotated[str, StringConstraints(pattern=SERVICE)]
PostgresName = Annotated[str, StringConstraints(pattern=POSTGRES_NAME)]
Value = Annotated[str, StringConstraints(pattern=ONE_LINE_OR_NONE)]
Secret = Annotated[Line, AfterValidator(_secret_reference)]


class Database(Part):
    """The database that contains the outbox table."""

    dialect: DatabaseName
    """The database system."""
    name: Identifier | None = None
    """The name of the database. Default: the service's name. `OUTBOX_KIT_DSN` has to name the same database."""
    db_schema: Identifier | None = Field(None, alias="schema")
    """The database schema of the outbox table. Default: `public` in PostgreSQL, `dbo` in SQL Server, the service's name
    in Oracle. MySQL, MariaDB and MongoDB have none."""
    container: Identifier | None = None
    """Oracle's container database (CDB), to whose root the connector connects. Null if `name` is not a pluggable
    database."""
    version: str | None = Field(None, pattern=VERSION, coerce_numbers_to_str=True)
    """The version of the server, which enables options of newer releases: with PostgreSQL `17` or higher the
    replication slot is synchronised to standbys and survives a failover."""
    host: str = Field("localhost", pattern=HOST)
    """The database's host, as the Kafka Connect worker reaches it."""
    port: int | None = Field(None, ge=1, le=65535)
    """The database's port, as the Kafka Connect worker reaches it. Default: the usual port of the database system."""
    replica_set: str | None = Field(None, pattern=REPLICA_SET)
    """The name of MongoDB's replica set. Leave it out for a sharded cluster, which is reached through mongos."""
    user: Identifier | None = None
    """The connector's role, which `gen-ddl` creates. Default: `<service>_outbox`."""
    writers: tuple[Identifier, ...] = ()
    """The application's existing roles: `gen-ddl` grants them INSERT on the outbox table and nothing else. In MySQL and
    MariaDB users, `name` or `name@host`; in SQL Server and Oracle users of the database; not in MongoDB."""
    password: Secret = "${env:OUTBOX_DB_PASSWORD}"  # noqa: S105 - a reference, not a password
    """A reference to the password of the connector's role, which the Kafka Connect worker resolves. Never the password
    itself."""


class Routing(Part):
    """The topic and the message key of each event."""

    topic: Line = "outbox.event.{aggregate}"
    """The topic's name. Placeholders: `{aggregate}`, `{type}`, `{service}`, the name of an extra column, or `{1}` for
    the first group of `pattern`. Changing it moves later events to another topic; consumers have to read both, and
    `previous_topics` has to name the former value."""
    previous_topics: tuple[Line, ...] = ()
    """Former values of `topic`, or names of topics, that events were published to before `topic` was changed. `verify`
    reads these topics too, and an event on one of them is delivered. Placeholders: `{aggregate}`, `{type}`,
    `{service}`, and the groups of `pattern`; a name without `{aggregate}`, `{type}` and groups holds for every event.
    Remove an entry when the outbox has no rows left that were published to its topics."""
    pattern: str | None = None
    """A regular expression that matches the whole aggregate type or event type, if that is not valid in a topic's name:
    `{1}` in `topic` is the text of its first group. Use only syntax that Java and Python share."""
    key: Literal["aggregate_id", "id"] | Identifier = "aggregate_id"
    """The column that becomes the message key. Changing it moves aggregates to other partitions: their order is not
    kept across the change."""

    @model_validator(mode="after")
    def _pattern_compiles(self) -> "Routing":
        try:
            re.compile(self.pattern or "")
            why = endless(self.pattern or "")
        except (re.error, OverflowError, RecursionError) as cause:
            raise mismatch(f"invalid routing.pattern: expected a regular expression: {cause}", "pattern") from cause
        if why:
            raise mismatch(f"invalid routing.pattern: a search with it can take exponential time: {why}", "pattern")
        return self


class Ordering(Part):
    """The column by which `verify` checks the order of an aggregate's events."""

    sequence: Identifier | None = "sequence"
    """A column whose value increases from each event of an aggregate to the next. It becomes the header `sequence`.
    Null if there is none: then `verify` cannot check the order."""
    assigned_by: Literal["database", "application"] = "database"
    """`database`: an identity column. `application`: your code writes 1, 2, 3 for each aggregate, and `verify` then
    reports missing numbers too. MongoDB needs `application`."""

    @property
    def dense(self) -> bool:
        """Whether a number that is missing is an event that is missing."""
        return self.sequence is not None and self.assigned_by == "application"


class Header(Part):
    """A condition on a message header, which `verify` checks."""

    name: Line
    """The header's name, as in the message."""
    required: bool = True
    """Whether every message must have it."""
    pattern: str | None = None
    """A regular expression that matches the whole value."""
    values: tuple[Value, ...] = ()
    """The allowed values. If empty, any value."""

    @model_validator(mode="after")
    def _pattern_compiles(self) -> "Header":
        if self.pattern is None:
            return self
        import jsonschema_rs

        try:
            re.compile(self.pattern)  # says best what is wrong
            jsonschema_rs.validator_for({"pattern": f"^(?:{self.pattern})$"})  # but this one will be asked
        except (re.error, jsonschema_rs.ValidationError) as cause:
            why = cause if isinstance(cause, re.error) else "it uses syntax that JSON Schema does not have"
            problem = f"invalid pattern of header '{self.name}': expected a regular expression: {why}"
            raise mismatch(problem, "pattern") from cause
        return self


class EventType(Part):
    """An event type that the service publishes."""

    type: Line = Field(max_length=255)
    """The event type, such as `OrderPlaced`, as in the column `type`."""
    aggregate: Line = Field(max_length=200)
    """The aggregate type, such as `Order`, as in the column `aggregatetype`."""
    payload: Annotated[str | dict[str, Any] | None, BeforeValidator(_path_or_schema)] = None
    """The payload's JSON Schema: a path relative to this file, or the schema itself. If left out, any payload."""
    tombstone: bool = False
    """Whether the event reports that the aggregate was deleted: its payload is NULL, and the message is a tombstone."""
    follows: tuple[Line, ...] | None = None
    """The event types that may come directly before this event in the life of its aggregate. If left out, any; if
    empty, none."""
    initial: bool | None = None
    """Whether this event may be the first of an aggregate. Default: true if `follows` is left out or empty."""
    rules: tuple[str, ...] = ()
    """Conditions in CEL on `payload`, `key` and `headers`, such as `payload.net <= payload.gross`."""
    description: str = ""
    """A description for readers of the contract."""

    @model_validator(mode="after")
    def _rules_are_cel(self) -> "EventType":
        for number, text in enumerate(self.rules):
            try:
                rule(text)
            except ValueError as cause:
                raise mismatch(str(cause), "rules", number) from cause
        return self

    @property
    def may_begin(self) -> bool:
        """Whether an aggregate may begin with it."""
        return not self.follows if self.initial is None else self.initial


class CloudEvents(Part):
    """The form of events as CloudEvents."""

    mode: Literal["binary", "structured"] = "binary"
    """`binary`: the attributes are headers and the payload is the data. `structured`: the payload contains the whole
    event."""
    source: str | None = Field(None, pattern=URI)
    """The attribute `source` of binary events: a URI or an absolute path. Default: `/<service>`."""
    content_type: str | None = Field(None, pattern=MEDIA_TYPE)
    """The media type of binary events' data. Default: `application/json`; with `payload: bytes`
    `application/octet-stream`, or the media type of `table.registry`."""


class TopicSettings(Part):
    """The settings with which Kafka Connect creates the event topics."""

    partitions: int = Field(6, ge=1, le=MOST_PARTITIONS)
    """Partitions of each event topic. Adding partitions to an existing topic breaks the order per message key."""
    replication_factor: int = Field(-1, ge=-1, le=2**15 - 1)
    """Replicas of each partition; -1 for the broker's default."""

    @model_validator(mode="after")
    def _zero_copies_is_no_topic(self) -> "TopicSettings":
        if self.replication_factor == 0:
            expected = "expected -1 (the broker's default) or at least 1"
            raise mismatch(f"invalid connect.topics.replication_factor '0': {expected}", "replication_factor")
        return self


class ConnectSettings(Part):
    """The connector and Kafka Connect."""

    debezium: str = Field("3.6", pattern=RELEASE, coerce_numbers_to_str=True)
    """The Debezium release on the Kafka Connect worker."""
    connector: str | None = Field(None, pattern=CONNECT_NAME)
    """The connector's name. Default: `<service>-outbox`. A connector with another name has no stored offset."""
    topic_prefix: str | None = Field(None, pattern=CONNECT_NAME)
    """Debezium's `topic.prefix`. Default: the service's name. Changing it loses the stored offset."""
    slot: PostgresName | None = None
    """PostgreSQL's replication slot. Default: `<service>_outbox`."""
    publication: PostgresName | None = None
    """PostgreSQL's publication. Default: `<service>_outbox`."""
    bootstrap: Line = "localhost:9092"
    """The Kafka brokers, as the Kafka Connect worker reaches them. Used by connectors with a schema history topic
    (MySQL, MariaDB, SQL Server, Oracle)."""
    heartbeat_ms: int = Field(10_000, ge=100, le=2**31 - 1)
    """Milliseconds between heartbeats, which advance the stored offset while the outbox is idle."""
    snapshot: Literal["initial", "no_data"] = "initial"
    """Whether rows from before the connector's first start are published (`initial`) or not (`no_data`)."""
    topics: TopicSettings = TopicSettings()
    """The settings of new topics."""
    config: dict[str, str] = Field(default_factory=dict)
    """Additional connector options. They override the generated ones."""

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


class DeliverySettings(Part):
    """What publishes the events."""

    by: Literal["connector", "relay"] = "connector"
    """`connector`: Debezium's connector on a Kafka Connect worker. `relay`: `outbox-kit relay`, which publishes the
    same messages without Kafka Connect; not from MongoDB."""
    source: Literal["log", "table"] = "log"
    """What the relay reads. `log`: the database's log, one relay at a time. `table`: the rows of the outbox table, by
    several relays at the same time. Default: `log` in PostgreSQL, `table` in other databases, whose logs the relay does
    not read."""
    record: Literal["position", "delete", "mark"] = "position"
    """How a relay that reads the table knows what was published. `position`: by its position; no row is changed.
    `delete`: it deletes published rows. `mark`: it records it in the columns `delivery.mark` of the row. Default:
    `mark` if `delivery.mark` is set, otherwise `position` in PostgreSQL and `delete` in other databases; an existing
    table needs `mark` or `delete`."""
    mark: MarkColumns | None = None
    """The columns in which the relay records what it has published. Default with `record: mark`: a column
    `published_at`, which `gen-ddl` creates. An existing table needs the names of its own columns."""
    lanes: int = Field(16, ge=1, le=1024)
    """Into how many lanes the message keys are divided when the relay reads the table. It is the greatest number of
    relays that publish at the same time."""
    sink: SinkName = "kafka"
    """Where the relay publishes to. `rabbitmq`: to the exchange `delivery.exchange`, with the topic as routing key.
    `http`: to a URL, as CloudEvents in binary mode. The address of these two is in OUTBOX_KIT_SINK_URL."""
    exchange: str | None = Field(None, pattern=EXCHANGE)
    """RabbitMQ's exchange, which must exist. Default: `amq.topic`, to which each consumer binds a queue of its own.
    Empty: the default exchange, where a message goes to the queue that is named as its topic."""
    attempts: int = Field(5, ge=1, le=1000)
    """Attempts of the relay to publish an event that the sink refuses, after which the event is a dead letter."""
    on_dead_letter: Literal["park", "pass"] = "park"
    """What the relay does with later events of the same route and key when an event is a dead letter: `park` keeps them
    until an operator decides about the dead letter, `pass` publishes them."""

    @property
    def polls(self) -> bool:
        """Whether relays read the table, and nothing reads the server's log."""
        return self.by == "relay" and self.source == "table"


class Lint(Part):
    """The team's decisions about findings of `check`."""

    ignore: dict[str, Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]] = Field(
        default_factory=dict
    )
    """Findings to ignore: a rule id, or `rule:option`, and the reason."""
    severity: dict[str, Literal["error", "warning", "info", "off"]] = Field(default_factory=dict)
    """Severities of rules, by rule id; `off` disables a rule."""


class OutboxFields(Part):
    """The fields of one outbox. `schema.model.Outbox` checks the conditions among them."""

    service: Service
    """The name of the service that owns the outbox. The names of slot, publication, connector and role are made of
    it."""
    database: Database
    table: Table = Table()
    routing: Routing = Routing()
    ordering: Ordering = Ordering()
    delivery_guarantee: Literal["at-least-once", "exactly-once"] = "at-least-once"
    """The delivery guarantee for consumers. `exactly-once` needs workers with exactly.once.source.support=enabled, or a
    relay that reads PostgreSQL's log and publishes to Kafka."""
    headers: tuple[Header, ...] = ()
    """Conditions on headers, in addition to `id`, `eventType` and the headers of `table.extra`."""
    cloudevents: CloudEvents | None = None
    """Publish events as CloudEvents. If left out, they are not."""
    events: tuple[EventType, ...] = Field(min_length=1)
    """The event types. The table rejects events that are not declared here."""
    connect: ConnectSettings = ConnectSettings()
    delivery: DeliverySettings = DeliverySettings()
    monitoring: Monitoring = Monitoring()
    inbox: InboxSettings = InboxSettings()
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
    def mark(self) -> MarkColumns | None:
        """The columns in which a relay records what it has published; None if it does not."""
        delivery = self.delivery
        if (delivery.by, delivery.source, delivery.record) != ("relay", "table", "mark"):
            return None
        generated = MarkColumns(published_at=self.dialect.fold_case(GENERATED))
        return delivery.mark or (None if self.table.existing else generated)

    @property
    def updates_rows(self) -> bool:
        """Whether rows are updated after they were inserted: by the owner of an existing table, or by a relay."""
        return self.table.existing or self.mark is not None

    @property
    def order_column(self) -> str:
        """The column by which rows are in the order of their writing, as far as the table has one."""
        return self.ordering.sequence or self.table.columns.created_at or self.table.columns.id
