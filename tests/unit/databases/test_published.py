"""Which rows the relay leaves out after a connector has stopped within a transaction."""

from typing import Any

import pytest

from outbox_kit.databases.postgres.published import PublishedRows, published_rows

OFFSET = {"lsn": 50, "lsn_proc": 50, "lsn_commit": 40, "txId": 7, "messageType": "INSERT", "ts_usec": 1}
Log = list[tuple[int, list[tuple[int, str]]]]


def sent(rows: PublishedRows[str], log: Log) -> str:
    """The rows that are published of transactions with their positions."""
    published = ""
    for transaction, inserted in log:
        rows.begin(transaction)
        for position, row in inserted:
            published += "".join(rows.unpublished(position, row))
    return published


@pytest.mark.parametrize(
    ("log", "published"),
    [
        ([(7, [(41, "a"), (50, "b"), (51, "c")])], "c"),
        ([(7, [(41, "a"), (50, "b")]), (6, [(30, "c"), (45, "d"), (60, "e")])], "cde"),
        ([(6, [(30, "a"), (45, "b")]), (7, [(46, "c"), (50, "d"), (52, "e")])], "abe"),
        ([(8, [(44, "a"), (50, "b")])], "ab"),
        # rows of a COPY have one position: how many of them were published is not known
        ([(7, [(41, "a"), (50, "b"), (50, "c"), (50, "d"), (61, "e")])], "bcde"),
        ([(7, [(51, "a")]), (7, [(52, "b")])], "ab"),
    ],
)
def test_only_rows_of_the_transaction_are_left_out(log: Log, published: str) -> None:
    rows = published_rows(OFFSET, 40)
    assert rows is not None
    assert sent(rows, log) == published


@pytest.mark.parametrize(
    "offset",
    [
        None,
        {},
        {"lsn": 40},
        {**OFFSET, "lsn_commit": 39},  # the slot was read since
        {**OFFSET, "lsn_commit": None},
        {**OFFSET, "messageType": "COMMIT"},
        {**OFFSET, "messageType": None},
        {**OFFSET, "txId": None},
        {**OFFSET, "lsn": "50"},
        {key: value for key, value in OFFSET.items() if key != "txId"},
    ],
)
def test_nothing_is_left_out_that_may_not_have_been_published(offset: dict[str, Any] | None) -> None:
    assert published_rows(offset, 40) is None
