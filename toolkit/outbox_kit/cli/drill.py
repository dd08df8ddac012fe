"""`drill`: disturb an outbox on the local stack, and repair it by the commands of its runbook."""

import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import SECONDS, Format, OutputFormat
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from outbox_kit.operate.drill.model import Drill
    from outbox_kit.operate.drill.run import DrillResult

ALL = "all"


@app.command("drill")
def drill(
    names: Annotated[list[str] | None, typer.Argument(metavar="[DRILL]...", help="The drills, or all.")] = None,
    stack_name: Annotated[
        str, typer.Option("--name", "-n", metavar="STACK", help="The local stack that is disturbed.")
    ] = "default",
    prometheus: Annotated[
        Path | None,
        typer.Option(
            "--prometheus", metavar="PROGRAM", help="Prometheus, which judges the alerts. Default: as lag does."
        ),
    ] = None,
    hold: Annotated[
        int,
        typer.Option(
            "--hold",
            min=0,
            metavar=SECONDS,
            help="With --prometheus: how long a condition holds before its alert fires.",
        ),
    ] = 1,
    jmx_agent: Annotated[
        Path | None,
        typer.Option(
            "--jmx-agent",
            metavar="JAR",
            help="With --prometheus: the Java agent of the JMX exporter, for alerts about the worker's own metrics.",
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the drills, and run none.")] = False,
    output: OutputFormat = Format.text,
) -> None:
    """Inject a fault on the local stack, wait until it is detected, repair it by the runbook's commands, and verify.

    A drill creates an outbox of its own on the stack that `stack up` has started, and removes it at the end. It uses no
    other system: variables that name one are ignored. Exit code 1: a drill has not passed.
    """
    from outbox_kit.operate.drill.model import drill_named, drills
    from outbox_kit.operate.drill.run import run
    from outbox_kit.stack import Stack

    if listed:
        _list(list(drills().values()), output)
        return
    if not names:
        raise UsageProblem("the name of a drill is missing", fix="list all drills: outbox-kit drill --list")
    if ALL in names:
        chosen = _all(list(drills().values()), {"--prometheus": prometheus is not None, "--jmx-agent": bool(jmx_agent)})
    else:
        chosen = [drill_named(name) for name in dict.fromkeys(names)]
    results = []
    program, agent = _program(prometheus), _agent(jmx_agent, with_prometheus=prometheus is not None)
    for result in run(Stack.attach(stack_name), chosen, say, program, hold, agent):
        results.append(result)
        if output is Format.text:
            show(_text(result))
    if output is Format.json:
        show_json(
            {
                "schema": "outbox-kit/drill/v1",
                "stack": stack_name,
                "drills": [result.document() for result in results],
                "passed": all(result.passed for result in results),
            }
        )
    raise typer.Exit(0 if all(result.passed for result in results) else 1)


def _program(path: Path | None) -> Path | None:
    """The program of Prometheus. Raises UsageProblem."""
    if path is not None and not (path.is_file() and os.access(path, os.X_OK)):
        raise UsageProblem(f"invalid --prometheus '{path}': expected a program", fix="--prometheus /usr/bin/prometheus")
    return path.absolute() if path else None


def _agent(path: Path | None, *, with_prometheus: bool) -> Path | None:
    """The JAR of the JMX exporter. Raises UsageProblem."""
    if path is None:
        return None
    if not with_prometheus:
        raise UsageProblem("--jmx-agent needs Prometheus, which scrapes the metrics", fix="--prometheus PROGRAM")
    if not zipfile.is_zipfile(path):
        raise UsageProblem(f"invalid --jmx-agent '{path}': expected a JAR", fix="name jmx_prometheus_javaagent-*.jar")
    return path.absolute()


def _all(drills: "Sequence[Drill]", are_set: "Mapping[str, bool]") -> "Sequence[Drill]":
    """All drills, without those that need an option that is not set."""
    lacking = {drill.name: [option for option in _needs(drill) if not are_set[option]] for drill in drills}
    for option in are_set:
        if left := [name for name, options in lacking.items() if options[:1] == [option]]:
            say(f"left out, because they need {option}: {', '.join(left)}")
    return [drill for drill in drills if not lacking[drill.name]]


def _needs(drill: "Drill") -> list[str]:
    """The options without which nothing detects the fault of a drill."""
    needs = {"--prometheus": drill.needs_prometheus, "--jmx-agent": drill.needs_jmx}
    return [option for option, is_needed in needs.items() if is_needed]


def _list(drills: "Sequence[Drill]", output: Format) -> None:
    if output is Format.json:
        show_json(
            {
                "schema": "outbox-kit/drills/v1",
                "drills": [
                    {
                        "name": drill.name,
                        "fault": drill.fault,
                        "chapter": drill.chapter,
                        "delivery": drill.delivery,
                        "signal": drill.signal.name if drill.signal else None,
                        "alone": drill.alone,
                        "needs_prometheus": drill.needs_prometheus,
                        "needs_jmx": drill.needs_jmx,
                    }
                    for drill in drills
                ],
            }
        )
        return
    for each in drills:
        show(f"{each.name:<20} {each.chapter:<18} {each.fault}")


def _text(result: "DrillResult") -> str:
    lines = [f"{'PASS' if result.passed else 'FAIL'}: {result.drill}: {result.fault}"]
    findings = ", ".join(result.findings) or "no findings"
    lines.append(f"  chapter    {result.chapter}, {len(result.steps)} commands")
    if result.detection_seconds is not None:
        lines.append(f"  detected   {result.detection_seconds:.1f} s, by {result.detector}, {result.signal}")
    for alert, seconds in result.alerts.items():
        lines.append(f"  alert      {seconds:.1f} s, {alert}")
    if result.repair_seconds is not None:
        lines.append(f"  repaired   {result.repair_seconds:.1f} s")
    lines.append(f"  verdict    {result.verdict or 'none'} ({findings})")
    if result.problem:
        lines.append(f"  problem    {result.problem}")
    return "\n".join(lines)
