"""When a table is looked at."""

from outbox_kit.relay.sources.pace import (
    AT_REST_SECONDS,
    GAP_SECONDS,
    LONGEST_SECONDS,
    MOST_LOST,
    SHORTEST_SECONDS,
    UNREQUESTED_SECONDS,
    Pace,
)


def test_pauses_grow_while_there_are_no_rows_and_are_short_after_rows() -> None:
    pace, now, pauses = Pace(), 0.0, []
    assert pace.remaining(now) == 0
    for _ in range(8):
        pace.polled(now, 0)
        pauses.append(pace.remaining(now))
        now += pauses[-1]
    assert pauses == sorted(pauses) and pauses[-1] == LONGEST_SECONDS
    pace.polled(0.0, 1)
    assert pace.remaining(0.0) == SHORTEST_SECONDS


def test_a_wake_up_shortens_the_pause_but_not_below_the_gap() -> None:
    pace = Pace()
    pace.polled(0.0, 0)
    pace.woken()
    assert pace.remaining(0.0) == GAP_SECONDS and pace.remaining(GAP_SECONDS) == 0


def test_pauses_stay_short_until_wake_ups_are_requested() -> None:
    pace = Pace(GAP_SECONDS)
    assert not pace.is_quiet
    pace.polled(0.0, 0, may_rest=False)
    assert pace.is_quiet and pace.remaining(0.0) == 0
    for _ in range(20):
        pace.polled(0.0, 0, may_rest=False)
        assert pace.is_quiet and GAP_SECONDS <= pace.remaining(0.0) <= UNREQUESTED_SECONDS < AT_REST_SECONDS
    pace.polled(0.0, 1, may_rest=False)
    assert pace.lost == 0 and not pace.is_quiet and pace.remaining(0.0) == GAP_SECONDS
    for _ in range(20):
        pace.polled(0.0, 0)
    assert pace.remaining(0.0) == LONGEST_SECONDS
    pace.woken()
    assert not pace.is_quiet


def test_rows_at_rest_without_wake_ups_mean_that_these_are_lost() -> None:
    pace, now = Pace(), 0.0
    for _ in range(MOST_LOST):
        assert not pace.without_wakeups
        for _ in range(8):
            pace.polled(now, 0)
        pace.polled(now, 3)
    assert pace.without_wakeups
    pace.woken()
    assert not pace.without_wakeups


def test_rows_soon_after_others_need_no_wake_up() -> None:
    pace = Pace()
    for n in range(100):
        pace.polled(n * SHORTEST_SECONDS, 5)
    assert pace.lost == 0
