"""Which transactions and rows a hand-over between a replication slot and relays of the table leaves to whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.databases.hand_over import SettledSlot
from outbox_kit.databases.postgres.published import published_rows
from outbox_kit.databases.postgres.slot_rows import LoggedRow, LoggedTransaction
from outbox_kit.databases.postgres.snapshots import WHOLE, TransactionSnapshot
from outbox_kit.databases.postgres.table_hand_over import left_by_connector, settled_slot


def logged(number: int, end: int, *keys: str) -> LoggedTransaction:
    """A transaction whose rows are before its end, one position each."""
    return LoggedTransaction(number, end, [LoggedRow(end - len(keys) + n, key) for n, key in enumerate(keys)])


@pytest.mark.parametrize("text", ["1:1:", "10:20:10,12", "4294967290:4294967300:4294967296"])
def test_a_snapshot_is_written_as_it_was_read(text: str) -> None:
    assert str(TransactionSnapshot.of(text)) == text


def test_transactions_are_taken_from_a_snapshot() -> None:
    snapshot = TransactionSnapshot.of("10:20:10,12")
    assert [number for number in range(8, 23) if snapshot.contains(number)] == [8, 9, 11, 13, 14, 15, 16, 17, 18, 19]
    assert str(snapshot.without([8, 13, 12, 25])) == "8:20:8,10,12,13"
    assert str(TransactionSnapshot.of("20:20:").without([])) == "20:20:"
    assert str(TransactionSnapshot.of("20:20:").without([18])) == "18:20:18"


@given(st.integers(3, 2**63 - WHOLE), st.integers(-(2**30), 2**30))
def test_the_epoch_of_a_number_is_that_of_the_snapshot_next_to_it(following: int, distance: int) -> None:
    number = max(3, following + distance)
    snapshot = TransactionSnapshot(following, following, frozenset())
    assert snapshot.full(number % WHOLE) == number
    assert snapshot.contains(number % WHOLE) == (number < following)
    least = min(number, following)
    assert str(snapshot.without([number % WHOLE])) == f"{least}:{following}:{number if number < following else ''}"


STOPPED = {"lsn": 98, "lsn_commit": 90, "txId": 7, "messageType": "INSERT"}
"""A connector that has published the first of two rows of transaction 7."""


@pytest.mark.parametrize(
    ("offset", "whole", "left", "doubled"),
    [
        (STOPPED, False, ["b", "c"], 0),
        (STOPPED, True, ["a", "b", "c"], 1),
        (STOPPED | {"lsn": 99}, True, ["c"], 0),  # the whole transaction was published
        (STOPPED | {"lsn_commit": 80}, True, ["a", "b", "c"], 0),  # the slot is elsewhere: nothing is left out
        (STOPPED | {"messageType": "COMMIT"}, False, ["a", "b", "c"], 0),
        (None, False, ["a", "b", "c"], 0),
    ],
)
def test_what_a_connector_leaves(offset: dict[str, object] | None, whole: bool, left: list[str], doubled: int) -> None:
    behind = [logged(7, 100, "a", "b"), logged(5, 120, "c")]
    found, twice = left_by_connector(behind, published_rows(offset, 90), whole=whole)
    assert ([row.key for one in found for row in one.rows], twice) == (left, doubled)


FIRST, SECOND, THIRD = logged(11, 100, "a"), logged(10, 120, "b", "c"), logged(25, 140, "d")
SNAPSHOT = TransactionSnapshot.of("20:25:")


@pytest.mark.parametrize(
    ("unpublished", "snapshot", "settled"),
    [
        (set(), SNAPSHOT, SettledSlot(120, 0, 1, 0)),  # the third is not visible: no relay can have published it
        (set(), TransactionSnapshot.of("26:26:"), SettledSlot(140, 0, 0, 0)),
        ({"a"}, SNAPSHOT, SettledSlot(None, 0, 2, 2)),
        ({"c"}, SNAPSHOT, SettledSlot(100, 0, 2, 1)),
        ({"c", "before"}, SNAPSHOT, SettledSlot(None, 1, 2, 1)),
        (set(), TransactionSnapshot.of("10:25:10"), SettledSlot(100, 0, 3, 0)),
    ],
)
def test_where_a_slot_is_moved(unpublished: set[str], snapshot: TransactionSnapshot, settled: SettledSlot) -> None:
    assert settled_slot([FIRST, SECOND, THIRD], 80, snapshot, unpublished) == settled
