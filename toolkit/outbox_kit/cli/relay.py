"""`relay`: publish the events without Kafka Connect."""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outbox_kit.cli import App, app, options
from outbox_kit.cli.log_lines import log_lines
from outbox_kit.errors import UsageProblem
from outbox_kit.printable import counted
from outbox_kit.signals import at_signal

if TYPE_CHECKING:
    from outbox_kit.relay.engine import Relay
    from outbox_kit.relay.progress import RelayProgress
    from outbox_kit.schema.model import Outbox

YOUNG_OBJECTS = 20_000  # after which Python looks for garbage; each event in flight has about ten objects
relay_app = App(invoke_without_command=True, subcommand_metavar="| COMMAND ...")
app.add_typer(relay_app, name="relay")


@relay_app.callback()
def relay(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    bootstrap: options.Bootstrap = options.DEFAULT_BOOTSTRAP,
    kafka_config: options.KafkaConfig = None,
    once: Annotated[
        bool, typer.Option("--once", help="Publish what is committed now, then stop: for cron and tests.")
    ] = False,
    listen: Annotated[
        str | None,
        typer.Option(metavar=options.LISTEN, help="Serve /health, /ready and /metrics; port 0 is a free one."),
    ] = None,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Publish the events without Kafka Connect, as the messages that Debezium would publish.

    It runs until it is interrupted, then publishes what it has read, for 10 s at most. A second relay waits and takes
    over. With --format json each line of the log is a JSON object. Exit code 1, with --once: events could not be
    published.
    """
    if ctx.invoked_subcommand is not None:
        return
    from outbox_kit.databases import whereabouts
    from outbox_kit.relay import spans
    from outbox_kit.relay.progress import RelayProgress

    outbox = options.outbox_from(file, service, env)
    expect_publishable(outbox)
    address, place = options.dsn_for(ctx, dsn, outbox), None if listen is None else options.listen_address(listen)
    whereabouts.expect(address, outbox)
    progress, log = RelayProgress(), log_lines(as_json=output is options.Format.json, service=outbox.service)
    with ExitStack() as block:
        if place is not None:
            from outbox_kit.relay import metrics

            block.enter_context(metrics.served(outbox.service, progress, place, log))
        stopped = block.enter_context(_until_signal(log))
        process = _new_relay(outbox, address, options.cluster(bootstrap, kafka_config), progress, log, stopped)
        process.sink = block.enter_context(spans.spans(outbox, process.sink, log))
        _collect_seldom()
        process.run(once=once)
    log(f"stopped: {counted(progress.published, 'message')} published")
    if once and (failed := process.table.counts()) and (failed.dead or failed.waiting):
        log(f"{failed.dead} dead letters, {failed.waiting} events wait: see them with outbox-kit status")
        raise typer.Exit(1)


def expect_relay(outbox: "Outbox") -> None:
    """Raise UsageProblem if a connector publishes the events."""
    if outbox.delivery.by != "relay":
        raise UsageProblem(
            "the schema file says that a connector publishes the events: delivery.by is 'connector'",
            fix="set delivery: {by: relay} in the schema file, then outbox-kit gen-ddl --apply",
        )


def expect_publishable(outbox: "Outbox") -> None:
    """Raise UsageProblem if a connector publishes the events, or the model does not know the configuration."""
    from outbox_kit.wire.routes import Routes

    expect_relay(outbox)
    if reason := Routes(outbox).assumed:
        raise UsageProblem(
            "the relay cannot publish with this configuration",
            why=reason,
            fix="remove the option from connect.config, or set delivery: {by: connector}",
        )


def _new_relay(
    outbox: "Outbox",
    dsn: str,
    cluster: Any,
    progress: "RelayProgress",
    log: Callable[[str], None],
    stopped: Callable[[], bool],
) -> "Relay":
    from outbox_kit.relay import relays

    return relays.of(outbox, dsn, cluster, progress, log, stopped)


def _collect_seldom() -> None:
    """Look for garbage less often, and not in what is loaded: events in flight are many objects, and none is garbage.

    With Python's own settings that search is a third of the relay's CPU under load.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


@contextmanager
def _until_signal(log: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    """Whether SIGINT or SIGTERM has come; a second one interrupts at once."""
    received = threading.Event()

    def stop(_: int) -> None:
        if received.is_set():
            raise KeyboardInterrupt
        received.set()
        log("stopping: what was read is published, for 10 s at most; interrupt again to stop at once")

    with at_signal(stop):
        yield received.is_set
