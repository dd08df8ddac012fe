"""`drill`: disturb an outbox on the local stack, and repair it by the commands of its runbook."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import SECONDS, Format, OutputFormat
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        raise UsageProblem("no drill", fix="list all drills: outbox-kit drill --list")
    if ALL in names:
        chosen = _all(list(drills().values()), with_prometheus=prometheus is not None)
    else:
        chosen = [drill_named(name) for name in dict.fromkeys(names)]
    results = []
    for result in run(Stack.attach(stack_name), chosen, say, _program(prometheus), hold):
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


def _all(drills: "Sequence[Drill]", *, with_prometheus: bool) -> "Sequence[Drill]":
    """All drills, without those that need Prometheus where there is none."""
    possible = [drill for drill in drills if with_prometheus or not drill.needs_prometheus]
    if left := [drill.name for drill in drills if drill not in possible]:
        say(f"left out, because they need --prometheus: {', '.join(left)}")
    return possible


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
