"""`coordinator`: two-phase messages for services whose database has no outbox."""

from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli import App, app, options
from outbox_kit.cli.destination import file_option
from outbox_kit.cli.log_lines import log_lines
from outbox_kit.cli.output import deliver
from outbox_kit.cli.parsing import ADVANCED
from outbox_kit.signals import at_signal

DEFAULT_ADDRESS = "8770"
coordinator_app = App(no_args_is_help=True)
app.add_typer(coordinator_app, name="coordinator", help="Two-phase messages for services whose database has no outbox.")


@coordinator_app.command("serve")
def serve(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    address: Annotated[
        str, typer.Option(metavar=options.LISTEN, help="Serve the HTTP interface; port 0 is a free one.")
    ] = DEFAULT_ADDRESS,
    listen: Annotated[
        str | None,
        typer.Option(metavar=options.LISTEN, help="Serve /health, /ready and /metrics; port 0 is a free one."),
    ] = None,
    check_timeout: Annotated[
        float,
        typer.Option(
            "--check-timeout", min=0.1, max=60, metavar=options.SECONDS, help="The most time of a check-back."
        ),
    ] = 5.0,
    allow_check_back: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-check-back",
            metavar=options.URL,
            help="Check back only with addresses below this one, such as http://orders.internal/outcome; repeatable.",
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", min=1, max=256, help="Requests at the same time.", rich_help_panel=ADVANCED)
    ] = 8,
    check_threads: Annotated[
        int,
        typer.Option("--check-threads", min=1, max=256, help="Check-backs at the same time.", rich_help_panel=ADVANCED),
    ] = 8,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Serve two-phase messages over HTTP: prepare, submit, abort, query; and check back with the services.

    The table of messages is beside the outbox of the schema file: gen-ddl --coordinator --apply creates it. A submitted
    message is rows of the outbox, which the connector or the relay publishes. The command runs until it is interrupted.
    Several coordinators can serve one outbox. With --format json each line of the log is a JSON object.
    """
    from outbox_kit.coordinator import serving
    from outbox_kit.coordinator.allowed import allowed
    from outbox_kit.databases import whereabouts

    outbox = options.outbox_from(file, service, env)
    database = options.dsn_for(ctx, dsn, outbox)
    settings = serving.CoordinatorSettings(
        options.listen_address(address, "--address"),
        None if listen is None else options.listen_address(listen),
        threads,
        check_threads,
        check_timeout,
        [allowed(prefix) for prefix in allow_check_back or ()],
    )
    open_store = serving.stores(outbox, database)
    whereabouts.expect(database, outbox)
    log = log_lines(as_json=output is options.Format.json, service=outbox.service)
    with at_signal(_end):
        serving.serve(outbox, open_store, settings, log)
    log("stopped")


@coordinator_app.command("openapi")
def openapi(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar=options.FILE, help="Write to this file instead of stdout.", callback=file_option
        ),
    ] = None,
    check: options.Check = False,
) -> None:
    """Write the OpenAPI document of the coordinator's HTTP interface."""
    from outbox_kit.coordinator import openapi as description
    from outbox_kit.coordinator.operations import all_operations
    from outbox_kit.printable import as_json

    deliver({out: as_json(description.document(all_operations()))}, check=check, as_json=False)


def _end(_: int) -> None:
    """End the server; what was accepted is answered."""
    raise SystemExit(0)
