"""The part of a schema file that is about the table. Its fields' descriptions are product text, as the model's."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from outbox_kit.schema.characters import HEADER_NAME, ONE_LINE

Line = Annotated[str, StringConstraints(min_length=1, pattern=ONE_LINE)]
Identifier = Line
Kind = Literal["text", "integer", "bigint", "boolean", "uuid"]


class Part(BaseModel):
    """A frozen part of the model that knows no other keys than its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Columns(Part):
    """The outbox table's column names. Null is a column that a table of somebody else's does not have."""

    id: Identifier = "id"
    """The event's unique id (see `table.ids`); arrives as the header `id`. `_id` in MongoDB, unless said otherwise."""
    aggregate_type: Identifier | None = "aggregatetype"
    """The kind of aggregate that changed. Where it is null, the event's type alone tells which."""
    aggregate_id: Identifier | None = "aggregateid"
    """Which aggregate changed; the message key, and so what keeps its events in order. Where it is null, the key is the
    event's id unless `routing.key` names another column, and nothing is in order."""
    type: Identifier = "type"
    """The event's type; arrives as the header `eventType`."""
    payload: Identifier = "payload"
    """The event itself."""
    created_at: Identifier | None = "created_at"
    """When the row was written, set by the database, in UTC; for retention and for you, not for the router."""


class ExtraColumn(Part):
    """A column of yours beside the standard ones."""

    name: Identifier
    """The column's name."""
    kind: Kind = "text"
    """What it holds."""
    required: bool = True
    """Whether it is NOT NULL."""
    to: Literal["header", "partition"] | None = "header"
    """Where it goes: a message header, the message's partition (kind `integer`), or nowhere (null)."""
    alias: str | None = Field(None, alias="as", pattern=HEADER_NAME)
    """The header's name; the column's name if left out."""

    @model_validator(mode="after")
    def _partition_is_an_integer(self) -> "ExtraColumn":
        if self.to == "partition" and self.kind != "integer":
            # the router reads it with an INT32 getter: BIGINT and SMALLINT kill the task
            raise ValueError("a column that goes to the partition must be of kind integer")
        return self


class Feed(Part):
    """Another table, each of whose new rows becomes an event, or several. A trigger writes them into the outbox."""

    table: Identifier
    """Its name. It is its owner's: but for the trigger, nothing of it is changed."""
    db_schema: Identifier | None = Field(None, alias="schema")
    """Its database schema; the outbox's if left out."""
    each: Identifier | None = None
    """A column of it that holds a JSON array: every element is an event. If left out, every row is."""
    columns: dict[str, Annotated[str, StringConstraints(min_length=1)]]
    """What each column of the outbox gets, as an SQL expression of your database: `new` is the row (in Oracle `:new`),
    `item` the element. Names are those of `table.columns`, or an extra column's. An `id` that is left out is made by
    the database."""


class Table(Part):
    """The outbox table."""

    preset: Identifier | None = None
    """A table that a library makes: what `outbox-kit presets` says of it holds where this file says nothing else."""
    existing: bool = False
    """Whether the table is its owner's, with its own columns: it is captured, and neither made nor changed."""
    fed_by: Feed | None = None
    """Another table that fills this one, where that one cannot be captured as it is."""
    name: Identifier = "outbox"
    """The table's name."""
    ids: Literal["uuid", "bigint", "objectid", "text"] = "uuid"
    """What the events' ids are, in a table of somebody else's; this kit's own have a UUID. `objectid` is MongoDB's;
    `text` is any other, such as a ULID, of at most 255 printable characters without blanks."""
    columns: Columns = Columns()
    """Its column names, where they differ from the router's own."""
    storage: Literal["table", "log"] = "table"
    """Where events are written: into a table, or with `log` into PostgreSQL's own log alone, by a procedure of
    the table's name and `_write`. Nothing is left to clean up then, nor to compare with what has arrived."""
    payload: Literal["json", "text", "bytes"] = "json"
    """How the payload is stored. `json` is checked by the database and still kept byte for byte."""
    registry: Literal["avro", "protobuf", "json"] | None = None
    """How your code writes payloads with a Schema Registry's serialiser: a frame with the schema's id, then the body.
    Needs `payload: bytes`; null where no registry is asked."""
    max_payload_bytes: int = Field(900_000, ge=1, le=512 * 1024 * 1024)
    """The largest payload a row may hold, in bytes; the producer and the topics must allow as much."""
    retention: Literal["delete", "partition", "immediate", "keep", "owner"] = "delete"
    """How published rows go: in batches, by dropping daily partitions, in their own transaction, never, or as the owner
    of an existing table sees fit, which is the default there."""
    keep_days: int = Field(7, ge=1, le=36_500)
    """For how many days a row is kept."""
    keep_hours: int | None = Field(None, ge=1, le=36_500 * 24)
    """For how many hours a row is kept, where days are too long a measure: then `keep_days` says nothing."""
    extra: tuple[ExtraColumn, ...] = ()
    """Columns of yours."""

    @property
    def kept(self) -> tuple[int, str]:
        """For how long a row is kept: a number, and its unit `day` or `hour`."""
        return (self.keep_days, "day") if self.keep_hours is None else (self.keep_hours, "hour")

    @property
    def kept_title(self) -> str:
        """The same in words: `7 days`."""
        number, unit = self.kept
        return f"{number} {unit}s"

    @property
    def kept_hours(self) -> int:
        """The same in hours."""
        return self.keep_days * 24 if self.keep_hours is None else self.keep_hours

    @property
    def kept_days(self) -> int:
        """The days in which a row is gone: whole ones, rounded up."""
        return -(-self.kept_hours // 24)

    @property
    def keeps_rows(self) -> bool:
        """Whether there are rows to compare with what has arrived."""
        return self.storage == "table" and self.retention != "immediate"

    @model_validator(mode="after")
    def _a_frame_is_bytes(self) -> "Table":
        if self.registry and self.payload != "bytes":
            raise ValueError(f"with registry: {self.registry} must have payload: bytes, which its serialiser writes")
        return self

    @model_validator(mode="after")
    def _partitions_are_days(self) -> "Table":
        if self.retention == "partition" and self.keep_hours is not None:
            raise ValueError("keep_hours is for retention: delete; partitions are days, so name keep_days")
        return self
