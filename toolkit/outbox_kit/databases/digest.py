"""A row and its message as one number, computed alike by a database and here. Pure.

The id and the compared parts are joined by a separator and hashed with SHA-256; the first 60 bits are the number, and
its low 12 bits the bucket. Nothing is assumed of the bits of an id: ids of any kind spread evenly over the buckets.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from outbox_kit.wire.parts import MessagePart

SEPARATOR = b"\x1f"
ABSENT = b"\x1e"  # stands for NULL, and for a header that is not there
BUCKETS = 4096
DIGITS = 15  # hexadecimal digits of the hash that are used: 60 bits, which a signed BIGINT holds
UNUSED_BITS = 4  # of the first eight bytes of the hash
FOLDED = ("uuid",)  # kinds of ids that are the same id in either case


def canonical(event_id: bytes, ids: str) -> bytes:
    """An id in the one form that it is compared in. ids: their kind, as `table.ids` has it."""
    return event_id.lower() if ids in FOLDED else event_id


def number(event_id: bytes, values: Iterable[bytes | None]) -> int:
    """The number of a row or a message, below 2**60.

    event_id: canonical. values: of the compared parts in their order, None for NULL; a payload comes last.
    """
    parts = list(values)
    text = SEPARATOR.join([event_id, *[ABSENT if value is None else value for value in parts]])
    is_odd = ABSENT in parts or text.count(SEPARATOR) != len(parts)
    if is_odd and ambiguous(parts):  # a database gives it another number: it is looked at more closely, which is exact
        text = repr((event_id, parts)).encode()
    return int.from_bytes(sha256(text).digest()[:8], "big") >> UNUSED_BITS


def ambiguous(values: Sequence[bytes | None]) -> bool:
    """Whether other values would be the same when they are joined: one is what stands for NULL, or has a separator."""
    return ABSENT in values or any(value is not None and SEPARATOR in value for value in values[:-1])


def short(value: bytes) -> str:
    """A long value as the few digits that stand for it where rows are compared one by one."""
    return sha256(value).hexdigest()[:16]


def is_binary(parts: Sequence[MessagePart]) -> bool:
    """Whether the last of some parts is bytes."""
    return bool(parts) and parts[-1].binary
