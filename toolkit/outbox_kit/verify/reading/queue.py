"""A queue of RabbitMQ as a log: what Debezium Server or a relay has published, read without taking it away.

Messages are received and not acknowledged, so the broker puts them back into their places when the connection ends. A
queue has no partitions and no offsets: a message's partition is that of its key, and its offset its place among those.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pika
from pika.exceptions import AMQPError

from outbox_kit import deadline
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Range
from outbox_kit.kafka.record import Headers
from outbox_kit.schema.model import Outbox
from outbox_kit.secret import hidden
from outbox_kit.verify.reading.captured import CapturedLog, CapturedMessage
from outbox_kit.waiting import waiting_for
from outbox_kit.wire import cloudevents

GET_SECONDS = 10.0  # for one message
KEY_HEADER = "message-key"
RETURNS_HEADER = "x-delivery-count"
MOST_RETURNS = 10  # a quorum queue drops a message that was returned 20 times
Sent = tuple[str, Any, bytes]
"""A message: its routing key, its properties and its body."""


@dataclass(frozen=True)
class QueueForm:
    """How a publisher writes what a message of Kafka has."""

    header: Callable[[Any], bytes | None]
    """A header's value."""
    moves_content_type: bool
    """Whether the header for the content type is a property."""


def plain(value: Any) -> bytes | None:
    """A header of the relay: text, or bytes that are no text."""
    return value if value is None or isinstance(value, bytes) else str(value).encode()


def from_json(value: Any) -> bytes | None:
    """A header of Debezium Server: a JSON text, whose content Kafka Connect sends."""
    try:
        content = json.loads(value)
    except (TypeError, ValueError):
        return plain(value)
    return content.encode() if isinstance(content, str) else None if content is None else plain(value)


RELAY = QueueForm(plain, moves_content_type=True)
DEBEZIUM_SERVER = QueueForm(from_json, moves_content_type=False)


class QueueLog(CapturedLog):
    """The messages of a queue that nothing consumes. It has to be closed."""

    partitioned = False
    exact_times = False  # AMQP has whole seconds, and Debezium Server sends none

    def __init__(self, outbox: Outbox, parameters: Any, queue: str) -> None:
        """parameters: of the connection, with user and password. Nothing is connected yet."""
        super().__init__(outbox, [])
        self.source = f"the queue '{queue}' of RabbitMQ at {parameters.host}:{parameters.port}"
        self._outbox, self._parameters, self._queue = outbox, parameters, queue
        self._parameters.heartbeat = 0  # nothing is sent while the messages are examined
        self._form = RELAY if outbox.delivery.by == "relay" else DEBEZIUM_SERVER
        self._numbers: defaultdict[tuple[str, int], int] = defaultdict(int)
        self._connection: Any = None
        self._channel: Any = None

    def topics(self) -> dict[str, int]:
        """See `CapturedLog`, of the messages that are in the queue by now."""
        self._receive()
        return super().topics()

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        """See `CapturedLog`, of the messages that are in the queue by now."""
        self._receive()
        return super().pin(partitions)

    def close(self) -> None:
        """End the connection: the broker puts every message back."""
        connection, self._connection, self._channel = self._connection, None, None
        if connection is not None and connection.is_open:
            connection.close()

    def _receive(self) -> None:
        """Receive what is in the queue now. Raises UsageProblem, EnvironmentProblem, and OutOfTime."""
        try:
            if self._channel is None:
                self._open()
            with waiting_for("the messages of the queue"):
                self._add_all()
        except (AMQPError, OSError) as cause:
            raise EnvironmentProblem(
                f"queue '{self._queue}' cannot be read",
                where=self.source,
                why=hidden(str(cause) or type(cause).__name__),
                fix="create the queue and bind it to the exchange; a stream cannot be read by verify",
            ) from None

    def _open(self) -> None:
        self._connection = pika.BlockingConnection(self._parameters)
        self._channel = self._connection.channel()
        consumers = self._channel.queue_declare(self._queue, passive=True).method.consumer_count
        if consumers:
            raise UsageProblem(
                f"queue '{self._queue}' has {consumers} consumers, which take messages that are not verified then",
                where=self.source,
                fix="bind a queue without consumers to the same exchange, and name it with --queue",
            )

    def _add_all(self) -> None:
        received: list[CapturedMessage] = []
        while deadline.allowed(GET_SECONDS):
            method, properties, body = self._channel.basic_get(self._queue)
            if method is None:
                break
            self._refuse_exhausted(properties.headers or {})
            received.append(self._message((method.routing_key, properties, body)))
        self.add(received)

    def _refuse_exhausted(self, headers: Mapping[str, Any]) -> None:
        returns = headers.get(RETURNS_HEADER, 0)
        if isinstance(returns, int) and returns >= MOST_RETURNS:
            raise UsageProblem(
                f"queue '{self._queue}' has a message that was returned {returns} times",
                where=self.source,
                why="a quorum queue drops a message that is returned more often than its delivery-limit, 20 by default",
                fix="bind a classic queue for verification to the same exchange, and name it with --queue",
            )

    def _message(self, sent: Sent) -> CapturedMessage:
        """A message as Kafka would have it: the key is a header here, and a tombstone's body is empty."""
        topic, properties, body = sent
        raw = dict(properties.headers or {})
        raw.pop(RETURNS_HEADER, None)
        key = self._form.header(raw.pop(KEY_HEADER, None))
        headers: Headers = [(name, self._form.header(value)) for name, value in raw.items()]
        if self._form.moves_content_type and self._outbox.cloudevents and properties.content_type:
            headers.append((cloudevents.CONTENT_TYPE, properties.content_type.encode()))
        partition = partition_of(key, self._outbox.connect.topics.partitions) if key else 0
        offset = self._numbers[topic, partition]
        self._numbers[topic, partition] = offset + 1
        milliseconds = 1000 * (properties.timestamp or 0)
        return CapturedMessage((topic, partition, offset), key, body or None, headers, milliseconds)
