"""The age of what is not confirmed, by the times at which the log had its ends."""

import math

from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.exporter import position_log
from outbox_kit.exporter.position_log import Distance, LogEntry, PositionLog, Unconfirmed


def log_of(*entries: tuple[float, int, int | None]) -> PositionLog:
    log = PositionLog()
    for entry in entries:
        log.add(LogEntry(*entry))
    return log


def test_nothing_is_known_of_an_empty_log() -> None:
    assert PositionLog().unconfirmed(0) is None


def test_everything_is_confirmed_at_the_end_of_the_log() -> None:
    assert log_of((0, 100, 5), (15, 200, 9)).unconfirmed(200) == Unconfirmed(0, 0)


def test_the_oldest_event_was_written_after_the_last_entry_without_it() -> None:
    log = log_of((0, 100, 5), (15, 200, 5), (30, 300, 5), (45, 400, 7), (60, 500, 8))
    assert log.unconfirmed(150) == Unconfirmed(60 - 30, 3)


def test_a_log_that_grows_by_other_tables_has_no_pending_events() -> None:
    assert log_of((0, 100, 5), (15, 200, 5)).unconfirmed(150) == Unconfirmed(0, 0)


def test_without_a_number_of_inserts_the_age_is_that_of_the_log() -> None:
    assert log_of((0, 100, None), (15, 200, None), (40, 300, None)).unconfirmed(200) == Unconfirmed(25, None)


def test_before_the_first_entry_only_lower_limits_are_known() -> None:
    log = log_of((0, 100, 5), (15, 200, 9))
    assert log.unconfirmed(50) == Unconfirmed(15, 4, is_least=True)


def test_the_log_of_another_server_begins_again() -> None:
    for entry in ((15, 50, 9), (15, 200, 1), (-1, 200, 9)):
        assert log_of((0, 100, 5), entry).unconfirmed(10) == Unconfirmed(0, 0, is_least=True)


def test_the_number_of_entries_is_limited() -> None:
    log = log_of(*((float(n), n, n) for n in range(3 * position_log.MOST_ENTRIES)))
    assert len(log._entries) <= position_log.MOST_ENTRIES
    unconfirmed = log.unconfirmed(position_log.MOST_ENTRIES)
    assert unconfirmed is not None and not unconfirmed.is_least


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 3)), min_size=1), st.integers(0, 300))
def test_an_age_is_between_that_of_the_row_and_one_scrape_more(
    steps: list[tuple[int, int, int]], confirmed: int
) -> None:
    """Rows are written right after the entry before; so their age is at most that of this entry."""
    at = end = inserted = 0
    entries, rows = [(0.0, 0, 0)], list[tuple[float, int]]()
    for seconds, size, count in steps:
        rows += [(float(at), end + 1)] * (count if size else 0)
        at, end, inserted = at + seconds, end + size, inserted + (count if size else 0)
        entries.append((float(at), end, inserted))
    unconfirmed = log_of(*entries).unconfirmed(confirmed)
    assert unconfirmed is not None
    pending = [written for written, position in rows if position > confirmed]
    if pending:
        assert unconfirmed.oldest_seconds >= at - pending[0] and (unconfirmed.pending or 0) >= len(pending)
    else:
        assert unconfirmed.oldest_seconds <= at - (rows[-1][0] if rows else 0) or unconfirmed.pending == 0


def test_a_distance_that_decreases_has_an_end() -> None:
    distance = Distance()
    assert distance.seconds_left(0, 1000) is None
    assert distance.seconds_left(10, 900) == 90
    assert distance.seconds_left(20, 1100) == math.inf
    assert distance.seconds_left(5, 1100) is None  # another server's clock
