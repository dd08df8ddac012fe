"""The columns of an outbox table in which a relay records what it has published.

The fields' descriptions are product text: the reference is made of them.
"""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema

from outbox_kit.schema.characters import ONE_LINE
from outbox_kit.schema.problem import Steps
from outbox_kit.schema.table import Identifier, Part


def _as_text(value: Any) -> Any:
    """A value as the database reads it from a text: YAML's booleans and numbers are what people write."""
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else value


STATUS_TEXT = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": ONE_LINE}
StatusValue = Annotated[
    str,
    BeforeValidator(_as_text),
    StringConstraints(pattern=ONE_LINE, min_length=1, max_length=255),
    WithJsonSchema({"anyOf": [STATUS_TEXT, {"type": "boolean"}, {"type": "integer"}]}),
]


class StatusColumn(Part):
    """A column whose value says what has become of an event: a text, an enum, a boolean or a number."""

    column: Identifier
    """The column's name."""
    pending: StatusValue
    """The value of an event that is not published. The application writes it, or it is the column's default."""
    published: StatusValue
    """The value that the relay writes when it has published the event."""
    failed: StatusValue | None = None
    """The value of an event that the relay could not publish, or that waits behind such an event. Null: there is none;
    such an event is `pending`, and `published` after it was discarded."""


class ExpiryColumn(Part):
    """A column with the time after which the owner of the table deletes a row."""

    column: Identifier
    """The column's name."""
    hours: int = Field(ge=1, le=36_500 * 24)
    """Hours from the publication to that time. The relay sets no time for an event that is not published."""


class MarkColumns(Part):
    """The columns in which the relay records what it has published, with `delivery.record: mark`."""

    published_at: Identifier | None = None
    """The column that is set to the time of the publication. Null in a row means: not published, unless `status` says
    otherwise."""
    status: StatusColumn | None = None
    """The column that says whether an event is published, if there is one."""
    attempts: Identifier | None = None
    """The column that counts how often an event was sent."""
    error: Identifier | None = None
    """The column with the cause of the last failure; null when the event is published."""
    available_at: Identifier | None = None
    """A column of an existing table with the time before which an event is not published. Events of its aggregate that
    were inserted later do not wait for it."""
    expires_at: ExpiryColumn | None = None
    """A column of an existing table with the time after which its owner deletes a published row."""

    @property
    def tells_failures(self) -> bool:
        """Whether a row itself tells a failed event from one that was not sent."""
        return self.status is not None and self.status.failed is not None

    @property
    def written(self) -> list[str]:
        """The names of the columns that the relay writes."""
        read_only = ("available_at",)
        return [name for name, place in self.places() if place[0] not in read_only]

    @property
    def state_column(self) -> str:
        """The name of the column that says whether a row is published."""
        return self.status.column if self.status is not None else self.published_at or ""

    def places(self) -> Iterator[tuple[str, Steps]]:
        """The name of each column, and its place below `delivery.mark`."""
        for key, value in self:
            if isinstance(value, str):
                yield value, (key,)
            elif value is not None:
                yield value.column, (key, "column")


GENERATED = "published_at"
"""The column of the publication in a table that outbox-kit creates, if the schema file names no columns."""
