"""The section `table` of a schema file. The fields' descriptions are product text: the reference is made of them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from outbox_kit.schema.characters import HEADER_NAME, ONE_LINE
from outbox_kit.schema.problem import mismatch

Line = Annotated[str, StringConstraints(min_length=1, pattern=ONE_LINE)]
Identifier = Line
Kind = Literal["text", "integer", "bigint", "boolean", "uuid"]


class Part(BaseModel):
    """A frozen part of the model that rejects unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Columns(Part):
    """The names of the outbox table's columns. Null: an existing table does not have this column."""

    id: Identifier = "id"
    """The column of the event id, of the type `table.ids`. The connector publishes it as the header `id`. In MongoDB
    the default is `_id`."""
    aggregate_type: Identifier | None = "aggregatetype"
    """The column of the aggregate type, such as `Order`. If null, the event type alone identifies the event."""
    aggregate_id: Identifier | None = "aggregateid"
    """The column of the aggregate id, such as `4711`. It is the message key, which keeps an aggregate's events in
    order. If null, the message key is the event id, or the column of `routing.key`; with the event id as key, no order
    is kept."""
    type: Identifier = "type"
    """The column of the event type, such as `OrderPlaced`. The connector publishes it as the header `eventType`."""
    payload: Identifier = "payload"
    """The column of the payload, which becomes the message value."""
    created_at: Identifier | None = "created_at"
    """The column of the time in UTC at which the row was inserted, set by the database, in MongoDB by the application.
    Retention needs it; the event router does not read it."""


class ExtraColumn(Part):
    """A column of the outbox table in addition to the standard columns."""

    name: Identifier
    """The column's name."""
    kind: Kind = "text"
    """The column's type."""
    required: bool = True
    """Whether the column is NOT NULL."""
    to: Literal["header", "partition"] | None = "header"
    """The use of the value: a message header, the number of the partition (only with `kind: integer`), or none
    (null)."""
    alias: str | None = Field(None, alias="as", pattern=HEADER_NAME)
    """The name of the header. Default: the column's name."""

    @model_validator(mode="after")
    def _partition_is_an_integer(self) -> "ExtraColumn":
        if self.to == "partition" and self.kind != "integer":
            # the router reads it with an INT32 getter: BIGINT and SMALLINT kill the task
            raise mismatch("a column with to: partition must have kind: integer", "kind")
        return self


class SourceTable(Part):
    """A table whose new rows fill the outbox table through a trigger, which `gen-ddl` creates."""

    table: Identifier
    """The name of the source table. outbox-kit adds the trigger and changes nothing else of this table."""
    db_schema: Identifier | None = Field(None, alias="schema")
    """The database schema of the source table. Default: the schema of the outbox table."""
    array_column: Identifier | None = None
    """A column of the source table that contains a JSON array: each element becomes one event. If left out, each row
    becomes one event."""
    columns: dict[str, Annotated[str, StringConstraints(min_length=1)]]
    """The value of each column of the outbox table, as an SQL expression of your database. `new` is the new row (in
    Oracle `:new`), `element` an element of `array_column`. Keys are those of `table.columns`, or names of
    `table.extra`. If `id` is left out, the database generates it."""


class Table(Part):
    """The outbox table."""

    preset: Identifier | None = None
    """A table that a known library creates, by its name in `outbox-kit presets`. The preset's settings are defaults:
    this file's own settings override them."""
    existing: bool = False
    """Whether the table exists already and belongs to another tool or team. The connector captures it; outbox-kit
    neither creates nor alters it."""
    source: SourceTable | None = None
    """A table whose rows fill the outbox table through a trigger, for a table that cannot be captured directly."""
    name: Identifier = "outbox"
    """The name of the outbox table."""
    ids: Literal["uuid", "bigint", "objectid", "text"] = "uuid"
    """The type of the event ids. Tables that outbox-kit creates have `uuid`; the others are for existing tables:
    `objectid` in MongoDB only, `text` for any other id, such as a ULID, of at most 255 printable characters without
    blanks."""
    columns: Columns = Columns()
    """The names of the columns, if they differ from the event router's defaults."""
    storage: Literal["table", "log"] = "table"
    """The place of the events: `table`, or `log` for a log-only outbox, which writes events into PostgreSQL's WAL with
    the procedure `<table>_write`. A log-only outbox has no rows to delete, and none that `verify` could compare."""
    payload: Literal["json", "text", "bytes"] = "json"
    """The format of the payload column. With `json` the database validates the JSON and keeps it byte for byte."""
    registry: Literal["avro", "protobuf", "json"] | None = None
    """The Schema Registry format in which your code serialises payloads: a magic byte and the schema id, then the
    body. Needs `payload: bytes`. Null: payloads are not in the registry's wire format."""
    max_payload_bytes: int = Field(900_000, ge=1, le=512 * 1024 * 1024)
    """The maximum size of a payload in bytes, which the table enforces. The producer and the topics must accept
    messages of this size."""
    retention: Literal["delete", "partition", "delete_on_insert", "forever", "external"] = "delete"
    """How published rows are deleted: `delete` in batches by a job, after `keep_days`; `partition` by dropping daily
    partitions; `delete_on_insert` in the transaction that inserts them; `forever` never; `external` by the owner of an
    existing table, which is the default there. `outbox-kit cleanup` deletes the rows or drops the partitions."""
    keep_days: int = Field(7, ge=1, le=36_500)
    """Days that rows are kept. `verify` can compare rows and messages only while the rows exist."""
    keep_hours: int | None = Field(None, ge=1, le=36_500 * 24)
    """Hours that rows are kept, for less than a day. Overrides `keep_days`; only with `retention: delete`."""
    extra: tuple[ExtraColumn, ...] = ()
    """Columns in addition to the standard ones."""

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
        return self.storage == "table" and self.retention != "delete_on_insert"

    @model_validator(mode="after")
    def _a_frame_is_bytes(self) -> "Table":
        if self.registry and self.payload != "bytes":
            raise mismatch(f"table.registry: {self.registry} needs payload: bytes", "registry")
        return self

    @model_validator(mode="after")
    def _partitions_are_days(self) -> "Table":
        if self.retention == "partition" and self.keep_hours is not None:
            raise mismatch(
                "table.keep_hours needs retention: delete; partitions are daily, so use keep_days", "keep_hours"
            )
        return self
