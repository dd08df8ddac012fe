"""What each message must be, made ready once from the schema file. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from outbox_kit.schema.model import Event, Header, Outbox
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE

Pair = tuple[bytes, bytes]


@dataclass(frozen=True)
class EventContract:
    """One declared event. topic: None where an extra column decides it row by row. valid: the payload's test."""

    event: Event
    topic: str | None
    valid: Callable[[Any], bool] | None
    validator: Any


@dataclass(frozen=True)
class HeaderContract:
    """What one header must look like. matches: None if any text will do."""

    name: str
    required: bool
    values: frozenset[bytes]
    matches: re.Pattern[str] | None

    def holds(self, value: bytes | None) -> bool:
        """Whether a value is beyond doubt; what is not is looked at closely."""
        if value is None:
            return not self.required
        plain = value[:1] not in (b'"', b"{") and (not self.values or value in self.values)
        return plain and (self.matches is None or bool(self.matches.fullmatch(value.decode(errors="replace"))))


@dataclass(frozen=True)
class Contract:
    """The whole outbox. events: by the bytes of the headers aggregateType and eventType."""

    outbox: Outbox
    events: dict[Pair, EventContract]
    headers: tuple[HeaderContract, ...]
    names: tuple[str, ...]
    sequence: bool
    keyed: bool
    binary: bool
    route_header: str | None


def contract(outbox: Outbox) -> Contract:
    """Everything that the examination of a message needs, looked up and compiled."""
    headers = [placement for placement in outbox.placements if placement.to == "header"]
    optional = {column.alias or column.name for column in outbox.table.extra if not column.required}
    ruled = {header.name: header for header in outbox.headers}
    known = [placement.name for placement in headers]
    checked = [
        HeaderContract(
            name,
            (ruled[name].required if name in ruled else True) and name not in optional,
            frozenset(value.encode() for value in ruled[name].values) if name in ruled else frozenset(),
            _matches(name, ruled.get(name)),
        )
        for name in dict.fromkeys([*known, *ruled])
        if name not in ("eventType", "aggregateType", "sequence", "id")
    ]
    return Contract(
        outbox=outbox,
        events={_pair(event): _event(outbox, event) for event in outbox.events},
        headers=tuple(checked),
        names=("id", *known),
        sequence=outbox.ordering.sequence is not None,
        keyed=not any(placement.to == "partition" for placement in outbox.placements),
        binary=outbox.table.payload == "bytes",
        route_header=next((p.name for p in headers if p.column == outbox.route_column), None),
    )


TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")  # W3C's


def _matches(name: str, ruled: Header | None) -> re.Pattern[str] | None:
    if ruled and ruled.pattern:
        return re.compile(ruled.pattern)
    return TRACEPARENT if name == "traceparent" else None


def unchecked(outbox: Outbox, *, ledger: bool) -> frozenset[str]:
    """The checks that this run cannot make: could not look is not a pass. ledger: whether the outbox table is read."""
    without_table = {"KEY-02", "HDR-06", "DUP-05", "LOS-01", "LOS-03", "LOS-05", "RUN-10"}
    without_number = {"ORD-01", "DUP-04"}
    numbered = outbox.ordering.sequence is not None and outbox.ordering.assigned_by == "application"
    return frozenset(
        (set() if ledger else without_table)
        | (set() if outbox.ordering.sequence else without_number)
        | (set() if numbered else {"LOS-02"})
    )


CANARY: Pair = (CANARY_AGGREGATE.encode(), CANARY_TYPE.encode())


def _pair(event: Event) -> Pair:
    return event.aggregate.encode(), event.type.encode()


def _event(outbox: Outbox, event: Event) -> EventContract:
    route = outbox.route(event)
    validator = jsonschema_rs.validator_for(event.payload) if isinstance(event.payload, dict) else None
    return EventContract(
        event,
        outbox.topic(route) if route is not None else None,
        validator.is_valid if validator else None,
        validator,
    )
