"""Where a plot's marks go, in a box of 1000 by 200; the template draws them. Pure."""

import math
from collections import Counter

from outbox_kit.findings.report import Plot, PlotPoint
from outbox_kit.moments import moment
from outbox_kit.verify.checks.latency import Latency
from outbox_kit.verify.result import AggregateTrace, Result

WIDTH, HEIGHT = 1000, 200
BARS = 80
DOTS = 600  # more are no longer told apart


def rate(result: Result) -> Plot | None:
    """Messages over time, estimated from the sample; None where all came at once, or none did."""
    moments = result.message_times.moments
    if len(moments) < 2 or max(moments) == min(moments):
        return None
    begin, end = (bound((*moments, *result.message_times.ends)) for bound in (min, max))
    width = (end - begin) / BARS
    counts = Counter(min(int((at - begin) / width), BARS - 1) for at in moments)
    per_second = {n: count * result.message_times.weight * 1000 / width for n, count in counts.items()}
    highest = max(per_second.values())
    marks = [
        PlotPoint(
            n * WIDTH / BARS,
            HEIGHT * (1 - value / highest),
            WIDTH / BARS - 1,
            HEIGHT * value / highest,
            f"{_clock(begin + n * width)}: about {value:,.1f} messages per second",
        )
        for n, value in sorted(per_second.items())
    ]
    title = "Messages per second" + (", estimated from a sample" if result.message_times.weight > 1 else "")
    return Plot(title, marks, _clock(begin), _clock(end), f"{highest:,.1f}/s", "0/s", middle=_clock((begin + end) / 2))


def latency(measured: Latency | None) -> Plot | None:
    """The latency from row to message over time, on a logarithmic scale."""
    if measured is None or len(measured.points) < 2:
        return None
    step = max(1, len(measured.points) // DOTS)
    points = measured.points[::step]
    begin, end = points[0][0], max(measured.points[-1][0], points[0][0] + 1)
    highest = max(1, measured.most)

    def height(took: int) -> float:
        return HEIGHT * (1 - math.log10(max(took, 1)) / max(math.log10(highest), 1))

    marks = [
        PlotPoint((at - begin) / (end - begin) * WIDTH, height(took), label=f"{_clock(at)}: {took:,} ms")
        for at, took in points
    ]
    title, middle = "Latency from row to message, on a logarithmic scale", _clock((begin + end) / 2)
    return Plot(title, marks, _clock(begin), _clock(end), f"{max(highest, 10):,} ms", "1 ms", middle=middle)


def trail(trace: AggregateTrace) -> Plot:
    """The sequence numbers of an aggregate's events in the order of their offsets: increasing if they are in order."""
    numbers = [number for _, number, _ in trace.points]
    low, high = min(numbers), max(numbers)
    across = WIDTH / max(len(trace.points) - 1, 1)

    def height(number: int) -> float:
        return HEIGHT * (1 - (number - low) / max(high - low, 1))

    marks = [
        PlotPoint(n * across, height(number), label=f"offset {offset}: number {number}, {kind}", kind=kind)
        for n, (offset, number, kind) in enumerate(trace.points)
    ]
    path = " ".join(f"{'L' if n else 'M'}{mark.x:.1f} {mark.y:.1f}" for n, mark in enumerate(marks))
    first, last = trace.points[0][0], trace.points[-1][0]
    title = f"{trace.topic}-{trace.partition}, key {trace.key}"
    return Plot(title, marks, f"offset {first}", f"offset {last}", f"number {high}", f"number {low}", path=path)


def _clock(milliseconds: float) -> str:
    return moment(milliseconds, "%Y-%m-%d %H:%M:%S UTC")
