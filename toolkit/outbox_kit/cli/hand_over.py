"""`hand-over`: from a connector to a relay and back, as one operation."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit import deadline
from outbox_kit.cli import app, options, planned
from outbox_kit.cli.confirmation import confirmed
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.cli.relay import expect_publishable
from outbox_kit.errors import OutboxKitError
from outbox_kit.printable import counted

if TYPE_CHECKING:
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.delivery.handover.operation import AnyHandOver, ObservedState
    from outbox_kit.delivery.handover.step import Step

AGAIN = "run outbox-kit hand-over again: it continues from there"


@app.command("hand-over")
def hand_over(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    dsn: options.Dsn = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the present state and the steps; change nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask; needed if the input is not a terminal.")
    ] = False,
    leave_failed: Annotated[
        bool,
        typer.Option("--leave-failed", help="Leave events that the relay could not publish; no connector does."),
    ] = False,
    allow_destructive: Annotated[
        bool,
        typer.Option("--allow-destructive", help="Allow changes of the connector's stored offset or messages."),
    ] = False,
    wait: Annotated[
        float,
        typer.Option("--wait", min=0, metavar=options.SECONDS, help="How long to wait until the relay has stopped."),
    ] = 30.0,
    timeout: Annotated[
        float,
        typer.Option(min=1, metavar=options.SECONDS, help="Time limit for the connector to stop, or to run."),
    ] = 120.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Hand an outbox over from a connector to a relay, or back, whichever delivery.by says; no event is lost.

    It can be interrupted and repeated: it continues from what it finds.
    """
    from outbox_kit.connect.client import Connect
    from outbox_kit.delivery.debezium.connector import Debezium
    from outbox_kit.wire import connector

    outbox = options.outbox_from(file, service, env)
    workers, address = Connect.from_environment(connect), options.dsn_for(ctx, dsn, outbox)
    delivery, as_text = Debezium(outbox, workers, address, connector.config(outbox)), output is options.Format.text
    operation = _operation(delivery, timeout, wait, leave_failed=leave_failed, allowed=allow_destructive or dry_run)
    with deadline.within(timeout):
        workers.worker()
        before, steps = _planned(operation, delivery, shown=as_text)
    for number, step in enumerate(steps, 1):
        show(f"{f'step {number}':<10} {step.text}" if as_text else "", nl=as_text)
    done = not steps
    change = f"hand outbox '{outbox.service}' over to the {outbox.delivery.by}"
    if steps and not dry_run and (yes or confirmed(change, fix=planned.REPEAT)):
        options.limited(ctx, 2 * timeout + wait)
        _run(steps)
        done = True
    if not as_text:
        show_json(_document(delivery, before, steps, operation.following(), done=done))
    elif done:
        show(f"next       {', then '.join(operation.following())}")
    else:
        say("nothing was changed")


def _planned(
    operation: "AnyHandOver[Any]", delivery: "Debezium", *, shown: bool
) -> "tuple[ObservedState, Sequence[Step]]":
    """The present state and the steps. Raises what makes the hand-over impossible."""
    before: ObservedState = operation.observe()
    if shown:
        for label, text in _facts(delivery, before):
            show(f"{label:<10} {text}")
    operation.refuse(before)
    return before, operation.steps(before)


def _operation(
    delivery: "Debezium", timeout: float, wait: float, *, leave_failed: bool, allowed: bool
) -> "AnyHandOver[Any]":
    """The hand-over to what the schema file names. timeout, wait: in seconds, as the options."""
    from outbox_kit.delivery.handover.operation import start_connector, start_relay

    soon = planned.soon(timeout)
    if delivery.outbox.delivery.by == "relay":
        expect_publishable(delivery.outbox)
        return start_relay(delivery, say, soon)
    return start_connector(
        delivery,
        say,
        soon,
        planned.soon(wait),
        leave_failed=leave_failed,
        allow_destructive=allowed,
    )


def _run(steps: "Sequence[Step]") -> None:
    """Take the steps in order. An error says which are done."""
    for number, step in enumerate(steps):
        try:
            step.run()
        except OutboxKitError as error:
            done = [f"  done  step {n}: {each.text}" for n, each in enumerate(steps[:number], 1)]
            left = [f"  left  step {n}: {each.text}" for n, each in enumerate(steps[number:], number + 1)]
            error.details = (*error.details, *done, *left, f"  then  {AGAIN}")
            raise
        except KeyboardInterrupt:
            say(f"interrupted in step {number + 1} of {len(steps)}; {AGAIN}", always=True)
            raise


def _facts(delivery: "Debezium", state: "ObservedState") -> Iterator[tuple[str, str]]:
    from outbox_kit.delivery.slots import lsn, slot_text

    yield "connector", f"{delivery.name}: {state.status if state.config is not None else 'not registered'}"
    yield "offset", state.position_text
    if delivery.outbox.dialect.capture.uses_slot:
        slot = state.slot
        yield "slot", "does not exist" if slot is None else f"LSN {lsn(slot.confirmed)}, {slot_text(slot)}"
        yield "reader", str(state.reader) if state.reader else "none"
    if state.relays:
        yield "relays", ", ".join(state.relays)
    failures = state.failures
    if failures is not None:
        yield "failures", f"{counted(failures.dead, 'dead letter')}, {counted(failures.waiting, 'waiting event')}"


def _document(
    delivery: "Debezium", state: "ObservedState", steps: "Sequence[Step]", following: Sequence[str], *, done: bool
) -> dict[str, Any]:
    """What --format json prints; the state is that of before."""
    failures = state.failures
    return {
        "schema": "outbox-kit/hand-over/v1",
        "to": delivery.outbox.delivery.by,
        "before": {
            "connector": delivery.name,
            "status": asdict(state.status),
            "offset": None if state.offset is None else dict(state.offset),
            "slot": asdict(state.slot) if state.slot else None,
            "reader": asdict(state.reader) if state.reader else None,
            "relays": list(state.relays),
            "failures": asdict(failures) if failures else None,
        },
        "steps": [{"name": step.name, "text": step.text} for step in steps],
        "done": done,
        "next": list(following),
    }
