"""A batch of records as columns, each looked at with one call; anything unusual is for a closer look. Pure."""

import binascii
from array import array
from collections.abc import Mapping, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from outbox_kit.databases.digest import ABSENT, SEPARATOR, UNUSED_BITS, number
from outbox_kit.kafka.record import Record
from outbox_kit.verify.state.mix import mixed

UUID_SHAPE = b"0" * 8 + (b"-" + b"0" * 4) * 3 + b"-" + b"0" * 12
TO_SHAPE = bytes.maketrans(b"0123456789abcdefABCDEF", b"0" * 22)
Column = Sequence[bytes | None]


class NeedsReview(Exception):
    """Not everything in a batch is as usual."""


def headers(records: Sequence[Record]) -> Mapping[str, Column]:
    """The headers of a batch by name; None where a record lacks one. Raises NeedsReview for a repeated one."""
    listed = [record.headers() or () for record in records]
    columns: dict[str, Column] = {}
    if len(set(map(len, listed))) == 1:
        for column in zip(*listed, strict=True):
            names, values = zip(*column, strict=True)
            if len(set(names)) > 1:
                break
            columns[names[0]] = values
        else:
            if len(columns) < len(listed[0]):
                raise NeedsReview
            return columns
    by_record = [dict(headers) for headers in listed]
    if sum(map(len, listed)) > sum(map(len, by_record)):
        raise NeedsReview
    return {
        name: [headers.get(name) for headers in by_record]
        for name in {name for headers in by_record for name in headers}
    }


def ids(texts: Column) -> NDArray[np.uint64]:
    """UUIDs in 64 bits, as `hash_of_id` has them. Raises NeedsReview if one is not a UUID."""
    if None in texts:
        raise NeedsReview
    joined = b"".join(texts)  # type: ignore[arg-type]
    if joined.translate(TO_SHAPE) != UUID_SHAPE * len(texts):
        raise NeedsReview
    halves = np.frombuffer(binascii.unhexlify(joined.replace(b"-", b"")), ">u8").astype(np.uint64)
    return mixed(mixed(halves[::2]) ^ halves[1::2])


def numbers(texts: Column) -> NDArray[np.int64]:
    """Sequence numbers. Raises NeedsReview if one is not a number, or is negative."""
    if None in texts or b"" in texts or not b"".join(texts).isdigit():  # type: ignore[arg-type]
        raise NeedsReview
    try:
        return np.frombuffer(array("q", map(int, texts)), np.int64)  # type: ignore[arg-type]
    except (OverflowError, ValueError):  # too large for 64 bits, or too long to be worth a number
        raise NeedsReview from None


def digests(ids: Column, parts: Sequence[Column]) -> NDArray[np.uint64]:
    """The numbers of messages; see `databases.digest`. ids: canonical. parts: of each message, in their order."""
    joined = (b"".join(filter(None, part)) for part in parts[:-1])
    if any(ABSENT in part for part in parts) or any(SEPARATOR in text for text in joined):  # see `digest.ambiguous`
        numbers = (number(event_id or b"", values) for event_id, *values in zip(ids, *parts, strict=True))
        return np.fromiter(numbers, np.uint64, len(ids))
    texts = [[ABSENT if value is None else value for value in part] if None in part else part for part in (ids, *parts)]
    join = SEPARATOR.join
    hashes = b"".join([sha256(join(row)).digest()[:8] for row in zip(*texts, strict=True)])
    return np.frombuffer(hashes, ">u8").astype(np.uint64) >> np.uint64(UNUSED_BITS)
