"""The fixture for other teams' tests, on the real pipeline: events that come, that do not, and that are wrong."""

import subprocess
import sys
import time
import uuid
from pathlib import Path

import psycopg
import pytest

from outbox_kit.kafka import scratch
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Cluster
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.testing.topic import OutboxTopic
from outbox_kit.verify import scenarios, selftest
from outbox_kit.wire.routes import Routes
from tests.live.conftest import Database, Kit

INSERT = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, %s, %s)"
THEIRS = """
import os, uuid
import psycopg
import pytest

COLUMNS = "id, aggregatetype, aggregateid, type, payload"
INSERT = f"insert into outbox ({COLUMNS}) values (%s, 'Order', '7', 'OrderPlaced', '{{}}')"


def test_an_order_is_announced(outbox_topic):
    with psycopg.connect(os.environ["OUTBOX_KIT_DSN"]) as connection:
        connection.execute(INSERT, (str(uuid.uuid4()),))
    event = outbox_topic.event("OrderPlaced")
    assert (event.key, event.payload) == ("7", {})


def test_nothing_else_is(outbox_topic):
    outbox_topic.none(seconds=1)
"""


def test_events_are_waited_for_and_held_against_the_contract(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    topic = OutboxTopic(read(Path("outbox.yaml")).outboxes[0], Cluster(stack.bootstrap))
    topic.none(seconds=0.5)
    with psycopg.connect(database.dsn) as connection:
        connection.execute(INSERT, (uuid.uuid4(), "1", "OrderPlaced", '{"n": 1}'))
        connection.commit()
        connection.execute(INSERT, (uuid.uuid4(), "1", "OrderPaid", '{"n": 2}'))
        connection.rollback()
    event = topic.event("OrderPlaced")
    assert (event.aggregate, event.key, event.payload) == ("Order", "1", {"n": 1})
    with pytest.raises(AssertionError, match="expected 1 event of type OrderPaid within 1 s; found OrderPlaced"):
        topic.events(type="OrderPaid", seconds=1)

    later = OutboxTopic(topic.outbox, Cluster(stack.bootstrap))
    headers = [("id", str(uuid.uuid4())), ("eventType", "OrderPaid"), ("aggregateType", "Order"), ("sequence", "99")]
    where = f"{outbox}.Order"
    wrong = scratch.Written(where, partition_of(b'"2"', 6), b'"2"', b"{}", list(headers))
    scratch.write(Cluster(stack.bootstrap), [wrong])
    with pytest.raises(AssertionError, match="KEY-03 the key is encoded"):
        later.event("OrderPaid")


def test_events_of_several_partitions_come_in_the_order_of_time(stack: Stack) -> None:
    own = selftest.outbox(f"plugin-{uuid.uuid4().hex[:8]}")
    with scratch.topics(Cluster(stack.bootstrap), Routes(own).topics[:1], scenarios.PARTITIONS):
        topic = OutboxTopic(own, Cluster(stack.bootstrap))
        for number in range(8):
            said = scenarios.ScenarioMessage(sequence=number, event=number, key=b"1" if number % 2 else scenarios.KEY)
            scratch.write(Cluster(stack.bootstrap), [selftest.written(own, 0, "time", said)])
            time.sleep(0.01)
        came = topic.events(8)
    assert len({event.partition for event in came}) == 2
    assert [event.headers["sequence"] for event in came] == [str(number) for number in range(8)]


def test_a_team_s_own_suite_has_the_fixture(stack: Stack, database: Database, kit: Kit, outbox: str) -> None:
    Path("test_theirs.py").write_text(THEIRS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--rootdir",
        ".",
        "test_theirs.py",
        "--outbox-bootstrap",
        stack.bootstrap,
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**stack.environment(database.name)}, timeout=120
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr
