"""The outcome of a row, as text for a terminal and as JSON for programs."""

import json
from collections.abc import Mapping
from typing import Any

from outbox_kit.moments import calendar
from outbox_kit.router.chain import Failed, Message, Nondeterministic, Outcome, Unknown, VaryingBytes
from outbox_kit.router.values import Dropped
from outbox_kit.wire.send import NOT_YET_MS

DROPPED = {
    "delete": "dropped: a DELETE of an outbox row is not an event",
    "update": "dropped, with a warning in the log of the worker: an UPDATE of an outbox row is not an event",
    "tombstone": "dropped: a tombstone of the outbox table",
    "filter": "dropped by the transformation Filter",
}


UNROUTED = "the change event as the connector sends it, which is not predicted"


def plain(outcome: Outcome, partitions: int | None) -> dict[str, Any]:
    """An outcome for programs. partitions: the topic's number of partitions, which determines that of the key."""
    match outcome:
        case Message() if not outcome.routed:
            return {"outcome": "unrouted", "topic": outcome.topic, "reason": UNROUTED}
        case Message():
            return {"outcome": "message", **_message(outcome, partitions)}
        case Dropped(reason):
            return {"outcome": "dropped", "reason": reason}
        case Failed(stage, kind, message):
            return {"outcome": "failed", "stage": stage, "error": kind, "message": message}
        case Nondeterministic(outcomes):
            return {"outcome": "undefined", "possible": [plain(outcome, partitions) for outcome in outcomes]}
        case Unknown(reason):
            return {"outcome": "unknown", "reason": reason}


def _message(message: Message, partitions: int | None) -> dict[str, Any]:
    place = message.partition_of(partitions) if partitions else message.partition
    return {
        "topic": message.topic,
        "partition": place,
        "key": _content_text(message.key),
        "headers": [_header(name, value) for name, value in (*message.context, *message.headers)],
        "value": _content_text(message.value),
        "timestamp": None if message.timestamp == NOT_YET_MS else message.timestamp,
    }


def _header(name: str, value: bytes | VaryingBytes | None) -> dict[str, Any]:
    """A header; in place of a value that varies, what it is and the pattern of its text."""
    if isinstance(value, VaryingBytes):
        return {"name": name, "value": None, "varies": value.text.what, "pattern": value.text.pattern}
    return {"name": name, "value": _content_text(value)}


def _content_text(content: bytes | None) -> Any:
    """The text of UTF-8 bytes; other bytes as hexadecimal digits with a mark."""
    if content is None:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"hex": content.hex()}


def text(outcome: Outcome, partitions: int | None) -> str:
    """An outcome for a terminal."""
    match outcome:
        case Message() if not outcome.routed:
            return f"  topic      {outcome.topic}  (unrouted: it bypasses the event router)\n  value      {UNROUTED}\n"
        case Message():
            return _lines(outcome, partitions)
        case Dropped(reason):
            return f"  {DROPPED.get(reason, reason)}\n"
        case Failed(stage, kind, message):
            return f"  the task fails: {kind}: {message}\n  at        {STAGES[stage]}\n"
        case Nondeterministic(outcomes):
            head = f"  not determined by the row: the hash order of the JVM decides between {len(outcomes)} outcomes\n"
            return head + "".join(f"  {n}.\n{text(outcome, partitions)}" for n, outcome in enumerate(outcomes, 1))
        case Unknown(reason):
            return f"  cannot be predicted: {reason}\n"


STAGES = {
    "configure": "the start of the task",
    "transformation": "the event router",
    "header": "the header converter",
    "key": "the key converter",
    "value": "the value converter",
    "producer": "the producer",
}


def _lines(message: Message, partitions: int | None) -> str:
    facts: Mapping[str, str] = {
        "topic": message.topic,
        "partition": _partition(message, partitions),
        "key": _line(message.key),
        **{f"header {name}": _header_line(value) for name, value in (*message.context, *message.headers)},
        "value": _line(message.value) if message.value is not None else "null (a tombstone)",
        "timestamp": _moment(message.timestamp),
    }
    width = max(map(len, facts))
    return "".join(f"  {name:<{width}}  {value}\n" for name, value in facts.items())


def _moment(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "when the producer sends the message"
    if milliseconds == NOT_YET_MS:
        return "when Debezium reads the row"
    if (at := calendar(milliseconds)) is None:
        return f"{milliseconds} ms since 1970"
    return f"{at.isoformat(timespec='milliseconds')}  ({milliseconds} ms since 1970)"


def _partition(message: Message, partitions: int | None) -> str:
    if message.partition is not None:
        return f"{message.partition}, from the row"
    if message.key is None:
        return "any: the message has no key"
    if partitions is None:
        return "by the hash of the key"
    return f"{message.partition_of(partitions)} of {partitions}, by the hash of the key"


def _header_line(value: bytes | VaryingBytes | None) -> str:
    return f"({value.text.what})" if isinstance(value, VaryingBytes) else _line(value)


def _line(content: bytes | None) -> str:
    content_text = _content_text(content)
    if content_text is None:
        return "null"
    if isinstance(content_text, dict):
        return f"{len(content or b'')} bytes: {content_text['hex']}"
    return (
        content_text
        if content_text.isprintable() and content_text.strip()
        else json.dumps(content_text, ensure_ascii=False)
    )
