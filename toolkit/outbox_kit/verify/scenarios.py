"""The anomalies of the selftest: the messages of each, and the checks that must report it. Values, and no code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.kafka.partitioner import partition_of

PARTITIONS = 3
KEY = b"42"
HOME = partition_of(KEY, PARTITIONS)
ELSEWHERE = (HOME + 1) % PARTITIONS
TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@dataclass(frozen=True)
class ScenarioMessage:
    """A message of a scenario."""

    sequence: int = 1
    key: bytes | None = KEY
    value: bytes | None = b'{"n": 1}'
    headers: dict[str, bytes | None] = field(default_factory=dict)
    """Headers that differ from the expected ones; None removes one."""
    again: tuple[str, bytes] | None = None
    partition: int | None = None
    event: int = 0
    """Which event it is; its id follows from it."""
    kind: str = "Placed"
    ago: int = 0
    """How long before now its timestamp is, in milliseconds."""


def many(*numbers: int) -> list[ScenarioMessage]:
    """Messages with these sequence numbers, each number an event of its own."""
    return [ScenarioMessage(sequence=n, event=n) for n in numbers]


@dataclass(frozen=True)
class ScenarioSet:
    """Scenarios that share a schema file, each with the checks that must speak."""

    scenarios: Mapping[str, tuple[list[ScenarioMessage], set[str]]]
    changes: Mapping[str, Any] = field(default_factory=dict)
    """To the file."""
    ledger: Mapping[int, Mapping[str, Any]] | None = None
    """What the application says it published, by event; None for no ledger. It is judged as a whole, not by topic."""


RAW = b'{"before":null,"after":{},"op":"c","source":{}}'
PLAIN: dict[str, tuple[list[ScenarioMessage], set[str]]] = {
    "no anomaly": (many(1, 2, 3), set()),
    "no key": ([ScenarioMessage(key=None)], {"KEY-01"}),
    "a key in quotes": ([ScenarioMessage(key=b'"42"')], {"KEY-03"}),
    "a key that is not UTF-8": ([ScenarioMessage(key=b"\xff\xfe")], {"KEY-03"}),
    "a key in the wrong partition": ([ScenarioMessage(partition=ELSEWHERE)], {"KEY-04"}),
    "a key in two partitions": (
        [ScenarioMessage(), ScenarioMessage(2, partition=ELSEWHERE, event=2)],
        {"KEY-04", "KEY-05", "ORD-03"},
    ),
    "a header missing": ([ScenarioMessage(headers={"sequence": None})], {"HDR-01"}),
    "a repeated header": ([ScenarioMessage(again=("traceparent", TRACE))], {"HDR-02"}),
    "an event without its id": ([ScenarioMessage(headers={"id": None})], {"HDR-01"}),
    "an invalid id": ([ScenarioMessage(headers={"id": b"abcdefabcdef"})], {"HDR-03"}),
    "a header in quotes": ([ScenarioMessage(headers={"traceparent": b'"%s"' % TRACE})], {"HDR-04", "HDR-07"}),
    "an undeclared header": ([ScenarioMessage(headers={"other": b"x"})], {"HDR-05"}),
    "an invalid traceparent": ([ScenarioMessage(headers={"traceparent": b"00-0-0-0"})], {"HDR-07"}),
    "an event on another topic": (
        [ScenarioMessage(headers={"eventType": b"Placed-0", "aggregateType": b"S0"})],
        {"RTE-01"},
    ),
    "an undeclared event": ([ScenarioMessage(headers={"eventType": b"Plaecd"})], {"RTE-02"}),
    "a message of another producer": (
        [ScenarioMessage(headers=dict.fromkeys(("id", "eventType", "aggregateType", "sequence")))],
        {"RTE-03", "RUN-06"},
    ),
    "a raw change record": (
        [ScenarioMessage(value=RAW, headers=dict.fromkeys(("id", "eventType", "aggregateType", "sequence")))],
        {"RTE-04"},
    ),
    "a payload that is not JSON": ([ScenarioMessage(value=b"{n: 1}")], {"PAY-01"}),
    "a payload that violates its schema": ([ScenarioMessage(value=b'{"n": "one"}')], {"PAY-02"}),
    "JSON in a JSON string": ([ScenarioMessage(value=b'"{\\"n\\": 1}"')], {"PAY-03"}),
    "a schema of Kafka Connect": ([ScenarioMessage(value=b'{"schema":{},"payload":{"n":1}}')], {"PAY-04"}),
    "a null payload": ([ScenarioMessage(value=None)], {"PAY-05"}),
    "an undeclared wire format": ([ScenarioMessage(value=b"\x00\x00\x00\x00\x07\x02")], {"PAY-06"}),
    "base64 of JSON": ([ScenarioMessage(value=b'"eyJuIjogMX0="')], {"PAY-08"}),
    "events out of order": (many(1, 3, 2), {"ORD-01"}),
    "a duplicate": ([ScenarioMessage(), ScenarioMessage()], {"DUP-01"}),
    "a series of duplicates": ([*many(1, 2, 3, 4, 5, 6), *many(3, 4, 5, 6), *many(7)], {"DUP-02"}),
    "two events with one id": ([ScenarioMessage(), ScenarioMessage(value=b'{"n": 2}')], {"DUP-01", "DUP-03"}),
    "two events with one number": ([ScenarioMessage(), ScenarioMessage(event=9)], {"DUP-04"}),
    "a gap in the sequence": (many(1, 2, 4), {"LOS-02"}),
    "a violated rule": ([ScenarioMessage(value=b'{"n": -1}')], {"PAY-07"}),
    "an event that must not be first": ([ScenarioMessage(kind="Closed", value=b'{"n": 1, "o": 1}')], {"ORD-02"}),
    "a member that does not occur": ([ScenarioMessage(), ScenarioMessage(2, event=2, kind="Closed")], {"PAY-11"}),
    "an undeclared member": ([ScenarioMessage(value=b'{"n": 1, "m": 1}')], {"PAY-10"}),
    "a number beyond 2^53": ([ScenarioMessage(value=b'{"n": 9007199254740993}')], {"PAY-09"}),
    "half of a surrogate pair": ([ScenarioMessage(value=b'{"n": 1, "m": "\\ud800"}')], {"PAY-10", "PAY-13"}),
    "an event in two partitions": (
        [ScenarioMessage(), ScenarioMessage(partition=ELSEWHERE)],
        {"DUP-05", "KEY-04", "KEY-05", "ORD-03"},
    ),
    "a clock that was set back": ([ScenarioMessage(1), ScenarioMessage(2, event=2, ago=60_000)], {"ORD-04"}),
}
TYPE = "content-type"
BINARY: dict[str, tuple[list[ScenarioMessage], set[str]]] = {
    "a CloudEvent": ([ScenarioMessage()], set()),
    "a CloudEvent in another mode": ([ScenarioMessage(headers={TYPE: b"application/cloudevents+json"})], {"CE-01"}),
    "a CloudEvent without source": ([ScenarioMessage(headers={"ce_source": None})], {"CE-02"}),
    "an attribute without its prefix": (
        [ScenarioMessage(headers={"ce_source": None, "source": b"/"})],
        {"CE-03", "HDR-05"},
    ),
    "another content-type": ([ScenarioMessage(headers={TYPE: b"text/plain"})], {"CE-04"}),
    "an invalid time": ([ScenarioMessage(headers={"ce_time": b"yesterday"})], {"CE-06"}),
    "another partitionkey": ([ScenarioMessage(headers={"ce_partitionkey": b"43"})], {"CE-07"}),
    "another ce_id": ([ScenarioMessage(headers={"ce_id": b"43"})], {"HDR-06"}),
}
EVENT = b'{"specversion": "1.0", "id": "1", "source": "/", "type": "t", "n": 1}'
STRUCTURED: dict[str, tuple[list[ScenarioMessage], set[str]]] = {
    "a structured CloudEvent": ([ScenarioMessage(value=EVENT)], set()),
    "a structured CloudEvent without content-type": ([ScenarioMessage(value=EVENT, headers={TYPE: None})], {"CE-05"}),
    "a structured CloudEvent without source": (
        [ScenarioMessage(value=EVENT.replace(b'"source": "/", ', b""))],
        {"CE-02"},
    ),
}
TOLD: dict[str, tuple[list[ScenarioMessage], set[str]]] = {
    "a published log with other events": (
        many(1, 2, 3, 4, 5),
        {"HDR-06", "KEY-02", "LOS-01", "LOS-03", "LOS-04", "LOS-06"},
    )
}
LEDGER: dict[int, dict[str, Any]] = {
    1: {"transaction": "a", "at": 0},
    9: {"transaction": "a"},  # lost, and half of a transaction
    3: {"outcome": "rolled_back"},
    4: {"key": "43"},
    5: {"sequence": 7},
}
SCENARIO_SETS = (
    ScenarioSet(PLAIN),
    ScenarioSet(BINARY, {"cloudevents": {"source": "/"}}),
    ScenarioSet(STRUCTURED, {"cloudevents": {"mode": "structured"}}),
    ScenarioSet(TOLD, ledger=LEDGER),
)
