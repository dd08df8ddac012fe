"""The same steps for the inboxes of the library and of every stack: they give the same answers and leave the same rows.

A step of a high-water mark is `mark`, the message's key in hexadecimal digits or null, its sequence number, whether a
gap is accepted, and whether the handler fails. A step of an offset is `offset`, the offset, the generation, and whether
the handler fails; or `take` and the generation. Numbers beyond 53 bits are texts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
import pymysql

from outbox_kit.inbox import HighWater, Inbox, InboxMessage, PartitionFenced, PartitionOffsets, SequenceGap
from outbox_kit.inbox.sessions import completed, session_of
from tests.support.inbox_modes import with_mode

LIBRARY = "library"
TOPIC, PARTITION = "orders", 3
EXACT = 2**53
MARKS: list[tuple[bytes | None, int, bool, bool]] = [
    (b"7", 1, False, False),
    (b"7", 1, False, False),  # again
    (b"7", 2, False, True),  # the handler fails
    (b"7", 2, False, False),
    (b"7", 4, False, False),  # a gap
    (b"7", 3, False, False),
    (b"7", 4, False, False),
    (b"7", 2, False, False),  # stale
    (b"8", 2, False, False),  # the first of its key is missing
    (b"7", EXACT + 1, True, False),
    (b"7", EXACT, True, False),  # no double is between these two
    (b"7", 2**63 - 1, True, False),
    *((key, 1, False, False) for key in (None, b"", b"\xff", b"a\0b", b"x" * 255, b"x" * 256, b"sha256:7")),
    *((key.encode(), 1, False, False) for key in ("ü", " ", "🎉" * 200, "\u2028", "it's \"\\ %s :x $1 ? {0} `")),
]
OFFSETS: list[tuple[str, int, int, bool]] = [
    ("offset", 0, 3, False),  # nobody has taken the partition
    ("take", 0, 3, False),
    ("offset", 0, 3, False),
    ("offset", 0, 3, False),  # again
    ("offset", 5, 3, False),
    ("offset", 3, 3, False),  # stale
    ("offset", 6, 3, True),  # the handler fails
    ("offset", 6, 2, False),  # an earlier generation
    ("take", 0, 2, False),
    ("take", 0, 3, False),
    ("take", 0, 5, False),
    ("offset", 6, 3, False),  # the previous owner
    ("offset", 2, 3, False),
    ("offset", 6, 5, False),
    ("offset", EXACT + 1, 5, False),
    ("offset", EXACT, 5, False),
]
STEPS = {
    "marks": [[None if key is None else key.hex(), str(n), gaps, fails] for key, n, gaps, fails in MARKS],
    "offsets": [[kind, str(offset), generation, fails] for kind, offset, generation, fails in OFFSETS],
    "topic": TOPIC,
    "partition": PARTITION,
}
STORED = (
    "select consumer, producer, message_key, last_sequence, previous_sequence from inbox_mark"
    " order by consumer, last_sequence, previous_sequence, length(message_key), message_key",
    "select consumer, topic, topic_partition, next_offset, generation from inbox_position order by consumer",
)


MODES = {"marks": partial(with_mode, mode="high-water", dense=True), "positions": partial(with_mode, mode="offsets")}
"""An outbox with another mode of the inbox, by the package of its code."""


@contextmanager
def connected(place: dict[str, Any]) -> Iterator[Any]:
    """A connection of the library's."""
    address = {name: place[name] for name in ("host", "port", "user", "password")}
    if place["dialect"] == "postgres":
        with psycopg.connect(**address, dbname=place["database"], autocommit=True) as connection:
            yield connection
    else:
        with pymysql.connect(**address, database=place["database"], autocommit=True) as connection:
            yield connection


def expected(dialect: str, connection: Any) -> list[str]:
    """What the library answers to each step."""
    return [
        *(_mark(dialect, connection, *step) for step in MARKS),
        *(_offset(dialect, connection, *s) for s in OFFSETS),
    ]


def _mark(dialect: str, connection: Any, key: bytes | None, number: int, gaps: bool, fails: bool) -> str:
    inbox = Inbox(LIBRARY, HighWater(dense=True, start=1, accept_gaps=gaps), dialect)
    message = InboxMessage(TOPIC, PARTITION, 0, key, headers={"sequence": str(number).encode()})
    try:
        return "new" if inbox.once(connection, message, lambda: _fail(fails)) else "duplicate"
    except SequenceGap:
        return "gap"
    except RuntimeError:
        return "undone"


def _offset(dialect: str, connection: Any, kind: str, offset: int, generation: int, fails: bool) -> str:
    mode, session = PartitionOffsets(), session_of(connection)
    inbox = Inbox(LIBRARY, mode, dialect)
    try:
        with session.transaction():
            if kind == "take":
                place = (TOPIC, PARTITION)
                return str(completed(mode.take(inbox.facts, inbox.table, LIBRARY, place, generation), session.execute))
            (is_new,) = completed(inbox.claim([InboxMessage(TOPIC, PARTITION, offset)], generation), session.execute)
            _fail(fails)
            return "new" if is_new else "duplicate"
    except PartitionFenced:
        return "fenced"
    except RuntimeError:
        return "undone"


def _fail(fails: bool) -> None:
    if fails:
        raise RuntimeError("undone")
