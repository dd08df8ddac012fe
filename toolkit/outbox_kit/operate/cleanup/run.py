"""One run of a cleanup: the lock, what is old, what is removed, and what stays."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from outbox_kit.clocks import expect_agreement
from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.cleanup import CleanupSession, PartitionRemoval, RemovalState, TableCondition, TablePartition
from outbox_kit.databases.facts.inbox import AHEAD_DAYS
from outbox_kit.delivery.interface import Delivery, RowEvidence
from outbox_kit.errors import NotProven, UsageProblem
from outbox_kit.kafka.read import Cluster
from outbox_kit.operate.cleanup import decisions
from outbox_kit.operate.cleanup.kind import CleanupKind, EvidenceSources, KeepTimes, Way
from outbox_kit.operate.cleanup.result import CleanupResult, OldCounts
from outbox_kit.printable import counted
from outbox_kit.render import cleanup as statements
from outbox_kit.render.cleanup import BEFORE_ALL, OldRows, RowProof
from outbox_kit.schema.model import Outbox
from outbox_kit.waiting import waiting_for

KEYS = 200_000
"""Rows whose keys are read before a point of the log, which the delivery must pass before they are deleted."""
LETTERS = 500
"""Dead letters that are discarded at once."""
POLL_SECONDS = 1.0
REPORT_SECONDS = 5.0
OF_NUMBER = "number"
SILENT = "it has received nothing in the time that ids are kept, and its producer may repeat its last messages"
PAUSES = 5
"""Pauses between two partitions. Each removal makes each writer wait once: it must not be one of few inserts."""


@dataclass(frozen=True)
class CleanupLimits:
    """How much a run does, and how fast."""

    batch: int
    """Rows of a batch."""
    pause_seconds: float
    """Between two batches."""
    rows: int | None
    """The most rows of a run; None for all."""
    wait_seconds: float
    """For the position of the delivery."""


@dataclass(frozen=True)
class CleanupTask:
    """What is to be removed from which table."""

    outbox: Outbox
    kind: CleanupKind
    dsn: str
    delivery: Delivery
    cluster: Cluster
    times: KeepTimes
    limits: CleanupLimits
    by_age: bool
    """Whether the age of a row is enough if there is no position."""
    report: Callable[[str], None]
    """Takes a line of progress."""
    by_position: bool = False
    """See `EvidenceSources`."""

    def evidence(self) -> RowEvidence:
        """What shows which rows are published.

        Raises UsageProblem, WrongDatabase, NotProven, PositionLost, EnvironmentProblem.
        """
        self._connect()
        if self.kind.beside_outbox:
            whereabouts.expect(self.dsn, self.outbox)
        sources = EvidenceSources(self.delivery, self.cluster, self.by_age, self.by_position)
        return self.kind.evidence(self.outbox, sources, self.times)

    def run(self, evidence: RowEvidence, *, dry_run: bool) -> CleanupResult:
        """Remove old rows. dry_run: only count them.

        Raises UsageProblem, TableDiffers, ClocksApart, NotProven, EnvironmentProblem.
        """
        rows, way = self.kind.rows(self.outbox, evidence, self.times), self.kind.way(self.outbox)
        with self._session(rows) as session:
            before = self._examined(session, rows, way)
            ((now,),) = session.query(self.outbox.dialect.inbox.clock)
            expect_agreement(now, time.time())
            failures = bool(rows.failures) and session.exists(rows.failures)
            rows = decisions.as_created(rows, before, failures=failures)
            notes = [*evidence.notes]
            if rows.proof is RowProof.redelivery:
                silent = self._silent(session, rows)
                rows = decisions.without(rows, silent)
                notes += [f"no id of the consumer '{name}' is removed: {SILENT}" for name in silent]
            result = CleanupResult(rows, way, before, dry_run, notes)
            run = CleanupRun(self, session, result, before.key)
            run.planned() if dry_run else run.removed()
            return result

    def add_partitions(self) -> None:
        """Create the partitions of the next days, which is possible without evidence.

        Raises UsageProblem, TableDiffers, EnvironmentProblem.
        """
        way = self.kind.way(self.outbox)
        if way is not Way.drop:
            return
        rows = self.kind.rows(self.outbox, RowEvidence(RowProof.age), self.times)
        with self._session(rows) as session:
            self._examined(session, rows, way)
            added = session.add_partitions(rows.table, AHEAD_DAYS)
        for text in (*(f"partition {name} was created" for name in added.names), *added.notes):
            self.report(text)

    def _examined(self, session: CleanupSession, rows: OldRows, way: Way) -> TableCondition:
        """The table. Raises TableDiffers if it is another one."""
        table = session.examine(rows.table)
        kind = self.kind
        decisions.expect_table(rows, kind.columns(self.outbox), way, table, kind.partitioned_by, kind.script)
        return table

    def _silent(self, session: CleanupSession, rows: OldRows) -> Sequence[str]:
        """The consumers that have received nothing for as long as ids are kept."""
        names = [name for name, _ in rows.horizons]
        dialect = self.outbox.dialect
        return [name for name in names if not session.query(statements.received_lately(dialect, rows, name))]

    def _connect(self) -> Callable[[str], CleanupSession]:
        """What makes a session. Raises UsageProblem if a database has none."""
        connect = servers.get(self.outbox.database.dialect).cleanup
        if connect is None:
            raise UsageProblem(
                f"cleanup is not available for {self.outbox.dialect.title}",
                fix="schedule a job of the database: outbox-kit cleanup --job",
            )
        return connect

    @contextmanager
    def _session(self, rows: OldRows) -> Iterator[CleanupSession]:
        session = self._connect()(self.dsn)
        try:
            session.open(f"outbox-kit cleanup {self.outbox.dialect.quote_ident(*rows.table)}")
            yield session
        finally:
            session.close()


class CleanupRun:
    """The steps of one run, which fill its result."""

    def __init__(self, task: CleanupTask, session: CleanupSession, result: CleanupResult, key: str) -> None:
        """key: the column by which a row is found; see `TableCondition.key`."""
        self._task, self._session, self._result, self._key = task, session, result, key
        self._rows, self._dialect = result.rows, task.outbox.dialect
        self._reported = time.monotonic()

    def planned(self) -> None:
        """Count what a run would remove."""
        self._count()
        if self._result.way is Way.drop:
            for partition in decisions.removable(self._partitions()):
                (count,) = self._session.query(self._remains(partition))[0]
                rows = f"has {counted(count, 'row')} that must stay" if count else ""
                state = RemovalState.kept if count else RemovalState.planned
                self._result.removals[partition.name] = PartitionRemoval(state, rows)

    def removed(self) -> None:
        """Remove what may be removed, and count what stays."""
        if self._result.way is Way.drop:
            self._drop_partitions()
        elif self._result.way is Way.discard:
            self._discard()
        elif self._rows.proof is RowProof.point:
            self._delete_by_keys()
        else:
            self._delete(self._rows)
        self._count()
        self._result.after = self._session.examine(self._rows.table)

    def _count(self) -> None:
        numbers = self._session.query(statements.counts(self._dialect, self._rows))[0]
        self._result.counts = OldCounts(*map(int, numbers))

    def _delete(self, rows: OldRows) -> None:
        """Delete in batches, each behind the last one, until no batch begins at the beginning of the table.

        A second pass finds what the first has left out: the server chooses the order of the rows.
        """
        after = BEFORE_ALL
        while most := self._next():
            batch = self._session.delete(statements.delete(self._dialect, rows, most, after))
            self._advance(batch.rows)
            if batch.rows == most:
                after = batch.last or after
            elif after == BEFORE_ALL:
                return
            else:
                after = BEFORE_ALL

    def _delete_by_keys(self) -> None:
        """Delete rows of which each was committed before a point that the delivery has passed since."""
        while most := self._next(KEYS):
            query = statements.keys(self._dialect, self._rows, self._key, most)
            keys = [key for (key,) in self._session.query(query)]
            if not keys or not self._is_passed():
                return
            for start in range(0, len(keys), self._task.limits.batch):
                some = keys[start : start + self._task.limits.batch]
                self._advance(self._session.delete_keys(self._rows.table, self._key, some))

    def _discard(self) -> None:
        """Discard dead letters as an operator does."""
        connect = servers.get(self._task.outbox.database.dialect).failure_desk
        assert connect is not None  # noqa: S101 - a relay can read the table
        desk, number = connect(self._task.dsn, self._task.outbox), self._dialect.fold_case(OF_NUMBER)
        while most := self._next(LETTERS):
            query = statements.keys(self._dialect, self._rows, number, most)
            numbers = [int(value) for (value,) in self._session.query(query)]
            discarded = desk.discard(numbers) if numbers else 0
            if not discarded:
                return
            self._advance(discarded)

    def _drop_partitions(self) -> None:
        added = self._session.add_partitions(self._rows.table, AHEAD_DAYS)
        self._result.created = added.names
        self._result.notes += added.notes
        partitions = self._partitions()
        chosen = decisions.removable(partitions)
        if chosen and self._rows.proof is RowProof.point and not self._is_passed():
            return
        for partition in chosen:
            removal = self._session.remove(self._rows.table, partition, partitions, self._remains(partition))
            self._result.removals[partition.name] = removal
            self._task.report(f"partition {partition.name}: {removal.state}")
            if removal.state is RemovalState.blocked:
                self._result.removals |= decisions.behind(partition.name, chosen)
                break
            time.sleep(PAUSES * self._task.limits.pause_seconds)
        for partition in decisions.strays(partitions):
            if partition.schema:
                self._delete(replace(self._rows, table=(partition.schema, partition.name)))

    def _partitions(self) -> list[TablePartition]:
        return [*self._session.partitions(self._rows.table, self._rows.keep_hours)]

    def _remains(self, partition: TablePartition) -> str:
        place = (partition.schema, partition.name) if partition.schema else partition.name
        return statements.remains(self._dialect, self._rows, place)

    def _is_passed(self) -> bool:
        """Whether the delivery passes the end of the log, which is behind all rows that were read before, in time."""
        delivery, end = self._task.delivery, time.monotonic() + self._task.limits.wait_seconds
        point = delivery.point()
        if point is None:
            raise NotProven("the log of the database has no position", fix="outbox-kit status shows what is captured")
        with waiting_for("the stored offset of the connector"):
            while reason := delivery.lag_reason(point):
                if time.monotonic() >= end:
                    self._result.unfinished = f"{reason}, after {self._task.limits.wait_seconds:.0f} s"
                    return False
                time.sleep(POLL_SECONDS)
        return True

    def _next(self, most: int | None = None) -> int:
        """The rows of the next batch, within the limit of the run. most: of a batch of another size."""
        limits, removed = self._task.limits, self._result.deleted
        rows = decisions.next_batch(limits.batch if most is None else most, limits.rows, removed)
        if not rows:
            self._result.unfinished = f"the limit of {counted(limits.rows or 0, 'row')} is reached"
        return rows

    def _advance(self, rows: int) -> None:
        """A batch was removed: count it, report it, pause. rows: 0 if there was nothing left to remove."""
        if not rows:
            return
        self._result.deleted += rows
        self._result.batches += 1
        if time.monotonic() - self._reported > REPORT_SECONDS:
            self._reported = time.monotonic()
            self._task.report(f"{counted(self._result.deleted, 'row')} removed")
        time.sleep(self._task.limits.pause_seconds)
