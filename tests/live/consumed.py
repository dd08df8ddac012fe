"""Messages as a consumer gets them that knows nothing of the kit."""

import time
import uuid
from typing import Any

from confluent_kafka import Consumer, Message

from outbox_kit.stack import Stack
from tests.support.waiting import PATIENT_SECONDS


def consumed(stack: Stack, topic: str, ids: list[str]) -> dict[str, Message]:
    """The messages of these events."""
    consumer = Consumer(
        {"bootstrap.servers": stack.bootstrap, "group.id": str(uuid.uuid4()), "auto.offset.reset": "earliest"}
    )
    consumer.subscribe([topic])
    found: dict[str, Message] = {}
    deadline = time.monotonic() + PATIENT_SECONDS
    while time.monotonic() < deadline and not set(ids) <= set(found):
        for message in consumer.consume(500, 0.5):
            if not message.error():
                found[dict(message.headers())["id"].decode()] = message
    consumer.close()
    return found


def ids_on(stack: Stack, topic: str, expected: int) -> list[str]:
    """Every event id on a topic, copies too."""
    consumer = Consumer(
        {"bootstrap.servers": stack.bootstrap, "group.id": str(uuid.uuid4()), "auto.offset.reset": "earliest"}
    )
    consumer.subscribe([topic])
    found: list[str] = []
    deadline = time.monotonic() + PATIENT_SECONDS
    quiet = 0
    while time.monotonic() < deadline and (len(set(found)) < expected or quiet < 3):
        batch = consumer.consume(5000, 0.5)
        quiet = 0 if batch else quiet + 1
        found += [dict(m.headers())["id"].decode() for m in batch if not m.error()]
    consumer.close()
    return found


def as_previewed(message: Message) -> dict[str, Any]:
    """A consumed message in the words of `preview --format json`."""

    def text(content: bytes | None) -> str | None:
        return None if content is None else content.decode()

    return {
        "outcome": "message",
        "topic": message.topic(),
        "partition": message.partition(),
        "key": text(message.key()),
        "headers": [{"name": name, "value": text(value)} for name, value in message.headers()],
        "value": text(message.value()),
    }


def named(headers: list[dict[str, Any]]) -> dict[str, Any]:
    """Headers by name, so that a difference is read at once."""
    return {header["name"]: header["value"] for header in headers}
