"""A continuous verification: each window is judged against the state of the earlier ones, and reported once."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from outbox_kit import databases, deadline
from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.ledger import Ledger, MarkedLedger, mark_time
from outbox_kit.errors import EnvironmentProblem, KafkaRefused, OutOfTime, UsageProblem
from outbox_kit.findings.finding import Finding
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict
from outbox_kit.kafka.read import Range
from outbox_kit.verify.checks import CHECKS, Check
from outbox_kit.verify.checks import run as run_checks
from outbox_kit.verify.contract import contract
from outbox_kit.verify.reading import plan
from outbox_kit.verify.reading.read_pass import ReadPass, folder
from outbox_kit.verify.reading.window import Bound, Window, offsets, within
from outbox_kit.verify.request import Request
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.verify.state import follower as state
from outbox_kit.verify.state.follower import RetainedWindow, State, TableSnapshot, Totals
from outbox_kit.verify.state.spool import Spool
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.table.catch_up import point_now
from outbox_kit.verify.table.rowless import now_ms

MARK_SECONDS = 30.0
MOST_AHEAD = 100  # moments that wait for the connector; if it does not advance for long, the oldest are dropped
NO_SNAPSHOT = TableSnapshot()  # of no table


@dataclass(frozen=True)
class WindowResult:
    """The result of one window."""

    number: int
    at_ms: int
    """When the window ended, in milliseconds since 1970."""
    result: Result
    fresh: list[Finding]
    """The findings that were not reported in an earlier window."""
    totals: Totals
    problem: EnvironmentProblem | None = None
    """Why it was given up, or not compared with its rows; the next window makes up for it."""
    unread: Mapping[PartitionId, int] = field(default_factory=dict)
    """Offsets behind what was read, by partition."""
    judged: bool = True
    """False for a window that was given up."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was verified in it, because nothing was there."""
        result = self.result
        seen = any(result.topics.values()) or result.rows or self.fresh or self.problem
        return self.judged and not seen and result.verdict is Verdict.passed


@dataclass
class Follower:
    """One follower of an outbox's topics. Raises EnvironmentProblems where it cannot begin."""

    request: Request
    folder: Path
    """Of its state, held by it."""
    remember: int
    """Windows, at least, whose events are remembered one by one; of older ones it knows each key's highest number."""
    say: Callable[[str], None]
    render: Callable[[WindowResult], str]
    """The text of a window."""
    tell: Callable[[str], None]
    """Prints it."""

    def __post_init__(self) -> None:
        self.problem = ""
        self.state = state.load(self.folder, self.request.outbox) or self._begun()
        self._printed()

    def window(self) -> WindowResult:
        """Judge what has come since the last window, write down that it was, and print it.

        Interrupted, it has judged nothing: the next one does. So it is where the brokers do not answer.
        """
        try:
            with deadline.within(self.request.waits.timeout):
                after, window = self._judged()
        except EnvironmentProblem as problem:
            after, window = self._given_up(problem)
        if window.problem and window.problem.what != self.problem:
            self.say("\n".join(window.problem.lines()))
        self.problem = window.problem.what if window.problem else ""
        self._save(replace(after, unsaid=self.render(window)))
        self._printed()
        return window

    def _save(self, after: State) -> None:
        state.save(after, self.folder, self.request.outbox)
        self.state = after

    def _printed(self) -> None:
        """Print what was not printed yet. It is stored before, so that a kill in between loses nothing."""
        if self.state.unsaid:
            self.tell(self.state.unsaid)
        self._save(replace(self.state, unsaid=""))

    def _begun(self) -> State:
        """Where a new follower begins: at the offsets that were asked for, and with the rows to be committed."""
        request = self.request
        routes = contract(request.outbox, request.registry).routes
        ranges = request.log.pin(plan.partitions(request, routes, request.findings()))
        begins = {(r.topic, r.partition): r.start for r in within(request.window, ranges, request.log)}
        return State(begins=begins, ends=begins, compared=self._mark(ranges))

    def _table(self) -> MarkedLedger | None:
        """The outbox table, if its rows stay. Raises UsageProblem where they do not say when they were committed."""
        request = self.request
        if request.dsn is None or not request.outbox.table.keeps_rows:
            return None
        dialect = request.outbox.database.dialect
        ledger = servers.get(dialect).marked_ledger
        if ledger is None:
            raise UsageProblem(
                f"verify follow cannot compare with a table in {databases.get(dialect).title} yet",
                why="the rows do not contain the time of their commit",
                fix="outbox-kit verify, or outbox-kit verify follow --no-table",
            )
        return ledger(request.dsn, request.outbox)

    def _rows_between(self, begin: TableSnapshot, end: TableSnapshot) -> Ledger | None:
        """The rows of the outbox table that were committed between two marks; None if there is nothing to compare."""
        table = self._table() if end.mark else None
        return table and table.limited(begin.mark, end.mark)

    def _mark(self, pinned: Sequence[Range], after: TableSnapshot = NO_SNAPSHOT) -> TableSnapshot:
        """The table's present moment. pinned: the logs, as they were just before. after: the moment before it."""
        table = self._table()
        if table is None:
            return NO_SNAPSHOT
        whereabouts.expect(table.dsn, table.outbox)
        mark = table.mark(MARK_SECONDS, after.mark)
        starts = within(Window(end=Bound(milliseconds=table.start_time(mark))), pinned, self.request.log)
        return TableSnapshot(mark, point_now(self.request.delivered_by), _ends(starts))

    def _judged(self) -> tuple[State, WindowResult]:
        """The state after the next window, and its result. Raises EnvironmentProblem if the window is given up."""
        before, request = self.state, self.request
        pinned = self._pinned(before)
        _still_there(before, pinned)
        first, problem = {(r.topic, r.partition): r.start for r in pinned}, None
        try:
            before, anew = self._marked(pinned)
            until, late = self._published(before)
            why = anew or late
        except EnvironmentProblem as trouble:
            until, problem, why = before.compared, trouble, trouble.what
        request = replace(
            request,
            window=Window(Bound(offsets=offsets(before.ends))),
            prior_windows=before.prior_windows(self.folder, first, until),
            record=None if problem else self._rows_between(before.compared, until),
            uncompared=why,
        )
        with folder(self.folder / state.ROWS) as working_folder:
            verification = Verification(request, self.say)
            report = verification.within(working_folder)
            if report.interruption is not None:
                raise report.interruption
            if not verification.settled:
                raise verification.problem or _unsettled(report)
            after = self._after(before, verification.part, working_folder)
        problem = problem or verification.problem
        if problem is None and (why or all(finding.rule != run_checks.ARRIVAL_UNKNOWN for finding in report.findings)):
            ahead = before.ahead[before.ahead.index(until) + 1 :] if until in before.ahead else before.ahead
            after = replace(after, compared=until, ahead=ahead)
        return self._window_result(after, report, problem)

    def _marked(self, pinned: Sequence[Range]) -> tuple[State, str]:
        """The state with the ledger's present moment ahead; or from it on, and why, where rows were lost sight of."""
        before = self.state
        now = self._mark(pinned, (before.compared, *before.ahead)[-1])
        since, anew = before.compared, replace(before, compared=now, ahead=())
        table = self._table()
        if table is None or not (since.mark and now.mark):
            return anew, ""
        if not table.is_same_database(since.mark, now.mark):
            return (
                anew,
                "the database is another one than before: only rows that are committed from now on are compared",
            )
        if any(r.start > since.ends.get((r.topic, r.partition), 0) for r in pinned):
            return (
                anew,
                "the topic's retention deleted messages before their rows were compared: only rows that are "
                "committed from now on are compared",
            )
        return replace(before, ahead=(*before.ahead[-MOST_AHEAD:], now)), ""

    def _published(self, before: State) -> tuple[TableSnapshot, str]:
        """The last moment whose rows are all published, and why there is none although one is expected.

        This does not wait for the delivery, whose position moves in steps: the next window asks again.
        """
        until, table, delivery = before.compared, self._table(), self.request.delivered_by
        for snapshot in before.ahead[:-1]:
            if table and snapshot.point is not None and (why := delivery.lag_reason(snapshot.point)):
                waited = (mark_time(before.ahead[-1].mark) - mark_time(snapshot.mark)) / 1000
                late = snapshot is before.ahead[0] and len(before.ahead) > 2 and waited > self.request.waits.catch_up
                return until, f"{why}, for {waited:.0f} s" if late else ""
            until = snapshot
        return until, ""

    def _after(self, before: State, part: ReadPass, working_folder: Path) -> State:
        """The state after a window, whose rows are kept; where there are many, the older half becomes one.

        working_folder: the folder of its rows.
        """
        rows = self.folder / state.ROWS
        name = f"{before.window + 1:010}"
        working_folder.rename(rows / name)
        starts = {topic_partition: r.start for topic_partition, r in part.judged().items()}
        kept, base = (*before.kept, RetainedWindow(name, starts)), before.base
        if len(kept) >= 2 * self.remember:
            old, kept = kept[: self.remember], kept[self.remember :]
            merged_folders = replace(before, kept=old).folders
            memory = self.request.resources.memory
            with folder(rows) as created:
                with closing(Spool(created, memory, [rows / name for name in merged_folders])) as spool:
                    spool.fold()
                base = f"base-{name}"
                created.rename(rows / base)
        ends = {topic_partition: r.end for topic_partition, r in part.ranges.items()}
        return replace(before, window=before.window + 1, begins=starts | before.begins, ends=ends, kept=kept, base=base)

    def _window_result(
        self, after: State, result: Result, problem: EnvironmentProblem | None
    ) -> tuple[State, WindowResult]:
        conditions = {(finding.id, finding.subject) for finding in result.findings if _condition(finding)}
        fresh = [
            finding for finding in result.findings if (finding.id, finding.subject) not in conditions & after.conditions
        ]
        informational = {
            condition for condition in after.conditions if CHECKS.get(condition[0]).severity is Severity.info
        }
        before = after.totals
        totals = Totals(
            before.events + Counter(result.recognised),
            before.findings + Counter({(f.id, f.severity.value, f.subject): f.count for f in fresh}),
            before.windows + Counter([result.verdict.value]),
            before.copies + result.copies,
            before.problems + (problem is not None),
        )
        window = WindowResult(after.window, now_ms(), result, fresh, totals, problem, self._unread(after))
        return replace(after, conditions=frozenset(conditions | informational), totals=totals), window

    def _given_up(self, problem: EnvironmentProblem) -> tuple[State, WindowResult]:
        before, result = self.state, Result(self.request.outbox.service)
        counts = before.totals
        windows = counts.windows + Counter([result.verdict.value])
        totals = replace(counts, windows=windows, problems=counts.problems + 1)
        window = WindowResult(before.window + 1, now_ms(), result, [], totals, problem, judged=False)
        return replace(before, totals=totals), window

    def _unread(self, after: State) -> dict[PartitionId, int]:
        try:
            pinned = self._pinned(after)
        except EnvironmentProblem:
            return {}
        return {
            topic_partition: max(0, end - after.ends[topic_partition]) for topic_partition, end in _ends(pinned).items()
        }

    def _pinned(self, at: State) -> list[Range]:
        """The logs as they are now, of the partitions that are there yet."""
        topics = self.request.log.topics()
        return self.request.log.pin([topic_partition for topic_partition in at.ends if topic_partition[0] in topics])


def _ends(ranges: Iterable[Range]) -> dict[PartitionId, int]:
    return {(r.topic, r.partition): r.end for r in ranges}


def _condition(finding: Finding) -> bool:
    return isinstance(finding.rule, Check) and finding.rule.condition


def _still_there(before: State, pinned: Iterable[Range]) -> None:
    """Raise where a log ends before what was read of it."""
    for r in pinned:
        if r.end < before.ends[r.topic, r.partition]:
            raise KafkaRefused(
                "the topic was deleted and recreated, or truncated",
                where=f"{r.topic}-{r.partition}",
                why=f"read up to offset {before.ends[r.topic, r.partition]}; the partition ends at offset {r.end}",
                fix="start again with another state: outbox-kit verify follow --state FOLDER --from beginning",
            )


def _unsettled(result: Result) -> EnvironmentProblem:
    """Why a window could not be judged, where no broker gave the reason."""
    seen = [
        str(s.location) + ": " + s.actual
        for finding in result.findings
        if finding.rule == run_checks.NOT_READ
        for s in finding.samples
    ]
    return OutOfTime(
        "the topics were not read within --timeout",
        why="; ".join(seen[:3]),
        fix="check the brokers, or allow more time: --timeout",
    )
