"""`exporter`: the figures of a running outbox, for Prometheus."""

import threading
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import app, options
from outbox_kit.cli.output import say, show

if TYPE_CHECKING:
    from outbox_kit.exporter.collection import Collection
    from outbox_kit.schema.model import Outbox

DEFAULT_LISTEN = "9465"


@app.command("exporter")
def exporter(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    connect: options.ConnectUrl = options.DEFAULT_CONNECT,
    listen: Annotated[
        str, typer.Option(metavar=options.LISTEN, help="Serve /metrics; port 0 is a free one.")
    ] = DEFAULT_LISTEN,
    once: Annotated[bool, typer.Option("--once", help="Print the metrics of one scrape, then stop.")] = False,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1, metavar=options.SECONDS, help="Limit for each system in a scrape.")
    ] = 5.0,
) -> None:
    """Serve the figures of the outbox for Prometheus: slot, age, pending events, dead letters, connector, table sizes.

    Each scrape asks the database in one session, and Kafka Connect. No statement reads the outbox table as a whole. A
    system that does not answer has no series but outbox_kit_up with the value 0. It runs until it is interrupted. Exit
    code 4, with --once: a system did not answer.
    """
    from outbox_kit.exporter import metrics
    from outbox_kit.exporter.collection import usage_problem

    outbox = options.outbox_from(file, service, env)
    address, place = options.dsn_for(ctx, dsn, outbox), options.listen_address(listen)
    collection = collection_of(outbox, address, connect, timeout)
    if once:
        collected = collection.collect()
        collection.close()
        if problem := usage_problem(collected):
            raise problem
        show(metrics.page(outbox.service, collected.samples).decode(), nl=False)
        metrics.Reports(_report).tell(collected)
        raise typer.Exit(4 if collected.unanswered else 0)
    with metrics.served(outbox.service, collection, place, _report):
        threading.Event().wait()


def collection_of(outbox: "Outbox", dsn: str, connect: str, timeout: float) -> "Collection":
    """What collects the figures of an outbox. connect: the address of Kafka Connect. timeout: in seconds."""
    from outbox_kit.connect.client import Connect
    from outbox_kit.exporter.collection import Collection

    workers = Connect.from_environment(connect) if outbox.delivery.by == "connector" else None
    return Collection(outbox, dsn, workers, timeout)


def _report(text: str) -> None:
    say(text, always=True)
