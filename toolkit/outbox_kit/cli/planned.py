"""What operations on a connector share at the command line: the plan is shown, confirmed and carried out."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit import deadline
from outbox_kit.cli import options
from outbox_kit.cli.confirmation import confirmed
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.errors import OutboxKitError, UsageProblem

if TYPE_CHECKING:
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.handover.step import Step
    from outbox_kit.delivery.lifecycle.plan import OperationPlan
    from outbox_kit.schema.model import Outbox

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the present state and the steps; change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask; needed if the input is not a terminal.")]
Wait = Annotated[
    float,
    typer.Option("--timeout", min=1, metavar=options.SECONDS, help="Time limit until a request has taken effect."),
]
STOP_RELAY = (
    "stop the relay where it was started, such as systemctl stop or kubectl scale: it ends in order, and a new one "
    "continues after what was published"
)
"""What to do in place of a pause or a stop of a connector, if a relay publishes the events."""
REPEAT = "see the steps with --dry-run, then repeat with --yes"
"""What to do where an operation was not confirmed."""
DEFAULT_WAIT = 120.0
LABEL = 10  # characters of the column before a fact


def connector_of(ctx: typer.Context, outbox: "Outbox", connect: str, dsn: str | None, *, instead: str) -> "Debezium":
    """The connector of an outbox. instead: what to do if a relay publishes the events. Raises UsageProblem."""
    from outbox_kit.connect.client import Connect
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.wire import connector

    database = options.given_dsn(ctx, dsn)
    if outbox.delivery.by != "connector":
        command = ctx.command_path.partition(" ")[2]
        raise UsageProblem(
            f"'{command}' is for connectors, and the schema file says that a relay publishes the events",
            fix=instead,
        )
    client = Connect.from_environment(connect)
    client.worker()
    return Debezium(outbox, client, database, connector.config(outbox))


@contextmanager
def observing(ctx: typer.Context, timeout: float, *, waits: int, others: float = 0) -> Iterator[None]:
    """Give a block, which makes a plan, so many seconds in all; the rest of the command then has that for each wait.

    timeout: in seconds. waits: how many the plan's steps have at most. others: how many seconds the steps take beside
    them.
    """
    with deadline.within(timeout):
        yield
    options.limited(ctx, waits * timeout + others)


def soon(seconds: float) -> Callable[[], float]:
    """When a wait that begins now ends, by time.monotonic()."""
    return lambda: time.monotonic() + seconds


def carry_out(plan: "OperationPlan", output: options.Format, *, dry_run: bool, yes: bool = False) -> bool:
    """Show a plan, ask if events are lost or published again, and run its steps; whether they were run.

    Raises UnsafeChange where no one can answer, and what the steps raise.
    """
    as_text = output is options.Format.text
    if as_text:
        _show(plan)
    done = not plan.steps
    effects = "; ".join(plan.consequences)
    if plan.steps and not dry_run and (yes or not effects or confirmed(effects, fix=REPEAT, question="Go on?")):
        _run(plan)
        done = True
    if not as_text:
        show_json(_document(plan, dry_run=dry_run, done=done))
    elif not done or not plan.steps:
        say("nothing was changed" if plan.steps else "nothing to do")
    elif plan.following:
        show(f"{'next':<{LABEL}} {', then '.join(plan.following)}")
    return done and bool(plan.steps)


def _show(plan: "OperationPlan") -> None:
    labelled = [
        *plan.facts,
        *((f"step {number}", step.text) for number, step in enumerate(plan.steps, 1)),
        *(("note", note) for note in (plan.notes if plan.steps else ())),
        *(("effect", consequence) for consequence in plan.consequences),
    ]
    for label, text in labelled:
        show(f"{label:<{LABEL}} {text}")


def _run(plan: "OperationPlan") -> None:
    """Take the steps in order. An error and an interruption say which are done."""
    again = plan.again or f"run outbox-kit {plan.name} again: it continues from the state that it finds"
    for number, step in enumerate(plan.steps):
        try:
            step.run()
        except OutboxKitError as error:
            if len(plan.steps) > 1:
                error.details = (*error.details, *_progress(plan.steps, number), f"  then  {again}")
            raise
        except KeyboardInterrupt:
            say(f"interrupted in step {number + 1} of {len(plan.steps)} ({step.text}); {again}", always=True)
            raise


def _progress(steps: "Sequence[Step]", number: int) -> list[str]:
    done = [f"  done  step {n}: {each.text}" for n, each in enumerate(steps[:number], 1)]
    return done + [f"  left  step {n}: {each.text}" for n, each in enumerate(steps[number:], number + 1)]


def _document(plan: "OperationPlan", *, dry_run: bool, done: bool) -> dict[str, object]:
    """What --format json prints; the facts are those of before."""
    return {
        "schema": "outbox-kit/operation/v1",
        "operation": plan.name,
        "connector": plan.subject,
        "before": dict(plan.facts),
        "steps": [{"name": step.name, "text": step.text} for step in plan.steps],
        "notes": list(plan.notes),
        "consequences": list(plan.consequences),
        "dry_run": dry_run,
        "done": done,
        "next": list(plan.following),
    }
