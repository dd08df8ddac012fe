"""A crash at each of the eight steps of a two-phase message: the effect and the event are both there, or neither is."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest

from outbox_kit.barrier import Barrier
from tests.support import placing
from tests.support.cli import invoke
from tests.support.coordinators import CheckedService, Coordinator, Shop, coordinator, outcome
from tests.support.proxy import before
from tests.support.servers import PASSWORD
from tests.support.waiting import PATIENT_SECONDS, until

WAITS = (
    "select 1 from pg_stat_activity where datname = %s and wait_event_type = 'Lock' and usename = 'application' limit 1"
)
PROGRAM = Path(placing.__file__)


@pytest.fixture(scope="module")
def dsn(shop: Shop) -> str:
    """Of the service, whose tables are beside the coordinator's here."""
    boss = {**shop.server.environment(shop.name), "OUTBOX_DB_PASSWORD": PASSWORD}
    invoke("gen-ddl", str(shop.file), "--barrier", "--apply", environment=boss)
    shop.server.ask("create table orders (id text primary key)", database=shop.name)
    return str(shop.server.dsn(shop.name))  # type: ignore[attr-defined]


@pytest.fixture
def checked(service: CheckedService, dsn: str, key: str) -> CheckedService:
    """Answers check-backs by the barrier."""

    def answer(line: socket.socket) -> None:
        with psycopg.connect(dsn, autocommit=True) as connection:
            result = Barrier("postgres").outcome(connection, key)
        line.sendall(outcome(result.outcome, result.reason))

    service.answers[key] = answer
    return service


def expect_reached(process: "subprocess.Popen[str]") -> None:
    """Wait until the service is at its point."""
    assert process.stdout is not None
    assert process.stdout.readline().strip() == placing.REACHED


@contextmanager
def placed(url: str, dsn: str, key: str, check_back: str, point: str = "") -> Iterator["subprocess.Popen[str]"]:
    """A service that places an order."""
    command = [sys.executable, str(PROGRAM), url, dsn, key, check_back, point]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=PATIENT_SECONDS)


def settled(running: Coordinator, shop: Shop, key: str) -> tuple[bool, bool]:
    """Whether the order and its event are there, after check-backs have decided all that is open."""

    def decided() -> bool:
        status, answer = running.message(key)
        if status == 404:
            return True
        if answer["state"] == "prepared":
            running.message(key, "check")
        return answer["state"] in ("submitted", "aborted")

    until(decided, "the message is decided")
    rows = shop.server.ask("select 1 from orders where id = %s", key, database=shop.name)
    events = shop.rows(key)
    assert len(events) <= 1, "the event was published twice"
    return bool(rows), bool(events)


@pytest.mark.parametrize(
    ("point", "happened"),
    [
        ("before prepare", False),
        ("prepared", False),
        ("barrier written", False),
        ("order written", False),
        ("committed", True),
        ("submitted", True),
    ],
)
def test_the_service_is_killed(
    coordinating: Coordinator, shop: Shop, dsn: str, checked: CheckedService, key: str, point: str, happened: bool
) -> None:
    with placed(coordinating.url, dsn, key, checked.url, point) as process:
        expect_reached(process)
    assert settled(coordinating, shop, key) == (happened, happened)


@pytest.mark.parametrize(("operation", "happened"), [("prepare", False), ("submit", True)])
def test_the_coordinator_is_killed_before_it_has_stored(
    shop: Shop, dsn: str, checked: CheckedService, key: str, operation: str, happened: bool
) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(coordinator(shop))
        point = "" if operation == "prepare" else "committed"
        if point:  # all up to here; the submit is this test's own
            process = stack.enter_context(placed(first.url, dsn, key, checked.url, point))
            expect_reached(process)
        with psycopg.connect(dsn) as locking:
            locking.execute("lock table outbox_two_phase in access exclusive mode")
            stack.enter_context(placed(first.url, dsn, key, checked.url) if not point else submitting(first, key))
            until(lambda: shop.server.ask(WAITS, shop.name, database=shop.name), "the coordinator waits for the lock")
            first.kill()
        second = stack.enter_context(coordinator(shop))
        assert settled(second, shop, key) == (happened, happened)


@contextmanager
def submitting(running: Coordinator, key: str) -> Iterator[None]:
    """Send a submit whose answer nobody awaits."""
    with socket.create_connection(("127.0.0.1", running.port)) as line:
        line.sendall(f"POST /v1/messages/{key}/submit HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".encode())
        yield


@pytest.mark.parametrize(("operation", "happened"), [("prepare", False), ("submit", True)])
def test_the_coordinator_is_killed_before_it_has_answered(
    shop: Shop, dsn: str, checked: CheckedService, key: str, operation: str, happened: bool
) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(coordinator(shop))
        proxy = stack.enter_context(before("127.0.0.1", first.port))
        proxy.answers.append(f"POST /v1/messages/{key}/{operation}".encode())
        process = stack.enter_context(placed(proxy.url, dsn, key, checked.url))
        assert process.wait(120) != 0  # it has no answer
        first.kill()
        second = stack.enter_context(coordinator(shop))
        assert second.message(key)[1]["state"] == ("prepared" if operation == "prepare" else "submitted")
        assert settled(second, shop, key) == (happened, happened)
