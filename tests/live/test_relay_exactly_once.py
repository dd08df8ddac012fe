"""A relay that publishes exactly once, on the real stack: no copy for readers with read_committed, whatever ends it."""

import json
import signal
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from confluent_kafka.admin import AdminClient

from outbox_kit.databases.postgres.failures import PostgresFailureTable
from outbox_kit.databases.postgres.log import SlotLog
from outbox_kit.errors import DatabaseUnreachable
from outbox_kit.kafka.newest import newest_record
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay.exactly_once.positions import decoded
from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit, made
from tests.live.relays import (
    INSERT,
    LARGE,
    LIMIT,
    MANY,
    SMALL,
    allow_large,
    committed,
    drop_slot,
    lines,
    running,
    slot,
    verdict,
)
from tests.support.frozen import freeze
from tests.support.threads import beside
from tests.support.waiting import PATIENT_SECONDS, create_topics, until

MORE = "delivery: {by: relay, attempts: 1}\ndelivery_guarantee: exactly-once\n"
END = "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = %s"
BEHIND = 30


@pytest.fixture
def relayed(stack: Stack, database: Database, kit: Kit) -> Iterator[str]:
    """The tables of an outbox that a relay publishes exactly once; its service."""
    with made(stack, database, kit, MORE) as service:
        yield service
        drop_slot(database, slot(service))


def position_topic(service: str) -> str:
    return f"{service}.{slot(service)}.position"


def expect_no_copies(kit: Kit, rows: psycopg.Connection) -> None:
    """Every row is published, once."""
    result = verdict(kit)
    (count,) = rows.execute("select count(*) from outbox").fetchone() or (0,)
    assert result["verdict"] == "pass", result["findings"]
    assert (result["counts"]["distinct"], result["counts"]["copies"]) == (count, 0)


def test_a_transaction_of_many_rows_is_published_in_parts(
    stack: Stack, database: Database, kit: Kit, relayed: str, rows: psycopg.Connection
) -> None:
    kit("relay", "--once")  # makes its slot
    rows.execute(MANY, (20_000,))
    with running(stack, database) as relay:
        until(lambda: committed(stack, relayed) > 0, "the first part")
        relay.kill()
    cluster, topic = Cluster(stack.bootstrap), position_topic(relayed)
    until(lambda: not cluster.pin([(topic, 0)])[0].hidden, "the broker has ended the transaction of the killed relay")
    record = newest_record(cluster, topic)
    assert record is not None
    position = decoded(record.value() or b"").position
    assert position is not None and position.rows > 0
    kit("relay", "--once")
    expect_no_copies(kit, rows)


@contextmanager
def writing(database: Database) -> Iterator[None]:
    """Rows are written all the time."""

    def write(_: int, ended: threading.Event) -> None:
        with psycopg.connect(database.dsn, autocommit=True) as connection:
            while not ended.is_set():
                connection.execute(MANY, (20,))
                time.sleep(0.005)

    with beside(write):
        yield


def test_a_frozen_relay_whose_slot_was_taken_writes_nothing(
    stack: Stack, database: Database, kit: Kit, relayed: str, rows: psycopg.Connection
) -> None:
    kit("relay", "--once")  # makes its slot
    with writing(database), running(stack, database) as frozen:
        until(lambda: committed(stack, relayed) > 0, "the first relay publishes")
        freeze(frozen.pid)
        until(lambda: rows.execute(END, (slot(relayed),)).fetchone() != (None,), "its connection is ended")
        with running(stack, database) as second:
            until(lambda: "publishing" in lines(second, 1)[0], "the second relay publishes")
            frozen.send_signal(signal.SIGCONT)
            until(lambda: "error" in lines(frozen, 1)[0], "the first relay has noticed")
            for relay in (frozen, second):
                relay.terminate()
                assert relay.wait(PATIENT_SECONDS) == 0
    kit("relay", "--once")
    expect_no_copies(kit, rows)


def test_a_dead_letter_is_sent_again_once_though_the_database_is_lost_behind_it(
    kit: Kit, relayed: str, rows: psycopg.Connection, admin: AdminClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = f"{relayed}.Order"
    create_topics(admin, topic, partitions=3, max_message_bytes=LIMIT)
    for number in range(60):
        rows.execute(INSERT, (uuid.uuid4(), str(number % 7), LARGE if number == 20 else SMALL))
    kit("relay", "--once", code=1)
    dead = json.loads(kit("relay", "dead", "list", "--format", "json").stdout)["dead_letters"]
    assert [letter["cause"] for letter in dead] == ["Broker: Message size too large"]
    allow_large(admin, topic)
    kit("relay", "dead", "retry", "--all", "--yes")
    delivered = PostgresFailureTable.delivered
    with monkeypatch.context() as patch:

        def lost(*_: object) -> None:
            raise DatabaseUnreachable("the database connection was lost")

        patch.setattr(PostgresFailureTable, "delivered", lost)
        kit("relay", "--once", code=4)
    assert PostgresFailureTable.delivered is delivered
    (stored,) = rows.execute("select count(*) from outbox_failure").fetchone() or (0,)
    assert stored == 6  # of 60 events of 7 keys, those of one key from number 20 on
    kit("relay", "--once")
    assert rows.execute("select count(*) from outbox_failure").fetchone() == (0,)
    expect_no_copies(kit, rows)


def test_a_stored_event_is_not_sent_again_before_it_has_come_from_the_log_again(
    kit: Kit, relayed: str, rows: psycopg.Connection, admin: AdminClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relay ends when the event is stored, and neither Kafka nor the slot has a position behind it."""
    topic = f"{relayed}.Order"
    create_topics(admin, topic, partitions=1, max_message_bytes=LIMIT)
    kit("relay", "--once")  # makes its slot
    with monkeypatch.context() as patch:
        patch.setattr(SlotLog, "_confirm", lambda *_, **__: None)
        rows.execute(INSERT, (uuid.uuid4(), "1", LARGE))
        kit("relay", "--once", code=1)
    allow_large(admin, topic)
    kit("relay", "dead", "retry", "--all", "--yes")
    kit("relay", "--once")
    assert rows.execute("select count(*) from outbox_failure").fetchone() == (0,)
    expect_no_copies(kit, rows)
