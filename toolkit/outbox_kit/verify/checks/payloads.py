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
from outbox_kit.verify.checks import CHECKS, DOCUMENTS, ERROR, EVENTS, INFO, TABLE, WARNING, Check, run
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
    title="the payload cannot be read",
    fix="storage and converter do not fit, or another serialiser wrote it",
    needs=DOCUMENTS,
)
SCHEMA_BROKEN = define(
    id="PAY-02",
    severity=ERROR,
    title="the payload breaks its JSON Schema",
    fix="the writer, or the schema, is wrong",
    needs=DOCUMENTS | {Need.schema},
)
JSON_IN_A_STRING = define(
    id="PAY-03",
    severity=ERROR,
    title="the payload is JSON inside a JSON string",
    fix="a JSON converter on a text column",
    needs=DOCUMENTS | {Need.unframed},
)
CONNECT_SCHEMA = define(
    id="PAY-04",
    severity=ERROR,
    title="the payload is wrapped in a Connect schema",
    fix="a JSON converter with schemas.enable",
    needs=DOCUMENTS | {Need.unframed},
)
NULL = define(
    id="PAY-05",
    severity=ERROR,
    title="the payload is null",
    fix="only events declared as tombstones may be",
    needs=EVENTS,
)
OTHER_FRAME = define(
    id="PAY-06",
    severity=ERROR,
    title="the registry's frame is not the declared one",
    fix="another converter or serialiser; or see table.registry",
    needs=EVENTS | {Need.framing},
)
RULE_BROKEN = define(
    id="PAY-07",
    severity=ERROR,
    title="a rule of the event does not hold",
    fix="the writer's values, or the rule, is wrong",
    needs=DOCUMENTS | {Need.rules},
)
BASE64 = define(
    id="PAY-08",
    severity=ERROR,
    title="the payload is base64 of JSON",
    fix="a JSON converter on a binary column; use BinaryDataConverter",
    needs=DOCUMENTS | {Need.unframed},
)
INEXACT_NUMBER = define(
    id="PAY-09",
    severity=WARNING,
    title="a number that not every reader can tell from its neighbours",
    fix="beyond 2^53: write it as a string; of a sample, but for those beyond a double",
    needs=DOCUMENTS,
)
UNDECLARED_MEMBERS = define(
    id="PAY-10",
    severity=INFO,
    title="members that no schema declares",
    fix="declare them, or leave them out; of a sample",
    needs=DOCUMENTS | {Need.schema},
    condition=True,
)
UNUSED_MEMBERS = define(
    id="PAY-11",
    severity=INFO,
    title="declared members that never came",
    fix="of a sample; optional ones may simply be rare",
    needs=DOCUMENTS | {Need.schema},
    condition=True,
)
NOT_THE_ROWS = define(
    id="PAY-12",
    severity=ERROR,
    title="the payload is not the outbox row's",
    fix="another column is the payload, or the row was changed: an UPDATE is no event",
    needs=TABLE | {Need.events, Need.row_payload},
)
NOT_PORTABLE = define(
    id="PAY-13",
    severity=WARNING,
    title="JSON that not every reader takes",
    fix="strict readers refuse the whole payload: half a surrogate pair, or nesting beyond what they allow",
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
BY_DEEPER_VALUES = {"anyOf", "oneOf", "not", "if", "then", "else", "contains", "enum", "const", "uniqueItems"} | {
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependentSchemas",
}
"""Keywords of JSON Schema whose answer depends on values further down."""
SHOWN_MEMBERS = 8


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
        yield OTHER_FRAME, "JSON", f"a registry's frame, {schema}"
    elif contract.outbox.table.payload == "json" or declared:
        yield UNREADABLE, "JSON", f"{len(payload)} bytes that are none: {cause}"


def _wrapped(contract: Contract, event: EventContract, document: Any) -> list[tuple[Check, str, str]]:
    """What a converter has put around the payload."""
    if contract.outbox.table.registry is not None:
        return []
    if isinstance(document, str) and _is_json(document):
        return [(JSON_IN_A_STRING, "JSON", "a JSON string that holds JSON")]
    if isinstance(document, str) and _is_base64_of_json(document):
        return [(BASE64, "JSON", "a JSON string that holds base64 of JSON")]
    if isinstance(document, dict) and document.keys() == WRAPPER and not _declares(event, WRAPPER):
        return [(CONNECT_SCHEMA, "the payload", "schema and payload")]
    return []


def _not_portable(parsed: Parsed) -> Violations:
    """JSON that not every reader takes."""
    for pointer in parsed.beyond:
        yield INEXACT_NUMBER, "a number that a double holds", f"a larger one at {pointer or '/'}"
    for pointer in parsed.halves:
        yield NOT_PORTABLE, "whole characters", f"half a surrogate pair at {pointer or '/'}"
    if parsed.depth > DEEPEST:
        yield NOT_PORTABLE, f"at most {DEEPEST} levels", f"{parsed.depth}"


def meaning(event: EventContract, record: Record, parsed: Parsed) -> Violations:
    """A document by its schema and its rules."""
    document, schema = parsed.document, event.validator
    deep = deeper(document, JUDGED)
    upper = pruned(document, JUDGED) if deep else document
    for error in _errors(schema, upper, deep) if schema is not None else ():
        pointer = "/".join(["", *map(str, error.instance_path)]) or "/"
        keyword = "/".join(map(str, error.schema_path))
        yield SCHEMA_BROKEN, f"{event.event.type} to keep {keyword}", f"broken at {pointer}"
        return  # a rule relies on the schema
    if deep and (event.rules or schema is not None):
        yield (
            run.TOO_DEEP,
            f"at most {JUDGED} levels, which its schema and rules are asked of",
            "a payload of more levels",
        )
    message = rule_input(record, upper) if event.rules else {}
    for rule in event.rules:
        if reason := rule.why_not(message):
            yield RULE_BROKEN, rule.text, reason


def _errors(schema: Any, document: Any, pruned: bool) -> Iterator[Any]:
    """The first error of a document. pruned: levels were left out; errors that may depend on them do not count."""
    certain = (
        error
        for error in schema.iter_errors(document)
        if not pruned
        or (len(error.instance_path) < JUDGED - 1 and not BY_DEEPER_VALUES & set(map(str, error.schema_path)))
    )
    return itertools.islice(certain, 1)


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
    """Add members that nobody declares, declared ones that never came, and numbers that are too large."""
    seen: defaultdict[EventContract, set[str]] = defaultdict(set)
    events = {(event.topic, event_type): event for (_, event_type), event in contract.events.items()}
    for arrival in sample:
        event = events.get((arrival.place.topic, arrival.type)) or events.get((None, arrival.type))
        if event and arrival.fields:
            seen[event].update(arrival.fields)
        for pointer in arrival.inexact:
            findings.add(INEXACT_NUMBER, arrival.place, "a number within 2^53", f"a larger one at {pointer}")
    for event, pointers in seen.items():
        if isinstance(schema := event.event.payload, dict) and (declared := members.declared(schema)):
            topic, event_type = RecordLocation(event.topic or RUN), event.event.type
            if extra := members.undeclared(pointers, declared):
                listed = ", ".join(extra[:SHOWN_MEMBERS])
                findings.add(UNDECLARED_MEMBERS, topic, event_type, listed, count=len(extra))
            if unused := sorted(declared - pointers):
                findings.add(UNUSED_MEMBERS, topic, event_type, ", ".join(unused[:SHOWN_MEMBERS]), count=len(unused))
