"""The relay of one outbox, as the database shows it, as a `Delivery`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.backlog import Backlog, RelayMember, oldest
from outbox_kit.databases.failures import FailureCounts, FailureTable
from outbox_kit.databases.interface import FirstRead, Probe, Slot, Slots
from outbox_kit.delivery.interface import Health, Problem, RowEvidence
from outbox_kit.delivery.questions import Questions
from outbox_kit.delivery.slots import LOST, slot_text
from outbox_kit.errors import NotProven, PositionLost, UsageProblem
from outbox_kit.printable import counted
from outbox_kit.render.cleanup import RowProof
from outbox_kit.render.constraints import constraints
from outbox_kit.schema.model import Outbox

APPLY = "outbox-kit gen-ddl --apply"
STALLED_SECONDS = 60.0
"""Age of an unpublished event after which its relay is reported."""
START = "start it: outbox-kit relay; a running one prints what it waits for, and serves it with --listen"
CONNECTOR = "set delivery: {by: connector} in the schema file, and deploy it: outbox-kit deploy-connector"


@dataclass(frozen=True)
class RelayStatus:
    """See `Status`: whether a process reads the slot."""

    running: bool
    halted: bool = False
    starting: bool = False

    def __str__(self) -> str:
        return "running" if self.running else "not running"


@dataclass(frozen=True)
class RelayDelivery:
    """See `Delivery`."""

    outbox: Outbox
    """The outbox."""
    dsn: str | None = None
    """The database; None if it cannot be asked."""

    @property
    def reads_log(self) -> bool:
        """Whether it reads the server's log, and not the table."""
        return self.outbox.delivery.source == "log"

    @property
    def address(self) -> str:
        """The database's address. Raises UsageProblem where it was not given."""
        if self.dsn is None:
            raise UsageProblem("no address of the database", fix="set OUTBOX_KIT_DSN, or --dsn DSN")
        return self.dsn

    @property
    def probe(self) -> Probe:
        """The questions that the database can be asked."""
        return servers.get(self.outbox.database.dialect).probe

    @property
    def slots(self) -> Slots:
        """The database's replication slots. Raises UsageProblem if it has none."""
        slots = servers.get(self.outbox.database.dialect).slots
        if slots is None:
            raise UsageProblem(f"the relay cannot read {self.outbox.dialect.title}", fix=CONNECTOR)
        return slots

    @property
    def failures(self) -> FailureTable:
        """The table of failed events. Raises UsageProblem if the database has none."""
        table = servers.get(self.outbox.database.dialect).failures
        if table is None:
            raise UsageProblem(f"the relay cannot read {self.outbox.dialect.title}", fix=CONNECTOR)
        return table(self.address, self.outbox)

    @property
    def reports_position(self) -> bool:
        """See `Delivery`: the relay confirms the end of the log while nothing is published; a table has no such end."""
        return self.dsn is not None and self.reads_log

    def point(self) -> int | None:
        """See `Delivery`."""
        return self.probe.log_position(self.address, self.outbox) if self.reads_log else None

    def position(self) -> int | None:
        """See `Delivery`."""
        slot = self.slot()
        return slot.confirmed if slot else None

    def lag_reason(self, point: int) -> str:
        """See `Delivery`."""
        name, position = self.outbox.names.slot, self.position()
        if position is None:
            return f"replication slot '{name}' does not exist"
        return "" if position >= point else f"replication slot '{name}' has {point - position} bytes of lag"

    def obstacles(self) -> Sequence[str]:
        """See `Delivery`."""
        name, slot = self.outbox.names.slot, self.slot()
        obstacles = []
        if self.reads_log and slot is None:
            obstacles.append(f"replication slot '{name}' does not exist")
        elif slot is not None and slot.wal_status in LOST:
            obstacles.append(f"replication slot '{name}' is lost (wal_status={slot.wal_status})")
        if self.reads_log and (missing := self.unpublished()):
            obstacles.append(missing)
        if text := _failed(self.outbox, self.failures.counts()):
            obstacles.append(text)
        return obstacles

    def status(self) -> RelayStatus:
        """See `Delivery`."""
        return RelayStatus(self.running())

    def running(self) -> bool:
        """Whether a relay reads the log, or is a member of those that read the table."""
        polled = servers.get(self.outbox.database.dialect).polled
        if not self.reads_log and polled is not None:
            return polled(self.address, self.outbox).runs() > 0
        slot = self.slot()
        return slot.active if slot is not None else self.first_read() is not None

    def first_read(self) -> FirstRead | None:
        """The first read of a relay, before which its slot does not exist; None if there is none."""
        return self.slots.first_read(self.address, self.outbox.names.slot) if self.reads_log else None

    def slot(self) -> Slot | None:
        """The relay's slot; None if there is none."""
        if not self.reads_log:
            return None
        return self.slots.slot(self.address, self.outbox.names.slot)

    def unpublished(self) -> str:
        """Which tables the server does not send to the relay, as a sentence; empty if none."""
        names = self.outbox.names
        missing = self.probe.missing_from_publication(self.address, self.outbox)
        if not missing:
            return ""
        if not self.slots.publication_exists(self.address, names.publication):
            return f"publication '{names.publication}' does not exist in database '{names.database}'"
        return f"publication '{names.publication}' does not contain {' and '.join(missing)}"

    def health(self) -> Health:
        """See `Delivery`. Raises WrongDatabase, UsageProblem."""
        questions, address, outbox = Questions(), self.address, self.outbox
        checks = {check.name: check.digest for check in constraints(outbox, outbox.dialect)}
        examine = servers.get(outbox.database.dialect).defects
        questions.ask("database", "database", lambda: whereabouts.expect(address, outbox))
        questions.ask("database", "running", self.running)
        questions.ask("database", "failures", self.failures.counts)
        if self.reads_log:
            questions.ask("database", "slot", self.slot)
            questions.ask("database", "first_read", self.first_read)
            questions.ask("database", "unpublished", self.unpublished)
        elif read_backlog := servers.get(outbox.database.dialect).backlog:
            questions.ask("database", "backlog", lambda: read_backlog(address, outbox))
        questions.ask("database", "defects", lambda: examine(address, outbox, checks) if examine else [])
        problems = tuple(self._problems(questions.answers))
        document = self._document(questions.answers) | {
            "problems": [problem._asdict() for problem in problems],
            "unanswered": [{"what": each.what, "at": each.where, "why": each.why} for each in questions.unanswered],
        }
        return Health(tuple(self._facts(questions.answers)), document, problems, unanswered=tuple(questions.unanswered))

    def evidence(self, *, by_age: bool) -> RowEvidence:
        """See `Delivery`: the slot, the positions of the lanes, or the marks of the rows."""
        if not self.reads_log:
            record = self.outbox.delivery.record
            return RowEvidence(RowProof.lanes if record == "position" else RowProof.mark)
        name, slot = self.outbox.names.slot, self.slot()
        if slot is None and by_age:
            return RowEvidence(RowProof.age, ["rows are deleted by age: nothing proves that they are published"])
        if slot is None:
            what = f"replication slot '{name}' does not exist"
            raise NotProven(what, why="the relay was never started", fix=START)
        if slot.wal_status in LOST:
            what = f"replication slot '{name}' is lost (wal_status={slot.wal_status})"
            why = "events behind its position may not be published: the rows are needed to publish them"
            raise PositionLost(what, why=why, fix="repair the relay by the runbook: outbox-kit gen-runbook")
        return RowEvidence(RowProof.slot, () if slot.active else ["the relay does not run: its position does not move"])

    def _facts(self, answers: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        yield "relay", str(RelayStatus(answers["running"])) if "running" in answers else "not known"
        if self.reads_log:
            slot = answers.get("slot")
            absent = "does not exist" if "slot" in answers else "not known"
            yield "slot", slot_text(slot) if slot else absent
            if first_read := answers.get("first_read"):
                yield "snapshot", first_read_text(first_read)
        if backlog := answers.get("backlog"):
            for member in backlog.members:
                yield "process", _state(member, backlog)
            age = oldest(backlog.lanes)
            yield "oldest", "everything is published" if age is None else f"unpublished event: {age:.0f} s"
        counts = answers.get("failures")
        yield "failures", "not known" if counts is None else _failed(self.outbox, counts) or "none"

    def _document(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        slot, counts, backlog = answers.get("slot"), answers.get("failures"), answers.get("backlog")
        return {
            "processes": [_described(member, backlog) for member in backlog.members] if backlog else None,
            "lanes": [{"lane": each.number, "oldest_seconds": each.oldest_seconds} for each in backlog.lanes]
            if backlog
            else None,
            "relay": answers.get("running"),
            "slot": asdict(slot) if slot else None,
            "initial_snapshot": asdict(first_read) if (first_read := answers.get("first_read")) else None,
            "failures": asdict(counts) if counts else None,
        }

    def _problems(self, answers: Mapping[str, Any]) -> Iterator[Problem]:
        name, slot, counts = self.outbox.names.slot, answers.get("slot"), answers.get("failures")
        for defect in (answers.get("unpublished"), *(answers.get("defects") or ())):
            if defect:
                yield Problem(defect, APPLY)
        if first_read := answers.get("first_read"):
            if stalled := stalled_first_read(first_read):
                yield stalled._replace(what=f"{stalled.what}; other relays wait")
        elif "slot" in answers and slot is None:
            yield Problem(f"replication slot '{name}' does not exist: the relay was never started", START)
        elif slot is not None and slot.wal_status in LOST:
            yield Problem(
                f"replication slot '{name}' is lost (wal_status={slot.wal_status}): its log is gone",
                f"select pg_drop_replication_slot('{name}'), then outbox-kit relay: it publishes all rows again",
            )
        elif answers.get("running") is False:
            yield Problem("the relay is not running", START)
        if backlog := answers.get("backlog"):
            yield from _stalled(backlog)
        if counts is not None and counts.dead:
            yield Problem(_failed(self.outbox, counts), "see them and decide: outbox-kit relay dead list")


def first_read_text(first_read: FirstRead) -> str:
    """A first read in one line."""
    since = "" if first_read.seconds is None else f" for {first_read.seconds:.0f} s"
    return f"slot '{first_read.slot}': process {first_read.pid} of the server serves a relay{since}; other relays wait"


def stalled_first_read(first_read: FirstRead) -> Problem | None:
    """What is wrong if a relay has fetched no rows for a minute: it hangs, or cannot publish."""
    idle = first_read.idle_seconds
    if idle is None or idle <= STALLED_SECONDS:
        return None
    return Problem(
        f"the initial snapshot of a relay has fetched no rows for {idle:.0f} s",
        "see the log of the relay, which may wait for Kafka; if its process hangs, end it, or its connection: "
        f"select pg_terminate_backend({first_read.pid}); then another relay begins the initial snapshot again",
    )


def _stalled(backlog: Backlog) -> Iterator[Problem]:
    """The relays that exist and do not publish."""
    for member in backlog.members:
        age = oldest(backlog.owned(member.member))
        if member.hangs:
            yield Problem(
                f"relay '{member.place}' hangs: its lease ended {-member.lease_seconds:.0f} s ago, and it is connected",
                "end that process, whose lanes other relays publish, and start it again: outbox-kit relay",
            )
        elif member.runs and age is not None and age > STALLED_SECONDS:
            yield Problem(
                f"relay '{member.place}' is stalled or late: its oldest unpublished event was written {age:.0f} s ago",
                "see what it waits for in its log, or in /health with --listen",
            )


def _state(member: RelayMember, backlog: Backlog) -> str:
    """A relay's process in words."""
    if not member.runs:
        state = "it hangs" if member.connected else "it was ended without giving up its lanes"
        return f"{member.place}: its lease ended {-member.lease_seconds:.0f} s ago, {state}"
    lanes = backlog.owned(member.member)
    age = oldest(lanes)
    late = "" if age is None else f", oldest unpublished event: {age:.0f} s"
    return f"{member.place}: {counted(len(lanes), 'lane')}, its lease ends in {member.lease_seconds:.0f} s{late}"


def _described(member: RelayMember, backlog: Backlog) -> dict[str, Any]:
    """A relay's process as plain values."""
    lanes = backlog.owned(member.member)
    return {
        "process": member.place,
        "lease_seconds": member.lease_seconds,
        "hangs": member.hangs,
        "lanes": [lane.number for lane in lanes],
        "oldest_seconds": oldest(lanes),
    }


def _failed(outbox: Outbox, counts: FailureCounts) -> str:
    """The failed events in words; empty if there are none."""
    if not counts.dead and not counts.waiting:
        return ""
    dead = counted(counts.dead, "dead letter")
    return f"{dead} and {counted(counts.waiting, 'waiting event')} in table '{outbox.names.failure_table}'"
