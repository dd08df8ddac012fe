"""What is observed of a connector, its slot, its heartbeat, its table and its topics, and the problems. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from outbox_kit.connect.plan import ConfigChange
from outbox_kit.connect.status import RESUME, ConnectorStatus, failure
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery.interface import Health, Problem
from outbox_kit.delivery.partitions import partitions_fix
from outbox_kit.delivery.slots import LOST, lsn, size, slot_text
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.printable import counted
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.routes import Routes

MISSED_HEARTBEATS = 3
APPLY = "outbox-kit gen-ddl --apply"
MIGRATE = (
    "outbox-kit gen-ddl --diff git:main if the schema file was changed; otherwise outbox-kit gen-ddl --apply prints "
    "the statement that adds the column again"
)
DEPLOY = "outbox-kit deploy-connector"
HAND_OVER = "if it is a relay, hand the outbox over: outbox-kit hand-over --dry-run"
PROBE = "outbox-kit deploy-connector --probe"
DRY_RUN = "outbox-kit plan"
CREATE_AGAIN = (
    "outbox-kit remove --drop-slot --reset-offsets --allow-destructive, then outbox-kit deploy-connector --probe"
)
RECREATE = (
    "create it, or allow the worker to create it. Deleted messages are not published again: to publish all rows of the "
    "table again, outbox-kit remove --reset-offsets --allow-destructive, then outbox-kit deploy-connector --probe"
)
MOST_NAMES = 5


@dataclass(frozen=True)
class Observation:
    """What Kafka Connect, the database and Kafka have answered. None: not asked, not answered, or it does not exist."""

    outbox: Outbox
    """The outbox."""
    status: ConnectorStatus | None = None
    """The states of the connector and its task."""
    drift: Sequence[ConfigChange] | None = None
    """What `deploy-connector` would change in the connector's configuration; None if it is not registered."""
    stored: int | None = None
    """The log position in the connector's stored offset."""
    topics: Sequence[str] | None = None
    """The topics that the connector has written; None if it is not registered."""
    slot: Slot | None = None
    """The replication slot."""
    defects: Sequence[str] = ()
    """What `gen-ddl --apply` would create or grant again, a sentence each."""
    heartbeat_seconds: float | None = None
    """The age of the last heartbeat."""
    partitions: Mapping[str, int] | None = None
    """Kafka's topics with the number of their partitions."""
    hidden: Mapping[str, str] | None = None
    """Topics of the connector that the Kafka user may not see, and why."""
    answered: frozenset[str] = field(default_factory=frozenset)
    """The names of the fields for which there was an answer; `database` if the database was asked at all."""
    unanswered: Sequence[EnvironmentProblem] = ()
    """The questions that were not answered."""

    def health(self) -> Health:
        """The same as a delivery's health."""
        status = self.status
        cause = failure(self.outbox.names.connector, status) if status and status.failed else None
        trace = status.trace.splitlines() if status else []
        problems = tuple(self._problems())
        return Health(tuple(self._facts()), self._document(problems), problems, cause, trace, self.unanswered)

    def _facts(self) -> Iterator[tuple[str, str]]:
        capture, slot = self.outbox.dialect.capture, self.slot
        yield "connector", f"{self.outbox.names.connector}: {self._state()}"
        yield "worker", ", ".join(self.status.workers if self.status else ()) or "-"
        if "drift" in self.answered and self.drift is not None:
            yield "config", drift_text(len(self.drift))
        yield "offset", self._stored()
        if capture.uses_slot:
            yield "slot", self._reason_unknown("slot") or (slot_text(slot) if slot else "does not exist")
        if capture.uses_heartbeat_table:
            age = self.heartbeat_seconds
            yield (
                "heartbeat",
                self._reason_unknown("heartbeat_seconds") or ("none yet" if age is None else f"{age:.0f} s ago"),
            )
        yield "topics", self._reason_unknown("topics") or (", ".join(self.topics or ()) or "none written yet")
        for topic, why in (self.hidden or {}).items():
            yield "", f"{topic} was not examined: {why}"

    def _reason_unknown(self, name: str) -> str:
        """Why a fact is not known; empty if it is."""
        if name in self.answered:
            return ""
        of_database = name in ("slot", "heartbeat_seconds", "defects")
        return "not examined: set OUTBOX_KIT_DSN" if of_database and "database" not in self.answered else "not known"

    def _state(self) -> str:
        if self.status is None:
            return "not known"
        return str(self.status) if self._registered() else "not registered"

    def _registered(self) -> bool:
        return self.status is not None and self.status.connector != "UNKNOWN"

    def _slot_gone(self) -> bool:
        """Whether a resumed connector would fail, or create a slot that begins too late."""
        examined = self.outbox.dialect.capture.uses_slot and "slot" in self.answered
        return examined and (self.slot is None or self.slot.wal_status in LOST)

    def _stored(self) -> str:
        if "stored" not in self.answered:
            return "not known"
        if self.stored is None:
            return "none stored"
        return f"LSN {lsn(self.stored)}" if self.outbox.dialect.capture.uses_slot else str(self.stored)

    def _document(self, problems: Sequence[Problem]) -> dict[str, Any]:
        return {
            "connector": self.outbox.names.connector,
            "status": asdict(self.status) if self.status else None,
            "config_drift": None if self.drift is None else [change.key for change in self.drift],
            "position": self.stored,
            "slot": asdict(self.slot) if self.slot else None,
            "heartbeat_seconds": self.heartbeat_seconds,
            "topics": None if self.topics is None else list(self.topics),
            "hidden_topics": dict(self.hidden or {}),
            "problems": [problem._asdict() for problem in problems],
            "unanswered": [
                {"what": problem.what, "at": problem.where, "why": problem.why} for problem in self.unanswered
            ],
        }

    def _problems(self) -> Iterator[Problem]:
        yield from self._connector_problems()
        if "slot" in self.answered and self.outbox.dialect.capture.uses_slot:
            yield from self._slot_problems()
        yield from (Problem(d, MIGRATE if d.startswith("column ") else APPLY) for d in self.defects)
        age, interval = self.heartbeat_seconds, self.outbox.connect.heartbeat_ms / 1000
        if age is not None and age > MISSED_HEARTBEATS * interval + self.outbox.dialect.capture.idle_seconds + 5:
            yield Problem(f"the last heartbeat is {age:.0f} s old; expected one every {interval:g} s", PROBE)
        yield from self._topic_problems()

    def _connector_problems(self) -> Iterator[Problem]:
        name, status = self.outbox.names.connector, self.status
        if status is None:
            return
        if status.connector == "UNKNOWN":
            yield Problem(f"connector '{name}' is not registered", DEPLOY)
        elif status.connector == "STOPPED" and self.slot is not None and self.slot.active:
            what = f"connector '{name}' is STOPPED, and another process reads replication slot"
            yield Problem(f"{what} '{self.outbox.names.slot}'", HAND_OVER)
        elif status.halted:
            fix = CREATE_AGAIN if self._slot_gone() else RESUME
            yield Problem(f"connector '{name}' is {status.connector}: it publishes no events", fix)
        elif status.failed:
            yield Problem(f"{status}", "see the error below")
        elif not status.running:
            yield Problem(f"{status}", "see the worker's log, then: outbox-kit status")
        if self.drift:
            names = ", ".join(change.key for change in self.drift[:MOST_NAMES])
            more = ", ..." if len(self.drift) > MOST_NAMES else ""
            yield Problem(f"the connector's configuration differs from the schema file: {names}{more}", DRY_RUN)

    def _slot_problems(self) -> Iterator[Problem]:
        slot, name = self.slot, self.outbox.names.slot
        if slot is None:
            yield Problem(f"replication slot '{name}' does not exist", CREATE_AGAIN if self._registered() else DEPLOY)
        elif slot.wal_status in LOST:
            yield Problem(f"replication slot '{name}' is lost (wal_status={slot.wal_status})", CREATE_AGAIN)
        elif not slot.active:
            halted = self.status is not None and self.status.halted
            start = "see the error below" if self.status is None else RESUME if halted else DEPLOY
            fix = f"{start}; if the outbox is no longer used: outbox-kit remove --drop-slot --allow-destructive"
            yield Problem(f"replication slot '{name}' is inactive and retains {size(slot.retained)} of WAL", fix)

    def _topic_problems(self) -> Iterator[Problem]:
        declared, events = self.outbox.connect.topics.partitions, Routes(self.outbox).topics
        examined = self.topics or () if self.partitions is not None and self.hidden is not None else ()
        numbers = {(self.partitions or {}).get(topic, 0) for topic in examined if topic in events} - {0}
        for topic in (topic for topic in examined if topic not in (self.hidden or {})):
            count = (self.partitions or {}).get(topic)
            if count is None:
                text = f"topic '{topic}' does not exist, but the connector has written to it: it was deleted"
                yield Problem(text, RECREATE)
            elif count != declared and topic in events:
                text = f"topic '{topic}' has {count} partitions, the schema file declares {declared}"
                yield Problem(text, partitions_fix(topic, count, numbers))


def drift_text(count: int) -> str:
    """How the running configuration differs. count: of its options that differ."""
    if not count:
        return "matches the schema file"
    return f"{counted(count, 'option')} {'differs' if count == 1 else 'differ'}"
