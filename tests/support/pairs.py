"""Pairs of schema files, as their parts that differ: what a migration must lead from and to, whatever the database."""

from ruamel.yaml import YAML

from outbox_kit import databases
from outbox_kit.schema.model import Outbox

NOTHING = "events: [{type: A, aggregate: Order}]"
PAIRS = {
    "an event more": (NOTHING, "events: [{type: A, aggregate: Order}, {type: 'It''s B', aggregate: Order}]"),
    "an event less": ("events: [{type: A, aggregate: Order}, {type: B, aggregate: Order}]", NOTHING),
    "other events": ("events: [{type: B, aggregate: Order}]", NOTHING),
    "the first tombstone": (
        NOTHING,
        "events: [{type: A, aggregate: Order}, {type: Gone, aggregate: Order, tombstone: true}]",
    ),
    "the last tombstone": (
        "events: [{type: A, aggregate: Order}, {type: Gone, aggregate: Order, tombstone: true}]",
        NOTHING,
    ),
    "a tombstone that is none": (
        "events: [{type: A, aggregate: Order}, {type: B, aggregate: Order, tombstone: true}]",
        "events: [{type: B, aggregate: Order}, {type: C, aggregate: Order, tombstone: true}]",
    ),
    "columns more": (
        NOTHING,
        f"{NOTHING}\ntable: {{extra: [{{name: t}}, {{name: n, kind: bigint}}, {{name: f, kind: boolean}}, "
        "{name: u, kind: uuid}, {name: p, kind: integer, to: partition}, {name: maybe, required: false}]}",
    ),
    "columns less": (
        f"{NOTHING}\ntable: {{extra: [{{name: t}}, {{name: p, kind: integer, to: partition}}]}}",
        f"{NOTHING}\ntable: {{retention: forever}}",
    ),
    "a column must and another may": (
        f"{NOTHING}\ntable: {{extra: [{{name: a, required: false}}, {{name: b}}]}}",
        f"{NOTHING}\ntable: {{extra: [{{name: a}}, {{name: b, required: false}}]}}",
    ),
    "other names": (
        f"{NOTHING}\ntable: {{extra: [{{name: tenant}}]}}",
        f"{NOTHING}\ntable: {{columns: {{aggregate_type: kind, aggregate_id: 'the key', type: 'it''s', payload: body, "
        "created_at: At}, extra: [{name: who, as: tenant}]}",
    ),
    "another key and route": (
        NOTHING,
        f"{NOTHING}\ntable: {{extra: [{{name: customer}}, {{name: place}}]}}\n"
        "routing: {key: customer, topic: 'to.{place}'}",
    ),
    "limits lowered": (
        f"{NOTHING}\ntable: {{extra: [{{name: p, kind: integer, to: partition}}]}}",
        f"{NOTHING}\ntable: {{max_payload_bytes: 1000, extra: [{{name: p, kind: integer, to: partition}}]}}\n"
        "connect: {topics: {partitions: 3}}",
    ),
    "rows that stay": (NOTHING, f"{NOTHING}\ntable: {{retention: delete_on_insert}}"),
    "rows that go": (f"{NOTHING}\ntable: {{retention: forever}}", NOTHING),
    "a version of the application's": (
        f"{NOTHING}\nordering: {{sequence: null}}",
        f"{NOTHING}\nordering: {{sequence: version, assigned_by: application}}",
    ),
    "a version by another name": (
        f"{NOTHING}\nordering: {{sequence: version, assigned_by: application}}",
        f"{NOTHING}\nordering: {{sequence: number, assigned_by: application}}",
    ),
    "no version": (
        f"{NOTHING}\nordering: {{sequence: version, assigned_by: application}}",
        f"{NOTHING}\nordering: {{sequence: null}}",
    ),
    "another role": (NOTHING, f"{NOTHING}\n---user"),
    "numbered by the database": (f"{NOTHING}\nordering: {{sequence: null}}", NOTHING),
    "no longer numbered": (NOTHING, f"{NOTHING}\nordering: {{sequence: null}}"),
    "numbered by the application": (
        NOTHING,
        f"{NOTHING}\nordering: {{sequence: version, assigned_by: application}}",
    ),
    "numbered by the database where the application did": (
        f"{NOTHING}\nordering: {{sequence: version, assigned_by: application}}",
        f"{NOTHING}\nordering: {{sequence: version}}",
    ),
    "numbered by the database by another name": (
        f"{NOTHING}\nordering: {{sequence: version, assigned_by: application}}",
        NOTHING,
    ),
    "numbers by another name": (NOTHING, f"{NOTHING}\nordering: {{sequence: number}}"),
    "partitions": (NOTHING, f"{NOTHING}\ntable: {{retention: partition}}"),
    "partitions of an application's versions": (
        f"{NOTHING}\nordering: {{sequence: version, assigned_by: application}}",
        f"{NOTHING}\ntable: {{retention: partition}}\nordering: {{sequence: version, assigned_by: application}}",
    ),
    "no partitions": (f"{NOTHING}\ntable: {{retention: partition}}", NOTHING),
    "a column more in partitions": (
        f"{NOTHING}\ntable: {{retention: partition}}",
        f"{NOTHING}\ntable: {{retention: partition, extra: [{{name: t}}]}}",
    ),
    "json to text": (NOTHING, f"{NOTHING}\ntable: {{payload: text}}"),
    "text to bytes": (f"{NOTHING}\ntable: {{payload: text}}", f"{NOTHING}\ntable: {{payload: bytes}}"),
    "bytes to json": (f"{NOTHING}\ntable: {{payload: bytes}}", NOTHING),
    "another id and a column": (NOTHING, f"{NOTHING}\ntable: {{columns: {{id: event}}, extra: [{{name: t}}]}}"),
    "another table": (NOTHING, f"{NOTHING}\ntable: {{name: 'sel\"`ect'}}"),
    "names change places": (NOTHING, f"{NOTHING}\ntable: {{columns: {{type: aggregatetype, aggregate_type: type}}}}"),
}
RELAY, POLLED = (f"{NOTHING}\ndelivery: {{by: relay{more}}}" for more in ("", ", source: table"))
MARKED = f"{NOTHING}\ndelivery: {{by: relay, source: table, record: mark"
STATUS = "{status: {column: State, pending: 'it''s new', published: SENT, failed: FAILED}, attempts: n, error: cause}"
OTHER_STATUS = STATUS.replace("it", r"\\ it")
OTHER_VALUES = (f"{MARKED}, mark: {STATUS}}}", f"{MARKED}, mark: {OTHER_STATUS}}}")
RELAYS = {
    "a relay": (NOTHING, RELAY),
    "no relay": (POLLED, NOTHING),
    "a relay that reads the table": (RELAY, POLLED),
    "a relay that reads the log again": (POLLED, RELAY),
    "a relay of the table for a connector": (NOTHING, POLLED),
    "a relay that deletes": (POLLED, f"{NOTHING}\ndelivery: {{by: relay, source: table, record: delete}}"),
    "a relay that no longer deletes": (f"{NOTHING}\ndelivery: {{by: relay, source: table, record: delete}}", RELAY),
    "a relay that marks": (POLLED, f"{MARKED}}}"),
    "a relay that marks otherwise": (f"{MARKED}}}", f"{MARKED}, mark: {STATUS}}}"),
    "a relay that marks with other values": OTHER_VALUES,
    "a relay that no longer marks": (f"{MARKED}, mark: {STATUS}}}", POLLED),
    "a relay that marks a table that is replaced": (f"{MARKED}}}", f"{MARKED}}}\ntable: {{payload: text}}"),
    "a relay of another role": (RELAY, f"{RELAY}\n---user"),
    "a relay of another table": (POLLED, f"{POLLED}\ntable: {{name: x, payload: text}}"),
    "a relay of a table that is replaced": (POLLED, f"{POLLED}\ntable: {{payload: text}}"),
}
"""Of databases with a slot."""
DELETING = f"{NOTHING}\ndelivery: {{by: relay, source: table, record: delete}}"
RELAYS_OF_TABLES = {
    "a relay": (NOTHING, DELETING),
    "no relay": (DELETING, NOTHING),
    "a relay of another role": (DELETING, f"{DELETING}\n---user"),
    "a relay of another table": (DELETING, f"{DELETING}\ntable: {{name: x, payload: text}}"),
    "a relay of a table that is replaced": (DELETING, f"{DELETING}\ntable: {{payload: text}}"),
    "a relay by versions": (DELETING, f"{DELETING}\nordering: {{assigned_by: application}}"),
    "a relay that marks": (DELETING, f"{MARKED}}}"),
    "a relay that marks otherwise": (f"{MARKED}}}", f"{MARKED}, mark: {STATUS}}}"),
    "a relay that marks with other values": OTHER_VALUES,
    "a relay that no longer marks": (f"{MARKED}, mark: {STATUS}}}", DELETING),
    "a relay that marks by versions": (DELETING, f"{MARKED}}}\nordering: {{assigned_by: application}}"),
    "a relay that marks a table that is replaced": (f"{MARKED}}}", f"{MARKED}}}\ntable: {{payload: text}}"),
    "a relay that marks, and then a connector": (f"{MARKED}}}", NOTHING),
    "a connector, and then a relay that marks": (NOTHING, f"{MARKED}}}\nconnect: {{snapshot: no_data}}"),
}
"""Of databases whose tables a relay can read, and whose logs it cannot."""
PLAIN = {'sel"`ect': "sel`ect", "it''s": "its"}  # names, as they are where the database has no quotes in one


def pairs_of(dialect: str) -> dict[str, tuple[str, str]]:
    """The pairs that a database knows, in names that it takes."""
    known = databases.get(dialect)
    plain = PLAIN if "'" in known.limits.forbidden else {}
    pairs = PAIRS | (RELAYS if known.capture.uses_slot else RELAYS_OF_TABLES if known.capture.polled else {})
    return {
        name: (_replaced(old, plain), _replaced(new, plain))
        for name, (old, new) in pairs.items()
        if "partition" in known.retentions or "retention: partition" not in old + new
    }


def outbox_of(more: str, dialect: str) -> Outbox:
    """One side of a pair."""
    more, _, held = more.partition("\n---")
    database = f"{{dialect: {dialect}, {'user: other' if held == 'user' else held}}}"
    return Outbox.model_validate(YAML(typ="safe").load(f"service: shop\ndatabase: {database}\n{more}"))


def _replaced(more: str, plain: dict[str, str]) -> str:
    for name, other in plain.items():
        more = more.replace(name, other)
    return more
