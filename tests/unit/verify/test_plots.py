"""Plots: everything in its box, and nothing drawn of nothing."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.findings.report import Plot
from outbox_kit.verify import plots
from outbox_kit.verify.checks.latency import Latency
from outbox_kit.verify.result import AggregateTrace, MessageTimes, Result
from tests.support.records import Record, examined, outbox_of
from tests.support.reports import rendered
from tests.unit.verify.replays import EVENTS, judged, log

MOMENTS = st.lists(st.integers(0, 2**41), min_size=2, max_size=50)


def inside(plot: Plot) -> bool:
    return all(
        -0.01 <= mark.x <= plots.WIDTH + 0.01 and -0.01 <= mark.y <= plots.HEIGHT + 0.01 and 0 <= mark.height <= 200.01
        for mark in plot.marks
    )


@given(MOMENTS, st.integers(0, 8))
def test_every_message_of_the_sample_is_in_a_bar(moments: list[int], thinned: int) -> None:
    plot = plots.rate(Result("shop", message_times=MessageTimes(moments, 1 << thinned)))
    assert (plot is None) == (len(set(moments)) == 1)
    assert plot is None or (inside(plot) and max(mark.height for mark in plot.marks) > plots.HEIGHT - 0.01)


@given(st.lists(st.tuples(st.integers(0, 2**41), st.integers(-5000, 10**7)), max_size=50))
def test_latencies_stay_in_their_box(points: list[tuple[int, int]]) -> None:
    most = max((took for _, took in points), default=0)
    plot = plots.latency(Latency(len(points), 0, 0, 0, most, tuple(sorted(points))))
    assert (plot is None) == (len(points) < 2)
    assert plot is None or inside(plot)


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(-9, 99), st.just("late")), min_size=1, max_size=20))
def test_a_trail_stays_in_its_box(points: list[tuple[int, int, str]]) -> None:
    assert inside(plots.trail(AggregateTrace("t", 0, "'1'", points)))


FIRST_MS, LAST_MS = 1_795_168_800_000, 1_795_172_399_000


def test_the_axis_of_time_reaches_from_the_first_message_to_the_last() -> None:
    """A sample need not contain the first and last messages; their timestamps are known by partition."""
    sample = [FIRST_MS + 60_000, FIRST_MS + 120_000]
    times = MessageTimes(sample, 4, (FIRST_MS, LAST_MS, FIRST_MS + 9000))
    page = rendered("html", Result("shop", message_times=times))
    plot = plots.rate(Result("shop", message_times=times))
    assert plot is not None
    assert (plot.left, plot.middle, plot.right) == (
        "2026-11-20 10:00:00 UTC",
        "2026-11-20 10:29:59 UTC",
        "2026-11-20 10:59:59 UTC",
    )
    assert all(label in page for label in (plot.left, plot.middle, plot.right, plot.top, plot.bottom))


@given(st.integers(2, 5000))
def test_the_axis_of_latencies_reaches_the_last_of_many(count: int) -> None:
    points = tuple((FIRST_MS + n * 1000, 5) for n in range(count))
    plot = plots.latency(Latency(count, 5, 5, 5, 5, points))
    assert plot is not None and inside(plot)
    assert (plot.left, plot.right) == (plots._clock(points[0][0]), plots._clock(points[-1][0]))
    assert (plot.top, plot.bottom) == ("10 ms", "1 ms")


def test_the_aggregate_with_late_events_is_shown_before_one_with_copies() -> None:
    one, two = EVENTS[:2]
    other = [replace(event, named=b"x") for event in (Record(number=3), Record(number=1))]
    _, replay, _ = judged(log(one, two, one, two, *other))
    assert [(trail.key, [kind for _, _, kind in trail.points]) for trail in replay.traces()] == [
        ("'x'", ["fresh", "late"]),
        ("'1'", ["fresh", "fresh", "again", "again"]),
    ]


def test_a_page_shows_what_was_found_and_what_came_from_a_key_is_text() -> None:
    points = [(0, 1, "fresh"), (1, 1, "again")]
    report = Result(
        "shop", traces=[AggregateTrace("t", 0, "'<script>'", points)], message_times=MessageTimes([1, 2000])
    )
    page = rendered("html", report)
    assert page.count("<figure>") == 2
    assert "&#39;&lt;script&gt;&#39;" in page and "http" not in page.replace("http-equiv", "")
    assert examined(outbox_of(), Record()).tally.moments()
