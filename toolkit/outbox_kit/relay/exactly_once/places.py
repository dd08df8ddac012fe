"""The places of rows in a log, and up to where all of them are final. Pure."""

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from outbox_kit.databases.changes import LogTransaction
from outbox_kit.relay.exactly_once.positions import LogPosition

OPEN, SENT, FINAL = range(3)
"""Of a place: not sent, in the open transaction of Kafka, published or stored as failed."""


@dataclass(slots=True, eq=False)
class Place:
    """The place of a row; the receipt of its event."""

    transaction: LogTransaction
    row: int
    """Its number in the transaction, from 1."""
    state: int = OPEN


class Prefix(NamedTuple):
    """The places at the beginning that are sent or final."""

    position: LogPosition | None
    """Behind them."""
    sent: int
    """How many of them are sent."""


class Places:
    """The rows that were read and are not before the position, in the order of the log."""

    def __init__(self) -> None:
        self._places: deque[Place] = deque()
        self._position: LogPosition | None = None

    def clear(self, position: LogPosition | None) -> None:
        """Begin at a position."""
        self._places.clear()
        self._position = position

    def add(self, place: Place) -> None:
        """A row was read."""
        self._places.append(place)

    def finish(self, place: Place) -> None:
        """A row is published or stored."""
        place.state = FINAL
        places = self._places
        last = None
        while places and places[0].state == FINAL:
            last = places.popleft()
        if last is not None:
            self._position = LogPosition.of(last.transaction, last.row)

    def prefix(self) -> Prefix:
        """Up to where a commit of now would move the position."""
        last, sent = None, 0
        for place in self._places:
            if place.state == OPEN:
                break
            sent += place.state == SENT
            last = place
        return Prefix(self._position if last is None else LogPosition.of(last.transaction, last.row), sent)

    @property
    def position(self) -> LogPosition | None:
        """Behind the places that are final; None if no row was."""
        return self._position
