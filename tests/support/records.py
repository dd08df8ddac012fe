"""A message as the client hands it over, without a broker."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.databases.ledger import ComparableParts
from outbox_kit.findings.finding import Collector
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.contract import contract
from outbox_kit.verify.reading.replay import Replay
from outbox_kit.verify.reading.scan import Examination
from outbox_kit.verify.state.memory import Memory
from outbox_kit.verify.state.tally import Tally

TOPIC = "shop.Order"
PARTITIONS = 3
OPEN = {"type": "object"}
STRICT = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}


def outbox_of(payload: Any = OPEN, **changes: Any) -> Outbox:
    """The outbox that the records here belong to."""
    declared = {
        "service": "shop",
        "database": {"dialect": "postgres"},
        "routing": {"topic": "{service}.{aggregate}"},
        "events": [{"type": "OrderPlaced", "aggregate": "Order", "payload": payload}],
    }
    return Outbox.model_validate(declared | changes)


@dataclass(frozen=True)
class Record:
    """One record; in all that is not said it is as the connector writes it."""

    at: int = 0
    number: int = 1
    text: bytes | None = b'{"n": 1}'
    named: bytes | None = b"1"
    event_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    changes: tuple[tuple[str, bytes | None], ...] = ()
    without: tuple[str, ...] = ()
    more: tuple[tuple[str, bytes], ...] = ()

    def offset(self) -> int:
        return self.at

    def key(self) -> bytes | None:
        return self.named

    def value(self) -> bytes | None:
        return self.text

    def timestamp(self) -> tuple[int, int]:
        return 1, 1_700_000_000_000 + self.at

    def headers(self) -> list[tuple[str, bytes | None]]:
        own: dict[str, bytes | None] = {
            "id": self.event_id.encode(),
            "eventType": b"OrderPlaced",
            "aggregateType": b"Order",
            "sequence": str(self.number).encode(),
        }
        own |= dict(self.changes)
        return [*((name, value) for name, value in own.items() if name not in self.without), *self.more]


def examined(
    outbox: Outbox,
    *records: Record,
    partition: int | None = None,
    registry: str | None = None,
    held: ComparableParts | None = None,
) -> Examination:
    """What the one pass says of records of one partition."""
    meant = contract(outbox, registry)
    findings = Collector(32, CHECKS.get)
    examination = Examination(meant, Tally(findings), Memory(meant.forbidden), {TOPIC: PARTITIONS}, held)
    home = partition_of(records[0].key() or b"1", PARTITIONS) if records else 0
    examination.take(TOPIC, home if partition is None else partition, records)
    return examination


def settled(examination: Examination, *partitions: Sequence[Record]) -> Collector:
    """What the doubts of an examination come to. partitions: the records of each, from number 0 on."""
    findings = Collector(32, CHECKS.get)
    whole = {(TOPIC, number) for number, _ in enumerate(partitions)}
    replay = Replay(examination.contract, findings, complete=whole)
    for doubts in examination.engine.suspects(gaps=True, split=True):
        replay.begin(doubts)
        replay.take(TOPIC, doubts.partition, partitions[doubts.partition])
    replay.finish()
    return findings


def named(of: Examination | Collector) -> dict[str, int]:
    """The findings' ids, with how many times."""
    return {finding.id: finding.count for finding in (of.tally.findings if isinstance(of, Examination) else of)}
