"""The outbox table's columns with their place in a message, for comments in the database. Pure."""

from dataclasses import replace

from outbox_kit.router.settings import RouterColumns
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns


def described(outbox: Outbox) -> list[Column]:
    """The table's columns in order, each with its comment."""
    read = router_columns(outbox)
    return [replace(column, why=_comment(column, read)) for column in columns(outbox)]


def _comment(column: Column, read: RouterColumns) -> str:
    comment = column.why or _place(column.name, read)
    return f"{comment}: the message key" if column.name == read.key else comment


def _place(column: str, read: RouterColumns) -> str:
    """The place of an additional column in the message."""
    placement = read.placement_of(column)
    if placement is None or placement.place is None:
        return "not published"
    return placement.place if placement.place == "partition" else f"{placement.place} {placement.alias}"
