"""Whether events are on their topics, and whether only declared events are there."""

from functools import partial

import orjson

from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import CHECKS, CLUSTER, COMPARE, ERROR, EVENTS, RECORDS, WARNING
from outbox_kit.verify.checks import headers as header_checks
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.record import STANDARD, Headers, Violations, event_names, shown

define = partial(CHECKS.define, group=Group("Routing", ("routing",)))


WRONG_TOPIC = define(
    id="RTE-01",
    severity=ERROR,
    title="every event is on its topic",
    problem="the event is on another topic than its own",
    why="Consumers of its own topic do not receive it. Possible causes: the route's column or the topic's pattern"
    " of the running connector differs from the schema file, or the topic was renamed after the event.",
    fix=f"{COMPARE}; or declare the former topic: outbox-kit explain routing.previous_topics",
    needs=EVENTS | {Need.route, Need.known_route},
)
UNDECLARED_EVENT = define(
    id="RTE-02",
    severity=ERROR,
    title="every event is declared in the schema file",
    problem="the event is not declared in the schema file",
    why="Nothing is known about its payload and its order, so neither is checked.",
    fix="declare the event under events, or find its producer",
    needs=EVENTS,
)
NO_EVENT_ID = define(
    id="RTE-03",
    severity=WARNING,
    title="every message has an event id",
    problem="the message has no event id",
    why="Another producer writes to this topic. A message that has other headers of an event is reported as HDR-01.",
    fix="find the producer, and give it a topic of its own",
    needs=RECORDS,
)
RAW_CHANGE_RECORD = define(
    id="RTE-04",
    severity=ERROR,
    title="no raw change record is published",
    problem="a raw change record was published",
    why="The event router did not transform it. Possible causes: the event router is missing in the running "
    "connector, or its predicate does not match.",
    fix=COMPARE,
    needs=RECORDS,
    condition=True,
)
UNUSED_TOPIC = define(
    id="RTE-05",
    severity=WARNING,
    title="every topic of the pattern belongs to a declared event",
    problem="no declared event belongs to this topic",
    why="Possible causes: the topic of an event type that is no longer declared, or a misspelt aggregate type.",
    fix="declare the event, declare a former topic of events (outbox-kit explain routing.previous_topics), or delete "
    "the topic when no consumer reads it",
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
        yield header_checks.MISSING, "a header 'id'", f"none, although '{beside}' is present"
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
    route = headers.get(contract.route_header or "")
    if not contract.belongs(event, topic, route):
        yield WRONG_TOPIC, contract.topic(event, route) or "", topic
