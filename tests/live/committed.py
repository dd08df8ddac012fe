"""Writers whose transactions overlap, the events that they have committed, and what of them is on a topic."""

import random
import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import Consumer

from outbox_kit.stack import Stack
from tests.support.threads import beside
from tests.support.waiting import PATIENT_SECONDS

LONGEST = 20  # rows of a transaction
INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, 'OrderPlaced', '{}')"
)


@dataclass
class Committed:
    """The events of each key, in the order of their commits."""

    connect: Callable[[], Any]
    """Opens a connection in which statements are committed together."""
    keys: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def ids(self) -> set[str]:
        return {event_id for ids in self.keys.values() for event_id in ids}

    @contextmanager
    def late(self, key: str) -> Iterator[Callable[[], None]]:
        """A transaction with rows, of which a savepoint took some back; what is given commits it."""
        kept, undone = (str(uuid.uuid4()) for _ in range(2))
        with self.connect() as connection:
            connection.execute(INSERT, (kept, key))
            connection.execute("savepoint s")
            connection.execute(INSERT, (undone, key))
            connection.execute("rollback to savepoint s")

            def commit() -> None:
                connection.commit()
                self.keys[key].append(kept)

            yield commit

    @contextmanager
    def written(self, seed: int, writers: int = 3) -> Iterator[None]:
        """Transactions of one and of many rows that overlap, some rolled back, each writer with keys of its own."""

        def write(number: int, ended: threading.Event) -> None:
            chance = random.Random(seed + number)
            with self.connect() as connection:
                while not ended.is_set():
                    rows = []
                    for _ in range(chance.choice((1, 1, 3, LONGEST))):
                        rows.append((f"{number}-{chance.randrange(5)}", str(uuid.uuid4())))
                        connection.execute(INSERT, (rows[-1][1], rows[-1][0]))
                        time.sleep(chance.choice((0, 0.002, 0.01)))
                    if chance.random() < 0.1:
                        connection.rollback()
                        continue
                    connection.commit()
                    for key, event_id in rows:
                        self.keys[key].append(event_id)

        with beside(write, writers):
            yield

    def duplicates(self, stack: Stack, topic: str) -> int:
        """How many events were published twice, when all have arrived, each key's in its order."""
        ids = self.ids
        arrived = arrivals(stack, topic, ids)
        found = {event_id for _, event_id in arrived}
        assert (ids - found, found - ids) == (set(), set())
        first: dict[str, list[str]] = defaultdict(list)
        seen: set[str] = set()
        for key, event_id in arrived:
            if event_id not in seen:
                first[key].append(event_id)
                seen.add(event_id)
        assert dict(first) == {key: list(ids) for key, ids in self.keys.items()}
        return len(arrived) - len(seen)


def arrivals(stack: Stack, topic: str, ids: set[str]) -> Sequence[tuple[str, str]]:
    """Keys and ids of a topic, each partition in its order, until these ids are there and nothing follows."""
    group = {"group.id": str(uuid.uuid4()), "auto.offset.reset": "earliest"}
    consumer = Consumer({"bootstrap.servers": stack.bootstrap, **group})
    consumer.subscribe([topic])
    found: list[tuple[str, str]] = []
    deadline, quiet = time.monotonic() + PATIENT_SECONDS, 0
    while time.monotonic() < deadline and (not ids <= {event_id for _, event_id in found} or quiet < 4):
        batch = consumer.consume(5000, 0.5)
        quiet = 0 if batch else quiet + 1
        for message in batch:
            if not message.error():
                found.append((message.key().decode(), dict(message.headers())["id"].decode()))
    consumer.close()
    return found
