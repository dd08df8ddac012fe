"""Which part of a log is read: from where, and up to where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.kafka.read import Range

Offsets = Mapping[str, Mapping[str, int]]
SCHEMA = "outbox-kit/offsets/v1"
WORDS = "beginning, end-1000, ts:2026-11-20T10:00:00Z or offsets:FILE"


@dataclass(frozen=True)
class Bound:
    """Where a reading begins, or ends. One of these; none of them is the log's own beginning, or its present end.

    back: so many offsets before the end. milliseconds: since 1970. offsets: by topic and partition. begun: when the
    reading began that ended at these offsets, in milliseconds since 1970: it has judged the rows that were there.
    """

    back: int | None = None
    milliseconds: int | None = None
    offsets: Offsets | None = None
    begun: int | None = None


@dataclass(frozen=True)
class Window:
    """A part of a log."""

    start: Bound = field(default_factory=Bound)
    end: Bound = field(default_factory=Bound)

    @property
    def chosen(self) -> bool:
        """Whether it begins elsewhere than the log does."""
        return self.start != Bound()


def offsets(places: Mapping[tuple[str, int], int]) -> dict[str, dict[str, int]]:
    """Offsets of partitions, as a file keeps them."""
    found: dict[str, dict[str, int]] = {}
    for (topic, partition), offset in sorted(places.items()):
        found.setdefault(topic, {})[str(partition)] = offset
    return found


def bound(text: str, offsets: Any = None) -> Bound:
    """What a word says; offsets: of the file, where it names one. Raises UsageProblem."""
    kind, _, value = text.partition(":")
    if text in ("beginning", "now"):
        return Bound()
    if text.startswith("end-") and text[4:].isdigit():
        return Bound(back=int(text[4:]))
    if kind == "ts":
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise UsageProblem(f"'{value}' is no time", fix="write it as ts:2026-11-20T10:00:00Z") from None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return Bound(milliseconds=int(moment.timestamp() * 1000))
    if kind == "offsets" and offsets is not None:
        places = offsets.get("offsets") if isinstance(offsets, dict) and offsets.get("schema") == SCHEMA else None
        whole = isinstance(places, dict) and all(
            isinstance(own, dict) and all(p.isdigit() and isinstance(n, int) and n >= 0 for p, n in own.items())
            for own in places.values()
        )
        begun = offsets.get("began_ms") if whole else None
        if not whole or type(begun) is not int:
            raise UsageProblem("the file holds no offsets", where=value, fix="let verify write one: --offsets-out")
        return Bound(offsets=places, begun=begun)
    raise UsageProblem(f"'{text}' is no place in a log", fix=f"write {WORDS}")


def within(window: Window, ranges: Sequence[Range], log: Any) -> list[Range]:
    """The part of each range that lies in a window. log: a Log, which knows where a moment is."""
    starts, ends = (_offsets(one, ranges, log) for one in (window.start, window.end))
    found = []
    for r, start, end in zip(ranges, starts, ends, strict=True):
        begin = r.start if start is None else min(max(r.start, start), r.end)
        found.append(replace(r, start=begin, end=r.end if end is None else max(begin, min(r.end, end))))
    return found


def _offsets(one: Bound, ranges: Sequence[Range], log: Any) -> list[int | None]:
    """The offset that a bound means in each range."""
    if one.back is not None:
        return [r.end - one.back for r in ranges]
    if one.milliseconds is not None:
        found = log.at([(r.topic, r.partition) for r in ranges], one.milliseconds)
        return [found.get((r.topic, r.partition), r.end) for r in ranges]
    if one.offsets is not None:
        return [one.offsets.get(r.topic, {}).get(str(r.partition)) for r in ranges]
    return [None] * len(ranges)
