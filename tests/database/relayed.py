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
from tests.support.servers.postgres import Postgres

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
def dsn(server: Server, name: str) -> str:
    assert isinstance(server, Postgres)
    return server.dsn(name)


@pytest.fixture
def connect(dsn: str) -> Connect:
    return lambda: psycopg.connect(dsn)


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
