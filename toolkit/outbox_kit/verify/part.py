"""A part of a log, read and examined: all of it by one process, or some partitions by each of several."""

import time
from collections.abc import Callable

from outbox_kit.kafka.read import Reading
from outbox_kit.verify.examine import Examination
from outbox_kit.verify.result import Log

PROGRESS_SECONDS = 5.0


def examine(log: Log, examination: Examination, reading: Reading, deadline: float, tell: Callable[[int], None]) -> None:
    """Examine the records of a reading. deadline: by time.monotonic(). tell: is told how many there were, at times."""
    done, told = 0, time.monotonic()
    for topic, partition, records in log.read(reading, deadline):
        examination.take(topic, partition, records)
        done += len(records)
        if time.monotonic() - told > PROGRESS_SECONDS:
            told = time.monotonic()
            tell(done)
