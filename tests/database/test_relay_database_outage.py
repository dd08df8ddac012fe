"""A database that freezes and crashes while a relay runs: it waits longer and longer, says so once, and goes on."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from outbox_kit.databases.postgres import lanes, replication, row_table, session
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import relays, sinks
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import MANY, Recording, numbers
from tests.support.servers.postgres import Postgres, postgres
from tests.support.waiting import until

FROZEN_SECONDS = 4.0  # after the report: several attempts


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A server of these tests alone."""
    with postgres("18") as own:
        yield own


def processes(server: Postgres) -> list[psutil.Process]:
    """The server's processes, the postmaster first."""
    listening = (c.pid for c in psutil.net_connections("tcp") if c.status == "LISTEN" and c.laddr.port == server.port)
    postmaster = psutil.Process(next(pid for pid in listening if pid))
    return [postmaster, *postmaster.children()]


@contextmanager
def frozen(server: Postgres) -> Iterator[None]:
    """A server whose processes all stand still; new connections are not answered either."""
    stopped = processes(server)
    signalled(stopped, signal.SIGSTOP)
    try:
        yield
    finally:
        signalled(stopped, signal.SIGCONT)


def signalled(running: list[psutil.Process], number: int) -> None:
    """Send a signal to processes, some of which may have ended: a server's workers do at any time."""
    for process in running:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)


@pytest.mark.parametrize("source", ["log", "table"])
def test_30_a_relay_outlives_a_database_that_freezes_and_crashes(
    server: Postgres, name: str, kit: Kit, written: Written, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, constant in (
        (lanes, "ANSWER_SECONDS"),
        (row_table, "ANSWER_SECONDS"),
        (row_table, "READ_SECONDS"),
        (replication, "ANSWER_SECONDS"),
        (replication, "SILENCE_SECONDS"),
        (replication, "CONNECT_TIMEOUT_SECONDS"),
        (session, "CONNECT_TIMEOUT_SECONDS"),
        (session, "PATIENCE_SECONDS"),
    ):
        monkeypatch.setattr(module, constant, 1)  # in place of an outage of many minutes
    written(f"delivery: {{by: relay, source: {source}}}")
    kit("gen-ddl", "--apply")
    outbox, sink, lines, ended = read(Path("outbox.yaml")).outboxes[0], Recording(), list[str](), threading.Event()
    monkeypatch.setattr(sinks, "of", lambda *_: sink)
    relay = relays.of(outbox, server.dsn(name), Cluster(""), RelayProgress(), lines.append, ended.is_set)
    attempts, opening = [], relay.source.open

    def opened() -> None:
        attempts.append(time.monotonic())
        opening()

    monkeypatch.setattr(relay.source, "open", opened)
    thread = threading.Thread(target=relay.run)
    thread.start()
    threads = threading.active_count()
    try:
        with psycopg.connect(server.dsn(name), autocommit=True) as rows:
            rows.execute(MANY, (5, 5, 10))
            until(lambda: len(sink.sent) == 10, "the first events")
            with frozen(server):
                began = time.monotonic()
                until(lambda: problems(lines), "the report of the outage")
                time.sleep(FROZEN_SECONDS)
            frozen_seconds = time.monotonic() - began
            rows.execute(MANY, (5, 5, 20))
        until(lambda: len({*numbers(sink.sent)}) == 20, "the events after the frozen time")
        assert len(attempts) <= 1 + frozen_seconds  # each waits a second for an answer, then longer and longer
        assert 1 <= len(problems(lines)) <= 3, lines
        os.kill(processes(server)[-1].pid, signal.SIGKILL)  # the server ends all sessions and recovers
        until(lambda: wrote(server.dsn(name)), "the server is there again")
        until(lambda: len({*numbers(sink.sent)}) == 30, "the events after the crash")
        assert threading.active_count() <= threads + 2
        with psycopg.connect(server.dsn(name), autocommit=True) as rows:
            # after several starts without progress the relay stores events before it sends them
            until(lambda: rows.execute("select count(*) from outbox_failure").fetchone() == (0,), "nothing has failed")
    finally:
        ended.set()
        thread.join(30)
    assert not thread.is_alive()
    if source == "log":
        server.drop_slots(name)


def problems(lines: list[str]) -> list[str]:
    return [line for line in lines if "then " in line]


def wrote(dsn: str) -> bool:
    try:
        with psycopg.connect(dsn) as connection:
            connection.execute(MANY, (5, 5, 30))
    except psycopg.OperationalError:
        return False
    return True
