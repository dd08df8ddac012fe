"""A verification that goes on: every window is judged against what the earlier ones have left, and told once."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from outbox_kit import deadline, source
from outbox_kit.errors import EnvironmentProblem, KafkaRefused, OutOfTime
from outbox_kit.finding import Finding, Severity
from outbox_kit.kafka.read import Range
from outbox_kit.source import whereabouts
from outbox_kit.source.ledger import moment
from outbox_kit.verify import plan, state
from outbox_kit.verify.catalogue import CHECKS
from outbox_kit.verify.contract import contract
from outbox_kit.verify.engine.spool import Spool
from outbox_kit.verify.part import Part, folder
from outbox_kit.verify.result import Report, Request
from outbox_kit.verify.rowless import now_ms
from outbox_kit.verify.run import Verification
from outbox_kit.verify.state import Kept, Mark, State, Totals
from outbox_kit.verify.tally import Here
from outbox_kit.verify.window import Bound, Window, offsets, within

MARK_SECONDS = 30.0
MOST_AHEAD = 100  # moments that wait for the connector; where it stands still for long, the oldest go
# what holds of a topic or of a run, and not of some of its records: it is told when it begins to
CONDITIONS = (
    *("RUN-0", "RUN-10", "RUN-11", "RUN-12", "RUN-14", "RUN-15"),
    *("CFG-", "RTE-04", "RTE-05", "PAY-10", "PAY-11", "ORD-05", "LAT-01"),
)
NOWHERE = Mark()  # of no table


@dataclass(frozen=True)
class Told:
    """What is said of a window. report: of what came in it. fresh: those of its findings that were not told before.

    judged: whether it was not given up. problem: why it was, or was not compared with its rows; the next one makes up
    for it. unread: offsets behind what was read, by partition. at_ms: when it ended, in milliseconds since 1970.
    """

    number: int
    at_ms: int
    report: Report
    fresh: list[Finding]
    totals: Totals
    problem: EnvironmentProblem | None = None
    unread: Mapping[Here, int] = field(default_factory=dict)
    judged: bool = True


@dataclass
class Follower:
    """One follower of an outbox's topics. Raises EnvironmentProblems where it cannot begin.

    folder: of its state, held by it. remember: windows, at least, whose events are remembered one by one; of older ones
    it knows each key's highest number. render: a window as it is printed. tell: prints it.
    """

    request: Request
    folder: Path
    remember: int
    say: Callable[[str], None]
    render: Callable[[Told], str]
    tell: Callable[[str], None]

    def __post_init__(self) -> None:
        self.problem = ""
        self.state = state.load(self.folder, self.request.outbox) or self._begun()
        self._printed()

    def window(self) -> Told:
        """Judge what has come since the last window, write down that it was, and tell it.

        Interrupted, it has judged nothing: the next one does. So it is where the brokers do not answer.
        """
        try:
            with deadline.within(self.request.timeout):
                after, told = self._judged()
        except EnvironmentProblem as problem:
            after, told = self._given_up(problem)
        if told.problem and told.problem.what != self.problem:
            self.say("\n".join(told.problem.lines()))
        self.problem = told.problem.what if told.problem else ""
        self._save(replace(after, unsaid=self.render(told)))
        self._printed()
        return told

    def _save(self, after: State) -> None:
        state.save(after, self.folder, self.request.outbox)
        self.state = after

    def _printed(self) -> None:
        """Print what is to be printed yet; it is written down before, for whoever is killed between the two."""
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

    def _table(self, *between: Mark) -> Any:
        """The outbox table, where its rows stay; between two moments of it, where they are given."""
        request = self.request
        if request.dsn is None or not request.outbox.table.keeps_rows:
            return None
        table = source.named(request.outbox.database.dialect).ledger.Table(request.dsn, request.outbox)
        return replace(table, between=tuple(m.mark for m in between), passed=between[1].fence) if between else table

    def _mark(self, pinned: Sequence[Range], after: Mark = NOWHERE) -> Mark:
        """The table's present moment. pinned: the logs, as they were just before. after: the moment before it."""
        table = self._table()
        if table is None:
            return NOWHERE
        whereabouts.expect(table.dsn, table.outbox)
        mark = table.mark(MARK_SECONDS, after.mark)
        begun = within(Window(end=Bound(milliseconds=table.since(mark))), pinned, self.request.log)
        return Mark(mark, table.fence(), _ends(begun))

    def _judged(self) -> tuple[State, Told]:
        """The state after the next window, and what is said of it. Raises EnvironmentProblems where it is given up."""
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
            remembered=before.remembered(self.folder, first, until),
            record=self._table(before.compared, until) if until.mark and not problem else None,
            uncompared=why,
        )
        with folder(self.folder / state.ROWS) as own:
            verification = Verification(request, self.say)
            report = verification.within(own)
            if report.interruption is not None:
                raise report.interruption
            if not verification.settled:
                raise verification.problem or _unsettled(report)
            after = self._after(before, verification.part, own)
        problem = problem or verification.problem
        if problem is None and (why or all(one.check != "RUN-10" for one in report.findings)):
            ahead = before.ahead[before.ahead.index(until) + 1 :] if until in before.ahead else before.ahead
            after = replace(after, compared=until, ahead=ahead)
        return self._told(after, report, problem)

    def _marked(self, pinned: Sequence[Range]) -> tuple[State, str]:
        """The state with the ledger's present moment ahead; or from it on, and why, where rows were lost sight of."""
        before = self.state
        now = self._mark(pinned, (before.compared, *before.ahead)[-1])
        since, anew = before.compared, replace(before, compared=now, ahead=())
        if not (since.mark and now.mark):
            return anew, ""
        if not self._table().goes_on(since.mark, now.mark):
            return anew, "the database is another one than before: its rows are compared from now on"
        if any(r.start > since.ends.get((r.topic, r.partition), 0) for r in pinned):
            return anew, "retention took messages before their rows were compared: rows are from now on"
        return replace(before, ahead=(*before.ahead[-MOST_AHEAD:], now)), ""

    def _published(self, before: State) -> tuple[Mark, str]:
        """The last moment whose rows are all published, and why there is none where there should be.

        Nobody waits for a connector here, which says only now and then what it has published: the next window asks.
        """
        until, table = before.compared, self._table()
        for one in before.ahead[:-1]:
            if one.fence is not None and (why := table.behind(one.fence)):
                waited = (moment(before.ahead[-1].mark) - moment(one.mark)) / 1000
                late = one is before.ahead[0] and len(before.ahead) > 2 and waited > self.request.catch_up
                return until, f"{why}, for {waited:.0f} s" if late else ""
            until = one
        return until, ""

    def _after(self, before: State, part: Part, own: Path) -> State:
        """The state after a window, whose rows are kept; where there are many, the older half becomes one.

        own: the folder of its rows.
        """
        rows = self.folder / state.ROWS
        name = f"{before.window + 1:010}"
        own.rename(rows / name)
        starts = {here: r.start for here, r in part.judged().items()}
        kept, base = (*before.kept, Kept(name, starts)), before.base
        if len(kept) >= 2 * self.remember:
            old, kept = kept[: self.remember], kept[self.remember :]
            whole = replace(before, kept=old).folders
            with folder(rows) as made:
                with closing(Spool(made, self.request.memory, [rows / one for one in whole])) as spool:
                    spool.fold()
                base = f"base-{name}"
                made.rename(rows / base)
        ends = {here: r.end for here, r in part.ranges.items()}
        return replace(before, window=before.window + 1, begins=starts | before.begins, ends=ends, kept=kept, base=base)

    def _told(self, after: State, report: Report, problem: EnvironmentProblem | None) -> tuple[State, Told]:
        conditions = {(one.check, one.topic) for one in report.findings if _condition(one)}
        fresh = [one for one in report.findings if (one.check, one.topic) not in conditions & after.standing]
        known = {one for one in after.standing if CHECKS[one[0]].severity is Severity.info}
        before = after.totals
        totals = Totals(
            before.events + Counter(report.recognised),
            before.findings + Counter({(f.check, f.severity.value, f.topic): f.count for f in fresh}),
            before.windows + Counter([report.verdict.value]),
            before.copies + report.copies,
            before.problems + (problem is not None),
        )
        told = Told(after.window, now_ms(), report, fresh, totals, problem, self._unread(after))
        return replace(after, standing=frozenset(conditions | known), totals=totals), told

    def _given_up(self, problem: EnvironmentProblem) -> tuple[State, Told]:
        before, report = self.state, Report(self.request.outbox.service)
        counts = before.totals
        windows = counts.windows + Counter([report.verdict.value])
        totals = replace(counts, windows=windows, problems=counts.problems + 1)
        told = Told(before.window + 1, now_ms(), report, [], totals, problem, judged=False)
        return replace(before, totals=totals), told

    def _unread(self, after: State) -> dict[Here, int]:
        try:
            pinned = self._pinned(after)
        except EnvironmentProblem:
            return {}
        return {here: max(0, end - after.ends[here]) for here, end in _ends(pinned).items()}

    def _pinned(self, at: State) -> list[Range]:
        """The logs as they are now, of the partitions that are there yet."""
        there = self.request.log.topics()
        return self.request.log.pin([here for here in at.ends if here[0] in there])


def _ends(ranges: Iterable[Range]) -> dict[Here, int]:
    return {(r.topic, r.partition): r.end for r in ranges}


def _condition(finding: Finding) -> bool:
    return finding.check.startswith(CONDITIONS)


def _still_there(before: State, pinned: Iterable[Range]) -> None:
    """Raise where a log ends before what was read of it."""
    for r in pinned:
        if r.end < before.ends[r.topic, r.partition]:
            raise KafkaRefused(
                "a topic is not the one that was followed",
                where=f"{r.topic}-{r.partition}",
                why=f"it was read up to offset {before.ends[r.topic, r.partition]}, and ends at {r.end} now",
                fix="where it was made anew, begin anew: with another --state, and --from beginning",
            )


def _unsettled(report: Report) -> EnvironmentProblem:
    """Why a window could not be judged, where no broker gave the reason."""
    seen = [str(s.place) + ": " + s.actual for one in report.findings if one.check == "RUN-01" for s in one.samples]
    return OutOfTime(
        "the topics could not be read in time",
        why="; ".join(seen[:3]),
        fix="see whether the brokers are well, or allow more --timeout",
    )
