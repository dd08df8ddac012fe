"""Relays that read the log, and stop or start at a bad moment: nothing is lost, and a stop doubles nothing."""

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbox_kit.databases.postgres import replication as replication_module
from outbox_kit.databases.postgres.log import SlotLog
from outbox_kit.databases.postgres.replication import Replication
from outbox_kit.delivery import relay
from outbox_kit.errors import SlotInUse
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import engine, relays, sinks
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.router.chain import Message
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import MANY, Recording
from tests.support.faults import FAULTS
from tests.support.servers.postgres import Postgres
from tests.support.waiting import until

ROWS, ROOM = 3000, 100


class Narrow(Recording):
    """A sink with little room, so that events wait in the relay too."""

    def send(self, message: Message, receipt: Any) -> bool:
        return len(self._pending) < ROOM and super().send(message, receipt)


@pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
@pytest.mark.parametrize("seconds", [10.0, 0.0], ids=["in time", "too late"])
def test_10_a_stop_within_a_transaction(
    server: Postgres, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    written("delivery: {by: relay}")
    kit("gen-ddl", "--apply")
    outbox, sink = read(Path("outbox.yaml")).outboxes[0], Narrow()
    monkeypatch.setattr(sinks, "of", lambda *_: sink)

    def run(stopped: Callable[[], bool] = lambda: False, *, once: bool = False) -> None:
        relays.of(outbox, server.dsn(name), Cluster(""), RelayProgress(), print, stopped).run(once=once)

    run(once=True)  # makes its slot
    with psycopg.connect(server.dsn(name)) as connection:
        for _ in range(2):
            connection.execute(MANY, (5, 5, ROWS))
            connection.commit()
    with monkeypatch.context() as limit:
        limit.setattr(engine, "DRAIN_SECONDS", seconds)
        run(lambda: len(sink.sent) > ROWS // 2)
    first = len(sink.sent)
    run(once=True)
    ids = [dict(message.headers)["id"] for message in sink.sent]
    assert len({*ids}) == 2 * ROWS
    if seconds:  # nothing of the second transaction was read
        assert (first, len(ids)) == (ROWS, 2 * ROWS)
    else:
        assert first < ROWS and len(ids) == 2 * ROWS + first
    server.drop_slots(name)


class SlowlyNoticed:
    """A connection whose end the server has not noticed yet."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def finish(self) -> None:
        """Nothing."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.mark.parametrize("server", ["postgres-18", "postgres-16"], indirect=True)
@pytest.mark.parametrize("rows", [0, 3, 20_000])
def test_a_reader_that_ends_has_freed_its_slot(
    server: Postgres, name: str, kit: Kit, written: Written, rows: int
) -> None:
    written("delivery: {by: relay}")
    kit("gen-ddl", "--apply")
    slot, publication = f"{name}_outbox", server.ask("select pubname from pg_publication", database=name)[0][0]
    replication = Replication(server.dsn(name))
    connection = replication._connection
    replication.create_slot(slot)
    replication.start(slot, publication)
    with psycopg.connect(server.dsn(name)) as writer:
        writer.execute(MANY, (5, 5, rows))
    replication.read(1, 0.5)
    replication._connection = SlowlyNoticed(connection)  # type: ignore[assignment]
    replication.close()
    assert server.ask("select active from pg_replication_slots where slot_name = %s", slot) == [(False,)]
    connection.finish()
    server.drop_slots(name)


@pytest.mark.parametrize("server", ["postgres-18"], indirect=True)
def test_a_reader_of_a_frozen_server_ends_all_the_same(
    server: Postgres, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    written("delivery: {by: relay}")
    kit("gen-ddl", "--apply")
    publication = server.ask("select pubname from pg_publication", database=name)[0][0]
    replication = Replication(server.dsn(name))
    replication.create_slot(f"{name}_outbox")
    replication.start(f"{name}_outbox", publication)
    (process,) = server.ask("select active_pid from pg_replication_slots where slot_name = %s", f"{name}_outbox")[0]
    monkeypatch.setattr(replication_module, "RELEASE_SECONDS", 0.3)
    os.kill(process, signal.SIGSTOP)
    try:
        replication.close()
    finally:
        os.kill(process, signal.SIGCONT)
    server.drop_slots(name)


@pytest.mark.parametrize("server", ["postgres-18", "postgres-16"], indirect=True)
@pytest.mark.parametrize("killed", [False, True], ids=["ended", "killed"])
def test_a_relay_that_starts_during_the_first_read_of_another_one_takes_no_part_in_it(
    server: Postgres, name: str, kit: Kit, written: Written, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    """The second one would drop the slot of the first, which would continue behind the second one's snapshot."""
    written("delivery: {by: relay}")
    kit("gen-ddl", "--apply")
    outbox = read(Path("outbox.yaml")).outboxes[0]
    server.ask(f"alter database {name} set idle_in_transaction_session_timeout = 1500")
    first, second = (SlotLog(server.dsn(name), outbox) for _ in range(2))
    with psycopg.connect(server.dsn(name), autocommit=True) as connection:
        connection.execute(MANY, (5, 5, 10))
        rows = first.first_read()
        assert len(next(rows)) == 10
        connection.execute(MANY, (5, 5, 3))
        time.sleep(2)  # longer than the database allows sessions
        with pytest.raises(SlotInUse):
            second.first_read()
        status = kit("status", code=0).stdout
        assert "of the server serves a relay for" in status and "running" in status
        monkeypatch.setattr(relay, "STALLED_SECONDS", 0.3)
        stalled = "the initial snapshot of a relay has fetched no rows for"
        assert stalled in kit("status", code=1).stdout
        report = json.loads(kit("doctor", "--format", "json", code=None).stdout)
        found = {finding["id"]: finding["message"] for finding in report["findings"]}
        assert (
            stalled in found[FAULTS["a relay hangs in its initial snapshot"]]
            and not {"DOC-RELAY-01", "DOC-SLOT-01"} & found.keys()
        )
        if killed:
            first._reading.close()  # type: ignore[union-attr]
            until(lambda: first_rows(second) == 13, "the second relay reads all rows")
        else:
            assert [*rows] == []
            first.open()
            later: list[object] = []
            until(lambda: later.extend(first.read(0.1)) or len(later) == 3, "the rows that were inserted meanwhile")
            assert second.position() is not None
            with pytest.raises(SlotInUse):
                second.open()
    first.close()
    second.close()
    server.drop_slots(name)


def first_rows(log: SlotLog) -> int:
    """How many rows a first read has; 0 while the slot of another process is being dropped."""
    try:
        return len(next(log.first_read()))
    except SlotInUse:
        return 0
