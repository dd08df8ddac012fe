"""Relays that read a table, step by step, and what they have sent."""

import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import orjson
import psycopg

from outbox_kit.databases import servers
from outbox_kit.databases.failures import FailureTable
from outbox_kit.databases.polling import OutboxTable
from outbox_kit.relay.engine import Relay
from outbox_kit.relay.failing import Failing
from outbox_kit.relay.interface import SendResult, SendStatus
from outbox_kit.relay.lanes import Lanes
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.relay.sources.table import TableSource
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector
from tests.support.servers.mysql_connection import MySqlConnection
from tests.support.waiting import PATIENT_SECONDS

INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, 'OrderPlaced', %s)"
)
MANY = """
insert into outbox (id, aggregatetype, aggregateid, type, payload)
select gen_random_uuid(), 'Order', (n %% %s)::text, 'OrderPlaced', json_build_array((n %% %s)::text, n)
from generate_series(1, %s) n
"""
"""Events of some keys, twice their number, whose payloads are key and number; then the number of events."""
Connection = psycopg.Connection[tuple[Any, ...]] | MySqlConnection


SHORT_LEASE = 3.0
"""Seconds of a lease that a test lets end; a relay that still runs may be paused by a busy machine for two of them."""


class Recording:
    """A sink that keeps what is sent, and answers as a test wants it."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        """Acknowledged messages, in the order of their sending."""
        self.holds = False
        """Whether nothing is answered."""
        self.most: int | None = None
        """How many messages are answered at all; None for all."""
        self.refuses: Callable[[Message], bool] = lambda _: False
        self.problem = ""
        self._pending: list[tuple[Message, Any]] = []

    def send(self, message: Message, receipt: Any) -> bool:
        self._pending.append((message, receipt))
        return True

    def results(self, seconds: float) -> Sequence[SendResult]:
        if self.holds:
            time.sleep(min(seconds, 0.002))
            return []
        count = len(self._pending) if self.most is None else max(0, self.most - len(self.sent))
        pending, self._pending = self._pending[:count], self._pending[count:]
        blocked: set[tuple[str, bytes | None]] = set()
        results = []
        for message, receipt in pending:
            lane = (message.topic, message.key)
            if lane in blocked:
                results.append(SendResult(receipt, SendStatus.unsent))
            elif self.refuses(message):
                blocked.add(lane)
                results.append(SendResult(receipt, SendStatus.refused, "of a test"))
            else:
                self.sent.append(message)
                results.append(SendResult(receipt, SendStatus.delivered))
        return results

    def refusal(self) -> None:
        return None

    def close(self) -> None:
        self._pending.clear()


class Stepped:
    """A relay of which a test makes each round."""

    def __init__(
        self, outbox: Outbox, dsn: str, sink: Recording, *, lease: float = 15.0, most_rows: int = 5000
    ) -> None:
        server = servers.get(outbox.database.dialect)
        assert server.polled is not None and server.failures is not None
        self.sink, self.lines = sink, list[str]()
        self.table: OutboxTable = server.polled(dsn, outbox)
        self.source = TableSource(
            outbox, self.table, connector.config(outbox), self.lines.append, lease_seconds=lease, most_rows=most_rows
        )
        self.failures: FailureTable = server.failures(dsn, outbox, self.source.owned)
        lanes, self.progress = Lanes(outbox), RelayProgress()
        failing = Failing(self.failures, lanes, outbox.delivery.attempts, self.progress)
        self.source.on_claim, self.source.at_rest = failing.refresh, failing.at_rest
        self.relay = Relay(
            self.source, sink, self.failures, lanes, failing, self.progress, self.lines.append, lambda: False
        )

    def open(self) -> "Stepped":
        self.source.open()
        self.relay.failing.begin(self.source.position())
        return self

    def step(self) -> None:
        self.relay._step()

    def stop(self) -> None:
        """End as after SIGTERM."""
        self.relay._drain()
        self.table_stopped()

    def table_stopped(self) -> None:
        self.failures.stopped()
        self.relay._closed()

    def dropped(self) -> None:
        """What the engine does after an error."""
        self.relay._closed()

    def kill(self) -> None:
        """End as after SIGKILL: the connection is gone, nothing is stored."""
        self.table._kept.close()  # type: ignore[attr-defined]
        self.table._kept = None  # type: ignore[attr-defined]
        self.source._cursors.clear()
        self.relay._closed()

    @property
    def unstored(self) -> int:
        """Rows that were read and are not stored as published."""
        return sum(len(batch.ids) for cursor in self.source._cursors for batch in cursor.batches)

    @property
    def owned(self) -> set[int]:
        return set(self.source.owned())


def drive(relays: Sequence[Stepped], condition: Callable[[], object], seconds: float = PATIENT_SECONDS) -> None:
    """Make rounds of relays until a condition holds."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, [(len(relay.sink.sent), relay.lines, relay.owned) for relay in relays]
        for relay in relays:
            relay.step()


def write(connection: Connection, key: str, number: int) -> None:
    """Insert an event; its payload is key and number."""
    connection.execute(INSERT, (uuid.uuid4(), key, orjson.dumps([key, number]).decode()))


def numbers(sent: Sequence[Message], key: str | None = None) -> list[Any]:
    """The payloads' numbers in the order of sending; of one key, or each with its key."""
    pairs = [orjson.loads(message.value or b"") for message in sent]
    return [number for each, number in pairs if each == key] if key is not None else [tuple(pair) for pair in pairs]


def first_copies(sent: Sequence[Message]) -> dict[str, list[int]]:
    """The numbers of each key, without what was sent again."""
    by_key: dict[str, list[int]] = {}
    for key, number in dict.fromkeys(numbers(sent)):
        by_key.setdefault(key, []).append(number)
    return by_key


class Aggregates:
    """Aggregates that writers change: each change locks its row, and writes an event with the new version."""

    def __init__(self, connect: Callable[[], Connection], keys: int) -> None:
        self._connect, self._keys, self._stopped = connect, keys, threading.Event()
        self._threads: list[threading.Thread] = []
        with connect() as connection:
            connection.execute("create table aggregate (name varchar(20) primary key, version int not null)")
            connection.execute("create table other (n int)")
            with connection.cursor() as cursor:
                cursor.executemany("insert into aggregate values (%s, 0)", [(f"k{n}",) for n in range(keys)])

    @contextmanager
    def written(self, writers: int, seed: int) -> Iterator[None]:
        """Writers that run for the length of a block."""
        self._threads = [threading.Thread(target=self._write, args=(seed + n,)) for n in range(writers)]
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            for thread in self._threads:
                thread.join()

    def versions(self) -> dict[str, list[int]]:
        """What must have been sent of each key."""
        with self._connect() as connection:
            rows = connection.execute("select name, version from aggregate where version > 0").fetchall()
        return {key: list(range(1, version + 1)) for key, version in rows}

    def _write(self, seed: int) -> None:
        chance = random.Random(seed)
        with self._connect() as connection:
            while not self._stopped.is_set():
                with connection.transaction(force_rollback=chance.random() < 0.15):
                    if chance.random() < 0.3:  # takes its transaction's number before it waits for the aggregate
                        connection.execute("insert into other values (1)")
                    self._change(connection, chance)
                    if chance.random() < 0.1:
                        time.sleep(chance.random() * 0.2)
                connection.commit()
                time.sleep(chance.random() * 0.01)

    def _change(self, connection: Connection, chance: random.Random) -> None:
        for key in sorted({f"k{chance.randrange(self._keys)}" for _ in range(chance.randint(1, 3))}):
            with connection.transaction(force_rollback=chance.random() < 0.2):  # a savepoint
                connection.execute("update aggregate set version = version + 1 where name = %s", (key,))
                done = connection.execute("select version from aggregate where name = %s", (key,)).fetchone()
                assert done is not None
                write(connection, key, done[0])
