"""Each message has its effects once, on the real Kafka and PostgreSQL, whatever happens to the consumers."""

import json
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from outbox_kit.inbox import Inbox, InboxMessage, Reject
from outbox_kit.inbox.consumer import Consumer as GroupLoop
from outbox_kit.inbox.consumer import ConsumerLimits
from outbox_kit.inbox.declared import declared
from outbox_kit.inbox.problems import PurgeRefused
from outbox_kit.inbox.purge import purge
from outbox_kit.inbox.queues import Backoff
from outbox_kit.kafka.read import Cluster
from outbox_kit.kafka.redelivery import deliverable
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.live.consumers import KEYS, PARTITIONS, Effects, consuming, create_table, lag, letters_of, produce, reset
from tests.support.frozen import freeze
from tests.support.waiting import PATIENT_SECONDS, create_topics, until

WORKER = Path(__file__).with_name("inbox_worker.py")
MESSAGES = 1200
STRATEGIES = {"message-id": "cooperative-sticky", "high-water": "range", "offsets": "cooperative-sticky"}


@contextmanager
def working(stack: Stack, database: Database, topic: str, mode: str) -> Iterator[subprocess.Popen[str]]:
    """A consumer as a process."""
    settings = {
        "partition.assignment.strategy": STRATEGIES[mode],
        "session.timeout.ms": 6000,  # the least that a broker accepts
        "heartbeat.interval.ms": 500,
        "max.poll.interval.ms": 30_000,
    }
    given = {
        "settings": {"bootstrap.servers": stack.bootstrap, "group.id": topic, **settings},
        "topic": topic,
        "mode": mode,
        "dsn": database.dsn,
    }
    command = [sys.executable, str(WORKER), json.dumps(given)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> dict[str, int]:
    """Stop a consumer; its counts."""
    process.terminate()
    output, _ = process.communicate(timeout=PATIENT_SECONDS)
    assert process.returncode == 0
    counts: dict[str, int] = json.loads(output)
    return counts


def test_each_effect_happens_once_through_kills_rebalances_a_frozen_owner_and_a_reset(
    stack: Stack, database: Database, kit: Kit, admin: AdminClient
) -> None:
    topics = {mode: f"{database.name}-{mode}" for mode in STRATEGIES}
    create_topics(admin, *topics.values(), partitions=PARTITIONS)
    for mode in STRATEGIES:
        create_table(kit, database, mode)
    with ThreadPoolExecutor(len(STRATEGIES)) as scenarios:  # they wait for timeouts of the broker most of the time
        for scenario in [scenarios.submit(disturbed, stack, database, topic, mode) for mode, topic in topics.items()]:
            scenario.result()
    for deletion in admin.delete_topics([*topics.values()]).values():
        deletion.result()


def disturbed(stack: Stack, database: Database, topic: str, mode: str) -> None:
    copies = 1 if mode == "offsets" else 2
    with psycopg.connect(database.dsn, autocommit=True) as rows:
        effects = Effects(rows, mode)
        produce(stack, topic, range(MESSAGES // 2), copies=copies)
        with working(stack, database, topic, mode) as first:
            until(lambda: effects.count() > 50, "the first consumer works")
            with working(stack, database, topic, mode) as second:
                freeze(first.pid)  # an owner that does not know that it has lost its partitions
                produce(stack, topic, range(MESSAGES // 2, MESSAGES), copies=copies)
                until(lambda: effects.count() > MESSAGES // 2, "the second consumer has partitions")
                first.send_signal(signal.SIGCONT)
                second.kill()
                with working(stack, database, topic, mode) as third:
                    until(lambda: effects.count() == MESSAGES, "all messages are processed")
                    ended(first)
                    ended(third)
        effects.expect_once(MESSAGES)
        reset(stack, topic)
        with working(stack, database, topic, mode) as fourth:
            produce(stack, topic, range(MESSAGES, MESSAGES + KEYS), copies=copies)
            until(lambda: effects.count() == MESSAGES + KEYS, "new messages are processed behind those delivered again")
            until(lambda: lag(stack, topic) == 0, "the offsets are committed")
            counts = ended(fourth)
        effects.expect_once(MESSAGES + KEYS)
        assert counts["processed"] == KEYS
        assert mode == "offsets" or counts["duplicates"] >= MESSAGES  # offsets begin where the database has them
        if mode == "offsets":
            admin = AdminClient({"bootstrap.servers": stack.bootstrap})
            admin.delete_consumer_groups([topic])[topic].result()  # the next one counts its generations from 1
            with working(stack, database, topic, mode) as fifth:
                produce(stack, topic, range(MESSAGES + KEYS, MESSAGES + 2 * KEYS))
                until(lambda: effects.count() == MESSAGES + 2 * KEYS, "the re-created group goes on")
                ended(fifth)
            effects.expect_once(MESSAGES + 2 * KEYS)


def test_an_id_is_purged_when_its_record_is_deleted_and_not_before(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, admin: AdminClient
) -> None:
    """The consumer was down for longer than the window (wolverine#1725)."""
    topic, cluster, inbox = f"{database.name}-orders", Cluster(stack.bootstrap), Inbox("billing")
    create_topics(admin, topic, partitions=1, retention_ms="-1")
    create_table(kit, database, "message-id")
    produce(stack, topic, range(5), timestamp=int((time.time() - 30 * 86_400) * 1000))

    def consumed() -> int:
        settings = {"bootstrap.servers": stack.bootstrap, "group.id": topic}
        consumer = GroupLoop(
            settings, [topic], inbox, lambda: psycopg.connect(database.dsn, autocommit=True), lambda *_: None
        )
        with consuming(stack, topic, consumer):
            pass
        return consumer.counts.processed

    with pytest.raises(PurgeRefused, match="no committed offset"):
        purge(rows, inbox, 14, deliverable(cluster, [topic], topic))
    assert consumed() == 5
    rows.execute("update inbox set received_at = now() - interval '29 days'")
    produce(stack, topic, range(5, 6))
    assert consumed() == 1
    kept = purge(rows, inbox, 14, deliverable(cluster, [topic], topic))
    assert (kept.rows, kept.horizon.reason) == (0, f"the first retained record of {topic}-0")
    assert "unlimited retention" in kept.horizon.notes[0]
    reset(stack, topic, partitions=1)
    assert consumed() == 0
    path = Path("outbox.yaml")
    path.write_text(
        path.read_text() + f"  consumers: [{{name: billing, group: {topic}}}]\nrouting: {{topic: {topic}}}\n"
    )

    def planned(*options: str) -> tuple[int, int]:
        old = json.loads(kit("cleanup", "--table", "inbox", "--dry-run", "--format", "json", *options).stdout)["old"]
        return old["removable"], old["unproven"]

    assert (planned(), planned("--by-position")) == ((0, 5), (5, 0))
    admin.delete_records([TopicPartition(topic, 0, 5)])[TopicPartition(topic, 0, 5)].result()
    assert planned() == (5, 0)
    (billing,) = declared(read(path).outboxes[0])
    assert (billing.topics, billing.window_days) == ((topic,), 14)
    assert billing.purge(rows, cluster).rows == 5


def test_a_consumer_retries_buries_and_waits_for_its_database(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, admin: AdminClient
) -> None:
    topic, letters = f"{database.name}-orders", f"{database.name}-dead"
    create_topics(admin, topic, letters, partitions=1)
    create_table(kit, database, "message-id")
    attempts: list[int] = []

    def handle(connection: Any, message: InboxMessage) -> None:
        number = int(message.value or b"0")
        attempts.append(number)
        if number == 1:
            raise Reject("no such customer")
        if number == 2:
            raise ValueError("a defect")
        if number == 4 and attempts.count(4) == 1:
            end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'consumer'"
            rows.execute(end)  # the connection is lost within the transaction: no attempt of the message
        if number == 5 and attempts.count(5) < 3:
            with suppress(psycopg.Error):
                connection.execute("select 1 / 0")  # whose error is hidden: nothing can be committed
            return
        connection.execute('insert into "effect message-id" values (0, %s)', (number,))

    produce(stack, topic, range(6))
    producer = Producer({"bootstrap.servers": stack.bootstrap})
    producer.produce(topic, b"6", b"0", headers=[("id", b"no UUID")])
    producer.flush(30)
    settings = {"bootstrap.servers": stack.bootstrap, "group.id": topic}
    consumer = GroupLoop(
        settings,
        [topic],
        Inbox("billing"),
        lambda: psycopg.connect(database.dsn, autocommit=True, application_name="consumer"),
        handle,
        dead_letters=letters,
        limits=ConsumerLimits(attempts=3, backoff=Backoff(first=0.01, limit=0.05)),
    )
    with consuming(stack, topic, consumer):
        pass
    assert [number for (number,) in rows.execute('select number from "effect message-id" order by 1')] == [0, 3, 4, 5]
    assert rows.execute("select count(*) from inbox").fetchone() == (6,)  # with the dead ones, which have ids
    assert (consumer.counts.dead, consumer.counts.outages) == (3, 1)
    records = [record.headers() for record in letters_of(stack, letters)]
    reasons = [{name: value for name, value in headers or ()} for headers in records]
    assert [(letter["dead-letter.reason"], letter["dead-letter.attempts"]) for letter in reasons] == [
        (b"rejected", b"1"),
        (b"failed", b"3"),
        (b"invalid", b"1"),
    ]
    assert reasons[0]["dead-letter.error"] == b"Reject: no such customer"
    assert (reasons[1]["dead-letter.offset"], reasons[1]["sequence"]) == (b"2", b"1")


def test_a_message_waits_for_the_partition_of_its_day_and_becomes_no_dead_letter(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, admin: AdminClient
) -> None:
    topic, letters = f"{database.name}-orders", f"{database.name}-dead"
    create_topics(admin, topic, letters, partitions=1)
    Path("outbox.yaml").write_text(
        f"service: {database.name}\ndatabase: {{dialect: postgres}}\n"
        "events: [{type: OrderPlaced, aggregate: Order}]\n"
        f"inbox: {{partitioned: true, consumers: [{{name: billing, group: {topic}}}]}}\nrouting: {{topic: {topic}}}\n"
    )
    kit("gen-ddl", "--inbox", "--apply")
    future = "select relname from pg_class where relname ~ '^inbox_[0-9]{8}$' order by 1 desc limit 15"
    for (partition,) in rows.execute(future).fetchall():  # as if nothing had created them
        rows.execute(f"drop table {partition}".encode())
    message_id = uuid.UUID(int=(time.time_ns() // 1_000_000 << 80) | (7 << 76) | (2 << 62) | uuid.uuid4().int % 2**62)
    producer = Producer({"bootstrap.servers": stack.bootstrap})
    producer.produce(topic, b"1", b"key", headers=[("id", str(message_id).encode())])
    producer.flush(30)
    handled: list[bytes | None] = []
    consumer = GroupLoop(
        {"bootstrap.servers": stack.bootstrap, "group.id": topic},
        [topic],
        Inbox("billing"),
        lambda: psycopg.connect(database.dsn, autocommit=True),
        lambda _, message: handled.append(message.value),
        dead_letters=letters,
        limits=ConsumerLimits(attempts=1, backoff=Backoff(first=0.01, limit=0.05)),
    )
    with consuming(stack, topic, consumer):
        until(lambda: consumer.counts.waits > 3, "the message waits")
        refused = kit("cleanup", "--table", "inbox", code=4).stderr  # before the group has a committed offset
        assert "was created" in refused and "no committed offset" in refused
    assert (handled, consumer.counts.dead, consumer.counts.failures) == ([b"1"], 0, 0)
