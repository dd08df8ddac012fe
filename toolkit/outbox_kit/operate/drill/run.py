"""Runs drills: inject, detect, repair by the chapter's commands, verify, with the times of each."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from outbox_kit.errors import EnvironmentProblem, OutboxKitError, UsageProblem
from outbox_kit.operate.drill.chapter_steps import ChapterCommand, chapter_steps
from outbox_kit.operate.drill.detection import detected, reported, shown_by, silent
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.grounds import ground, refuse_shared_stack
from outbox_kit.operate.drill.model import Act, Detector, Drill, FaultSignal
from outbox_kit.stack import Stack

VERIFY = "outbox-kit verify"
MOST_OUTPUT = 4000
"""Characters of the output of a command that are kept."""
Report = Callable[[str], None]


@dataclass(frozen=True)
class ExecutedStep:
    """A command of the chapter that was executed, or what a person did in words of the chapter."""

    step: int
    """The number of the step in the chapter; 0 for what a person did."""
    command: str
    """As it was typed; in words if a person did it."""
    exit_code: int
    seconds: float
    output: str
    """The end of what the command has printed."""


@dataclass(frozen=True)
class DrillResult:
    """What a drill has shown."""

    drill: str
    """The name of the drill."""
    fault: str
    chapter: str
    """The id of the chapter."""
    signal: str
    """The alert or the finding that detected the fault; empty for a planned change."""
    detector: str
    """What found it: `prometheus`, `lag`, `doctor` or `verify`; empty for a planned change."""
    passed: bool
    """Whether everything was as the chapter says, and the verdict as expected."""
    problem: str
    """Why it has not passed; empty if it has."""
    verdict: str
    """Of the last verification."""
    findings: Sequence[str]
    """Of the last verification."""
    detection_seconds: float | None
    """From the end of the injection until the fault was detected; None for a planned change."""
    alerts: Mapping[str, float]
    """The seconds until each other alert of Prometheus fired, from the end of the injection too."""
    repair_seconds: float | None
    """From the detection until the end of the last verification; None if it was not reached."""
    steps: Sequence[ExecutedStep]

    def document(self) -> dict[str, object]:
        """The result as plain values."""
        return asdict(self)


def run(
    stack: Stack,
    chosen: Sequence[Drill],
    report: Report,
    prometheus: Path | None = None,
    hold_seconds: int = 1,
    jmx_agent: Path | None = None,
) -> Iterator[DrillResult]:
    """Run drills one after the other; those that can share an outbox do. report: takes a line for each step.

    prometheus, hold_seconds, jmx_agent: see `Ground`.

    Raises StackFailed, UsageProblem if the stack cannot be used for a drill, or a drill needs Prometheus.
    """
    blind = [drill.name for drill in chosen if drill.needs_prometheus and prometheus is None]
    if blind:
        raise UsageProblem(
            f"without Prometheus nothing detects the fault of {', '.join(blind)}", fix="--prometheus PROGRAM"
        )
    unmeasured = [drill.name for drill in chosen if drill.needs_jmx and jmx_agent is None]
    if unmeasured:
        raise UsageProblem(
            f"without metrics of the worker nothing detects the fault of {', '.join(unmeasured)}",
            fix="--jmx-agent JAR",
        )
    if any(drill.alone for drill in chosen):
        refuse_shared_stack(stack)
    with ExitStack() as open_ground:
        place: Ground | None = None
        for drill in chosen:
            if place is None or not place.suits(drill.delivery, drill.source, needs_jmx=drill.needs_jmx):
                open_ground.pop_all().close()
                report(f"create an outbox with a {drill.delivery} on stack '{stack.name}'")
                place = open_ground.enter_context(
                    ground(stack, drill.delivery, drill.source, prometheus, hold_seconds, jmx_agent)
                )
            yield run_on(place, drill, report)


def run_on(place: Ground, drill: Drill, report: Report) -> DrillResult:
    """Run a drill on an outbox that exists. report: takes a line for each step."""
    return DrillRun(place, drill, report).result()


class DrillRun:
    """A drill that is run."""

    def __init__(self, place: Ground, drill: Drill, report: Report) -> None:
        self._place, self._drill, self._report = place, drill, report
        self._executed: list[ExecutedStep] = []
        self._detection: float | None = None
        self._alerts: Mapping[str, float] = {}
        self._repair: float | None = None
        self._verdict, self._findings = "", set[str]()

    def result(self) -> DrillResult:
        """Run it. A failure is a part of the result."""
        drill, problem = self._drill, ""
        try:
            self._run()
        except OutboxKitError as error:
            problem = "; ".join(line.strip() for line in error.lines())
        missing = sorted(set(drill.findings) - self._findings)
        if not problem and (self._verdict != drill.verdict or missing):
            expected = f" with {', '.join(drill.findings)}" if drill.findings else ""
            problem = f"the verdict is {self._verdict or 'missing'}, expected {drill.verdict}{expected}"
        self._place.marked = self._place.marked or drill.leaves_marks or bool(problem)
        self._place.delivery = drill.delivery_after or self._place.delivery
        return DrillResult(
            drill.name,
            drill.fault,
            drill.chapter,
            shown_by(self._place, drill.signal) if drill.signal else "",
            self._detector(),
            not problem,
            problem,
            self._verdict,
            sorted(self._findings),
            self._detection,
            self._alerts,
            self._repair,
            self._executed,
        )

    def _run(self) -> None:
        place, drill = self._place, self._drill
        place.variables.clear()
        commands = chapter_steps(place.runbook(), drill.chapter)
        try:
            if drill.prepare is not None:
                drill.prepare(place)
            silent(place, drill)
            self._report(f"inject: {drill.fault}")
            drill.inject(place)
            if drill.signal is not None:
                self._detect(drill.signal)
            began = time.monotonic()
            self._repaired(commands)
            self._repair = time.monotonic() - began
        finally:
            if drill.restore is not None:
                drill.restore(place)

    def _detect(self, signal: FaultSignal) -> None:
        """Wait until the fault is detected, and keep the times."""
        seconds, name = dict(detected(self._place, self._drill)), shown_by(self._place, signal)
        self._detection = seconds.pop(name)
        self._alerts = seconds
        self._report(f"detected by {self._detector()}, {name}: {self._detection:.1f} s")
        for alert, passed in seconds.items():
            self._report(f"alert {alert}: {passed:.1f} s")

    def _detector(self) -> str:
        signal = self._drill.signal
        if signal is None or signal.detector is not Detector.alert:
            return signal.detector if signal else ""
        return "prometheus" if self._place.prometheus else "lag"

    def _repaired(self, commands: Mapping[int, Sequence[ChapterCommand]]) -> None:
        for step in self._drill.steps:
            if isinstance(step, Act):
                began = time.monotonic()
                self._report(f"{step.text}")
                step.perform(self._place)
                self._executed.append(ExecutedStep(0, step.text, 0, time.monotonic() - began, ""))
            else:
                for command in commands[step]:
                    self._execute(step, command)
        verified = self._executed and self._executed[-1].command.startswith(VERIFY)
        if not verified and not self._drill.removes:
            self._execute(0, ChapterCommand(VERIFY, frozenset({0, 1})))

    def _execute(self, step: int, command: ChapterCommand) -> None:
        """Type a command as it is, and keep what it reports. Raises EnvironmentProblem for another exit code."""
        began = time.monotonic()
        typed = self._place.shell.typed(command.line, self._place.variables)
        seconds = time.monotonic() - began
        self._executed.append(ExecutedStep(step, command.line, typed.code, seconds, typed.output[-MOST_OUTPUT:]))
        self._report(f"$ {command.line}  # exit code {typed.code}, {seconds:.1f} s")
        if command.line.startswith(VERIFY):
            self._verdict = next(
                (line.partition(":")[0] for line in typed.output.splitlines() if _is_verdict(line)), ""
            )
            self._findings = reported(typed.output)
        if typed.code not in command.codes:
            expected = " or ".join(map(str, sorted(command.codes)))
            details = [f"| {line}" for line in typed.output.splitlines()[-12:]]
            raise EnvironmentProblem(
                f"exit code {typed.code}, expected {expected}", where=command.line, details=details
            )


def _is_verdict(line: str) -> bool:
    return line.partition(":")[0] in ("PASS", "FAIL", "INCONCLUSIVE")
