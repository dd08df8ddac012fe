"""Rows of an outbox table that are to be published again: which ones, and what their consumers have received since.

A row is published again by deleting and inserting it in one transaction: the connector, or a relay that reads the log,
sees a new row with the same values. If relays mark rows, its mark is removed instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from outbox_kit.schema.model import Outbox

AT_ONCE = 500
"""Rows in one transaction."""


@dataclass(frozen=True)
class RowSelection:
    """Conditions on rows, of which a row must meet all; without a condition all rows are chosen."""

    ids: Sequence[str] = ()
    """Event ids; empty for any."""
    key: str | None = None
    """The message key."""
    since: datetime | None = None
    """The earliest creation time."""
    until: datetime | None = None
    """The creation time before which a row must have been created."""
    first: str | None = None
    """The event id of the first row, in the order of the table."""
    last: str | None = None
    """The event id of the last row, in the order of the table."""


class RowGroup(NamedTuple):
    """Rows of one route and type."""

    route: str
    """The value of the column that chooses the topic."""
    type: str
    """The event type."""
    rows: int
    """How many there are."""


@dataclass(frozen=True)
class ChosenRows:
    """The rows that meet a selection."""

    ids: Sequence[str]
    """Their event ids, in the order of the table; no more than were asked for."""
    groups: Sequence[RowGroup]
    """All of them, by route and type."""
    keys: int
    """How many message keys they have."""
    newer: int
    """How many rows of these keys are behind the first chosen one of their key, and are not chosen."""

    @property
    def total(self) -> int:
        """How many rows there are."""
        return sum(group.rows for group in self.groups)


class ResendableRows(Protocol):
    """Publishes rows of an outbox table again. Raises UsageProblem, EnvironmentProblem."""

    def choose(self, dsn: str, outbox: Outbox, selection: RowSelection, most: int) -> ChosenRows:
        """The rows that meet a selection. most: how many ids are returned."""

    def reinsert(self, dsn: str, outbox: Outbox, ids: Sequence[str]) -> int:
        """Delete and insert the rows of these ids in one transaction; how many there were.

        Columns that the server computes, and the relay's own ones, get new values.
        """

    def unmark(self, dsn: str, outbox: Outbox, ids: Sequence[str], assignments: str) -> int:
        """Make rows unpublished, for relays that mark rows; how many there were. assignments: of SQL."""
