"""RabbitMQ as a sink: persistent messages with publisher confirms, and none that no queue takes.

A message has the topic as its routing key, the value as its body, the header `id` as its message id, its headers, and
its key as the header `message-key`. It is `mandatory`: one that the exchange routes to no queue comes back and is
refused. A queue that accepts no more (`x-overflow: reject-publish`) closes its topic. Everything runs inside `results`,
in the caller's thread.
"""

import random
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pika
from pika.adapters.select_connection import IOLoop
from pika.exceptions import AMQPError, ChannelClosedByBroker, ConnectionClosedByBroker

from outbox_kit import address
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import sinks
from outbox_kit.relay.interface import SendResult, SendStatus
from outbox_kit.relay.turns import Turns, lane_of
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from outbox_kit.secret import hidden
from outbox_kit.wire import cloudevents
from outbox_kit.wire.shape import Config

FORM = "amqp://user:${PASSWORD}@host:5672/vhost"
DEFAULT_EXCHANGE = "amq.topic"
KEY_HEADER = "message-key"
PERSISTENT = 2
MOST_PENDING, MOST_BYTES = 10_000, 64 << 20
LONGEST_SHORT = 255  # bytes of a short string: a header's name, a message id
FRAME_OVERHEAD = 8
SMALL_HEADERS = 2_000  # bytes; every frame holds so many
HEARTBEAT_SECONDS = 20
OPEN_SECONDS, CLOSE_SECONDS = 10.0, 2.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 3.0  # from one attempt to connect to the next
OF_MESSAGE = {311, 406, 501, 502, 503}
"""Codes with which the broker closes because of what was sent: content too large, precondition failed, frame error,
syntax error, command invalid."""
FORBIDDEN, FORBIDDEN_TOPIC = 403, "access to topic"


def sink(outbox: Outbox, config: Config, cluster: Cluster) -> "RabbitMq":  # noqa: ARG001 - as every sink's
    """The sink of an outbox. Raises UsageProblem."""
    exchange = outbox.delivery.exchange
    content_type = cloudevents.PAYLOADS[outbox.table.payload]
    return RabbitMq(
        sinks.address(FORM),
        DEFAULT_EXCHANGE if exchange is None else exchange,
        name=f"outbox-kit relay {outbox.service}",
        content_type=content_type,
    )


@dataclass(slots=True)
class _Sent:
    """A message that was taken and has no answer yet."""

    receipt: Any
    message: Message
    properties: pika.BasicProperties
    returned: str = ""
    """Why the broker sent it back."""

    @property
    def identity(self) -> tuple[str, str | None, bytes]:
        """What a returned message is known by; two equal ones are the same event."""
        return self.message.topic, self.properties.message_id, self.message.value or b""


class RabbitMq:
    """See `Sink`."""

    def __init__(self, url: str, exchange: str, *, name: str, content_type: str) -> None:
        """url: with user and password, which are shown nowhere. exchange: must exist; empty for the default one.

        name: of the connection, as the broker lists it. content_type: of messages without a header for it. Raises
        UsageProblem.
        """
        self._holds_back: bool
        self._bytes: int
        self._parameters = parameters(url, name)
        self._exchange, self._content_type = exchange, content_type
        self._where = f"{self._parameters.host}:{self._parameters.port}"
        self._loop: IOLoop | None = None
        self._connection: Any = None
        self._pause, self._next_attempt = FIRST_PAUSE, 0.0
        self._turns: Turns[_Sent] = Turns()
        self._results: list[SendResult] = []
        self._alone = 0
        self._publishing_failed = False
        self._complaint = ""
        self._forget()

    def send(self, message: Message, receipt: Any) -> bool:
        """See `Sink`."""
        full = len(self._pending) >= (1 if self._alone else MOST_PENDING) or self._bytes >= MOST_BYTES
        if self._channel is None or self._blocked or self._holds_back or full:
            return False
        try:
            sent = _Sent(receipt, message, self._properties(message))
        except ValueError as cause:
            self._results.append(SendResult(receipt, SendStatus.refused, str(cause)))
            self._holds_back = True  # none follows it before its answer was seen
            return True
        self._pending[id(sent)] = sent
        self._bytes += len(message.value or b"")
        if self._turns.begin(lane_of(message), sent):
            self._publish(sent)
        return True

    def results(self, seconds: float) -> Sequence[SendResult]:
        """See `Sink`."""
        self._holds_back = False
        until = time.monotonic() + (0.0 if self._results else seconds)
        while True:
            self._turn(until)
            if self._results or time.monotonic() >= until:
                break
        results, self._results = self._results, []
        return results

    @property
    def problem(self) -> str:
        """See `Sink`."""
        complaint = self._blocked or self._complaint
        return f"RabbitMQ at {self._where}: {complaint}" if complaint else ""

    def refusal(self) -> None:
        """None: it is not distinguished from an outage."""

    def close(self) -> None:
        """See `Sink`."""
        connection, self._connection = self._connection, None
        self._forget()
        self._results.clear()
        self._alone, self._pause, self._next_attempt = 0, FIRST_PAUSE, 0.0
        if self._loop is None:
            return
        with suppress(AMQPError, OSError):
            if connection is not None and not (connection.is_closing or connection.is_closed):
                connection.close()
            until = time.monotonic() + CLOSE_SECONDS
            while connection is not None and not connection.is_closed and time.monotonic() < until:
                self._poll(until)
        self._loop.deactivate_poller()
        self._loop.close()
        self._loop = None

    def _forget(self) -> None:
        """Forget what belongs to a connection."""
        self._channel: Any = None
        self._blocked, self._holds_back = "", False
        self._last_tag, self._bytes = 0, 0
        self._pending: dict[int, _Sent] = {}
        self._unconfirmed: dict[int, _Sent] = {}
        self._tags: dict[tuple[str, str | None, bytes], list[int]] = {}
        self._turns.clear()

    def _turn(self, until: float) -> None:
        """Connect if it is time to, and let the connection work until something has happened or the time is up."""
        now = time.monotonic()
        if self._connection is None and now < self._next_attempt:
            time.sleep(max(0.0, min(until, self._next_attempt) - now))
            return
        try:
            if self._connection is None:
                self._connect()
            self._poll(until)
        except (AMQPError, OSError, ValueError) as cause:  # what the broker sent is no AMQP
            self._lost(self._connection, cause)

    def _poll(self, until: float) -> None:
        loop = self._loop
        if loop is None:
            return
        timer = loop.call_later(max(0.0, until - time.monotonic()), _nothing)
        loop.poll()
        loop.process_timeouts()
        loop.remove_timeout(timer)

    def _connect(self) -> None:
        if self._loop is None:
            self._loop = IOLoop()
            self._loop.activate_poller()
        self._connection = pika.SelectConnection(
            self._parameters, self._opened, self._lost, self._lost, custom_ioloop=self._loop
        )

    def _opened(self, connection: Any) -> None:
        connection.add_on_connection_blocked_callback(self._on_blocked)
        connection.add_on_connection_unblocked_callback(self._on_unblocked)
        connection.channel(on_open_callback=self._on_channel)

    def _on_channel(self, channel: Any) -> None:
        channel.add_on_close_callback(self._channel_closed)
        channel.add_on_return_callback(self._on_return)
        channel.confirm_delivery(self._confirmed, callback=lambda _: self._check(channel))

    def _check(self, channel: Any) -> None:
        """Look whether the exchange exists; the broker closes the channel if it does not."""
        if self._exchange:
            channel.exchange_declare(self._exchange, passive=True, callback=lambda _: self._ready(channel))
        else:
            self._ready(channel)

    def _ready(self, channel: Any) -> None:
        if channel.connection is self._connection:
            self._channel = channel
            if not self._publishing_failed:  # else only an acknowledgement shows that it is over
                self._pause, self._complaint = FIRST_PAUSE, ""

    def _on_blocked(self, connection: Any, frame: Any) -> None:
        if connection is self._connection:
            self._blocked = f"it takes no messages now: {frame.method.reason}"

    def _on_unblocked(self, connection: Any, _: Any) -> None:
        if connection is self._connection:
            self._blocked = ""

    def _channel_closed(self, channel: Any, reason: BaseException) -> None:
        connection = channel.connection
        if connection is self._connection:
            self._lost(connection, reason)
            with suppress(AMQPError):
                connection.close()

    def _lost(self, connection: Any, reason: BaseException | str) -> None:
        """The connection is of no use any more: what has no answer comes back."""
        if connection is not self._connection:
            return
        self._connection = None
        self._publishing_failed = self._channel is not None and isinstance(reason, ChannelClosedByBroker)
        self._complaint = hidden(_reason(reason))
        code, text = getattr(reason, "reply_code", 0), str(getattr(reason, "reply_text", ""))
        topic_forbidden = code == FORBIDDEN and text.lower().startswith(FORBIDDEN_TOPIC)
        to_blame = isinstance(reason, ChannelClosedByBroker | ConnectionClosedByBroker) and (
            code in OF_MESSAGE or topic_forbidden
        )
        if to_blame and len(self._unconfirmed) == 1:
            (sent,) = self._unconfirmed.values()
            del self._pending[id(sent)]
            status = SendStatus.closed if topic_forbidden else SendStatus.refused
            self._results.append(SendResult(sent.receipt, status, self._complaint))
            self._alone = max(0, self._alone - 1)
        elif to_blame:
            self._alone = len(self._unconfirmed)  # who is to blame is only known of a message that was sent alone
        self._results += [
            SendResult(sent.receipt, SendStatus.unsent, self._complaint) for sent in self._pending.values()
        ]
        self._forget()
        self._next_attempt = time.monotonic() + self._pause * random.uniform(0.8, 1.2)  # noqa: S311 - as all relays'
        self._pause = min(LONGEST_PAUSE, self._pause * 2)

    def _publish(self, sent: _Sent) -> None:
        self._last_tag += 1
        self._unconfirmed[self._last_tag] = sent
        self._tags.setdefault(sent.identity, []).append(self._last_tag)
        message = sent.message
        self._channel.basic_publish(self._exchange, message.topic, message.value or b"", sent.properties, True)

    def _on_return(self, _: Any, method: Any, properties: Any, body: bytes) -> None:
        """A message that no queue takes; its confirmation follows."""
        tags = self._tags.get((method.routing_key, properties.message_id, body), ())
        for sent in (self._unconfirmed[tag] for tag in tags):
            if not sent.returned:
                place = f"the exchange '{self._exchange}'" if self._exchange else "the default exchange"
                sent.returned = f"{method.reply_text}: {place} routes '{method.routing_key}' to no queue"
                return

    def _confirmed(self, frame: Any) -> None:
        method = frame.method
        accepted = isinstance(method, pika.spec.Basic.Ack)
        for tag in self._tags_until(method.delivery_tag) if method.multiple else [method.delivery_tag]:
            if tag in self._unconfirmed:
                self._answered(tag, accepted=accepted)

    def _tags_until(self, last: int) -> list[int]:
        tags = []
        for tag in self._unconfirmed:
            if tag > last > 0:
                break
            tags.append(tag)
        return tags

    def _answered(self, tag: int, *, accepted: bool) -> None:
        sent = self._unconfirmed.pop(tag)
        tags = self._tags[sent.identity]
        tags.remove(tag)
        if not tags:
            del self._tags[sent.identity]
        self._pause, self._complaint, self._publishing_failed = FIRST_PAUSE, "", False
        self._alone = max(0, self._alone - 1)
        lane = lane_of(sent.message)
        if accepted and not sent.returned:
            self._finish(sent, SendStatus.delivered)
            following = self._turns.accepted(lane)
            if following is not None:
                self._publish(following)
            return
        if sent.returned:
            self._finish(sent, SendStatus.refused, sent.returned)
        else:
            self._finish(sent, SendStatus.closed, f"a queue of '{sent.message.topic}' accepts no messages (basic.nack)")
        for waiting in self._turns.refused(lane):
            self._finish(waiting, SendStatus.unsent, "an earlier message of its key was refused")

    def _finish(self, sent: _Sent, status: SendStatus, cause: str = "") -> None:
        del self._pending[id(sent)]
        self._bytes -= len(sent.message.value or b"")
        self._results.append(SendResult(sent.receipt, status, cause))

    def _properties(self, message: Message) -> pika.BasicProperties:
        """A message's properties. Raises ValueError if AMQP cannot hold them."""
        headers: dict[str, Any] = {} if message.key is None else {KEY_HEADER: _text(message.key)}
        headers |= {name: None if value is None else _text(value) for name, value in message.headers}
        event_id, content_type = headers.get("id"), headers.pop(cloudevents.CONTENT_TYPE, None)
        properties = pika.BasicProperties(
            content_type=content_type if _is_short(content_type) else self._content_type,
            headers=headers,
            delivery_mode=PERSISTENT,
            message_id=event_id if _is_short(event_id) else None,
            timestamp=None if message.timestamp is None else message.timestamp // 1000,
        )
        if any(len(name.encode()) > LONGEST_SHORT for name in headers):
            raise ValueError(f"a header's name is longer than {LONGEST_SHORT} bytes")
        size = sum(len(name) + len(value or "") for name, value in headers.items())
        if size > SMALL_HEADERS:
            octets = sum(map(len, properties.encode()))
            most = self._connection.params.frame_max - pika.spec.FRAME_HEADER_SIZE - FRAME_OVERHEAD - 16
            if octets > most:
                raise ValueError(f"the headers have {octets} bytes, and the broker's frames hold {most}")
        return properties


def parameters(url: str, name: str) -> pika.URLParameters:
    """Where to connect. name: of the connection, as the broker lists it.

    Raises UsageProblem, which does not show the address.
    """
    why = address.flaw(url)
    if why or not url.lower().startswith(("amqp://", "amqps://")):
        raise sinks.malformed(FORM, why)
    try:
        parsed = pika.URLParameters(url)
    except (ValueError, TypeError):
        raise sinks.malformed(FORM, "") from None
    if "heartbeat=" not in url:
        parsed.heartbeat = HEARTBEAT_SECONDS
    parsed.connection_attempts = 1
    parsed.socket_timeout = parsed.stack_timeout = OPEN_SECONDS
    parsed.client_properties = {"connection_name": name}
    return parsed


def _reason(cause: BaseException | str) -> str:
    """What an exception of the client says, without those around it."""
    if isinstance(cause, str):
        return cause
    inner = getattr(cause, "exception", None) or (getattr(cause, "exceptions", None) or [None])[-1]
    inner = inner or next((part for part in cause.args if isinstance(part, BaseException)), None)
    if isinstance(inner, BaseException):
        return _reason(inner)
    code, text = getattr(cause, "reply_code", None), getattr(cause, "reply_text", None)
    return f"{code} {text}" if code else str(cause) or type(cause).__name__


def _text(value: bytes) -> str | bytes:
    """A value as AMQP's text; as bytes if it is none."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _is_short(value: Any) -> bool:
    """Whether a value may be a property's: a short text."""
    return isinstance(value, str) and 0 < len(value.encode()) <= LONGEST_SHORT


def _nothing() -> None:
    """A timer that only ends a wait."""
