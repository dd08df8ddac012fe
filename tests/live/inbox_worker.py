"""A consumer in a process of its own, for tests that kill it; its effects are rows of the table `effect`."""

import functools
import json
import logging
import os
import sys
import time
from typing import Any

import psycopg

from outbox_kit.inbox import HighWater, Inbox, InboxMessage, MessageIds, PartitionOffsets
from outbox_kit.inbox.consumer import Consumer, ConsumerLimits
from outbox_kit.inbox.queues import Backoff

MODES = {"message-id": MessageIds(), "high-water": HighWater(dense=True, start=1), "offsets": PartitionOffsets()}
failed: set[int] = set()


def handle(connection: Any, message: InboxMessage, mode: str) -> None:
    """One effect; every seventh message fails at its first attempt after its effect was written, some are slow."""
    number = int(message.value or b"0")
    connection.execute(f'insert into "effect {mode}" (worker, number) values (%s, %s)', (os.getpid(), number))
    if number % 7 == 0 and number not in failed:
        failed.add(number)
        raise RuntimeError("an error of the handler")
    if number % 50 == 0:
        time.sleep(0.05)


def connect(dsn: str) -> Any:
    """A connection whose locks a frozen process does not hold for long."""
    return psycopg.connect(
        dsn,
        autocommit=True,
        options="-c lock_timeout=3s -c idle_in_transaction_session_timeout=3s -c statement_timeout=10s",
    )


def main() -> None:
    """Consume until SIGTERM."""
    logging.basicConfig(level=logging.WARNING)
    given = json.loads(sys.argv[1])
    handle_mode = functools.partial(handle, mode=given["mode"])
    limits = ConsumerLimits(batch=20, backoff=Backoff(first=0.02, limit=0.5))
    inbox = Inbox("billing", MODES[given["mode"]])
    consumer = Consumer(
        given["settings"], [given["topic"]], inbox, lambda: connect(given["dsn"]), handle_mode, limits=limits
    )
    consumer.run(signals=True)
    print(json.dumps(vars(consumer.counts)))


if __name__ == "__main__":
    main()
