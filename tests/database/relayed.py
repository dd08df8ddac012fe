"""Fixtures of tests of relays that read the table: an outbox on a server, and relays that end with the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import Connection, Recording, Stepped
from tests.support.servers import Server
from tests.support.servers.mysql import MySql

Connect = Callable[[], Connection]
Opened = Callable[..., Stepped]


@pytest.fixture
def record() -> str:
    return "position"


@pytest.fixture
def outbox(record: str, kit: Kit, written: Written) -> Outbox:
    written(f"delivery: {{by: relay, source: table, record: {record}}}")
    kit("gen-ddl", "--apply")
    return read(Path("outbox.yaml")).outboxes[0]


@pytest.fixture
def dsn(server: Server, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    environment = server.environment(name)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    return environment["OUTBOX_KIT_DSN"]


@pytest.fixture
def connect(server: Server, name: str, dsn: str) -> Connect:
    return lambda: server.connection("boss", name) if isinstance(server, MySql) else psycopg.connect(dsn)


@pytest.fixture
def sink() -> Recording:
    return Recording()


@pytest.fixture
def opened(outbox: Outbox, dsn: str) -> Iterator[Callable[..., Stepped]]:
    """Opens relays, which end with the test."""
    relays: list[Stepped] = []

    def opened(sink: Recording, **options: float) -> Stepped:
        relays.append(Stepped(outbox, dsn, sink, **options))  # type: ignore[arg-type]
        return relays[-1].open()

    yield opened
    for relay in relays:
        relay.dropped()
