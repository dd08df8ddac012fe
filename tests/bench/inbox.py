"""`python -m tests.bench.inbox`: a message with its row in the inbox, against its effect alone.

Each round processes the same number of messages in every way, one after the other: the ratios are of one round. The ids
are random, which is the worst case for the index; UUIDs of version 7 are measured beside them. The remembered ids are
made by the server; its index is built after them.
"""

import argparse
import statistics
import time
import uuid
from collections.abc import Callable, Sequence

import psycopg

from outbox_kit.inbox import HighWater, Inbox, InboxMessage, MessageIds, PartitionOffsets
from outbox_kit.inbox.sessions import completed, session_of
from tests.bench.pipeline import stack

AT_ONCE = 5_000_000  # rows in one transaction
BATCH = 500
EFFECT = "insert into effect (number, note) values (%s, 'an effect of a message')"
TABLES = """
create table effect (number bigint, note text);
create table inbox (consumer text not null, message_id uuid not null, received_at timestamptz not null
    default clock_timestamp(), primary key (consumer, message_id));
create index on inbox using brin (received_at);
create table inbox_mark (consumer text, producer text, message_key text, last_sequence bigint,
    previous_sequence bigint, primary key (consumer, producer, message_key)) with (fillfactor = 70);
create table inbox_position (consumer text, topic text, topic_partition int, next_offset bigint, generation bigint,
    primary key (consumer, topic, topic_partition)) with (fillfactor = 70);
insert into inbox_position values ('billing', 'orders', 0, 0, 1);
"""
FILL = "insert into inbox select 'billing', gen_random_uuid(), now() from generate_series(1, {})"
Connection = psycopg.Connection[tuple[object, ...]]
Way = Callable[[Connection, Sequence[InboxMessage]], None]


def bare(connection: Connection, messages: Sequence[InboxMessage]) -> None:
    """A transaction for each effect."""
    for message in messages:
        with connection.transaction():
            connection.execute(EFFECT, (message.offset,))


def bare_batch(connection: Connection, messages: Sequence[InboxMessage]) -> None:
    """A transaction for many effects."""
    for first in range(0, len(messages), BATCH):
        with connection.transaction():
            for message in messages[first : first + BATCH]:
                connection.execute(EFFECT, (message.offset,))


def once(inbox: Inbox) -> Way:
    """A transaction for each effect with its row in the inbox."""

    def run(connection: Connection, messages: Sequence[InboxMessage]) -> None:
        session = session_of(connection)
        for message in messages:
            with session.transaction():
                (is_new,) = completed(inbox.claim([message], 1), session.execute)
                assert is_new
                connection.execute(EFFECT, (message.offset,))

    return run


def batch(inbox: Inbox) -> Way:
    """A transaction for many effects with their rows in the inbox."""

    def run(connection: Connection, messages: Sequence[InboxMessage]) -> None:
        session = session_of(connection)
        for first in range(0, len(messages), BATCH):
            part = messages[first : first + BATCH]
            with session.transaction():
                assert all(completed(inbox.claim(part, 1), session.execute))
                for message in part:
                    connection.execute(EFFECT, (message.offset,))

    return run


IDS = Inbox("billing", MessageIds())
WAYS: dict[str, tuple[Way, Way]] = {
    "message id": (once(IDS), bare),
    "message id of version 7": (once(IDS), bare),
    f"message ids, {BATCH} a transaction": (batch(IDS), bare_batch),
    "high-water mark": (once(Inbox("billing", HighWater())), bare),
    "offset": (once(Inbox("billing", PartitionOffsets())), bare),
    f"offsets, {BATCH} a transaction": (batch(Inbox("billing", PartitionOffsets())), bare_batch),
}
OF_IDS = [name for name in WAYS if "id" in name.split(",")[0]]


class Numbers:
    """Messages that did not occur before."""

    def __init__(self) -> None:
        self._next = 0

    def messages(self, count: int, *, ordered: bool) -> list[InboxMessage]:
        """ordered: whether their ids are UUIDs of version 7."""
        made = []
        for number in range(self._next, self._next + count):
            code = uuid.uuid4().int
            if ordered:
                code = (time.time_ns() // 1_000_000 << 80) | (7 << 76) | (code % 2**76)
            headers = {"id": str(uuid.UUID(int=code)).encode(), "sequence": str(number + 1).encode()}
            made.append(InboxMessage("orders", 0, number, str(number % 1000).encode(), headers=headers))
        self._next += count
        return made


def seconds(connection: Connection, way: Way, messages: Sequence[InboxMessage]) -> float:
    began = time.perf_counter()
    way(connection, messages)
    return time.perf_counter() - began


def compared(connection: Connection, names: Sequence[str], count: int, rounds: int, numbers: Numbers) -> None:
    """Print a ratio for each way: the median, the least and the greatest of the rounds."""
    for name in names:
        way, base = WAYS[name]
        ratios, rates = [], []
        for _ in range(rounds):
            messages = numbers.messages(count, ordered="version 7" in name)
            without = seconds(connection, base, messages)
            took = seconds(connection, way, messages)
            ratios.append(took / without)
            rates.append(count / took)
        print(
            f"  {name}: {statistics.median(ratios):.2f} times as long as the effect alone "
            f"({min(ratios):.2f} to {max(ratios):.2f}); {statistics.median(rates):,.0f} messages a second",
            flush=True,
        )


def fill(connection: Connection, count: int) -> None:
    """Remember so many ids."""
    connection.execute("alter table inbox drop constraint inbox_pkey")
    for first in range(0, count, AT_ONCE):
        connection.execute(FILL.format(min(AT_ONCE, count - first)).encode())
    connection.execute("set maintenance_work_mem = '1GB'")
    connection.execute("alter table inbox add primary key (consumer, message_id)")
    connection.execute("vacuum analyze inbox")


def main() -> None:
    """Print the ratios with an empty inbox and with many remembered ids."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--messages", type=int, default=5000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--remembered", type=int, default=80_000_000)
    chosen = arguments.parse_args()
    name, numbers = f"bench_{uuid.uuid4().hex[:6]}", Numbers()
    with stack() as endpoints, psycopg.connect(endpoints.dsn("postgres"), autocommit=True) as admin:
        admin.execute(f"create database {name}".encode())
        try:
            with psycopg.connect(endpoints.dsn(name), autocommit=True) as connection:
                connection.execute(TABLES.encode())
                compared(connection, OF_IDS[:1], chosen.messages, 1, numbers)  # warm
                print("an empty inbox:")
                compared(connection, [*WAYS], chosen.messages, chosen.rounds, numbers)
                began = time.perf_counter()
                fill(connection, chosen.remembered)
                took = time.perf_counter() - began
                (size,) = connection.execute("select pg_total_relation_size('inbox') / 1e9").fetchone() or (0,)
                print(f"{chosen.remembered:,} remembered ids ({size:.1f} GB, made in {took:.0f} s):")
                compared(connection, OF_IDS, chosen.messages, chosen.rounds, numbers)
        finally:
            admin.execute(f"drop database {name} with (force)".encode())


if __name__ == "__main__":
    main()
