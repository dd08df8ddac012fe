"""A topic full of events, as fast as a client can write them."""

import uuid
from collections.abc import Iterable, Iterator

import orjson
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient

from outbox_kit.schema.model import Outbox
from tests.support.waiting import create_topics

PARTITIONS = 6
KEYS = 50_000
Event = tuple[bytes, bytes, list[tuple[str, bytes | None]], int]  # key, value, headers, timestamp in ms or 0 for now
SCHEMA = {
    "type": "object",
    "required": ["orderId", "total", "items"],
    "properties": {
        "orderId": {"type": "string"},
        "total": {"type": "string", "pattern": r"^\d+\.\d\d$"},
        "items": {"type": "integer", "minimum": 1},
        "note": {"type": "string", "maxLength": 200},
    },
    "additionalProperties": False,
}


def outbox_of(topic: str) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "bench",
            "database": {"dialect": "postgres"},
            "routing": {"topic": topic},
            "events": [{"type": "OrderPlaced", "aggregate": "Order", "payload": SCHEMA}],
        }
    )


def produce(bootstrap: str, topic: str, messages: int) -> None:
    """Events as the generated connector writes them, in the order of their sequence."""

    def events() -> Iterator[Event]:
        for number in range(messages):
            payload = orjson.dumps({"orderId": str(number), "total": "12.50", "items": 3, "note": "x" * 80})
            headers: list[tuple[str, bytes | None]] = [
                ("id", str(uuid.UUID(int=number * 0x9E3779B97F4A7C15 % 2**128)).encode()),
                ("eventType", b"OrderPlaced"),
                ("aggregateType", b"Order"),
                ("sequence", str(number + 1).encode()),
            ]
            yield str(number % KEYS).encode(), payload, headers, 0

    send(bootstrap, topic, events())


def send(bootstrap: str, topic: str, events: Iterable[Event]) -> None:
    """Create a topic and fill it, as fast as the client can."""
    admin = AdminClient({"bootstrap.servers": bootstrap})
    create_topics(admin, topic, partitions=PARTITIONS)
    producer = Producer(
        {
            "bootstrap.servers": bootstrap,
            "partitioner": "murmur2_random",
            "linger.ms": 20,
            "compression.type": "lz4",
            "queue.buffering.max.messages": 200_000,
        }
    )
    for number, (key, payload, headers, timestamp) in enumerate(events):
        while True:
            try:
                producer.produce(topic, payload, key, headers=headers, timestamp=timestamp)
                break
            except BufferError:
                producer.poll(0.1)
        if number % 1000 == 0:
            producer.poll(0)
    if left := producer.flush(120):
        raise TimeoutError(f"{left} messages were not acknowledged")
