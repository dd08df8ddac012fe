"""Which event of an aggregate may follow which, as numbers that an engine can compare. Pure."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from outbox_kit.schema.model import Outbox

TYPE_BITS = 16  # of a kind, below the number of its aggregate; both begin at 1
KIND_BITS = 32  # of a step, below the kind that came before
NOTHING = 0  # before an aggregate's first event
UNDECLARED = -1
FIRST = 1  # number of an aggregate's first event, where numbers are without gaps; older rows may have lower ones
NO_NUMBER = -(2**63)  # below all numbers that a sequence has; a BIGINT holds it


def kinds(outbox: Outbox) -> dict[tuple[str, str], int]:
    """The number of each declared event, by its aggregate and type: its aggregate's number, and its own."""
    aggregates = list(dict.fromkeys(event.aggregate for event in outbox.events))
    return {
        (event.aggregate, event.type): aggregates.index(event.aggregate) + 1 << TYPE_BITS | number
        for number, event in enumerate(outbox.events, 1)
    }


def step(before: int, kind: int) -> int:
    """Two kinds, one after the other."""
    return before << KIND_BITS | kind


def forbidden(outbox: Outbox, aggregates: Collection[str]) -> NDArray[np.int64]:
    """Every step that some aggregates may not take. aggregates: their types."""
    numbers, transitions = kinds(outbox), []
    for event in (event for event in outbox.events if event.aggregate in aggregates):
        kind = numbers[event.aggregate, event.type]
        if not event.may_begin:
            transitions.append(step(NOTHING, kind))
        if event.follows is not None:
            undeclared = (
                other
                for other in outbox.events
                if other.aggregate == event.aggregate and other.type not in event.follows
            )
            transitions += [step(numbers[other.aggregate, other.type], kind) for other in undeclared]
    return np.array(sorted(transitions), np.int64)


def illegal_transitions(
    events: Sequence[tuple[int, int, int]], forbidden: Collection[int], *, from_first: bool, dense: bool
) -> Iterator[tuple[int, int, int]]:
    """The steps of one aggregate that it may not take: the offset, the kind before, and the kind.

    events: number, offset and kind of each, as they came. The writer's order counts, which is that of the numbers: what
    only came late has a finding of its own.
    from_first: whether the first of them is the aggregate's first.
    dense: whether a number that is not there is an event that is not there, behind which nothing can be said.
    """
    before, last = NOTHING if from_first else None, None
    for number, offset, kind in sorted(events, key=lambda event: event[0]):
        if number == last != NO_NUMBER:
            continue  # two events with one number are a finding already
        if dense and last is not None and number != last + 1:
            before = None
        if before is not None and step(before, kind) in forbidden:
            yield offset, before, kind
        before, last = kind, number
