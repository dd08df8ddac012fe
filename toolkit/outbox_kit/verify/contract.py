"""What each message must be, made ready once from the schema file. Pure, but for what a registry is asked later."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import jsonschema_rs
import numpy as np
import orjson
from numpy.typing import NDArray

from outbox_kit.errors import UsageProblem
from outbox_kit.kafka import frame
from outbox_kit.kafka.record import Record
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.rules import CelRule, rule
from outbox_kit.schema.violation import MASK
from outbox_kit.verify import transitions
from outbox_kit.verify.reading.jsontext import JUDGED, Parsed, deeper, parsed
from outbox_kit.verify.record import STANDARD, encoded, event_names
from outbox_kit.wire import cloudevents
from outbox_kit.wire.cloudevents import PREFIX, envelope
from outbox_kit.wire.headers import HeaderSpec, header_specs, text_schema
from outbox_kit.wire.routes import Routes

Pair = tuple[bytes | None, bytes]
WRAPPED = b'{"schema":'  # how a JSON converter with schemas.enable begins
TWINS = {f"{PREFIX}id": "id", f"{PREFIX}type": "eventType"}
"""Headers of CloudEvents that say the same as another header."""
PARTITION_KEY = f"{PREFIX}partitionkey"


@dataclass(frozen=True, eq=False)
class EventContract:
    """One declared event, and what its payloads must be."""

    event: EventType
    kind: int
    """See `transitions`."""
    aggregate: bytes
    """Its type, as the header has it."""
    topic: str | None
    """None where an extra column decides it row by row, or where it is not known."""
    previous: frozenset[str]
    """The topics that it may be on from before its topic was changed."""
    loads: Callable[[bytes], Any]
    """A payload as a document. Raises ValueError if it is not one."""
    validator: Any
    several: Callable[[Any], bool]
    """Whether an array of payloads keeps the schema."""
    opaque: bool
    """Payloads are bytes without a schema."""
    wrappable: bool
    """Whether a Connect schema around it may go unnoticed."""
    rules: tuple[CelRule, ...]
    """Across the fields of a message."""
    enveloped: bool
    """Whether payloads are structured CloudEvents."""

    def read(self, value: bytes) -> Parsed:
        """A payload's document, slowly where the quick parser refuses it. Raises NotJSON or Unread."""
        return parsed(self.loads, value)

    def conforms(self, records: Sequence[Record]) -> bool:
        """Whether the payloads of messages are all beyond doubt; what is not is looked at closely."""
        values: Sequence[bytes | None] = [record.value() for record in records]
        if self.event.tombstone and None in values:
            records = [record for record in records if record.value() is not None]
            values = [value for value in values if value is not None]
        if None in values:
            return False
        if self.opaque:
            return True
        if self.wrappable and any(value.startswith(WRAPPED) for value in values):  # type: ignore[union-attr]
            return False
        try:
            documents = [*map(self.loads, values)]  # type: ignore[arg-type]
            if self._deep(values, documents) or not self.several(documents):
                return False
            if self.enveloped and not _are_events(records, documents):
                return False
        except ValueError:  # no JSON to the quick parser
            return False
        return all(
            rule.holds(rule_input(record, document))
            for rule in self.rules
            for record, document in zip(records, documents, strict=True)
        )

    def _deep(self, values: Sequence[Any], documents: Sequence[Any]) -> bool:
        """Whether a payload has more levels than validators are to see."""
        if self.loads is not orjson.loads:
            return any(deeper(document, JUDGED) for document in documents)
        if max(map(len, values), default=0) <= 2 * JUDGED:  # a level takes two characters
            return False
        return any(
            deeper(document, JUDGED)
            for value, document in zip(values, documents, strict=True)
            if value.count(b"[") + value.count(b"{") > JUDGED
        )


def _are_events(records: Sequence[Record], documents: Sequence[Any]) -> bool:
    """Whether documents are CloudEvents, each with its record's key."""
    return _events()(documents) and not any(map(_other_partition_key, records, documents))


def _other_partition_key(record: Record, event: Any) -> bool:
    """Whether a structured event names another partition key than its record has."""
    return "partitionkey" in event and str(event["partitionkey"]).encode() != record.key()


@cache
def _events() -> Callable[[Any], bool]:
    schema = envelope()
    return _several(schema, jsonschema_rs.validator_for(schema))


def rule_input(record: Record, document: Any) -> dict[str, Any]:
    """A message as its rules know it."""
    headers = {name: (value or b"").decode(errors="replace") for name, value in record.headers() or ()}
    return {"payload": document, "key": (record.key() or b"").decode(errors="replace"), "headers": headers}


@dataclass(frozen=True)
class HeaderContract:
    """What one header must look like."""

    name: str
    required: bool
    values: frozenset[bytes]
    pattern: str
    matches: Callable[[str], bool]
    """Whether a text keeps the pattern, in time that grows with its length."""

    def holds(self, value: bytes | None) -> bool:
        """Whether a value is beyond doubt; what is not is looked at closely."""
        if value is None:
            return not self.required
        if encoded(value) or (self.values and value not in self.values):
            return False
        return self.matches(value.decode(errors="replace"))


@dataclass(frozen=True)
class Contract:
    """The whole outbox."""

    outbox: Outbox
    routes: Routes
    loads: Callable[[bytes], Any]
    """As its events'."""
    events: dict[Pair, EventContract]
    """By the bytes of the headers aggregateType and eventType; the first is None if no column contains it."""
    headers: tuple[HeaderContract, ...]
    names: tuple[str, ...]
    """Of the headers that come with every event."""
    twins: tuple[tuple[str, str], ...]
    """Headers that say the same."""
    attributes: frozenset[str]
    """Headers of which `cloudevents` speaks."""
    sequence: bool
    route_header: str | None

    @cached_property
    def by_kind(self) -> dict[int, EventType]:
        """The declared events by their numbers; see `transitions`."""
        return {event_contract.kind: event_contract.event for event_contract in self.events.values()}

    def event(self, headers: Mapping[str, bytes | None]) -> EventContract | None:
        """The declared event that a message's headers speak of."""
        return self.events.get(event_names(headers))

    def topic(self, event: EventContract, route: bytes | None) -> str | None:
        """The topic of an event; None where that is not known. route: the value of the header that decides it."""
        if event.topic is not None or self.route_header is None or self.routes.assumed:
            return event.topic
        return self.routes.topic((route or b"").decode(errors="replace"))

    def belongs(self, event: EventContract, topic: str, route: bytes | None) -> bool:
        """Whether an event may be on a topic, as far as that is known. route: see `topic`."""
        return topic in event.previous or self.topic(event, route) in (None, topic)

    @cached_property
    def moved(self) -> frozenset[str]:
        """The topics that may have only a part of an aggregate's events, because the events' topic was changed."""
        return frozenset[str]().union(*self.moves)

    @cached_property
    def moves(self) -> frozenset[frozenset[str]]:
        """The topics that the events of an aggregate were on one after the other, for each change of a topic."""
        events = [event for event in self.events.values() if event.previous]
        return frozenset(frozenset({*event.previous, *filter(None, [event.topic])}) for event in events)

    @cached_property
    def ordered(self) -> bool:
        """Whether messages have numbers, and keys that tell aggregates apart."""
        return self.sequence and self.routes.keyed_by_aggregate

    @cached_property
    def together(self) -> frozenset[str]:
        """The types of aggregates of which each has all its events in one partition of one topic at a time.

        Before its topic was changed, that was another one: see `moves`.
        """
        if not (self.routes.keyed_by_aggregate and self.routes.by_key):
            return frozenset()
        topics: defaultdict[str, set[tuple[str | None, frozenset[str]]]] = defaultdict(set)
        for event_contract in self.events.values():
            topics[event_contract.event.aggregate].add((event_contract.topic, event_contract.previous))
        return frozenset(
            name for name, several in topics.items() if len(several) == 1 and all(topic for topic, _ in several)
        )

    @cached_property
    def dense(self) -> bool:
        """Whether a number that is missing on a topic is an event that is missing."""
        return self.outbox.ordering.dense and all(
            event_contract.event.aggregate in self.together and not event_contract.previous
            for event_contract in self.events.values()
        )

    @cached_property
    def forbidden(self) -> NDArray[np.int64]:
        """See `transitions.forbidden`."""
        return transitions.forbidden(self.outbox, self.together)

    @cached_property
    def shared(self) -> bool:
        """Whether aggregates of two types may have the same key on the same topic."""
        types: defaultdict[str | None, set[bytes]] = defaultdict(set)
        for event_contract in self.events.values():
            for topic in (event_contract.topic, *event_contract.previous):
                types[topic].add(event_contract.aggregate)
        somewhere = types.pop(None, set())
        return any(len(somewhere | names) > 1 for names in types.values()) or len(somewhere) > 1

    def aggregate(self, topic: str, key: bytes, headers: Mapping[str, bytes | None]) -> bytes:
        """What tells an aggregate from the others of a topic: the key, and the type where types share keys.

        An event on a topic where it does not belong is of none of that topic's aggregates.
        """
        event = self.event(headers)
        astray = event is not None and event.topic not in (None, topic) and topic not in event.previous
        if not (self.shared or astray):
            return key
        return qualified(event.aggregate if event else headers.get("aggregateType") or b"", key)

    @cached_property
    def declared(self) -> frozenset[str]:
        """Every declared header."""
        return frozenset(self.names) | {rule.name for rule in self.headers}


def qualified(aggregate: bytes, key: bytes) -> bytes:
    """A key with the type of its aggregate."""
    return aggregate + b"\0" + key


def contract(outbox: Outbox, registry: str | None = None) -> Contract:
    """Everything that the examination of a message needs, looked up and compiled.

    registry: its address, for payloads that are framed. Raises UsageProblem.
    """
    routes, kinds, loads = Routes(outbox), transitions.kinds(outbox), _loads(outbox, registry)
    read = routes.columns
    attributes = cloudevents.constants(outbox) | cloudevents.columns(outbox, read.id, read.key)
    checked = [_header(spec) for spec in header_specs(routes) if spec.name not in STANDARD]
    return Contract(
        outbox=outbox,
        routes=routes,
        loads=loads,
        events={
            _types_of_row(event, outbox): _event(routes, event, kinds[event.aggregate, event.type], loads)
            for event in outbox.events
        },
        headers=tuple(checked),
        names=routes.headers,
        attributes=frozenset(attributes) - {rule.name for rule in outbox.headers},
        twins=tuple(pair for pair in TWINS.items() if pair[0] in attributes),
        sequence=outbox.ordering.sequence is not None,
        route_header=next((name for name, column in read.headers.items() if column == read.route), None),
    )


TRACEPARENT = r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?"  # W3C's


def _header(spec: HeaderSpec) -> HeaderContract:
    pattern = spec.pattern or (TRACEPARENT if spec.name == "traceparent" else "")
    shape = text_schema(replace(spec, pattern=pattern, values=()))
    matches = jsonschema_rs.validator_for(shape).is_valid
    return HeaderContract(
        spec.name, spec.required, frozenset(value.encode() for value in spec.values), pattern, matches
    )


def _loads(outbox: Outbox, registry: str | None) -> Callable[[bytes], Any]:
    """What reads a payload of an outbox; without a registry, nothing but the frame of those that have one."""
    kind = outbox.table.registry
    if kind is None:
        return orjson.loads
    if registry is None:
        return frame.recognised
    try:
        from outbox_kit.kafka.registry import Registry
    except ImportError as cause:
        raise UsageProblem(
            "Schema Registry support is not installed", why=str(cause), fix="pip install 'outbox-kit[registry]'"
        ) from None
    return Registry.from_environment(registry, kind).document


def _types_of_row(event: EventType, outbox: Outbox) -> Pair:
    aggregate = event.aggregate.encode() if outbox.table.columns.aggregate_type is not None else None
    return aggregate, event.type.encode()


def _event(routes: Routes, event: EventType, kind: int, loads: Callable[[bytes], Any]) -> EventContract:
    outbox, read = routes.outbox, loads is not frame.recognised
    framed = outbox.table.registry is not None
    schema = event.payload if read and isinstance(event.payload, dict) else None
    validator = None if schema is None else jsonschema_rs.validator_for(schema, mask=MASK)
    enveloped = outbox.cloudevents is not None and outbox.cloudevents.mode == "structured"
    return EventContract(
        event=event,
        kind=kind,
        aggregate=event.aggregate.encode(),
        topic=None if routes.assumed else routes.of_event(event),
        previous=routes.previous(event),
        loads=loads,
        validator=validator,
        several=_several(schema, validator) if schema is not None else _anything if framed else _all_objects,
        opaque=schema is None and outbox.table.payload == "bytes" and not (event.rules or enveloped or framed),
        wrappable=not framed and (schema is None or set(schema.get("required", ())) <= {"schema", "payload"}),
        rules=tuple(map(rule, event.rules)) if read else (),
        enveloped=enveloped,
    )


def _anything(_: Sequence[Any]) -> bool:
    return True


def _all_objects(documents: Sequence[Any]) -> bool:
    return all(type(document) is dict for document in documents)


def _several(schema: dict[str, Any], is_valid: Any) -> Callable[[Any], bool]:
    """A test of many payloads at once; a schema that refers to places in itself cannot stand inside of another."""
    if any(word in orjson.dumps(schema) for word in (b'"$ref"', b'"$dynamicRef"', b'"$recursiveRef"', b'"$id"')):
        return lambda documents: all(map(is_valid.is_valid, documents))
    array_schema = {"type": "array", "items": schema}
    if "$schema" in schema:
        array_schema["$schema"] = schema["$schema"]
    test: Callable[[Any], bool] = jsonschema_rs.validator_for(array_schema).is_valid
    return test
