"""Whether payloads can be read, and keep their schemas and rules."""

import base64
import binascii
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import orjson

from outbox_kit.findings.finding import RUN, Collector, RecordLocation
from outbox_kit.findings.rule import Group
from outbox_kit.kafka import frame
from outbox_kit.kafka.frame import Fault, Unread
from outbox_kit.kafka.record import Record
from outbox_kit.schema.violation import violation
from outbox_kit.verify.checks import CHECKS, COMPARE, DOCUMENTS, ERROR, EVENTS, INFO, TABLE, WARNING, Check, run
from outbox_kit.verify.contract import Contract, EventContract, rule_input
from outbox_kit.verify.needs import Need
from outbox_kit.verify.reading import members
from outbox_kit.verify.reading.arrival import Arrival
from outbox_kit.verify.reading.jsontext import DEEPEST, JUDGED, NotJSON, Parsed, deeper, pruned
from outbox_kit.verify.record import Violations

define = partial(CHECKS.define, group=Group("Payloads", ("events",), rank=4))


UNREADABLE = define(
    id="PAY-01",
    severity=ERROR,
    title="every payload is readable",
    problem="the payload is not readable",
    why="Consumers cannot deserialise it. Possible causes: the value converter does not fit the payload's column "
    "type, or another serialiser wrote the payload.",
    fix=COMPARE,
    needs=DOCUMENTS,
)
SCHEMA_BROKEN = define(
    id="PAY-02",
    severity=ERROR,
    title="every payload is valid against its JSON Schema",
    problem="the payload is invalid against its JSON Schema",
    why="Consumers that rely on the schema fail.",
    fix="fix the producer, or relax the schema",
    needs=DOCUMENTS | {Need.schema},
)
JSON_IN_A_STRING = define(
    id="PAY-03",
    severity=ERROR,
    title="no payload is JSON inside a JSON string",
    problem="the payload is JSON inside a JSON string",
    why="Consumers must parse it twice. A JSON converter encoded the text of the column.",
    fix="set value.converter=org.apache.kafka.connect.storage.StringConverter",
    needs=DOCUMENTS | {Need.unframed},
)
CONNECT_SCHEMA = define(
    id="PAY-04",
    severity=ERROR,
    title="no payload is wrapped in a schema of Kafka Connect",
    problem="the payload is wrapped in a schema of Kafka Connect",
    why="Consumers find the members schema and payload. A JSON converter with schemas.enable=true wrote them.",
    fix="set value.converter.schemas.enable=false",
    needs=DOCUMENTS | {Need.unframed},
)
NULL = define(
    id="PAY-05",
    severity=ERROR,
    title="only the events that are declared as tombstones have a null payload",
    problem="the payload is null",
    why="On a compacted topic, a null value deletes the key.",
    fix="write a payload, or declare the event with tombstone: true",
    needs=EVENTS,
)
OTHER_FRAME = define(
    id="PAY-06",
    severity=ERROR,
    title="every payload has the declared wire format",
    problem="the payload has another wire format than declared",
    why="Consumers with the declared deserialiser fail. Possible causes: another converter or serialiser, or "
    "table.registry in the schema file.",
    fix=COMPARE,
    needs=EVENTS | {Need.framing},
)
RULE_BROKEN = define(
    id="PAY-07",
    severity=ERROR,
    title="every message satisfies the rules of its event",
    problem="the message violates a rule of its event",
    why="Consumers that rely on the rule fail.",
    fix="fix the producer, or relax the rule",
    needs=DOCUMENTS | {Need.rules},
)
BASE64 = define(
    id="PAY-08",
    severity=ERROR,
    title="no payload is base64 of JSON",
    problem="the payload is base64 of JSON",
    why="Consumers must decode it twice. A JSON converter encoded the bytes of a binary column.",
    fix="set value.converter=io.debezium.converters.BinaryDataConverter",
    needs=DOCUMENTS | {Need.unframed},
)
INEXACT_NUMBER = define(
    id="PAY-09",
    severity=WARNING,
    title="every number is exact in a double",
    problem="a number is not exact in a double",
    why="JavaScript and other consumers that read numbers as doubles round integers beyond 2^53. A sample of the "
    "payloads was examined; numbers beyond the range of a double are found in every payload.",
    fix="write the number as a string",
    needs=DOCUMENTS,
)
UNDECLARED_MEMBERS = define(
    id="PAY-10",
    severity=INFO,
    title="every member of a payload is declared",
    problem="payloads have members that no JSON Schema declares",
    why="Consumers may begin to rely on them. A sample of the payloads was examined.",
    fix="declare the members, or stop writing them",
    needs=DOCUMENTS | {Need.schema},
    condition=True,
)
UNUSED_MEMBERS = define(
    id="PAY-11",
    severity=INFO,
    title="every declared member occurs",
    problem="declared members do not occur",
    why="Consumers wait for them in vain. A sample of the payloads was examined; optional members may be rare.",
    fix="remove the members from the schema if no producer writes them",
    needs=DOCUMENTS | {Need.schema},
    condition=True,
)
NOT_THE_ROWS = define(
    id="PAY-12",
    severity=ERROR,
    title="the payload of every message is the payload of its outbox row",
    problem="the payload differs from the outbox row",
    why="Possible causes: the row was updated after the insert (an update is not published), or another column is "
    "used by the running connector (every message differs).",
    fix=f"do not update outbox rows: publish a correction as a new event; {COMPARE}",
    needs=TABLE | {Need.events, Need.row_payload},
)
NOT_PORTABLE = define(
    id="PAY-13",
    severity=WARNING,
    title="every payload is portable JSON",
    problem="the payload is not portable JSON",
    why="Strict parsers reject the complete payload: half of a surrogate pair, or too many levels.",
    fix="write whole characters, and nest payloads less deeply",
    needs=DOCUMENTS | {Need.unframed},
)

FAULTS = {
    Fault.unframed: OTHER_FRAME,
    Fault.unknown: OTHER_FRAME,
    Fault.silent: run.REGISTRY_SILENT,
    Fault.unreadable: UNREADABLE,
    Fault.broken: SCHEMA_BROKEN,
}
WRAPPER = {"schema", "payload"}
WRAPPINGS = {
    JSON_IN_A_STRING: ("JSON", "a JSON string that contains JSON"),
    BASE64: ("JSON", "a JSON string that contains base64 of JSON"),
    CONNECT_SCHEMA: ("the payload alone", "the members schema and payload"),
}
"""What a converter makes of a payload: what is expected in its place, and what it is."""
BY_DEEPER_VALUES = {"anyOf", "oneOf", "not", "if", "then", "else", "contains", "enum", "const", "uniqueItems"} | {
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependentSchemas",
}
"""Keywords of JSON Schema whose answer depends on values further down."""
SHOWN_MEMBERS = 8
SHOWN_ERRORS = 3


def value(contract: Contract, event: EventContract, record: Record) -> Violations:
    """The value of a record against its event's contract."""
    payload: bytes | None = record.value()
    if payload is None:
        if not event.event.tombstone:
            yield NULL, f"a payload of {event.event.type}", "null"
        return
    try:
        parsed = event.read(payload)
    except Unread as unread:
        yield FAULTS[unread.fault], unread.expected, unread.actual
    except NotJSON as cause:
        yield from _no_json(contract, event, payload, cause)
    else:
        yield from _not_portable(parsed)
        yield from _wrapped(contract, event, parsed.document) or meaning(event, record, parsed)


def _no_json(contract: Contract, event: EventContract, payload: bytes, cause: NotJSON) -> Violations:
    declared = event.validator is not None or bool(event.rules) or event.enveloped
    if (schema := frame.schema(payload)) and contract.outbox.table.payload != "bytes":
        yield OTHER_FRAME, "JSON", f"the wire format of a Schema Registry, {schema}"
    elif contract.outbox.table.payload == "json" or declared:
        yield UNREADABLE, "JSON", f"{len(payload)} bytes that are not JSON: {cause}"


def _wrapped(contract: Contract, event: EventContract, document: Any) -> list[tuple[Check, str, str]]:
    """What a converter has put around the payload."""
    check = None if contract.outbox.table.registry is not None else _wrapping(document)
    if check is None or (check is CONNECT_SCHEMA and _declares(event, WRAPPER)):
        return []
    return [(check, *WRAPPINGS[check])]


def _wrapping(document: Any) -> Check | None:
    """The check that a document violates if its row's payload is not the same."""
    if isinstance(document, str) and _is_json(document):
        return JSON_IN_A_STRING
    if isinstance(document, str) and _is_base64_of_json(document):
        return BASE64
    return CONNECT_SCHEMA if isinstance(document, dict) and document.keys() == WRAPPER else None


def wrapping(payload: bytes | None) -> tuple[Check, bytes] | None:
    """How a converter seems to have wrapped a payload, as the check says, and what it had wrapped then.

    The row can have it so.
    """
    if payload is None or not (payload.lstrip()[:1] == b'"' or all(name.encode() in payload for name in WRAPPER)):
        return None
    try:
        document = orjson.loads(payload)
    except ValueError:
        return None
    check = _wrapping(document)
    if check is None:
        return None
    if check is BASE64:
        return check, base64.b64decode(document)
    content = document if isinstance(document, str) else document["payload"]
    return check, content.encode() if isinstance(content, str) else orjson.dumps(content)


def _not_portable(parsed: Parsed) -> Violations:
    """JSON that not every reader takes."""
    for pointer in parsed.beyond:
        yield INEXACT_NUMBER, "a number within the range of a double", f"a larger number at {pointer or '/'}"
    for pointer in parsed.halves:
        yield NOT_PORTABLE, "whole characters", f"half of a surrogate pair at {pointer or '/'}"
    if parsed.depth > DEEPEST:
        yield NOT_PORTABLE, f"at most {DEEPEST} levels", f"{parsed.depth} levels"


def meaning(event: EventContract, record: Record, parsed: Parsed) -> Violations:
    """A document by its schema and its rules."""
    document, schema = parsed.document, event.validator
    deep = deeper(document, JUDGED)
    upper = pruned(document, JUDGED) if deep else document
    if errors := list(_errors(schema, upper, deep)) if schema is not None else []:
        listed = "; ".join(map(violation, errors[:SHOWN_ERRORS]))
        more = "; and more" if len(errors) > SHOWN_ERRORS else ""
        yield SCHEMA_BROKEN, "", f"{event.event.type}: {listed}{more}"
        return  # a rule relies on the schema
    if deep and (event.rules or schema is not None):
        yield (
            run.TOO_DEEP,
            f"at most {JUDGED} levels",
            "a payload of more levels",
        )
    message = rule_input(record, upper) if event.rules else {}
    for rule in event.rules:
        if reason := rule.why_not(message):
            yield RULE_BROKEN, rule.text, reason


def _errors(schema: Any, document: Any, pruned: bool) -> Iterator[Any]:
    """The first errors of a document. pruned: levels were left out; errors that may depend on them do not count."""
    certain = (
        error
        for error in schema.iter_errors(document)
        if not pruned
        or (len(error.instance_path) < JUDGED - 1 and not BY_DEEPER_VALUES & set(map(str, error.schema_path)))
    )
    return itertools.islice(certain, SHOWN_ERRORS + 1)


def _is_json(text: str) -> bool:
    """Whether a text is a JSON document, and not only a value."""
    try:
        return isinstance(orjson.loads(text), dict | list)
    except ValueError:
        return False


def _is_base64_of_json(text: str) -> bool:
    try:
        return isinstance(orjson.loads(base64.b64decode(text, validate=True)), dict | list)
    except (binascii.Error, ValueError):
        return False


def _declares(event: EventContract, names: set[str]) -> bool:
    """Whether an event's own schema has properties of these names."""
    schema = event.event.payload
    return isinstance(schema, dict) and names <= schema.get("properties", {}).keys()


def coverage(contract: Contract, sample: Iterable[Arrival], findings: Collector) -> None:
    """Add undeclared members, declared ones that never occurred, and numbers that are too large."""
    seen: defaultdict[EventContract, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    events = {
        (topic, event_type): event
        for (_, event_type), event in contract.events.items()
        for topic in (*event.previous, event.topic)
    }
    for arrival in sample:
        event = events.get((arrival.place.topic, arrival.type)) or events.get((None, arrival.type))
        if event and arrival.fields:
            seen[event][arrival.place.topic if event.topic else RUN].update(arrival.fields)
        for pointer in arrival.inexact:
            findings.add(INEXACT_NUMBER, arrival.place, "a number within 2^53", f"a larger number at {pointer}")
    for event, by_topic in seen.items():
        if isinstance(schema := event.event.payload, dict) and (declared := members.declared(schema)):
            for topic, pointers in by_topic.items():
                if extra := members.undeclared(pointers, declared):
                    listed = ", ".join(extra[:SHOWN_MEMBERS])
                    actual = f"{event.event.type}: {listed}"
                    findings.add(UNDECLARED_MEMBERS, RecordLocation(topic), "", actual, count=len(extra))
            if unused := sorted(declared.difference(*by_topic.values())):
                listed, place = ", ".join(unused[:SHOWN_MEMBERS]), RecordLocation(event.topic or RUN)
                findings.add(UNUSED_MEMBERS, place, "", f"{event.event.type}: {listed}", count=len(unused))
