"""Dead letters and waiting lanes as tables and as JSON. Pure."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from outbox_kit.databases.failures import StoredEvent, WaitingLane
from outbox_kit.printable import counted, printable

WIDEST = 60
"""Columns of a terminal for a value in a table."""
LONGEST_CAUSE, LONGEST_VALUE = 160, 2000
HEADS = ("number", "failed at", "lane", "event id", "topic", "attempts", "cause")
LANE_HEADS = ("lane", "waiting", "oldest", "number", "event id", "attempts", "next attempt", "cause")


def lane_shown(lane: str) -> str:
    """A lane as JSON of printable characters, which `lane_of` reads."""
    return "".join(c if c.isprintable() else _escaped(c) for c in lane)


def lane_of(text: str) -> str | None:
    """The lane that a JSON array means, whatever its spaces and escapes are; None if it is no array."""
    try:
        parts = orjson.loads(text)
        return orjson.dumps(parts).decode() if isinstance(parts, list) else None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None


def table(events: Sequence[StoredEvent]) -> Iterator[str]:
    """Dead letters as the lines of a table."""
    yield from _aligned(HEADS, [_cells(event) for event in events])


def lanes_table(waiting: Sequence[WaitingLane]) -> Iterator[str]:
    """Waiting lanes as the lines of a table."""
    yield from _aligned(LANE_HEADS, [_lane_cells(lane) for lane in waiting])


def details(event: StoredEvent) -> Iterator[str]:
    """Everything about an event as lines; long values are cut."""
    failure = event.failure
    facts = {
        "number": str(failure.number),
        "state": _state(event),
        "lane": lane_shown(failure.lane),
        "event id": printable(failure.event_id),
        "topic": "none" if failure.topic is None else printable(failure.topic),
        "attempts": str(failure.attempts),
        "failed at": _time(event.failed_at),
        "tried at": _time(event.tried_at) if event.tried_at else "never",
        "cause": printable(failure.cause),
    }
    yield from (f"{name:<10} {_first(value, LONGEST_VALUE)}" for name, value in facts.items())
    yield "row"
    row = _parsed(failure.row_text)
    for column, text in row.items() if isinstance(row, dict) else [("text", row)]:
        yield f"  {printable(column)} = {'NULL' if text is None else _first(printable(str(text)), LONGEST_VALUE)}"


def document(event: StoredEvent, *, row: bool = False) -> dict[str, Any]:
    """An event as JSON. row: whether with its row."""
    failure = event.failure
    shown = {
        "number": failure.number,
        "lane": _parsed(failure.lane),
        "event_id": failure.event_id,
        "topic": failure.topic,
        "attempts": failure.attempts,
        "dead": failure.dead,
        "failed_at": _time(event.failed_at),
        "tried_at": _time(event.tried_at) if event.tried_at else None,
        "send_at": None if failure.dead else _time(event.send_at),
        "cause": failure.cause,
    }
    return {**shown, "row": _parsed(failure.row_text)} if row else shown


def lane_document(lane: WaitingLane) -> Mapping[str, Any]:
    """A waiting lane as JSON."""
    shown = {"waiting": lane.depth, "oldest_seconds": round(lane.seconds, 3), "first": document(lane.first)}
    return {"lane": _parsed(lane.first.failure.lane), "parked": lane.first.failure.dead, **shown}


def _parsed(text: str) -> Any:
    """What a text means as JSON; the text if it is none, because the table was written by hand."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _cells(event: StoredEvent) -> Sequence[str]:
    failure = event.failure
    texts = (lane_shown(failure.lane), printable(failure.event_id), printable(failure.topic or "none"))
    return str(failure.number), _time(event.failed_at), *texts, str(failure.attempts), printable(failure.cause)


def _lane_cells(lane: WaitingLane) -> Sequence[str]:
    failure = lane.first.failure
    following = "dead letter" if failure.dead else _time(lane.first.send_at)
    texts = (str(failure.number), printable(failure.event_id), str(failure.attempts), following)
    return lane_shown(failure.lane), str(lane.depth), _age(lane.seconds), *texts, printable(failure.cause)


def _aligned(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table without lines; empty if it has no rows."""
    if not rows:
        return
    lines = [heads, *([*(_first(cell, WIDEST) for cell in row[:-1]), _first(row[-1], LONGEST_CAUSE)] for row in rows)]
    widths = [max(map(_width, column)) for column in list(zip(*lines, strict=True))[:-1]]
    for *cells, last in lines:
        padded = [cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)]
        yield "  ".join([*padded, last]).rstrip()


def _first(text: str, most: int) -> str:
    """The beginning of a text that has more columns of a terminal than a limit."""
    if len(text) <= most and _width(text) <= most:
        return text
    end, width = 0, 0
    while end < len(text) and (width := width + _width(text[end])) <= most:
        end += 1
    return f"{text[:end]}... ({counted(len(text), 'character')})"


def _width(text: str) -> int:
    """How many columns of a terminal a printable text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def _escaped(character: str) -> str:
    """A character as JSON escapes it."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _state(event: StoredEvent) -> str:
    return "dead letter" if event.failure.dead else f"waits: next attempt at {_time(event.send_at)} at the earliest"


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _age(seconds: float) -> str:
    """A duration in its two largest units."""
    left = max(0, round(seconds))
    days, left = divmod(left, 86_400)
    hours, left = divmod(left, 3600)
    minutes, left = divmod(left, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (left, "s")]
    first = next((place for place, (number, _) in enumerate(parts) if number), len(parts) - 1)
    return " ".join(f"{number} {unit}" for number, unit in parts[first : first + 2])
