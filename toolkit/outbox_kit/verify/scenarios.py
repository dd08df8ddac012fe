"""The anomalies of the selftest: what is said, and the checks that must speak of it. Values, and no code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.kafka.placement import partition_of

PARTITIONS = 3
KEY = b"42"
HOME = partition_of(KEY, PARTITIONS)
ELSEWHERE = (HOME + 1) % PARTITIONS
TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@dataclass(frozen=True)
class Said:
    """A message of a scenario. headers: those that differ from what they must be; None takes one away.

    event: which event it is; its id follows from it. ago: how long before now its timestamp is, in milliseconds.
    """

    sequence: int = 1
    key: bytes | None = KEY
    value: bytes | None = b'{"n": 1}'
    headers: dict[str, bytes | None] = field(default_factory=dict)
    again: tuple[str, bytes] | None = None
    partition: int | None = None
    event: int = 0
    kind: str = "Placed"
    ago: int = 0


def many(*numbers: int) -> list[Said]:
    """Messages with these sequence numbers, each number an event of its own."""
    return [Said(sequence=n, event=n) for n in numbers]


@dataclass(frozen=True)
class Sheet:
    """Scenarios that share a schema file, each with the checks that must speak. changes: to the file.

    ledger: what the application says it published, by event; None for no ledger. It is judged as a whole, not by topic.
    """

    scenarios: Mapping[str, tuple[list[Said], set[str]]]
    changes: Mapping[str, Any] = field(default_factory=dict)
    ledger: Mapping[int, Mapping[str, Any]] | None = None


RAW = b'{"before":null,"after":{},"op":"c","source":{}}'
PLAIN: dict[str, tuple[list[Said], set[str]]] = {
    "nothing wrong": (many(1, 2, 3), set()),
    "no key": ([Said(key=None)], {"KEY-01"}),
    "a key in quotes": ([Said(key=b'"42"')], {"KEY-03"}),
    "a key that is no text": ([Said(key=b"\xff\xfe")], {"KEY-03"}),
    "a key in the wrong partition": ([Said(partition=ELSEWHERE)], {"KEY-04"}),
    "a key in two partitions": ([Said(), Said(2, partition=ELSEWHERE, event=2)], {"KEY-04", "KEY-05", "ORD-03"}),
    "a header missing": ([Said(headers={"sequence": None})], {"HDR-01"}),
    "a header twice": ([Said(again=("traceparent", TRACE))], {"HDR-02"}),
    "an event without its id": ([Said(headers={"id": None})], {"HDR-01"}),
    "an id that is none": ([Said(headers={"id": b"abcdefabcdef"})], {"HDR-03"}),
    "a header in quotes": ([Said(headers={"traceparent": b'"%s"' % TRACE})], {"HDR-04", "HDR-07"}),
    "a header more": ([Said(headers={"other": b"x"})], {"HDR-05"}),
    "a traceparent that is none": ([Said(headers={"traceparent": b"00-0-0-0"})], {"HDR-07"}),
    "another event's topic": ([Said(headers={"eventType": b"Placed-0", "aggregateType": b"S0"})], {"RTE-01"}),
    "an undeclared event": ([Said(headers={"eventType": b"Plaecd"})], {"RTE-02"}),
    "a stray record": (
        [Said(headers=dict.fromkeys(("id", "eventType", "aggregateType", "sequence")))],
        {"RTE-03", "RUN-06"},
    ),
    "a raw change record": (
        [Said(value=RAW, headers=dict.fromkeys(("id", "eventType", "aggregateType", "sequence")))],
        {"RTE-04"},
    ),
    "no JSON": ([Said(value=b"{n: 1}")], {"PAY-01"}),
    "the schema broken": ([Said(value=b'{"n": "one"}')], {"PAY-02"}),
    "JSON in a string": ([Said(value=b'"{\\"n\\": 1}"')], {"PAY-03"}),
    "a wrapper": ([Said(value=b'{"schema":{},"payload":{"n":1}}')], {"PAY-04"}),
    "no payload": ([Said(value=None)], {"PAY-05"}),
    "a registry's frame": ([Said(value=b"\x00\x00\x00\x00\x07\x02")], {"PAY-06"}),
    "base64 of JSON": ([Said(value=b'"eyJuIjogMX0="')], {"PAY-08"}),
    "disorder": (many(1, 3, 2), {"ORD-01"}),
    "a duplicate": ([Said(), Said()], {"DUP-01"}),
    "a stretch again": ([*many(1, 2, 3, 4, 5, 6), *many(3, 4, 5, 6), *many(7)], {"DUP-02"}),
    "one id, two events": ([Said(), Said(value=b'{"n": 2}')], {"DUP-01", "DUP-03"}),
    "one number, two events": ([Said(), Said(event=9)], {"DUP-04"}),
    "a gap": (many(1, 2, 4), {"LOS-02"}),
    "a rule broken": ([Said(value=b'{"n": -1}')], {"PAY-07"}),
    "a step that may not be": ([Said(kind="Closed", value=b'{"n": 1, "o": 1}')], {"ORD-02"}),
    "a member that is never there": ([Said(), Said(2, event=2, kind="Closed")], {"PAY-11"}),
    "a member more": ([Said(value=b'{"n": 1, "m": 1}')], {"PAY-10"}),
    "a number that is too large": ([Said(value=b'{"n": 9007199254740993}')], {"PAY-09"}),
    "half a character": ([Said(value=b'{"n": 1, "m": "\\ud800"}')], {"PAY-10", "PAY-13"}),
    "an event in two partitions": ([Said(), Said(partition=ELSEWHERE)], {"DUP-05", "KEY-04", "KEY-05", "ORD-03"}),
    "a clock that was set back": ([Said(1), Said(2, event=2, ago=60_000)], {"ORD-04"}),
}
TYPE = "content-type"
BINARY: dict[str, tuple[list[Said], set[str]]] = {
    "a CloudEvent": ([Said()], set()),
    "in another mode": ([Said(headers={TYPE: b"application/cloudevents+json"})], {"CE-01"}),
    "without its source": ([Said(headers={"ce_source": None})], {"CE-02"}),
    "an attribute without its prefix": ([Said(headers={"ce_source": None, "source": b"/"})], {"CE-03", "HDR-05"}),
    "another content type": ([Said(headers={TYPE: b"text/plain"})], {"CE-04"}),
    "a time that is none": ([Said(headers={"ce_time": b"yesterday"})], {"CE-06"}),
    "another partition key": ([Said(headers={"ce_partitionkey": b"43"})], {"CE-07"}),
    "another id": ([Said(headers={"ce_id": b"43"})], {"HDR-06"}),
}
EVENT = b'{"specversion": "1.0", "id": "1", "source": "/", "type": "t", "n": 1}'
STRUCTURED: dict[str, tuple[list[Said], set[str]]] = {
    "a CloudEvent in JSON": ([Said(value=EVENT)], set()),
    "one that does not say so": ([Said(value=EVENT, headers={TYPE: None})], {"CE-05"}),
    "one without its source": ([Said(value=EVENT.replace(b'"source": "/", ', b""))], {"CE-02"}),
}
TOLD: dict[str, tuple[list[Said], set[str]]] = {
    "a ledger that says otherwise": (many(1, 2, 3, 4, 5), {"HDR-06", "KEY-02", "LOS-01", "LOS-03", "LOS-04", "LOS-06"})
}
LEDGER: dict[int, dict[str, Any]] = {
    1: {"transaction": "a", "at": 0},
    9: {"transaction": "a"},  # lost, and half of a transaction
    3: {"outcome": "rolled_back"},
    4: {"key": "43"},
    5: {"sequence": 7},
}
SHEETS = (
    Sheet(PLAIN),
    Sheet(BINARY, {"cloudevents": {"source": "/"}}),
    Sheet(STRUCTURED, {"cloudevents": {"mode": "structured"}}),
    Sheet(TOLD, ledger=LEDGER),
)
