"""Every anomaly once, in a topic of its own, and the checks that must speak of it: the verifier held against itself."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from outbox_kit.finding import Finding, Severity
from outbox_kit.kafka import scratch
from outbox_kit.kafka.placement import partition_of
from outbox_kit.kafka.read import Cluster
from outbox_kit.kafka.scratch import Written
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.result import Request
from outbox_kit.verify.run import Verification

PARTITIONS = 3
KEY = b"42"
HOME = partition_of(KEY, PARTITIONS)
ELSEWHERE = (HOME + 1) % PARTITIONS
TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@dataclass(frozen=True)
class Said:
    """A message of a scenario. headers: those that differ from what they must be; None takes one away."""

    sequence: int = 1
    key: bytes | None = KEY
    value: bytes | None = b'{"n": 1}'
    headers: dict[str, bytes | None] = field(default_factory=dict)
    again: tuple[str, bytes] | None = None
    partition: int | None = None
    event: int = 0
    kind: str = "Placed"


def many(*numbers: int) -> list[Said]:
    """Messages with these sequence numbers, each number an event of its own."""
    return [Said(sequence=n, event=n) for n in numbers]


RAW = b'{"before":null,"after":{},"op":"c","source":{}}'
SCENARIOS: dict[str, tuple[list[Said], set[str]]] = {
    "nothing wrong": (many(1, 2, 3), set()),
    "no key": ([Said(key=None)], {"KEY-01"}),
    "a key in quotes": ([Said(key=b'"42"')], {"KEY-03"}),
    "a key that is no text": ([Said(key=b"\xff\xfe")], {"KEY-03"}),
    "a key in the wrong partition": ([Said(partition=ELSEWHERE)], {"KEY-04"}),
    "a key in two partitions": ([Said(), Said(2, partition=ELSEWHERE, event=2)], {"KEY-04", "KEY-05", "ORD-03"}),
    "a header missing": ([Said(headers={"sequence": None})], {"HDR-01"}),
    "a header twice": ([Said(again=("traceparent", TRACE))], {"HDR-02"}),
    "an id that is none": ([Said(headers={"id": b"abcdefabcdef"})], {"HDR-03"}),
    "a header in quotes": ([Said(headers={"traceparent": b'"%s"' % TRACE})], {"HDR-04", "HDR-07"}),
    "a header more": ([Said(headers={"other": b"x"})], {"HDR-05"}),
    "a traceparent that is none": ([Said(headers={"traceparent": b"00-0-0-0"})], {"HDR-07"}),
    "another event's topic": ([Said(headers={"eventType": b"Placed-0", "aggregateType": b"S0"})], {"RTE-01"}),
    "an undeclared event": ([Said(headers={"eventType": b"Plaecd"})], {"RTE-02"}),
    "a stray record": ([Said(headers=dict.fromkeys(("id", "eventType", "aggregateType", "sequence")))], {"RTE-03"}),
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
    "a step that may not be": ([Said(kind="Closed")], {"ORD-02"}),
}


@dataclass(frozen=True)
class Outcome:
    """How a scenario went: the checks that were expected, and those that spoke."""

    name: str
    expected: frozenset[str]
    found: frozenset[str]

    @property
    def right(self) -> bool:
        """Whether exactly the expected checks spoke."""
        return self.expected == self.found


def outbox(service: str) -> Outbox:
    """An outbox with an event, and so a topic, for each scenario."""
    payload = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    placed = {"payload": payload, "rules": ["payload.n >= 0"]}
    events = [{"type": f"Placed-{n}", "aggregate": f"S{n}", **placed} for n in range(len(SCENARIOS))]
    events += [
        {"type": f"Closed-{n}", "aggregate": f"S{n}", "payload": payload, "after": [f"Placed-{n}"]}
        for n in range(len(SCENARIOS))
    ]
    return Outbox.model_validate(
        {
            "service": service,
            "database": {"dialect": "postgres"},
            "table": {"extra": [{"name": "traceparent", "required": False}]},
            "routing": {"topic": "{service}.{aggregate}"},
            "ordering": {"sequence": "sequence", "assigned_by": "application"},
            "events": events,
        }
    )


def messages(own: Outbox) -> Iterator[Written]:
    """All scenarios' messages, each in its topic."""
    for number, (name, (said, _)) in enumerate(SCENARIOS.items()):
        topic = own.topic(f"S{number}")
        for one in said:
            yield written(topic, number, name, one)


def written(topic: str, number: int, name: str, said: Said) -> Written:
    """A message of the scenario with a number and a name."""
    event_id = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{topic} {name} {said.event}"))
    headers: dict[str, bytes | None] = {
        "id": event_id.encode(),
        "eventType": f"{said.kind}-{number}".encode(),
        "aggregateType": f"S{number}".encode(),
        "sequence": str(said.sequence).encode(),
        "traceparent": TRACE,
    }
    mixed = {header: value for header, value in {**headers, **said.headers}.items() if value is not None}
    listed: list[tuple[str, str | bytes | None]] = list(mixed.items())
    home = partition_of(said.key, PARTITIONS) if said.key else 0
    partition = home if said.partition is None else said.partition
    return Written(topic, partition, said.key, said.value, [*listed, said.again] if said.again else listed)


def judged(own: Outbox, findings: Sequence[Finding]) -> list[Outcome]:
    """Each scenario with what was found on its topic; remarks about topics' own settings are none of theirs."""
    return [
        Outcome(
            name,
            frozenset(expected),
            frozenset(
                f.check for f in findings if f.topic == own.topic(f"S{number}") and not f.check.startswith("CFG")
            ),
        )
        for number, (name, (_, expected)) in enumerate(SCENARIOS.items())
    ]


def run(cluster: Cluster) -> list[Outcome]:
    """Seed every anomaly into topics of its own on a cluster, verify them, and take the topics away again."""
    own = outbox(f"outbox-kit-selftest-{uuid.uuid4().hex[:8]}")
    with scratch.topics(cluster, own.topics, PARTITIONS):
        scratch.write(cluster, list(messages(own)))
        request = Request(own, cluster, None, timeout=120, settle=1, fail_on=Severity.error)
        report = Verification(request, lambda _: None).run()
    return judged(own, report.findings)
