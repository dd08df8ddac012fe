"""A ledger that freezes, dies, is locked or is closed to us: one message, and a report where the reading had begun."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

import psycopg
import pytest

from outbox_kit.databases.ledger import Snapshot
from outbox_kit.databases.postgres import ledger
from outbox_kit.databases.postgres.session import session
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable
from outbox_kit.stack import Stack
from outbox_kit.wire.parts import MessagePart
from tests.live.conftest import Database
from tests.live.reported import found
from tests.live.shop import Shop
from tests.support.frozen import freeze

Meanwhile = Callable[[Callable[[], object]], None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Let something happen when the rows have been counted, and before they are asked for."""

    def happening(what: Callable[[], object]) -> None:
        counted = ledger.TableLedger.snapshot

        def snapshot(table: ledger.TableLedger, parts: Sequence[MessagePart], seconds: float) -> Snapshot:
            rows = counted(table, parts, seconds)
            what()
            return rows

        monkeypatch.setattr(ledger.TableLedger, "snapshot", snapshot)

    return happening


def test_a_server_that_dies_half_way_leaves_a_report(
    stack: Stack,
    shop: Shop,
    meanwhile: Meanwhile,
) -> None:
    shop.publish(shop.write())
    shop.write()
    meanwhile(lambda: stack.kill("postgres"))
    try:
        verdict, _, report = shop.verify(timeout=20)
    finally:
        stack.start("postgres")
    assert (verdict, report.events) == ("inconclusive", 1)
    assert found(report) == {("RUN-01", "*"): "no connection to the database"}


def test_a_table_that_is_locked_half_way_leaves_a_report(
    shop: Shop,
    meanwhile: Meanwhile,
) -> None:
    shop.publish(shop.write())
    shop.write()
    with psycopg.connect(shop.dsn) as holder:
        meanwhile(lambda: holder.execute("lock table outbox in access exclusive mode"))
        verdict, _, report = shop.verify(timeout=8)
    assert (verdict, report.events) == ("inconclusive", 1)
    assert found(report) == {("RUN-01", "*"): "the outbox table could not be read in time"}


def test_a_table_that_may_not_be_read_or_is_gone_is_one_message(shop: Shop) -> None:
    role = f"nobody_{os.getpid()}"
    with psycopg.connect(shop.dsn, autocommit=True) as connection:
        connection.execute(f"create role {role} login password 'x'")
        try:
            with pytest.raises(DatabaseRefused) as raised:
                shop.verify(dsn=psycopg.conninfo.make_conninfo(shop.dsn, user=role, **{"password": "x"}))
        finally:
            connection.execute(f"drop role {role}")
        assert ("permission denied" in raised.value.why, "grant" in raised.value.fix) == (True, True)
        connection.execute("alter table outbox rename to elsewhere")
        try:
            with pytest.raises(DatabaseRefused, match="refused a statement") as raised:
                shop.verify()
        finally:
            connection.execute("alter table elsewhere rename to outbox")
        assert "gen-ddl --apply" in raised.value.fix


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    freeze(pid)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_server_that_freezes_is_hung_up_on(stack: Stack, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("outbox_kit.databases.postgres.session"), "CONNECT_TIMEOUT_SECONDS", 2)
    with frozen(stack.processes["postgres"].pid), pytest.raises(DatabaseUnreachable), session(database.dsn):
        pass
    with pytest.raises(DatabaseUnreachable) as raised, session(database.dsn, seconds=1) as connection:
        (backend,) = connection.execute("select pg_backend_pid()").fetchone() or (0,)
        with frozen(backend):
            connection.execute("select 1")
    assert raised.value.why == "it has not answered in 1 s"
