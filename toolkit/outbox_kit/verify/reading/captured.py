"""Captured messages as a log of their own: what a unit test made, what `kcat -J` printed, what `preview` said."""

import base64
import binascii
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.errors import BadMessages
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Progress, Range, Reading
from outbox_kit.kafka.record import Headers, Record
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.routes import Routes

MOST_PARTITIONS = 100_000  # of a topic; no cluster has as many


@dataclass(frozen=True)
class CapturedMessage:
    """A message, with the methods by which the client's own is read."""

    place: tuple[str, int, int]
    own_key: bytes | None
    own_value: bytes | None
    own_headers: Headers
    milliseconds: int

    def key(self) -> bytes | None:
        """The key's bytes."""
        return self.own_key

    def value(self) -> bytes | None:
        """The value's bytes."""
        return self.own_value

    def headers(self) -> Headers:
        """The headers in their order."""
        return self.own_headers

    def offset(self) -> int:
        """The offset, or the message's number in its partition."""
        return self.place[2]

    def timestamp(self) -> tuple[int, int]:
        """As the client gives it: a type, and milliseconds since 1970."""
        return 1, self.milliseconds


class CapturedLog:
    """A log of captured messages."""

    all_topics = True
    """Every topic in it is examined."""
    partitioned = True
    """Whether the partition of a message says anything."""
    exact_times = True
    """Whether the time of a message is exact to the millisecond."""

    def __init__(self, outbox: Outbox, records: Sequence[CapturedMessage]) -> None:
        self.source = "captured messages"
        self._partitions: defaultdict[tuple[str, int], list[CapturedMessage]] = defaultdict(list)
        self._least = outbox.connect.topics.partitions
        self._topics = dict.fromkeys(Routes(outbox).topics, self._least)
        self.add(records)

    def add(self, records: Sequence[CapturedMessage]) -> None:
        """Add messages behind those that are there."""
        for record in records:
            self._partitions[record.place[:2]].append(record)
        for messages in self._partitions.values():
            messages.sort(key=CapturedMessage.offset)
        for topic, partition in self._partitions:
            self._topics[topic] = max(self._topics.get(topic, self._least), partition + 1)

    def topics(self) -> dict[str, int]:
        """The declared topics, which a capture need not hold, and those of the messages."""
        return self._topics

    def hidden(self, names: Sequence[str]) -> dict[str, str]:  # noqa: ARG002 - a Log's
        """A capture hides nothing."""
        return {}

    def settings(self, names: Sequence[str]) -> dict[str, dict[str, str] | None]:  # noqa: ARG002 - a Log's
        """A capture says nothing of its topics' settings."""
        return {}

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        """A capture begins where it begins."""
        ends = {place: messages[-1].offset() + 1 for place, messages in self._partitions.items()}
        return [Range(topic, partition, 0, ends.get((topic, partition), 0)) for topic, partition in partitions]

    def at(self, partitions: Sequence[tuple[str, int]], milliseconds: int) -> dict[tuple[str, int], int]:
        """The first message at or after a moment."""
        later = (
            (
                topic_partition,
                [m.offset() for m in self._partitions.get(topic_partition, ()) if m.milliseconds >= milliseconds],
            )
            for topic_partition in partitions
        )
        return {topic_partition: offsets[0] for topic_partition, offsets in later if offsets}

    def read(self, reading: Reading, deadline: float) -> Iterator[tuple[str, int, list[Record]]]:  # noqa: ARG002
        """Every message of the ranges."""
        reading.progress = {(r.topic, r.partition): Progress(r, r.end, done=True) for r in reading.ranges}
        for topic, partition in reading.progress:
            if (topic, partition) in self._partitions:
                planned = reading.progress[topic, partition].planned
                messages = self._partitions[topic, partition]
                yield (
                    topic,
                    partition,
                    [message for message in messages if planned.start <= message.offset() < planned.end],
                )


def messages(text: str, outbox: Outbox) -> CapturedLog:
    """The messages of a text: a JSON array, or JSON documents one after the other. Raises BadMessages.

    Each has a topic, key, headers and value; partition, offset and timestamp where they are known. Headers are an
    object, pairs, or `kcat -J`'s flat list; a value may be `payload`. Bytes that are no text are {"base64": ...} or
    {"hex": ...}; an object as value is its compact JSON.
    """
    numbers: defaultdict[tuple[str, int], int] = defaultdict(int)
    messages = []
    for number, raw in enumerate(_documents(text), 1):
        try:
            messages.append(_captured(raw, outbox, numbers))
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as cause:
            why = f"'{cause.args[0]}' is missing" if isinstance(cause, KeyError) else str(cause)
            raise BadMessages(f"invalid message {number}", why=why, fix=SHAPE) from None
    return CapturedLog(outbox, messages)


SHAPE = (
    'write each message as {"topic": ..., "key": ..., "headers": {...}, "value": ...}, or use the output of kcat -J '
    "or of outbox-kit preview --format json"
)


def _documents(text: str) -> Iterator[Any]:
    decoder, at, text = json.JSONDecoder(), 0, text.lstrip("\ufeff")
    try:
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            document, at = decoder.raw_decode(text, at)
            if isinstance(document, dict) and isinstance(document.get("messages"), list):
                document = document["messages"]  # as `preview --format json` prints them
            yield from document if isinstance(document, list) else [document]
    except (ValueError, RecursionError) as cause:
        raise BadMessages("invalid captured messages: expected JSON", why=str(cause), fix=SHAPE) from None


def _captured(raw: Any, outbox: Outbox, numbers: defaultdict[tuple[str, int], int]) -> CapturedMessage:
    if not isinstance(raw, Mapping):
        raise TypeError(f"expected an object, found {type(raw).__name__}")
    topic, key = str(raw["topic"]), _bytes(raw.get("key"))
    raw_partition = raw.get("partition")
    home = partition_of(key, outbox.connect.topics.partitions) if key else 0
    partition = home if raw_partition is None else _within("partition", raw_partition, MOST_PARTITIONS)
    offset = numbers[topic, partition] if raw.get("offset") is None else _within("offset", raw["offset"], 2**63 - 1)
    numbers[topic, partition] = offset + 1
    value = raw["value"] if "value" in raw else raw.get("payload")
    stamp = raw.get("timestamp", raw.get("ts")) or 0
    return CapturedMessage(
        (topic, partition, offset), key, _bytes(value), _headers(raw.get("headers") or []), int(stamp)
    )


def _within(name: str, raw: Any, end: int) -> int:
    number = int(raw)
    if not 0 <= number < end:
        raise ValueError(f"invalid {name} {number}: expected 0 to {end - 1}")
    return number


def _headers(raw: Any) -> Headers:
    if isinstance(raw, Mapping):
        return [(str(name), _bytes(value)) for name, value in raw.items()]
    if not isinstance(raw, list):
        raise TypeError("invalid headers: expected an object or a list")
    if all(isinstance(header, Mapping) for header in raw):
        return [(str(header["name"]), _bytes(header.get("value"))) for header in raw]
    if all(isinstance(header, list) and len(header) == 2 for header in raw):
        return [(str(name), _bytes(value)) for name, value in raw]
    return [(str(name), _bytes(value)) for name, value in zip(raw[::2], raw[1::2], strict=True)]


def _bytes(raw: Any) -> bytes | None:
    """A value as it is on the wire."""
    match raw:
        case None:
            return None
        case str():
            return raw.encode("utf-8", "surrogatepass")
        case {"base64": str(text), **rest} if not rest:
            return _decoded(text)
        case {"hex": str(text), **rest} if not rest:
            return bytes.fromhex(text)
    return json.dumps(raw, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as cause:
        raise ValueError(f"invalid base64: {cause}") from None
