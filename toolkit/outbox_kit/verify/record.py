"""One record of a topic: its coordinates, its event, and its texts as reports show them. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from outbox_kit.findings.finding import RecordLocation
from outbox_kit.kafka.record import Record
from outbox_kit.printable import printable
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE
from outbox_kit.verify.transitions import NO_NUMBER

if TYPE_CHECKING:
    from outbox_kit.verify.checks import Check

Headers = Mapping[str, bytes | None]
Violations = Iterator[tuple["Check", str, str]]
"""What is wrong with a record: the check, what was expected, and what was there; never a payload's values."""

CANARY = (CANARY_AGGREGATE.encode(), CANARY_TYPE.encode())
STANDARD = ("id", "eventType", "aggregateType", "sequence")
"""The headers of every outbox, by the names that the generated connector config gives them."""
CONTEXT_HEADERS = "__debezium."
"""The prefix of Debezium's context headers, where they were not switched off."""
UUID = re.compile(rb"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
ID_PATTERNS = {
    "uuid": UUID,
    "bigint": re.compile(rb"-?[0-9]{1,19}"),
    "objectid": re.compile(rb"[0-9a-f]{24}"),
    "text": re.compile(rb"[^\x00-\x20\x7f]{1,255}"),
}
SHOWN_BYTES = 36  # of an id
SHOWN_NAME = 100  # characters


def location(topic: str, partition: int, record: Record) -> RecordLocation:
    """A record's coordinates."""
    return RecordLocation(topic, partition, record.offset())


def event_names(headers: Headers) -> Any:
    """The type of the aggregate and of the event, as the headers have them."""
    return headers.get("aggregateType"), headers.get("eventType")


def is_event(headers: Headers) -> bool:
    """Whether a record is an event: it has an id, and is no canary."""
    return bool(headers.get("id")) and event_names(headers) != CANARY


def number(text: bytes | None) -> int:
    """A header's text as a number; NO_NUMBER if it is not one that a BIGINT can hold."""
    digits = (text or b"").removeprefix(b"-")
    value = int(text or b"") if digits.isdigit() and len(digits) < 20 else NO_NUMBER
    return value if -(2**63) < value < 2**63 else NO_NUMBER


def encoded(text: bytes) -> bool:
    """Whether a key or a header is anything but a column's plain text."""
    if text[:1] in (b'"', b"{", b"\x00") or b"java.nio.HeapByteBuffer" in text:
        return True
    try:
        return not text.isascii() and not text.decode()
    except UnicodeDecodeError:
        return True


def shown(value: bytes | None, most: int = SHOWN_BYTES) -> str:
    """The first bytes for a report: as text if they are text, else in hexadecimal. most: how many."""
    if value is None:
        return "null"
    first = value[:most]
    try:
        text = repr(first.decode())
    except UnicodeDecodeError:
        text = f"0x{first.hex()}"
    return text + ("..." if len(value) > most else "")


def shown_name(header: str) -> str:
    """A header's name for a report, on one line."""
    return printable(header if len(header) <= SHOWN_NAME else header[:SHOWN_NAME] + "...")
