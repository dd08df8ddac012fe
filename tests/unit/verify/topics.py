"""Captured messages as a cluster shows them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from outbox_kit.kafka.read import Range
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.reading.captured import CapturedLog, CapturedMessage
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from tests.support.request import request_of

DELETED = {"cleanup.policy": "delete", "retention.ms": "-1"}


@dataclass
class Topics(CapturedLog):
    """Captured messages as a cluster shows them. starts: of each partition; settings: of each topic."""

    outbox: Outbox
    records: Sequence[CapturedMessage]
    start: int = 0
    policy: dict[str, str] | None = field(default_factory=lambda: DELETED)
    all_topics = False

    def __post_init__(self) -> None:
        super().__init__(self.outbox, self.records)

    def settings(self, names: Sequence[str]) -> dict[str, dict[str, str] | None]:
        return dict.fromkeys(names, self.policy)

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        return [replace(r, start=min(self.start, r.end)) for r in super().pin(partitions)]


def verified(own: Outbox, log: Topics, **asked: Any) -> Result:
    return Verification(request_of(own, log, settle=0, **asked), lambda _: None).run()
