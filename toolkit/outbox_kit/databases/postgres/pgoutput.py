"""The messages of `pgoutput`, version 1 of its protocol, as far as an outbox has them. Pure.

After the chapter "Logical Replication Message Formats" of PostgreSQL's documentation. All numbers are big-endian; texts
are in the client's encoding, which is UTF-8 here.
"""

import struct
from typing import NamedTuple

from outbox_kit.errors import DatabaseRefused

EPOCH_2000 = 946_684_800
BEGIN, COMMIT, RELATION, INSERT, MESSAGE = b"BCRIM"
COMMIT_END = struct.Struct(">xBqq")  # type, flags, commit LSN, end LSN
BEGIN_HEAD = struct.Struct(">xqqI")  # type, LSN of the commit, its time, transaction
RELATION_ID = struct.Struct(">xI")
COLUMN_TYPE = struct.Struct(">Ii")
MESSAGE_HEAD = struct.Struct(">xBq")
COUNT = struct.Struct(">H")
LENGTH = struct.Struct(">I")
NULL, TEXT = b"nt"
FIRST_VALUE = 8  # of an INSERT: type, relation, 'N', the number of columns


class RelationColumn(NamedTuple):
    """A column as the log describes it."""

    name: str
    type_oid: int
    type_modifier: int
    """-1 if the type has none."""


class RelationHead(NamedTuple):
    """A table as the log describes it, before the first row that has these columns."""

    oid: int
    schema: str
    name: str
    columns: tuple[RelationColumn, ...]


class BegunTransaction(NamedTuple):
    """A transaction whose rows follow."""

    commit: int
    """The position of its commit in the log."""
    committed: float
    """When it was committed, in seconds since 1970."""
    number: int
    """Its number, without the epoch."""


class LogicalMessage(NamedTuple):
    """What `pg_logical_emit_message` has written."""

    prefix: str
    content: bytes
    transactional: bool


def commit_end(data: bytes) -> int:
    """The position behind a transaction, of its COMMIT."""
    end: int = COMMIT_END.unpack_from(data)[2]
    return end


def begun(data: bytes) -> BegunTransaction:
    """A BEGIN."""
    commit, microseconds, number = BEGIN_HEAD.unpack_from(data)
    return BegunTransaction(commit, microseconds / 1e6 + EPOCH_2000, number)


def relation_of(data: bytes) -> int:
    """The relation of an INSERT, by its OID."""
    oid: int = RELATION_ID.unpack_from(data)[0]
    return oid


def relation(data: bytes) -> RelationHead:
    """A RELATION message."""
    oid = relation_of(data)
    schema, at = _text(data, RELATION_ID.size)
    name, at = _text(data, at)
    (count,) = COUNT.unpack_from(data, at + 1)  # the replica identity is before it
    at += 1 + COUNT.size
    columns = []
    for _ in range(count):
        column, at = _text(data, at + 1)  # the flags are before it
        columns.append(RelationColumn(column, *COLUMN_TYPE.unpack_from(data, at)))
        at += COLUMN_TYPE.size
    return RelationHead(oid, schema or "pg_catalog", name, tuple(columns))


def inserted(data: bytes) -> list[bytes | None]:
    """The texts of the row of an INSERT; None for NULL. Raises DatabaseRefused for a value that is not sent as text."""
    texts: list[bytes | None] = []
    add, length_at, at, end = texts.append, LENGTH.unpack_from, FIRST_VALUE, len(data)
    while at < end:
        kind = data[at]
        if kind == TEXT:
            start = at + 5
            at = start + length_at(data, at + 1)[0]
            add(data[start:at])
        elif kind == NULL:
            add(None)
            at += 1
        else:
            raise DatabaseRefused(f"the replication stream has a value of the unknown kind {chr(kind)!r}")
    return texts


def logical_message(data: bytes) -> LogicalMessage:
    """A MESSAGE."""
    flags, _ = MESSAGE_HEAD.unpack_from(data)
    prefix, at = _text(data, MESSAGE_HEAD.size)
    (length,) = LENGTH.unpack_from(data, at)
    start = at + LENGTH.size
    return LogicalMessage(prefix, data[start : start + length], bool(flags & 1))


def _text(data: bytes, start: int) -> tuple[str, int]:
    """A text that ends with a zero byte, and where the next value begins."""
    end = data.index(0, start)
    return data[start:end].decode(), end + 1
