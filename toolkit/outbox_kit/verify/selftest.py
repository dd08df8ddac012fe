"""Every anomaly once, in a topic of its own, and the checks that must speak of it: the verifier held against itself."""

import json
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from outbox_kit.finding import Finding, Severity
from outbox_kit.kafka import scratch
from outbox_kit.kafka.placement import partition_of
from outbox_kit.kafka.read import Cluster
from outbox_kit.kafka.scratch import Written
from outbox_kit.preview.routes import Routes
from outbox_kit.schema import cloudevents
from outbox_kit.schema.model import Outbox
from outbox_kit.source.file import Record
from outbox_kit.verify.result import Request
from outbox_kit.verify.run import Verification
from outbox_kit.verify.scenarios import KEY, PARTITIONS, SHEETS, TRACE, Said, Sheet

TIME = b"2026-11-20T10:00:00Z"


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


def outbox(service: str, sheet: Sheet = SHEETS[0]) -> Outbox:
    """An outbox with two events, and a topic, for each scenario."""
    payload = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    longer = {**payload, "properties": {"n": {"type": "integer"}, "o": {"type": "integer"}}}
    first = {"payload": None if "cloudevents" in sheet.changes else payload, "rules": ["payload.n >= 0"]}
    events = [
        {"type": f"{kind}-{n}", "aggregate": f"S{n}", **said}
        for n in range(len(sheet.scenarios))
        for kind, said in (("Placed", first), ("Closed", {"payload": longer, "after": [f"Placed-{n}"]}))
    ]
    return Outbox.model_validate(
        {
            "service": service,
            "database": {"dialect": "postgres"},
            "table": {"extra": [{"name": "traceparent", "required": False}]},
            "routing": {"topic": "{service}.{aggregate}"},
            "ordering": {"sequence": "sequence", "assigned_by": "application"},
            "events": events,
            **sheet.changes,
        }
    )


def messages(own: Outbox, sheet: Sheet = SHEETS[0]) -> Iterator[Written]:
    """All scenarios' messages, each in its topic."""
    for number, (name, (said, _)) in enumerate(sheet.scenarios.items()):
        for one in said:
            yield written(own, number, name, one)


def written(own: Outbox, number: int, name: str, said: Said) -> Written:
    """A message of the scenario with a number and a name."""
    topic, event_id, kind = _topic(own, number), _id(own, number, name, said.event), f"{said.kind}-{number}"
    headers: dict[str, bytes | None] = {
        "id": event_id.encode(),
        "eventType": kind.encode(),
        "aggregateType": f"S{number}".encode(),
        "sequence": str(said.sequence).encode(),
        "traceparent": TRACE,
    }
    headers |= {header: fixed.encode() for header, fixed in cloudevents.constants(own).items()}
    said_too = {"ce_id": headers["id"], "ce_type": headers["eventType"], "ce_time": TIME}
    headers |= {header: said_too.get(header, said.key) for header in cloudevents.columns(own)}
    mixed = {header: value for header, value in {**headers, **said.headers}.items() if value is not None}
    listed: list[tuple[str, str | bytes | None]] = list(mixed.items())
    home = partition_of(said.key, PARTITIONS) if said.key else 0
    partition = home if said.partition is None else said.partition
    stamp = int(time.time() * 1000) - said.ago if said.ago else 0
    return Written(topic, partition, said.key, said.value, [*listed, said.again] if said.again else listed, stamp)


def _id(own: Outbox, number: int, name: str, event: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{_topic(own, number)} {name} {event}"))


def _topic(own: Outbox, number: int) -> str:
    """As `routing.topic` of the outbox above has it."""
    return f"{own.service}.S{number}"


def judged(own: Outbox, sheet: Sheet, findings: Sequence[Finding]) -> list[Outcome]:
    """Each scenario with what was found on its topic; remarks about topics' own settings are none of theirs."""
    found = [one for one in findings if not one.check.startswith("CFG") and (one.check, one.topic) != ("RUN-11", "*")]
    return [
        Outcome(
            name,
            frozenset(expected),
            frozenset(one.check for one in found if sheet.ledger or one.topic == _topic(own, number)),
        )
        for number, (name, (_, expected)) in enumerate(sheet.scenarios.items())
    ]


def run(cluster: Cluster) -> list[Outcome]:
    """Seed every anomaly into topics of its own on a cluster, verify them, and take the topics away again."""
    service = f"outbox-kit-selftest-{uuid.uuid4().hex[:8]}"
    with tempfile.TemporaryDirectory() as folder:
        return [one for n, sheet in enumerate(SHEETS) for one in _run(cluster, f"{service}-{n}", sheet, Path(folder))]


def _run(cluster: Cluster, service: str, sheet: Sheet, folder: Path) -> list[Outcome]:
    own = outbox(service, sheet)
    with scratch.topics(cluster, Routes(own).topics, PARTITIONS):
        scratch.write(cluster, list(messages(own, sheet)))
        record = _record(own, sheet, folder / "ledger.ndjson") if sheet.ledger else None
        request = Request(own, cluster, None, timeout=120, settle=1, fail_on=Severity.error, record=record)
        report = Verification(request, lambda _: None).run()
    return judged(own, sheet, report.findings)


def _record(own: Outbox, sheet: Sheet, file: Path) -> Record:
    """What the application of a sheet says it published."""
    name, rows = next(iter(sheet.scenarios)), sheet.ledger or {}
    told = [{"id": _id(own, 0, name, event), "key": KEY.decode(), **row} for event, row in rows.items()]
    file.write_text("".join(f"{json.dumps(one)}\n" for one in told))
    return Record(file, own)
