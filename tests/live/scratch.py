"""A topic of a test's own, and messages as the connector writes them, or nearly so."""

import uuid
from dataclasses import dataclass, field, replace

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient

from outbox_kit.kafka import read
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.schema.model import Outbox
from outbox_kit.stack import Stack
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from tests.support.request import request_of, with_settings
from tests.support.waiting import create_topics

PARTITIONS = 3


@dataclass(frozen=True)
class Message:
    """One message as the connector writes it, and so one that nothing is wrong with."""

    key: bytes | None = b"1"
    value: bytes | None = b'{"n": 1}'
    type: bytes = b"OrderPlaced"
    sequence: int = 1
    event_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    headers: tuple[tuple[str, bytes], ...] | None = None
    partition: int | None = None
    topic: str | None = None

    def wire(self) -> list[tuple[str, bytes]]:
        own = [
            ("id", self.event_id.encode()),
            ("eventType", self.type),
            ("aggregateType", b"Order"),
            ("sequence", str(self.sequence).encode()),
        ]
        return own if self.headers is None else list(self.headers)


def changed(message: Message, **headers: bytes | None) -> Message:
    """The message with some headers changed, or without them where None."""
    mixed = {**dict(message.wire()), **headers}
    return replace(message, headers=tuple((name, value) for name, value in mixed.items() if value is not None))


@dataclass
class Scratch:
    """A topic of a test's own, and the outbox it belongs to."""

    stack: Stack
    outbox: Outbox
    topic: str

    def send(self, *messages: Message) -> None:
        producer = Producer({"bootstrap.servers": self.stack.bootstrap, "message.max.bytes": 12_000_000})
        for message in messages:
            home = partition_of(message.key, PARTITIONS) if message.key else 0
            where = home if message.partition is None else message.partition
            producer.produce(message.topic or self.topic, message.value, message.key, where, headers=message.wire())
        assert producer.flush(30) == 0

    def verify(self, **changes: object) -> Result:
        request = request_of(self.outbox, read.Cluster(self.stack.bootstrap), timeout=60, settle=1)
        return Verification(with_settings(request, **changes), lambda _: None).run()  # type: ignore[arg-type]

    def findings(self) -> dict[str, int]:
        return {f.id: f.count for f in self.verify().findings if f.id != "RUN-11"}


def make(admin: AdminClient, topic: str) -> None:
    create_topics(admin, topic, partitions=PARTITIONS, max_message_bytes="12000000")


GOOD = Message()
HOME = partition_of(b"1", PARTITIONS)
OTHER = (HOME + 1) % PARTITIONS
