"""What the application of a chaos test writes."""

import random
import time
import uuid
from typing import Any

INSERT = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
    values (%s, 'Order', %s, 'OrderPlaced', %s)"""
LOCK = "update aggregate set version = version + 1 where id = %s"
WRITERS = 4
PAUSE_SECONDS = 0.08  # at most, from one transaction to the next
LONG_RELAYS, LONG_WRITERS = 4, 8  # of a run with --chaos


def transaction(connection: Any, chance: random.Random) -> None:
    """One that locks its aggregates before it writes: late commits, rollbacks, savepoints."""
    keys = sorted(chance.sample(range(40), chance.randint(1, 3)))  # in one order, against deadlocks
    for key in keys:
        connection.execute(LOCK, (key,))
        for _ in range(chance.randint(1, 3)):
            connection.execute(INSERT, (uuid.uuid4(), str(key), "{}"))
    if chance.random() < 0.2:
        with connection.transaction(force_rollback=True):
            connection.execute(INSERT, (uuid.uuid4(), str(keys[0]), "{}"))
    if chance.random() < 0.3:
        time.sleep(chance.uniform(0, 0.2))
    if chance.random() < 0.1:
        connection.rollback()
    else:
        connection.commit()
