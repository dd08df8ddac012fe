"""Every anomaly once, in a topic of its own, and the checks that must speak of it: the verifier held against itself."""

import json
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from outbox_kit import databases
from outbox_kit.findings.finding import RUN, Finding
from outbox_kit.kafka import scratch
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Cluster
from outbox_kit.kafka.scratch import Written
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import configuration
from outbox_kit.verify.checks.run import LOSS_NOT_CHECKED
from outbox_kit.verify.published_log import PublishedLog
from outbox_kit.verify.request import Request, Waits
from outbox_kit.verify.run import Verification
from outbox_kit.verify.scenarios import KEY, PARTITIONS, SCENARIO_SETS, TRACE, ScenarioMessage, ScenarioSet
from outbox_kit.wire import cloudevents
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.routes import Routes

TIME = b"2026-11-20T10:00:00Z"


@dataclass(frozen=True)
class ScenarioOutcome:
    """How a scenario went: the checks that were expected, and those that spoke."""

    name: str
    expected: frozenset[str]
    rule_ids: frozenset[str]

    @property
    def right(self) -> bool:
        """Whether exactly the expected checks spoke."""
        return self.expected == self.rule_ids


def outbox(service: str, sheet: ScenarioSet = SCENARIO_SETS[0]) -> Outbox:
    """An outbox with two events, and a topic, for each scenario."""
    payload = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    longer = {**payload, "properties": {"n": {"type": "integer"}, "o": {"type": "integer"}}}
    first = {"payload": None if "cloudevents" in sheet.changes else payload, "rules": ["payload.n >= 0"]}
    events = [
        {"type": f"{kind}-{n}", "aggregate": f"S{n}", **fields}
        for n in range(len(sheet.scenarios))
        for kind, fields in (("Placed", first), ("Closed", {"payload": longer, "follows": [f"Placed-{n}"]}))
    ]
    return Outbox.model_validate(
        {
            "service": service,
            "database": {"dialect": databases.DEFAULT},
            "table": {"extra": [{"name": "traceparent", "required": False}]},
            "routing": {"topic": "{service}.{aggregate}"},
            "ordering": {"sequence": "sequence", "assigned_by": "application"},
            "events": events,
            **sheet.changes,
        }
    )


def messages(target: Outbox, sheet: ScenarioSet = SCENARIO_SETS[0]) -> Iterator[Written]:
    """All scenarios' messages, each in its topic."""
    for number, (name, (scenario_messages, _)) in enumerate(sheet.scenarios.items()):
        for message in scenario_messages:
            yield written(target, number, name, message)


def written(target: Outbox, number: int, name: str, message: ScenarioMessage) -> Written:
    """A message of the scenario with a number and a name."""
    topic, event_id, kind = _topic(target, number), _id(target, number, name, message.event), f"{message.kind}-{number}"
    headers: dict[str, bytes | None] = {
        "id": event_id.encode(),
        "eventType": kind.encode(),
        "aggregateType": f"S{number}".encode(),
        "sequence": str(message.sequence).encode(),
        "traceparent": TRACE,
    }
    headers |= {header: fixed.encode() for header, fixed in cloudevents.constants(target).items()}
    said_too = {"ce_id": headers["id"], "ce_type": headers["eventType"], "ce_time": TIME}
    headers |= {
        header: said_too.get(header, message.key) for header in router_columns(target).headers if header not in headers
    }
    mixed = {header: value for header, value in {**headers, **message.headers}.items() if value is not None}
    listed: list[tuple[str, str | bytes | None]] = list(mixed.items())
    home = partition_of(message.key, PARTITIONS) if message.key else 0
    partition = home if message.partition is None else message.partition
    stamp = int(time.time() * 1000) - message.ago if message.ago else 0
    return Written(
        topic, partition, message.key, message.value, [*listed, message.again] if message.again else listed, stamp
    )


def _id(target: Outbox, number: int, name: str, event: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{_topic(target, number)} {name} {event}"))


def _topic(target: Outbox, number: int) -> str:
    """As `routing.topic` of the outbox above has it."""
    return f"{target.service}.S{number}"


def judged(target: Outbox, sheet: ScenarioSet, findings: Sequence[Finding]) -> list[ScenarioOutcome]:
    """Each scenario with the findings on its topic, without those about the topic's settings."""
    sustained = [
        finding
        for finding in findings
        if finding.rule.group != configuration.CONFIGURATION
        and (finding.rule, finding.subject) != (LOSS_NOT_CHECKED, RUN)
    ]
    return [
        ScenarioOutcome(
            name,
            frozenset(expected),
            frozenset(finding.id for finding in sustained if sheet.ledger or finding.subject == _topic(target, number)),
        )
        for number, (name, (_, expected)) in enumerate(sheet.scenarios.items())
    ]


def run(cluster: Cluster) -> list[ScenarioOutcome]:
    """Seed every anomaly into topics of its own on a cluster, verify them, and delete the topics."""
    service = f"outbox-kit-selftest-{uuid.uuid4().hex[:8]}"
    with tempfile.TemporaryDirectory() as folder:
        return [
            outcome
            for n, sheet in enumerate(SCENARIO_SETS)
            for outcome in _run(cluster, f"{service}-{n}", sheet, Path(folder))
        ]


def _run(cluster: Cluster, service: str, sheet: ScenarioSet, folder: Path) -> list[ScenarioOutcome]:
    target = outbox(service, sheet)
    with scratch.topics(cluster, Routes(target).topics, PARTITIONS):
        scratch.write(cluster, list(messages(target, sheet)))
        record = _record(target, sheet, folder / "ledger.ndjson") if sheet.ledger else None
        request = Request(target, cluster, waits=Waits(timeout=120, settle=1), record=record)
        report = Verification(request, lambda _: None).run()
    return judged(target, sheet, report.findings)


def _record(target: Outbox, sheet: ScenarioSet, file: Path) -> PublishedLog:
    """What the application of a sheet says it published."""
    name, rows = next(iter(sheet.scenarios)), sheet.ledger or {}
    records = [{"id": _id(target, 0, name, event), "key": KEY.decode(), **row} for event, row in rows.items()]
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return PublishedLog(file, target)
