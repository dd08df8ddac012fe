"""Waiting for what another process does."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]

PATIENT_SECONDS = 300.0  # no more than a limit: on a busy machine everything takes several times as long
POLL_SECONDS, LONGEST_POLL_SECONDS = 0.05, 0.5  # a question that is asked often takes the time of what it waits for


def until(condition: Callable[[], object], what: str = "the condition", seconds: float = PATIENT_SECONDS) -> None:
    """Wait until a condition holds. what: its name. Raises AssertionError after so many seconds."""
    deadline, pause = time.monotonic() + seconds, POLL_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"{what}: not within {seconds:.0f} s"
        time.sleep(pause)
        pause = min(pause * 1.2, LONGEST_POLL_SECONDS)


@contextmanager
def longest_pause() -> Iterator[list[float]]:
    """How late this machine runs a thread that is due: seconds of each of its turns, while the block runs."""
    ended, late = threading.Event(), [0.0]

    def sample() -> None:
        while not ended.is_set():
            began = time.monotonic()
            ended.wait(POLL_SECONDS)
            late.append(max(0.0, time.monotonic() - began - POLL_SECONDS))

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    try:
        yield late
    finally:
        ended.set()
        sampler.join()


def create_topics(admin: AdminClient, *names: str, partitions: int, **config: str) -> None:
    """Create topics of one replica and wait until the brokers list them: that is later than the answer.

    config: the topics' settings; "_" in a name stands for ".".
    """
    settings = {name.replace("_", "."): value for name, value in config.items()}
    for done in admin.create_topics([NewTopic(name, partitions, 1, config=settings) for name in names]).values():
        done.result()
    until(lambda: set(names) <= _listed(admin, partitions), f"the topics {', '.join(names)} are listed")


def _listed(admin: AdminClient, partitions: int) -> set[str]:
    """The topics whose partitions all have a leader."""
    topics = admin.list_topics(timeout=30).topics
    led = {name: [one for one in topic.partitions.values() if one.leader >= 0] for name, topic in topics.items()}
    return {name for name, leaders in led.items() if len(leaders) == partitions}
