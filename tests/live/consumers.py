"""Consumers of a test with an inbox: their messages, their groups, and one in a thread."""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from outbox_kit.inbox.consumer import Consumer as GroupLoop
from outbox_kit.kafka.read import Cluster, Reading
from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.support.waiting import until

PARTITIONS, KEYS = 4, 40


def produce(stack: Stack, topic: str, numbers: range, *, copies: int = 1, timestamp: int = 0) -> None:
    """Messages with an id, and a dense sequence for each key; several copies as a restarted producer sends them."""
    producer = Producer({"bootstrap.servers": stack.bootstrap, "enable.idempotence": True})
    for _ in range(copies):
        for number in numbers:
            message_id = uuid.uuid5(uuid.NAMESPACE_OID, f"{topic}-{number}")
            headers = [("id", str(message_id).encode()), ("sequence", str(number // KEYS + 1).encode())]
            producer.produce(
                topic, str(number).encode(), str(number % KEYS).encode(), headers=headers, timestamp=timestamp
            )
            producer.poll(0)
    assert producer.flush(30) == 0


def reset(stack: Stack, group: str, partitions: int = PARTITIONS) -> None:
    """Set the offsets of a group without members to the beginning."""
    admin = AdminClient({"bootstrap.servers": stack.bootstrap})
    places = [TopicPartition(group, partition, 0) for partition in range(partitions)]
    answers = admin.alter_consumer_group_offsets([ConsumerGroupTopicPartitions(group, places)])
    answers[group].result()


def lag(stack: Stack, group: str, partitions: int = PARTITIONS) -> int:
    """Messages that the group has not committed."""
    reader = Consumer({"bootstrap.servers": stack.bootstrap, "group.id": group})
    try:
        places = reader.committed([TopicPartition(group, n) for n in range(partitions)], timeout=60)
        ends = [reader.get_watermark_offsets(place, timeout=60)[1] for place in places]
        return sum(end - max(0, place.offset) for end, place in zip(ends, places, strict=True))
    finally:
        reader.close()


def create_table(kit: Kit, database: Database, mode: str) -> None:
    """The table of an inbox's mode, and that of the effects of its consumers."""
    service = database.name
    Path("outbox.yaml").write_text(
        f"service: {service}\ndatabase: {{dialect: postgres}}\ndelivery_guarantee: exactly-once\n"
        f"ordering: {{assigned_by: application}}\nevents: [{{type: OrderPlaced, aggregate: Order}}]\n"
        f"inbox:\n  mode: {mode}\n"
    )
    kit("gen-ddl", "--inbox", "--apply")
    with psycopg.connect(database.dsn) as connection:
        connection.execute(f'create table "effect {mode}" (worker int, number int)')


@dataclass(frozen=True)
class Effects:
    """The effects of a mode's consumers."""

    rows: psycopg.Connection
    mode: str

    def count(self) -> int:
        """Messages with an effect."""
        (count,) = self.rows.execute(f'select count(distinct number) from "effect {self.mode}"').fetchone() or (0,)
        return int(count)

    def expect_once(self, total: int) -> None:
        """Every message has its effect, and none has two."""
        twice = f'select number from "effect {self.mode}" group by number having count(*) > 1'
        assert (self.count(), self.rows.execute(twice).fetchall()) == (total, []), self.mode


@contextmanager
def consuming(stack: Stack, topic: str, consumer: GroupLoop) -> Iterator[None]:
    """A consumer in a thread; the end of the block waits until its group has no lag in its topic of one partition."""
    thread = threading.Thread(target=consumer.run)
    thread.start()
    try:
        yield
        until(lambda: lag(stack, topic, partitions=1) == 0, "all offsets are committed")
    finally:
        consumer.stop()
        thread.join(60)


def letters_of(stack: Stack, topic: str) -> list[Any]:
    """All records of a topic with one partition."""
    cluster = Cluster(stack.bootstrap)
    reading = Reading(cluster.pin([(topic, 0)]))
    return [record for _, _, records in cluster.read(reading, time.monotonic() + 60) for record in records]
