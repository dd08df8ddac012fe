"""What stands before a payload whose schema is in a registry, and what can be wrong with such a payload. Pure."""

import uuid
from enum import StrEnum

BY_ID, BY_GUID = b"\0", b"\1"
ID_BYTES, GUID_BYTES = 4, 16


class Fault(StrEnum):
    """What is wrong: no frame; a schema that is not there, or is of another kind; a schema that cannot be had; a body
    that its own schema does not read; or one that it reads and does not allow.
    """

    unframed = "unframed"
    unknown = "unknown"
    silent = "silent"
    unreadable = "unreadable"
    broken = "broken"


class Unread(ValueError):
    """A payload that means nothing. expected and actual: for a finding, and never a payload's values."""

    def __init__(self, fault: Fault, expected: str, actual: str) -> None:
        super().__init__(fault, expected, actual)
        self.fault, self.expected, self.actual = fault, expected, actual


def schema(value: bytes) -> str | None:
    """The schema that a frame names; None where there is no frame."""
    magic, rest = value[:1], value[1:]
    if magic == BY_ID and len(rest) > ID_BYTES:
        return f"schema id {int.from_bytes(rest[:ID_BYTES], 'big')}"
    if magic == BY_GUID and len(rest) > GUID_BYTES:
        return f"schema {uuid.UUID(bytes=rest[:GUID_BYTES])}"
    return None


def required(value: bytes) -> str:
    """As `schema`. Raises Unread where there is no frame."""
    if (schema_id := schema(value)) is None:
        raise Unread(Fault.unframed, "the wire format of a Schema Registry", f"{len(value)} bytes without it")
    return schema_id


def recognised(value: bytes) -> bytes:
    """A framed payload as it is, if it cannot be decoded. Raises Unread."""
    required(value)
    return value
