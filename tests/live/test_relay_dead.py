"""Dead letters of a relay that runs: what waits behind them is sent in order when an operator has decided."""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from confluent_kafka import Consumer
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
)

from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit, made
from tests.live.relays import INSERT, LARGE, LIMIT, SMALL, allow_large
from tests.support.waiting import PATIENT_SECONDS, create_topics, until

DROP = "select pg_drop_replication_slot(%s)"
BEHIND = 200


class Reader:
    """The ids of a topic's messages by key, in order, as far as they were read."""

    def __init__(self, stack: Stack, topic: str) -> None:
        settings = {"group.id": str(uuid.uuid4()), "auto.offset.reset": "earliest"}
        self._consumer = Consumer({"bootstrap.servers": stack.bootstrap, **settings})
        self._consumer.subscribe([topic])
        self.ids: dict[str, list[str]] = {}

    def of(self, key: str) -> list[str]:
        """The ids of a key's messages until now."""
        for message in self._consumer.consume(1000, 0.2):
            if not message.error():
                headers = dict(message.headers())
                self.ids.setdefault(message.key().decode(), []).append(headers["id"].decode())
        return self.ids.get(key, [])


@contextmanager
def relay(stack: Stack, database: Database) -> Iterator[None]:
    """A relay of the outbox of this folder, which must end as it should."""
    log = Path("relay.log")
    with log.open("w") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "outbox_kit", "relay"],
            env={**os.environ, **stack.environment(database.name)},
            stderr=err,
        )
    try:
        until(lambda: process.poll() is not None or "publishing" in log.read_text(), "the relay publishes")
        yield
    finally:
        process.terminate()
        assert process.wait(PATIENT_SECONDS) == 0, log.read_text()


def written(rows: psycopg.Connection, key: str, *payloads: str) -> list[str]:
    """Insert events of a key; their ids."""
    ids = [str(uuid.uuid4()) for _ in payloads]
    for event_id, payload in zip(ids, payloads, strict=True):
        rows.execute(INSERT, (event_id, key, payload))
    return ids


def dead(kit: Kit) -> list[str]:
    return [letter["event_id"] for letter in listed(kit, "dead", "list")["dead_letters"]]


def listed(kit: Kit, *command: str) -> dict[str, object]:
    return json.loads(kit("relay", *command, "--format", "json").stdout)  # type: ignore[no-any-return]


@pytest.fixture
def topic(admin: AdminClient, database: Database) -> Iterator[str]:
    """The topic of the events, which refuses large ones."""
    name = f"{database.name}.Order"
    create_topics(admin, name, partitions=1, max_message_bytes=LIMIT)
    yield name
    admin.delete_topics([name])[name].result()


def test_28_a_parked_lane_is_released_in_order(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, admin: AdminClient, topic: str
) -> None:
    with made(stack, database, kit, "delivery: {by: relay, attempts: 1}\n") as service:
        reader = Reader(stack, topic)
        with relay(stack, database):
            discarded, *behind = written(rows, "discarded", LARGE, *[SMALL] * BEHIND)
            again, *later = written(rows, "sent again", LARGE, *[SMALL] * BEHIND)
            others = written(rows, "another", *[SMALL] * BEHIND)
            until(lambda: reader.of("another") == others, "the events of another lane")
            until(lambda: dead(kit) == [discarded, again], "the dead letters")
            until(lambda: sum(lane["waiting"] for lane in listed(kit, "keys")["lanes"]) == 2 * (BEHIND + 1))  # type: ignore[attr-defined]
            assert reader.of("discarded") == [] == reader.of("sent again")

            kit("relay", "dead", "discard", "--key", "discarded", "--yes", "--allow-destructive")
            until(lambda: reader.of("discarded") == behind, "the events behind the discarded one")
            behind += written(rows, "discarded", SMALL)
            until(lambda: reader.of("discarded") == behind, "a later event of the released lane")

            allow_large(admin, topic)
            assert "warning" not in kit("relay", "dead", "retry", "--all", "--yes").stderr
            until(lambda: reader.of("sent again") == [again, *later], "the event that is sent again, then the others")
            assert listed(kit, "keys")["total"] == 0 == listed(kit, "dead", "list")["total"]
        rows.execute(DROP, (f"{service}_outbox",))


def test_a_lane_that_is_passed_goes_on_and_its_dead_letters_are_sent_later(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, admin: AdminClient, topic: str
) -> None:
    with made(stack, database, kit, "delivery: {by: relay, attempts: 1, on_dead_letter: pass}\n") as service:
        reader = Reader(stack, topic)
        with relay(stack, database):
            refused = written(rows, "1", LARGE, LARGE)
            until(lambda: dead(kit) == refused, "the dead letters")
            passed = written(rows, "1", *[SMALL] * BEHIND)
            until(lambda: reader.of("1") == passed, "the events behind the dead letters")
            assert listed(kit, "keys")["total"] == 0
            allow_large(admin, topic)
            kit("relay", "dead", "retry", "--all", "--yes", "--rate", "1")
            until(lambda: reader.of("1") == [*passed, *refused], "the dead letters in their order")
            assert dead(kit) == []
        rows.execute(DROP, (f"{service}_outbox",))
