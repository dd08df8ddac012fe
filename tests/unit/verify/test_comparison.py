"""Rows and messages side by side: what is missing, what differs, and whose row should be there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from outbox_kit.databases.ledger import Row
from outbox_kit.errors import SpoolFailed
from outbox_kit.findings.finding import RecordLocation
from outbox_kit.verify.table.comparison import Comparison, Lost
from outbox_kit.verify.transitions import NO_NUMBER
from outbox_kit.wire.parts import MessagePart

KEY, PAYLOAD = MessagePart("key", "", "aggregateid", "text"), MessagePart("payload", "", "payload", "json")
TOPIC = "shop.Order"


@pytest.fixture
def comparison(tmp_path: Path) -> Iterator[Comparison]:
    own = Comparison(tmp_path, 256 << 20, [KEY, PAYLOAD])
    yield own
    own.close()


def row(
    event_id: str, at: int | None = 1000, *, key: str | None = "1", payload: str | None = "p", xid: str = "7"
) -> Row:
    return Row(event_id, "Order", "OrderPlaced", key, None, "Order", at, xid, (key, payload))


def arrive(
    comparison: Comparison,
    event_id: str,
    offset: int,
    *,
    partition: int = 0,
    sequence: int = NO_NUMBER,
    key: str | None = "1",
    payload: str | None = "p",
    compared: bool = True,
) -> None:
    place = RecordLocation(TOPIC, partition, offset)
    comparison.add_arrival(event_id, place, offset, sequence, (key, payload), compared=compared)


def surely(comparison: Comparison, lowest: int | None, since: int | None, at: int = 0) -> set[str]:
    return {one.event_id for several in comparison.surely(at, lowest, since) for one in several}


def test_rows_without_a_message_are_missing_by_their_routes_and_transactions(comparison: Comparison) -> None:
    comparison.add_rows([row("a"), row("b", 5), row("c", 9, xid="8"), row("d", None)])
    arrive(comparison, "a", 0)
    assert comparison.missing() == 3
    assert comparison.routes() == ["Order"]
    first = [(event_id, "OrderPlaced", "Order", "1") for event_id in "bcd"]
    assert comparison.lost("Order", TOPIC, 6, 32) == Lost("Order", TOPIC, 6, 1, 9, 9, first[1:2])
    assert comparison.lost("Order", TOPIC, 0, 1) == Lost("Order", TOPIC, 0, 3, None, None, first[:1])
    assert comparison.transactions([("Order", 0)], 1) == {"7": ["b", "d"]}
    assert comparison.transactions([("Order", 6)], 9) == {"8": ["c"]}
    arrive(comparison, "b", 1)
    assert comparison.missing() == 2


def test_each_part_that_differs_is_told_with_its_places(comparison: Comparison) -> None:
    comparison.add_rows([row("a"), row("b"), row("c", payload=None), row("d", key='{"x"}')])
    for offset, (event_id, key, payload) in enumerate(
        [("a", "1", "p"), ("a", "2", "p"), ("b", None, "q"), ("c", '"1"', None), ("d", '{"x"}', "p")]
    ):
        arrive(comparison, event_id, offset, key=key, payload=payload)
    comparison.differing()
    counts, first = comparison.differences(KEY, 32, encoded=True)
    assert (counts, [(one.place.offset, one.value) for one in first]) == ({TOPIC: 3}, [(1, "2"), (2, None), (3, '"1"')])
    counts, first = comparison.differences(KEY, 1, encoded=False)
    assert (counts, [one.event_id for one in first]) == ({TOPIC: 2}, ["a"])
    assert comparison.differences(PAYLOAD, 32, encoded=True)[0] == {TOPIC: 1}
    assert (comparison.encoded(KEY), comparison.encoded(PAYLOAD), comparison.matched()) == ((1, 1), (0, 0), 5)


def test_a_message_s_number_says_that_its_row_would_be_there(comparison: Comparison) -> None:
    comparison.add_rows([row("b", 2000)])
    for offset, (event_id, sequence) in enumerate([("old", 3), ("b", 5), ("young", 6), ("none", NO_NUMBER)]):
        arrive(comparison, event_id, offset, sequence=sequence)
    assert comparison.unmatched() == 3
    assert (comparison.below(5), comparison.below(3)) == (True, False)
    assert surely(comparison, 5, None) == {"young"}
    assert surely(comparison, 5, 0) == {"young", "none"}  # a place counts where there is no number
    assert surely(comparison, 5, 0, at=3) == {"none"}  # "young" was sent before any row that stays was written


def test_a_message_s_place_says_it_too_by_its_first_appearance(comparison: Comparison) -> None:
    comparison.add_rows([row("b", 2000), row("c", 9000)])
    for offset, event_id in enumerate(["old", "b", "edge", "c", "young", "old"]):
        arrive(comparison, event_id, offset)
    arrive(comparison, "elsewhere", 7, partition=1)
    arrive(comparison, "later", 8, compared=False)
    assert comparison.unmatched() == 4
    assert comparison.early()
    assert surely(comparison, None, 0) == {"edge", "young"}
    assert surely(comparison, None, 5000) == {"young"}
    assert surely(comparison, None, None) == set()


def test_nothing_is_early_where_no_row_was_cleaned_up(comparison: Comparison) -> None:
    comparison.add_rows([row("a", 1), row("b", 2)])
    for offset, event_id in enumerate(["a", "phantom", "b"]):
        arrive(comparison, event_id, offset)
    assert (comparison.unmatched(), comparison.early()) == (1, False)
    assert surely(comparison, None, 1) == {"phantom"}
    assert [(one.event_id, one.at) for several in comparison.batches() for one in several] == [("phantom", 1)]


def test_a_comparison_that_cannot_be_written_is_one_message(comparison: Comparison) -> None:
    comparison.close()
    with pytest.raises(SpoolFailed, match="cannot compare rows and messages"):
        comparison.missing()
