"""Calls of Kafka's admin API that are interrupted."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from confluent_kafka import TopicPartition
from confluent_kafka.admin import OffsetSpec  # type: ignore[attr-defined]

from outbox_kit.kafka.admin import Admin
from outbox_kit.signals import deferred
from tests.support.interruptions import interrupted


@contextmanager
def raising(number: int) -> Iterator[None]:
    """A signal raises KeyboardInterrupt within the block."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(number, interrupt)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_comes_behind_the_block(number: signal.Signals) -> None:
    reached = False
    with raising(number):
        with pytest.raises(KeyboardInterrupt), deferred():
            signal.raise_signal(number)
            signal.raise_signal(number)
            reached = True
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert reached


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with deferred():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_an_error_of_the_block_is_reported_where_nothing_interrupts() -> None:
    with pytest.raises(ValueError, match="as it is"), deferred():
        raise ValueError("as it is")


def test_a_call_that_is_interrupted_ends_with_the_interruption_and_nothing_else() -> None:
    admin = Admin({"bootstrap.servers": "127.0.0.1:1", "log_level": 0})
    places = {TopicPartition("orders", partition): OffsetSpec.latest() for partition in range(20)}

    def call() -> None:
        for _ in range(1000):  # an interruption of a destructor is lost
            admin.list_offsets(places, request_timeout=0.1)

    ends = interrupted(call, 100)
    assert set(ends) == {"KeyboardInterrupt"}, ends
