"""A relay that reads the table behind a pooler in transaction mode, where no wake-up arrives."""

import random
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from outbox_kit.relay.sources import pace
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import SHORT_LEASE, Recording, Stepped, drive, first_copies, numbers, write
from tests.support.servers import Server
from tests.support.servers.pgbouncer import pgbouncer
from tests.support.servers.postgres import Postgres

pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)


@pytest.fixture
def pooled(server: Server, name: str) -> Iterator[str]:
    """The address of the database behind the pooler."""
    assert isinstance(server, Postgres)
    with pgbouncer(server.port) as port:
        yield server.dsn(name).replace(f"port={server.port}", f"port={port}")


@pytest.mark.parametrize("record", ["position", "delete"])
def test_relays_share_the_lanes_and_report_that_no_wake_up_arrives(
    server: Server, name: str, kit: Kit, written: Written, pooled: str, record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(server, Postgres)
    monkeypatch.setattr(pace, "MOST_LOST", 1)
    written(f"delivery: {{by: relay, source: table, record: {record}}}")
    kit("gen-ddl", "--apply")
    outbox, sink = read(Path("outbox.yaml")).outboxes[0], Recording()
    relays = [Stepped(outbox, pooled, sink, lease=SHORT_LEASE).open() for _ in range(2)]
    try:
        with psycopg.connect(server.dsn(name)) as connection:
            drive(relays, lambda: all(relay.source.owned() for relay in relays))
            for number in range(60):
                write(connection, f"k{random.randrange(10)}", number)
                connection.commit()
            drive(relays, lambda: len(sink.sent) == 60)
            by_key = first_copies(sink.sent)
            assert all(versions == sorted(versions) for versions in by_key.values())
            drive(relays, lambda: all(relay.source._pace._pause >= pace.AT_REST_SECONDS for relay in relays))
            write(connection, "late", 60)
        drive(relays, lambda: ("late", 60) in numbers(sink.sent))
        drive(relays, lambda: any("connection pooler" in line for relay in relays for line in relay.lines))
    finally:
        for relay in relays:
            relay.dropped()
