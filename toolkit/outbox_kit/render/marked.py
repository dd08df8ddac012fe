"""The columns in which a relay records what it has published, for scripts and runbooks. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class MarkColumn:
    """A column of a table that outbox-kit creates."""

    name: str
    kind: str
    """A key of the dialect's types."""
    why: str
    """Its comment in the database."""
    default: str = ""
    """The value of new rows; if empty, the column may be null."""
    first: str = ""
    """The value of the rows that are there when the column is added, if they are published; empty if it is the same."""


def mark_columns(outbox: Outbox) -> Sequence[MarkColumn]:
    """The columns that a table of outbox-kit needs so that a relay can mark its rows; none if it marks none."""
    mark = outbox.mark
    if mark is None:
        return ()
    columns = []
    if mark.published_at is not None:
        why = "when the relay published the event; null before"
        columns.append(MarkColumn(mark.published_at, "instant", why, first="now"))
    if mark.status is not None:
        why, (pending, published) = "whether the event is published", (mark.status.pending, mark.status.published)
        columns.append(MarkColumn(mark.status.column, "text", why, pending, published))
    if mark.attempts is not None:
        columns.append(MarkColumn(mark.attempts, "integer", "how often the relay has sent the event", "0"))
    if mark.error is not None:
        why = "why the event could not be published; null when it is published"
        columns.append(MarkColumn(mark.error, "document", why))
    return columns


def is_unpublished(outbox: Outbox) -> str:
    """The condition on a row that is marked as not published; empty if the relay marks none."""
    mark, quote = outbox.mark, outbox.dialect.quote_ident
    if mark is None:
        return ""
    if mark.status is not None:
        return f"{quote(mark.status.column)} = {state(outbox, mark.status.pending)}"
    return f"{quote(mark.published_at or '')} is null"


def state(outbox: Outbox, value: str) -> str:
    """A value of the status as it stands in a statement. A column that outbox-kit creates is a text."""
    numbers = outbox.dialect.strings.booleans if outbox.table.existing else {}
    return numbers.get(value) or outbox.dialect.quote_literal(value)


def is_published(outbox: Outbox) -> str:
    """The condition on a row that is marked as published; empty if the relay marks none."""
    mark, quote = outbox.mark, outbox.dialect.quote_ident
    if mark is None:
        return ""
    if mark.status is not None:
        return f"{quote(mark.status.column)} = {state(outbox, mark.status.published)}"
    return f"{quote(mark.published_at or '')} is not null"


def unpublish(outbox: Outbox) -> str:
    """The assignments by which a published row is published again; empty if the relay marks none."""
    mark, quote = outbox.mark, outbox.dialect.quote_ident
    if mark is None:
        return ""
    assignments = [] if mark.published_at is None else [f"{quote(mark.published_at)} = null"]
    if mark.status is not None:
        assignments.append(f"{quote(mark.status.column)} = {state(outbox, mark.status.pending)}")
    if mark.expires_at is not None:
        assignments.append(f"{quote(mark.expires_at.column)} = null")
    return ", ".join(assignments)
