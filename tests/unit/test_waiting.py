"""What a command waits for is reported, and since when."""

import time

import pytest

from outbox_kit.waiting import WaitReports
from tests.support.waiting import until


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def waits(lines: list[str]) -> WaitReports:
    """Reports at once, and often."""
    return WaitReports(first=0.0, interval=0.02, tick=0.01, listener=lines.append)


def test_a_wait_is_reported_until_it_ends(waits: WaitReports, lines: list[str]) -> None:
    with waits.waiting_for("Kafka at localhost:9092"):
        until(lambda: len(lines) > 2, "several reports")
    assert lines[0] == "waiting for Kafka at localhost:9092: 0 s"
    with waits.waiting_for("another"):
        until(lambda: any("another" in line for line in lines), "the next wait is reported")
        count = len(lines)
        until(lambda: len(lines) > count + 2, "more reports")
    assert all("another" in line for line in lines[count:])


def test_the_innermost_wait_is_reported(waits: WaitReports, lines: list[str]) -> None:
    with waits.waiting_for("outer"), waits.waiting_for("inner"):
        until(lambda: bool(lines), "a report")
    assert "inner" in lines[0]


def test_a_wait_of_many_short_ones_is_reported(lines: list[str]) -> None:
    waits = WaitReports(first=0.2, interval=0.2, tick=0.01, listener=lines.append)

    def short_waits() -> bool:
        with waits.waiting_for("an answer"):
            time.sleep(0.03)
        return len(lines) > 2

    with waits.waiting_for("the connector to catch up"):
        until(short_waits, "reports")
    assert all(line.startswith("waiting for the connector to catch up: ") for line in lines)


def test_after_a_report_the_waits_around_it_are_silent_for_the_interval(lines: list[str]) -> None:
    waits = WaitReports(first=0.1, interval=3600.0, tick=0.01, listener=lines.append)
    with waits.waiting_for("outer"), waits.waiting_for("inner"):
        until(lambda: bool(lines), "a report")
        time.sleep(0.2)
    assert len(lines) == 1, lines


def test_a_wait_after_a_reported_one_is_reported_within_the_interval(lines: list[str]) -> None:
    """Between two waits there is no silence as long as the first one's."""
    waits = WaitReports(first=0.05, interval=0.1, tick=0.01, listener=lines.append)
    assert waits._first_report() == waits.first
    with waits.waiting_for("anything"):
        until(lambda: bool(lines), "a report")
    waits.first = 3600.0
    assert waits._first_report() <= waits.interval


def test_a_wait_after_one_that_was_not_reported_is_reported_sooner() -> None:
    waits = WaitReports(first=3.0, interval=4.0)
    with waits.waiting_for("Kafka"):
        time.sleep(1.2)
    assert waits._first_report() <= 2.8
    waits._ended -= 60.0
    assert waits._first_report() == 3.0, "it follows no other wait"


def test_a_short_wait_is_not_reported(lines: list[str]) -> None:
    waits = WaitReports(first=3600.0, tick=0.001, listener=lines.append)
    with waits.waiting_for("anything"):
        until(lambda: waits._reporter is not None, "the thread runs")
    assert lines == []


def test_nothing_is_reported_without_a_listener() -> None:
    waits = WaitReports(first=0.0)
    with waits.waiting_for("anything"):
        assert waits._reporter is None


def test_a_wait_ends_with_an_exception(waits: WaitReports) -> None:
    with pytest.raises(ValueError, match="x"), waits.waiting_for("anything"):
        raise ValueError("x")
    assert waits._waits == []


def test_a_wait_does_not_end_while_it_is_reported() -> None:
    """The stream of a command may be closed after its last wait."""
    calls: list[str] = []

    def listen(_: str) -> None:
        calls.append("begun")
        time.sleep(0.1)
        calls.append("ended")

    waits = WaitReports(first=0.0, interval=3600.0, tick=0.01, listener=listen)
    with waits.waiting_for("Kafka"):
        until(lambda: calls, "the report")
    assert calls == ["begun", "ended"]
