"""Where a plot's marks go, in a box of 1000 by 200; the template draws them. Pure."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.moments import moment
from outbox_kit.verify.loss import Latency
from outbox_kit.verify.result import Report, Trail

WIDTH, HEIGHT = 1000, 200
BARS = 80
DOTS = 600  # more are no longer told apart


@dataclass(frozen=True)
class Mark:
    """A bar or a dot. x, y: its left upper corner, or its middle. label: what it says when it is pointed at."""

    x: float
    y: float
    width: float = 0.0
    height: float = 0.0
    label: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Plot:
    """Marks with what stands at the ends of the axes. path: a line through some of the marks."""

    title: str
    marks: Sequence[Mark]
    left: str
    right: str
    top: str
    bottom: str = "0"
    path: str = ""


def rate(report: Report) -> Plot | None:
    """Messages over time, estimated from the sample; None where all came at once, or none did."""
    moments = report.moments
    if len(moments) < 2 or (span := max(moments) - min(moments)) == 0:
        return None
    begin, width = min(moments), span / BARS
    counts = Counter(min(int((at - begin) / width), BARS - 1) for at in moments)
    per_second = {n: count * report.weight * 1000 / width for n, count in counts.items()}
    most = max(per_second.values())
    marks = [
        Mark(
            n * WIDTH / BARS,
            HEIGHT * (1 - value / most),
            WIDTH / BARS - 1,
            HEIGHT * value / most,
            f"{_clock(begin + n * width)}: about {value:,.1f} a second",
        )
        for n, value in sorted(per_second.items())
    ]
    title = "Messages a second" + (", estimated from a sample" if report.weight > 1 else "")
    return Plot(title, marks, _clock(begin), _clock(begin + span), f"{most:,.1f}")


def latency(found: Latency | None) -> Plot | None:
    """From row to message over time, on a logarithmic scale."""
    if found is None or len(found.points) < 2:
        return None
    step = max(1, len(found.points) // DOTS)
    points = found.points[::step]
    begin, end = points[0][0], max(points[-1][0], points[0][0] + 1)
    most = max(1, found.most)

    def height(took: int) -> float:
        return HEIGHT * (1 - math.log10(max(took, 1)) / max(math.log10(most), 1))

    marks = [
        Mark((at - begin) / (end - begin) * WIDTH, height(took), label=f"{_clock(at)}: {took:,} ms")
        for at, took in points
    ]
    return Plot("Milliseconds from row to message", marks, _clock(begin), _clock(end), f"{max(most, 10):,}", "1")


def trail(found: Trail) -> Plot:
    """An aggregate's numbers in the order in which its events came: upwards, where all is well."""
    numbers = [number for _, number, _ in found.points]
    low, high = min(numbers), max(numbers)
    across = WIDTH / max(len(found.points) - 1, 1)

    def height(number: int) -> float:
        return HEIGHT * (1 - (number - low) / max(high - low, 1))

    marks = [
        Mark(n * across, height(number), label=f"offset {offset}: number {number}, {kind}", kind=kind)
        for n, (offset, number, kind) in enumerate(found.points)
    ]
    path = " ".join(f"{'L' if n else 'M'}{mark.x:.1f} {mark.y:.1f}" for n, mark in enumerate(marks))
    first, last = found.points[0][0], found.points[-1][0]
    title = f"{found.topic}-{found.partition}, key {found.key}"
    return Plot(title, marks, f"offset {first}", f"offset {last}", str(high), str(low), path)


def _clock(milliseconds: float) -> str:
    return moment(milliseconds, "%Y-%m-%d %H:%M:%S")
