"""Every engine has the same doubts."""

from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outbox_kit.verify.state.engine import Engine, EventRows, Suspects
from outbox_kit.verify.state.memory import Memory
from outbox_kit.verify.state.spool import Spool
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.transitions import NO_NUMBER, UNDECLARED, step

MEMORY = 256 << 20


@dataclass(frozen=True)
class Event:
    """One event of a log."""

    topic: str
    partition: int
    key: bytes
    sequence: int
    event_id: int
    kind: int = 1 << 16 | 1


EVENTS = st.lists(
    st.builds(
        Event,
        st.sampled_from(["a", "a-1"]),
        st.integers(0, 2),
        st.sampled_from([b"1", b"2", b"x"]),
        st.integers(1, 6) | st.just(NO_NUMBER),
        st.integers(0, 2**64 - 1) | st.integers(0, 12),
        st.sampled_from([1 << 16 | 1, 1 << 16 | 2, 2 << 16 | 3, UNDECLARED]),
    ),
    max_size=30,
)


STEPS = np.array([step(0, 1 << 16 | 2), step(1 << 16 | 2, 1 << 16 | 1), step(2 << 16 | 3, 2 << 16 | 3)], np.int64)


def told(
    engine: Engine, events: list[Event], *, gaps: bool, split: bool, whole: Container[PartitionId] = ()
) -> tuple[list[Suspects], int]:
    """What an engine doubts of a log, and the number of its keys."""
    for offset, event in enumerate(events):
        ids, sequences = np.array([event.event_id], np.uint64), np.array([event.sequence], np.int64)
        kinds = np.array([event.kind], np.int64)
        engine.add(EventRows(event.topic, event.partition, [offset], [event.key], sequences, ids, kinds))
    found = list(engine.suspects(gaps=gaps, split=split, complete=whole))
    return found, engine.keys()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(EVENTS, st.booleans(), st.booleans(), st.frozensets(st.tuples(st.sampled_from(["a", "a-1"]), st.integers(0, 2))))
def test_memory_and_spool_doubt_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    events: list[Event],
    gaps: bool,
    split: bool,
    whole: frozenset[PartitionId],
) -> None:
    spool = Spool(tmp_path_factory.mktemp("spool"), MEMORY, forbidden=STEPS)
    try:
        found = told(Memory(STEPS, dense=True), events, gaps=gaps, split=split, whole=whole)
        assert told(spool, events, gaps=gaps, split=split, whole=whole) == found
    finally:
        spool.close()


def test_a_log_without_events_has_no_doubts(tmp_path: Path) -> None:
    assert told(Spool(tmp_path, MEMORY), [], gaps=True, split=True) == ([], 0)


def test_a_spool_goes_on_where_it_was(tmp_path: Path) -> None:
    one, two = Event("a", 0, b"1", 2, 1), Event("a", 0, b"1", 1, 2)
    first = Spool(tmp_path, MEMORY)
    told(first, [one], gaps=True, split=True)
    first.close()
    second = Spool(tmp_path, MEMORY)
    number, own, kind = np.array([two.sequence]), np.array([two.event_id], np.uint64), np.array([two.kind])
    second.add(EventRows("a", 0, [7], [two.key], number, own, kind))
    (doubts,) = second.suspects(gaps=True, split=True)
    assert (list(doubts.numbers.values()), second.keys()) == ([{1}], 1)
    assert not list(tmp_path.glob("spill-*/*"))
