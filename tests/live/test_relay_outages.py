"""A broker that freezes and dies while a relay publishes: nothing is lost, doubled, reordered or given up."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]

from outbox_kit.stack import Stack
from tests.live.broker import Broker, broker, second
from tests.live.conftest import Database, Kit, made
from tests.support.frozen import freeze
from tests.support.waiting import PATIENT_SECONDS, create_topics, until

INSERT = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
select gen_random_uuid(), 'Order', (n % 10)::text, 'OrderPlaced', json_build_array((n % 10)::text, n)
from generate_series({}, {}) n"""
PARTITIONS = 3
TIMEOUTS = "request.timeout.ms=1000\nsocket.timeout.ms=2000\n"  # for the client's seconds of an outage's hours


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with broker(tmp_path_factory.mktemp("broker")) as running:
        yield running


class Arrived:
    """The numbers of a topic's messages by key, as far as they were read."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        settings = {"group.id": str(uuid.uuid4()), "enable.auto.commit": False}
        self._consumer = Consumer({"bootstrap.servers": bootstrap, "log_level": 2, **settings})
        self._consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in range(PARTITIONS)])
        self._numbers: dict[str, list[int]] = {}

    def numbers(self) -> dict[str, list[int]]:
        """Those that have arrived until now."""
        for message in self._consumer.consume(5000, 0.2):
            if not message.error():
                key, number = json.loads(message.value())
                self._numbers.setdefault(key, []).append(number)
        return self._numbers

    def count(self) -> int:
        return sum(len({*numbers}) for numbers in self.numbers().values())


@contextmanager
def relay(stack: Stack, database: Database, own: Broker) -> Iterator[psutil.Process]:
    """A relay's process, whose log is relay.log."""
    Path("kafka.properties").write_text(TIMEOUTS)
    environment = {**os.environ, **stack.environment(database.name), "OUTBOX_KIT_BOOTSTRAP": own.bootstrap}
    with Path("relay.log").open("a") as log:
        command = [sys.executable, "-m", "outbox_kit", "relay", "--kafka-config", "kafka.properties"]
        process = subprocess.Popen(command, env=environment, stderr=log)
        try:
            yield psutil.Process(process.pid)
        finally:
            process.kill()
            process.wait(PATIENT_SECONDS)


@pytest.fixture
def topic(
    request: pytest.FixtureRequest, stack: Stack, database: Database, kit: Kit, own: Broker, rows: psycopg.Connection
) -> Iterator[str]:
    """The topic of an outbox that a relay publishes."""
    with made(stack, database, kit, f"delivery: {{by: relay, source: {request.param}}}\n") as service:
        create_topics(AdminClient({"bootstrap.servers": own.bootstrap}), f"{service}.Order", partitions=PARTITIONS)
        yield f"{service}.Order"
        drop = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s"
        rows.execute(drop, (f"{service}_outbox",))


def write(rows: psycopg.Connection, numbers: range) -> None:
    rows.execute(INSERT.format(numbers.start, numbers.stop - 1).encode())


def in_order(numbers: Sequence[int]) -> bool:
    return [*dict.fromkeys(numbers)] == sorted({*numbers})


def seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@pytest.mark.parametrize("topic", ["log"], indirect=True)
def test_8_22_a_broker_that_freezes_within_batches_causes_no_loss_and_no_disorder(
    stack: Stack, database: Database, own: Broker, topic: str, rows: psycopg.Connection
) -> None:
    """Trap 22: requests time out, and are sent again without copies. Trap 8: what has no answer is not published."""
    arrived = Arrived(own.bootstrap, topic)
    with relay(stack, database, own):
        write(rows, range(20))
        until(lambda: arrived.count() == 20, "the first events")
        for begin in (20, 3020):
            freeze(own.process.pid)
            try:
                write(rows, range(begin, begin + 3000))
                time.sleep(2.5)  # longer than request.timeout.ms
            finally:
                os.kill(own.process.pid, signal.SIGCONT)
            until(lambda: arrived.count() == begin + 3000, "the events of the frozen time")  # noqa: B023
        assert all(numbers == sorted({*numbers}) for numbers in arrived.numbers().values())
        freeze(own.process.pid)
        try:
            write(rows, range(6020, 7020))
            time.sleep(0.7)
        finally:
            ended = time.monotonic()
    os.kill(own.process.pid, signal.SIGCONT)
    assert time.monotonic() - ended < 30  # the relay was killed while the broker had its frames
    with relay(stack, database, own):
        until(lambda: arrived.count() == 7020, "the events of the killed relay")
    assert all(in_order(numbers) for numbers in arrived.numbers().values())


@pytest.mark.parametrize("topic", ["log"], indirect=True)
def test_22_a_leader_that_is_killed_within_batches_causes_no_loss_and_no_disorder(
    stack: Stack, database: Database, own: Broker, topic: str, rows: psycopg.Connection, tmp_path: Path
) -> None:
    """The other broker has what was acknowledged, and leads the partitions when the controller notices the loss."""
    admin = AdminClient({"bootstrap.servers": own.bootstrap, "log_level": 2})
    (folder := tmp_path / "second").mkdir()
    admin.delete_topics([topic])[topic].result()
    until(lambda: topic not in admin.list_topics(timeout=60).topics, "the topic is deleted")
    with second(folder, own) as leader, relay(stack, database, own):
        until(lambda: 2 in admin.list_topics(timeout=60).brokers, "the second broker is registered")
        led = NewTopic(topic, PARTITIONS, replica_assignment=[[2, 1]] * PARTITIONS)
        admin.create_topics([led])[topic].result()
        until(lambda: leaders(admin, topic) == {2}, "the second broker leads")
        arrived = Arrived(own.bootstrap, topic)
        write(rows, range(3000))
        until(lambda: arrived.count() > 0, "the first events")
        write(rows, range(3000, 9000))
        leader.kill()
        until(lambda: arrived.count() == 9000, "the events of both leaders")
        assert leaders(admin, topic) == {1}
    assert all(numbers == sorted({*numbers}) for numbers in arrived.numbers().values())


def leaders(admin: AdminClient, topic: str) -> set[int]:
    """The brokers that lead a topic's partitions; empty if it does not exist."""
    described = admin.list_topics(topic, timeout=60).topics[topic]
    return {partition.leader for partition in described.partitions.values()}


@pytest.mark.parametrize("topic", ["table"], indirect=True)
def test_29_an_outage_of_the_broker_gives_nothing_up_and_costs_nothing(
    stack: Stack,
    database: Database,
    own: Broker,
    topic: str,
    rows: psycopg.Connection,
    pytestconfig: pytest.Config,
) -> None:
    """Frozen and then ended, while events are written; the client's timeouts are shortened in place of the hours.

    With --chaos the broker is down for so many seconds.
    """
    arrived = Arrived(own.bootstrap, topic)
    with relay(stack, database, own) as process:
        write(rows, range(20))
        until(lambda: arrived.count() == 20, "the first events")
        lines, used, began = len(log()), seconds(process), time.monotonic()
        freeze(own.process.pid)
        try:
            write(rows, range(20, 120))
            time.sleep(4)
        finally:
            os.kill(own.process.pid, signal.SIGCONT)
            own.process.kill()
        write(rows, range(120, 220))
        time.sleep(pytestconfig.getoption("--chaos") or 2)
        share = (seconds(process) - used) / (time.monotonic() - began)
        again = own.start()
        try:
            recovered = time.monotonic()
            until(lambda: arrived.count() > 20, "the first event of the outage")
            print(f"first send {time.monotonic() - recovered:.1f} s after the broker's start")
            until(lambda: arrived.count() == 220, "the events of the outage")
            write(rows, range(220, 240))
            until(lambda: arrived.count() == 240, "events after the outage")
        finally:
            again.kill()
        assert all(in_order(numbers) for numbers in arrived.numbers().values())
        assert rows.execute("select count(*) from outbox_failure").fetchone() == (0,)
        assert share < 0.2, f"{share:.2f} of a core"
        assert len(log()) - lines <= 4, log()


def log() -> list[str]:
    return Path("relay.log").read_text().splitlines()
