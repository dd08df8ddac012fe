"""Writers of an outbox of the events of `made`, beside a block of a test."""

import random
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.live.conftest import Database
from tests.support.threads import beside

LONGEST = 30  # rows of a transaction
BETWEEN_TRANSACTIONS = 0.02  # seconds: so that a slow worker keeps up
INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, 'OrderPlaced', '{}')"
)


@contextmanager
def writers(database: Database, seed: int) -> Iterator[None]:
    """Transactions of one and of many rows that overlap, some rolled back, each with keys of its own."""

    def write(number: int, ended: threading.Event) -> None:
        chance = random.Random(seed + number)
        with psycopg.connect(database.dsn) as connection:
            while not ended.is_set():
                for _ in range(chance.choice((1, 1, 3, LONGEST))):
                    connection.execute(INSERT, (uuid.uuid4(), f"{number}-{chance.randrange(5)}"))
                    time.sleep(chance.choice((0, 0, 0.002)))
                connection.rollback() if chance.random() < 0.1 else connection.commit()
                time.sleep(BETWEEN_TRANSACTIONS)

    with beside(write, 3):
        yield
