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
from outbox_kit.preview.routes import Routes
from outbox_kit.schema import cloudevents
from outbox_kit.schema.cloudevents import envelope
from outbox_kit.schema.headers import Promise, promised, text_schema
from outbox_kit.schema.model import Event, Outbox
from outbox_kit.schema.rules import Rule, rule
from outbox_kit.schema.words import CANARY_AGGREGATE, CANARY_TYPE
from outbox_kit.verify import paths
from outbox_kit.verify.cloudevents import TWINS, elsewhere
from outbox_kit.verify.columns import encoded
from outbox_kit.verify.jsontext import JUDGED, Parsed, deeper, parsed

Pair = tuple[bytes | None, bytes]
WRAPPED = b'{"schema":'  # how a JSON converter with schemas.enable begins


@dataclass(frozen=True, eq=False)
class EventContract:
    """One declared event, and what its payloads must be.

    topic: None where an extra column decides it row by row, or where it is not known. loads: a payload's document, or
    a ValueError where it is none. several: whether an array of payloads keeps the schema.
    opaque: payloads are bytes that nothing is said of. wrappable: whether a Connect schema around it may go unnoticed.
    kind: see `paths`. aggregate: its type, as the header has it. rules: across the fields of a message.
    enveloped: whether payloads are structured CloudEvents.
    """

    event: Event
    kind: int
    aggregate: bytes
    topic: str | None
    loads: Callable[[bytes], Any]
    validator: Any
    several: Callable[[Any], bool]
    opaque: bool
    wrappable: bool
    rules: tuple[Rule, ...]
    enveloped: bool

    def read(self, value: bytes) -> Parsed:
        """A payload's document, slowly where the quick parser refuses it. Raises NotJSON or Unread."""
        return parsed(self.loads, value)

    def hold(self, records: Sequence[Any]) -> bool:
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
            rule.holds(known(record, document))
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


def _are_events(records: Sequence[Any], documents: Sequence[Any]) -> bool:
    """Whether documents are CloudEvents, each with its record's key."""
    return _events()(documents) and not any(map(elsewhere, records, documents))


@cache
def _events() -> Callable[[Any], bool]:
    schema = envelope()
    return _several(schema, jsonschema_rs.validator_for(schema))


def known(record: Any, document: Any) -> dict[str, Any]:
    """A message as its rules know it."""
    headers = {name: (value or b"").decode(errors="replace") for name, value in record.headers() or ()}
    return {"payload": document, "key": (record.key() or b"").decode(errors="replace"), "headers": headers}


@dataclass(frozen=True)
class HeaderContract:
    """What one header must look like. matches: whether a text keeps the pattern, in time that grows with its length."""

    name: str
    required: bool
    values: frozenset[bytes]
    pattern: str
    matches: Callable[[str], bool]

    def holds(self, value: bytes | None) -> bool:
        """Whether a value is beyond doubt; what is not is looked at closely."""
        if value is None:
            return not self.required
        if encoded(value) or (self.values and value not in self.values):
            return False
        return self.matches(value.decode(errors="replace"))


@dataclass(frozen=True)
class Contract:
    """The whole outbox. loads: as its events'. events: by the bytes of the headers aggregateType and eventType; the
    first is None where no column says it. names: of the headers that come with every event. twins: headers that say the
    same. attributes: headers of which `cloudevents` speaks.
    """

    outbox: Outbox
    routes: Routes
    loads: Callable[[bytes], Any]
    events: dict[Pair, EventContract]
    headers: tuple[HeaderContract, ...]
    names: tuple[str, ...]
    twins: tuple[tuple[str, str], ...]
    attributes: frozenset[str]
    sequence: bool
    route_header: str | None

    @cached_property
    def by_kind(self) -> dict[int, Event]:
        """The declared events by their numbers; see `paths`."""
        return {one.kind: one.event for one in self.events.values()}

    def event(self, headers: Mapping[str, bytes | None]) -> EventContract | None:
        """The declared event that a message's headers speak of."""
        return self.events.get(pair(headers))

    @cached_property
    def ordered(self) -> bool:
        """Whether messages have numbers, and keys that tell aggregates apart."""
        return self.sequence and self.outbox.keyed_by_aggregate

    @cached_property
    def together(self) -> frozenset[str]:
        """The types of aggregates of which each has all its events in one partition of one topic."""
        if not (self.outbox.keyed_by_aggregate and self.routes.by_key):
            return frozenset()
        topics: defaultdict[str, set[str | None]] = defaultdict(set)
        for one in self.events.values():
            topics[one.event.aggregate].add(one.topic)
        return frozenset(name for name, several in topics.items() if len(several) == 1 and None not in several)

    @cached_property
    def dense(self) -> bool:
        """Whether a number that is missing on a topic is an event that is missing."""
        return self.outbox.ordering.dense and all(one.event.aggregate in self.together for one in self.events.values())

    @cached_property
    def forbidden(self) -> NDArray[np.int64]:
        """See `paths.forbidden`."""
        return paths.forbidden(self.outbox, self.together)

    @cached_property
    def shared(self) -> bool:
        """Whether aggregates of two types may have the same key on the same topic."""
        types: defaultdict[str | None, set[bytes]] = defaultdict(set)
        for one in self.events.values():
            types[one.topic].add(one.aggregate)
        somewhere = types.pop(None, set())
        return any(len(somewhere | here) > 1 for here in types.values()) or len(somewhere) > 1

    def aggregate(self, topic: str, key: bytes, headers: Mapping[str, bytes | None]) -> bytes:
        """What tells an aggregate from the others of a topic: the key, and the type where types share keys.

        An event on a topic where it does not belong is of none of that topic's aggregates.
        """
        event = self.event(headers)
        astray = event is not None and event.topic not in (None, topic)
        if not (self.shared or astray):
            return key
        return qualified(event.aggregate if event else headers.get("aggregateType") or b"", key)

    @cached_property
    def declared(self) -> frozenset[str]:
        """Every header that anybody has declared."""
        return frozenset(self.names) | {rule.name for rule in self.headers}


def qualified(aggregate: bytes, key: bytes) -> bytes:
    """A key with the type of its aggregate."""
    return aggregate + b"\0" + key


def contract(outbox: Outbox, registry: str | None = None) -> Contract:
    """Everything that the examination of a message needs, looked up and compiled.

    registry: its address, for payloads that are framed. Raises UsageProblem.
    """
    routes, kinds, loads = Routes(outbox), paths.kinds(outbox), _loads(outbox, registry)
    attributes = cloudevents.constants(outbox) | cloudevents.columns(outbox)
    checked = [_header(one) for one in promised(outbox) if one.name not in STANDARD]
    return Contract(
        outbox=outbox,
        routes=routes,
        loads=loads,
        events={
            _told(event, outbox): _event(routes, event, kinds[event.aggregate, event.type], loads)
            for event in outbox.events
        },
        headers=tuple(checked),
        names=routes.headers,
        attributes=frozenset(attributes) - {rule.name for rule in outbox.headers},
        twins=tuple(pair for pair in TWINS.items() if pair[0] in attributes),
        sequence=outbox.ordering.sequence is not None,
        route_header=next(
            (p.name for p in outbox.placements if (p.column, p.to) == (outbox.route_column, "header")), None
        ),
    )


TRACEPARENT = r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?"  # W3C's


STANDARD = ("id", "eventType", "aggregateType", "sequence")  # what the examination looks at by itself


def _header(one: Promise) -> HeaderContract:
    pattern = one.pattern or (TRACEPARENT if one.name == "traceparent" else "")
    shape = text_schema(replace(one, pattern=pattern, values=()))
    matches = jsonschema_rs.validator_for(shape).is_valid
    return HeaderContract(one.name, one.required, frozenset(value.encode() for value in one.values), pattern, matches)


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
            "a registry's payloads cannot be read here", why=str(cause), fix="pip install 'outbox-kit[registry]'"
        ) from None
    return Registry.from_environment(registry, kind).document


CANARY = (CANARY_AGGREGATE.encode(), CANARY_TYPE.encode())


def pair(headers: Mapping[str, bytes | None]) -> Any:
    """What a message's headers say of its event: a `Pair`, where they say enough."""
    return headers.get("aggregateType"), headers.get("eventType")


def _told(event: Event, outbox: Outbox) -> Pair:
    aggregate = event.aggregate.encode() if outbox.table.columns.aggregate_type is not None else None
    return aggregate, event.type.encode()


def _event(routes: Routes, event: Event, kind: int, loads: Callable[[bytes], Any]) -> EventContract:
    outbox, read = routes.outbox, loads is not frame.recognised
    framed = outbox.table.registry is not None
    schema = event.payload if read and isinstance(event.payload, dict) else None
    validator = None if schema is None else jsonschema_rs.validator_for(schema)
    enveloped = outbox.cloudevents is not None and outbox.cloudevents.mode == "structured"
    return EventContract(
        event=event,
        kind=kind,
        aggregate=event.aggregate.encode(),
        topic=None if routes.assumed else routes.of_event(event),
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
    return all(type(one) is dict for one in documents)


def _several(schema: dict[str, Any], one: Any) -> Callable[[Any], bool]:
    """A test of many payloads at once; a schema that refers to places in itself cannot stand inside of another."""
    if any(word in orjson.dumps(schema) for word in (b'"$ref"', b'"$dynamicRef"', b'"$recursiveRef"', b'"$id"')):
        return lambda documents: all(map(one.is_valid, documents))
    whole = {"type": "array", "items": schema}
    if "$schema" in schema:
        whole["$schema"] = schema["$schema"]
    test: Callable[[Any], bool] = jsonschema_rs.validator_for(whole).is_valid
    return test
