"""Trap 10 with the log: a stop within a transaction of many rows neither loses nor doubles one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import engine, relays, sinks
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.router.chain import Message
from outbox_kit.schema.read import read
from tests.database.conftest import Kit, Written
from tests.database.polled import MANY, Recording
from tests.support.servers.postgres import Postgres

ROWS, ROOM = 3000, 100
pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)


class Narrow(Recording):
    """A sink with little room, so that events wait in the relay too."""

    def send(self, message: Message, receipt: Any) -> bool:
        return len(self._pending) < ROOM and super().send(message, receipt)


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
    server.ask("select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = %s", name)
