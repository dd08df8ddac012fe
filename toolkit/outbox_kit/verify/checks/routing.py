"""Whether events are on their topics, and whether only declared events are there."""

from functools import partial

import orjson

from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import CHECKS, CLUSTER, ERROR, EVENTS, RECORDS, WARNING
from outbox_kit.verify.checks import headers as header_checks
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.record import STANDARD, Headers, Violations, event_names, shown

define = partial(CHECKS.define, group=Group("Routing", ("routing",)))


WRONG_TOPIC = define(
    id="RTE-01",
    severity=ERROR,
    title="an event is on the wrong topic",
    fix="the route's column or the topic's pattern differs",
    needs=EVENTS | {Need.route, Need.known_route},
)
UNDECLARED_EVENT = define(
    id="RTE-02",
    severity=ERROR,
    title="an event that the schema file does not declare",
    fix="declare it, or find who writes it",
    needs=EVENTS,
)
NO_EVENT_ID = define(
    id="RTE-03",
    severity=WARNING,
    title="a record without an event's id",
    fix="something else writes to this topic; one that has an event's other headers is HDR-01",
    needs=RECORDS,
)
RAW_CHANGE_RECORD = define(
    id="RTE-04",
    severity=ERROR,
    title="a raw change record",
    fix="the router did not run: its predicate does not match, or it is missing",
    needs=RECORDS,
    condition=True,
)
UNUSED_TOPIC = define(
    id="RTE-05",
    severity=WARNING,
    title="a topic of this pattern that no declared event goes to",
    fix="an old event type, or a misspelt one",
    needs=CLUSTER | {Need.topics, Need.pattern},
    condition=True,
)


def lost_id(contract: Contract, headers: Headers) -> bool:
    """Whether a record without an id has an event's other headers."""
    return any(name in headers and name in contract.names for name in STANDARD)


def without_id(contract: Contract, headers: Headers, value: bytes | None) -> Violations:
    """A record without an id: a raw change record, an event that has lost its id, or another producer's record."""
    if raw_change(value):
        yield RAW_CHANGE_RECORD, "an event", "a change record with before, after and op"
    elif lost_id(contract, headers):
        beside = next(name for name in STANDARD if name in headers and name in contract.names)
        yield header_checks.MISSING, "a header 'id'", f"none, beside '{beside}'"
    else:
        yield NO_EVENT_ID, "a header 'id'", "none"


def raw_change(value: bytes | None) -> bool:
    """Whether a value is a change record as Debezium writes it without the router."""
    try:
        document = orjson.loads(value or b"null")
    except ValueError:
        document = None
    inner = document.get("payload", document) if isinstance(document, dict) else None
    raw = isinstance(inner, dict) and {"before", "after", "op"} <= inner.keys()
    return raw or (value or b"").startswith(b"Struct{after=")


def topic(contract: Contract, topic: str, headers: Headers) -> Violations:
    """Whether a record is a declared event, on its topic."""
    aggregate, kind = event_names(headers)
    has_aggregate = contract.outbox.table.columns.aggregate_type is not None
    if kind is None or (has_aggregate and aggregate is None):
        return
    event = contract.event(headers)
    if event is None:
        actual = f"{shown(kind)} of {shown(aggregate)}" if has_aggregate else shown(kind)
        yield UNDECLARED_EVENT, "a declared event", actual
        return
    expected = contract.topic(event, headers.get(contract.route_header or ""))
    if expected is not None and expected != topic:
        yield WRONG_TOPIC, expected, topic
