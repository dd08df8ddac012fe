"""`demo`: the whole product on a real stack, from an empty folder."""

from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.errors import UsageProblem


@app.command("demo")
def demo(
    folder: Annotated[Path, typer.Argument(help="An empty or new folder.")] = Path("outbox-kit-demo"),
    orders: Annotated[int, typer.Option(min=1, max=100_000, help="How many orders the shop sells.")] = 500,
) -> None:
    """Run all steps once on a local stack: schema file, table, connector, a small shop, verification, report."""
    from outbox_kit.demo import run
    from outbox_kit.stack import Stack

    if folder.exists() and any(folder.iterdir()):
        raise UsageProblem(f"'{folder}' is not empty", fix="name a folder that is empty or not there yet")
    folder.mkdir(parents=True, exist_ok=True)
    run.title("Start PostgreSQL, Kafka and Kafka Connect with Debezium")
    run.say("$ outbox-kit stack up")
    with Stack.running() as stack:
        context = run.DemoContext(folder.resolve(), stack)
        run.set_up(context)
        run.sell(context, orders)
        code = run.prove(context)
        run.title("Take the stack down")
        run.say("$ outbox-kit stack down")
    run.say(f"\nOpen {folder / 'report.html'} in a browser; RUNBOOK.md and outbox.yaml are in the same folder.")
    raise typer.Exit(code)
