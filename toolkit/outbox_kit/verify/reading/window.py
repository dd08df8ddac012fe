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
    """Where a reading begins, or ends. One of these; none of them is the log's own beginning, or its present end."""

    back: int | None = None
    """So many offsets before the end."""
    milliseconds: int | None = None
    """Since 1970."""
    offsets: Offsets | None = None
    """By topic and partition."""
    began_ms: int | None = None
    """When the reading began that ended at these offsets, in milliseconds since 1970: it has judged the rows that were
    there.
    """


@dataclass(frozen=True)
class Window:
    """A part of a log."""

    start: Bound = field(default_factory=Bound)
    end: Bound = field(default_factory=Bound)

    @property
    def start_overridden(self) -> bool:
        """Whether it begins elsewhere than the log does."""
        return self.start != Bound()


def offsets(places: Mapping[tuple[str, int], int]) -> dict[str, dict[str, int]]:
    """Offsets of partitions, as a file keeps them."""
    by_topic: dict[str, dict[str, int]] = {}
    for (topic, partition), offset in sorted(places.items()):
        by_topic.setdefault(topic, {})[str(partition)] = offset
    return by_topic


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
            raise UsageProblem(
                f"invalid time '{value}': expected ISO 8601", fix="write ts:2026-11-20T10:00:00Z"
            ) from None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return Bound(milliseconds=int(moment.timestamp() * 1000))
    if kind == "offsets" and offsets is not None:
        places = offsets.get("offsets") if isinstance(offsets, dict) and offsets.get("schema") == SCHEMA else None
        is_valid = isinstance(places, dict) and all(
            isinstance(partitions, dict)
            and all(p.isdigit() and isinstance(n, int) and n >= 0 for p, n in partitions.items())
            for partitions in places.values()
        )
        began_ms = offsets.get("began_ms") if is_valid else None
        if not is_valid or type(began_ms) is not int:
            raise UsageProblem(
                "invalid offsets file: expected the file of --offsets-out",
                where=value,
                fix="write one: outbox-kit verify --offsets-out FILE",
            )
        return Bound(offsets=places, began_ms=began_ms)
    raise UsageProblem(f"invalid position '{text}'", fix=f"write {WORDS}")


def within(window: Window, ranges: Sequence[Range], log: Any) -> list[Range]:
    """The part of each range that lies in a window. log: a Log, which knows where a moment is."""
    starts, ends = (_offsets(limit, ranges, log) for limit in (window.start, window.end))
    limited = []
    for r, start, end in zip(ranges, starts, ends, strict=True):
        begin = r.start if start is None else min(max(r.start, start), r.end)
        limited.append(replace(r, start=begin, end=r.end if end is None else max(begin, min(r.end, end))))
    return limited


def _offsets(limit: Bound, ranges: Sequence[Range], log: Any) -> list[int | None]:
    """The offset that a bound means in each range."""
    if limit.back is not None:
        return [r.end - limit.back for r in ranges]
    if limit.milliseconds is not None:
        offsets = log.at([(r.topic, r.partition) for r in ranges], limit.milliseconds)
        return [offsets.get((r.topic, r.partition), r.end) for r in ranges]
    if limit.offsets is not None:
        return [limit.offsets.get(r.topic, {}).get(str(r.partition)) for r in ranges]
    return [None] * len(ranges)
