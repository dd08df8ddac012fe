"""Interruptions that something else has kept."""

import signal
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import pytest

from outbox_kit.signals import deferred, remembered


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_that_was_ignored_comes_again() -> None:
    with remembered() as expect_none:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            expect_none()


def test_an_interruption_comes_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), remembered():
        signal.raise_signal(signal.SIGINT)


def test_one_that_was_deferred_is_remembered() -> None:
    with remembered() as expect_none:
        with suppress(KeyboardInterrupt), deferred():
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            expect_none()


def test_without_an_interruption_nothing_is_raised() -> None:
    with remembered() as expect_none:
        expect_none()


def test_an_ignored_signal_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with remembered() as expect_none:
        signal.raise_signal(signal.SIGINT)
        expect_none()


def test_another_thread_is_never_interrupted() -> None:
    reached: list[bool] = []

    def work() -> None:
        with remembered() as expect_none:
            expect_none()
            reached.append(True)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert reached
