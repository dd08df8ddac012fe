"""Runs the coordinator: the HTTP server, the check-backs, and the metrics."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import Any

from waitress.server import create_server

from outbox_kit import databases
from outbox_kit.coordinator import metrics
from outbox_kit.coordinator.allowed import OPTION, AllowedAddress
from outbox_kit.coordinator.application import MOST_BYTES, CoordinatorApplication
from outbox_kit.coordinator.check_back import CheckBack
from outbox_kit.coordinator.progress import CoordinatorProgress
from outbox_kit.coordinator.rounds import CheckBackRounds
from outbox_kit.databases import servers
from outbox_kit.databases.two_phase import MessageStore
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class CoordinatorSettings:
    """How a coordinator runs."""

    address: tuple[str, int]
    """Host and port of the interface; port 0 is a free one."""
    listen: tuple[str, int] | None
    """The same of health and metrics; None for none."""
    threads: int
    """Requests at the same time, each with a connection to the database."""
    check_threads: int
    """Check-backs at the same time, each with a connection to the database."""
    check_seconds: float
    """The most time of a check-back."""
    allowed: Sequence[AllowedAddress]
    """The addresses that check-backs may call; any without one."""


def stores(outbox: Outbox, dsn: str) -> Callable[[], MessageStore]:
    """Opens stores of the messages of an outbox. Raises UsageProblem if the kit has none for it."""
    server = servers.get(outbox.database.dialect)
    store = server.two_phase
    if store is None:
        supported = [dialect.title for dialect in databases.ALL.values() if dialect.two_phase.coordinator]
        raise UsageProblem(
            f"the coordinator is not available for {outbox.dialect.title}",
            fix=f"give the coordinator an outbox of its own in {' or '.join(supported)}",
        )
    if outbox.table.existing:
        raise UsageProblem(
            f"the coordinator inserts no events into the existing table '{outbox.table.name}'",
            fix="give the coordinator an outbox of its own",
        )
    return lambda: store(dsn, outbox)


def serve(
    outbox: Outbox,
    open_store: Callable[[], MessageStore],
    settings: CoordinatorSettings,
    report: Callable[[str], None],
) -> None:
    """Serve until KeyboardInterrupt or SystemExit is raised in this thread, then end what has begun.

    Raises EnvironmentProblem if a port is not available or the table does not exist.
    """
    progress, stopped = CoordinatorProgress(), threading.Event()
    with closing(open_store()) as store:
        progress.counts = store.counts()  # a database that is not the coordinator's is an error now, not at a request
    own_store = _of_each_thread(open_store)
    check_back = CheckBack(settings.check_seconds, settings.allowed)
    rounds = CheckBackRounds(own_store, check_back, settings.check_threads, progress, report)
    application = CoordinatorApplication(outbox, own_store, progress, report, settings.allowed)
    with ExitStack() as block:
        if settings.listen is not None:
            block.enter_context(metrics.served(outbox.service, progress, settings.listen, report))
        server = _server(application, settings)
        block.callback(server.close)
        block.enter_context(_running(lambda: rounds.run(stopped), stopped))
        if not settings.allowed:
            report(f"check-backs may call any address that clients name: restrict them with {OPTION}")
        report(f"coordinator: http://{settings.address[0]}:{server.effective_port}")
        server.run()


def _of_each_thread(open_store: Callable[[], MessageStore]) -> Callable[[], MessageStore]:
    """Opens a store when a thread first asks for it, and gives the thread the same one then."""
    local = threading.local()

    def store() -> MessageStore:
        if not hasattr(local, "store"):
            local.store = open_store()
        opened: MessageStore = local.store
        return opened

    return store


def _server(application: CoordinatorApplication, settings: CoordinatorSettings) -> Any:
    host, port = settings.address
    try:
        return create_server(
            application,
            host=host,
            port=port,
            threads=settings.threads,
            max_request_body_size=MOST_BYTES,
            ident=None,
            channel_timeout=60,
            clear_untrusted_proxy_headers=True,
        )
    except (OSError, OverflowError, ValueError) as cause:
        raise EnvironmentProblem(
            "cannot serve the coordinator",
            where=f"{host}:{port}",
            why=str(cause),
            fix="use another address: --address HOST:PORT",
        ) from cause


@contextmanager
def _running(run: Callable[[], None], stopped: threading.Event) -> Iterator[None]:
    """Run a function in a thread for the length of a block."""
    thread = threading.Thread(target=run, name="rounds", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
