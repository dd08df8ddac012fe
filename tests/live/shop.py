"""An outbox with a table and a slot, whose connector a test plays by hand."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg
from confluent_kafka import Producer

from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Cluster
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from tests.live.repeated import repeated
from tests.live.scratch import PARTITIONS, Message, Scratch
from tests.support.request import request_of, with_settings

INSERT = """insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at)
    values (%s, 'Order', %s, 'OrderPlaced', '{"n": 1}', %s) returning sequence"""


@dataclass
class Shop:
    """An outbox with a table and a slot, and nobody that publishes it."""

    scratch: Scratch
    dsn: str

    @property
    def slot(self) -> str:
        return self.scratch.outbox.names.slot

    def write(self, key: str = "1", at: datetime | None = None, event_id: str | None = None) -> Message:
        """Commit a row; the message that the connector would make of it."""
        event_id = event_id or str(uuid.uuid4())
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            row = connection.execute(INSERT, (event_id, key, at or datetime.now(UTC))).fetchone()
        assert row is not None
        return Message(key=key.encode(), sequence=row[0], event_id=event_id)

    def publish(self, message: Message, at: datetime | None = None) -> None:
        key = message.key or b""
        producer = Producer({"bootstrap.servers": self.scratch.stack.bootstrap})
        stamp = int((at or datetime.now(UTC)).timestamp() * 1000)
        where = partition_of(key, PARTITIONS)
        producer.produce(self.scratch.topic, message.value, key, where, headers=message.wire(), timestamp=stamp)
        assert producer.flush(30) == 0

    def delete(self, *messages: Message) -> None:
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute("delete from outbox where id = any(%s::uuid[])", ([m.event_id for m in messages],))

    def verify(self, **changes: object) -> tuple[str, dict[str, int], Result]:
        request = request_of(
            self.scratch.outbox, Cluster(self.scratch.stack.bootstrap), self.dsn, timeout=60, settle=1, catch_up=20
        )
        report = Verification(with_settings(request, **changes), lambda _: None).run()  # type: ignore[arg-type]
        return report.verdict.value, {f.id: f.count for f in report.findings}, report

    @contextmanager
    def confirming(self) -> Iterator[None]:
        """The slot goes on all the while, as with a connector that has published what it is going to."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:

            def go_on() -> None:
                connection.execute("insert into outbox_heartbeat (beat_at) values (clock_timestamp())")
                connection.execute("select pg_replication_slot_advance(%s, pg_current_wal_insert_lsn())", (self.slot,))

            with repeated(go_on, 0.2):
                yield
