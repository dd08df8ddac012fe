"""A whole connector config as one function: transformations with their predicates, converters, the producer.

After `org.apache.kafka.connect.runtime.AbstractWorkerSourceTask`: first the transformations in their order, then the
header, key and value converters, then the producer's own checks.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import javaregex, transforms
from outbox_kit.router.convert import STORAGE, Converter, Opaque, below, byte_array, converter, unconverted
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.mongo import MongoEventRouter, relational
from outbox_kit.router.partition import partition
from outbox_kit.router.route import EventRouter, Result, oracle_settings
from outbox_kit.router.settings import Options, Settings, settings
from outbox_kit.router.transforms import Step
from outbox_kit.router.values import (
    STRING,
    Buffer,
    ContextHeader,
    Dropped,
    Failure,
    NotModelled,
    ReadBuffer,
    SourceRecord,
    Varying,
)
from outbox_kit.versions import Version

EVENT_ROUTER = "io.debezium.transforms.outbox.EventRouter"
MONGO_EVENT_ROUTER = "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter"
PREDICATES = "org.apache.kafka.connect.transforms.predicates."
MARK = "outbox-kit-mark"  # stands for a text that varies until its bytes are known
TOPIC_NAME = lazy_pattern(r"[a-zA-Z0-9._-]{1,249}")
ORACLE = "io.debezium.connector.oracle.OracleConnector"


class VaryingBytes(NamedTuple):
    """What a converter makes of a text that does not follow from row and config."""

    text: Varying
    before: bytes
    after: bytes
    """What stands before the text and after it."""

    def admits(self, content: bytes | None) -> bool:
        """Whether a header with this value can be what is meant."""
        parts = (re.escape(self.before), self.text.pattern.encode(), re.escape(self.after))
        return content is not None and re.fullmatch(b"".join(parts), content, re.DOTALL) is not None


class Message(NamedTuple):
    """What a record is on the wire."""

    topic: str
    partition: int | None
    """The one that the record asks for; None leaves it to the producer, which hashes the key."""
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]
    timestamp: int | None
    """Milliseconds since 1970; None is the producer's clock."""
    routed: bool
    """Whether the event router made it; otherwise it went through as the connector sent it."""
    context: tuple[tuple[str, "bytes | VaryingBytes | None"], ...] = ()
    """The headers before all others in which Debezium says who has sent the message; a relay sends none."""

    def partition_of(self, count: int) -> int | None:
        """The partition among `count`; None if the producer chooses one at random."""
        if self.partition is not None or self.key is None:
            return self.partition
        return partition(self.key, count)


@dataclass(frozen=True)
class Failed:
    """The task stops."""

    stage: str
    """Configure, transformation, header, key, value or producer."""
    kind: str
    message: str


@dataclass(frozen=True)
class Nondeterministic:
    """Not a function of the row: any of these can happen, as the JVM's hash order has it."""

    outcomes: tuple["Message | Failed", ...]


@dataclass(frozen=True)
class Unknown:
    """The model does not know; why."""

    reason: str


Outcome = Message | Dropped | Failed | Nondeterministic | Unknown
ROUTERS = (EVENT_ROUTER, MONGO_EVENT_ROUTER)


def router_settings(config: Options, release: Version) -> Settings | None:
    """The settings of a config's first event router; None if it has none.

    release: Debezium's, 2.5 or later. Raises Failure where the task would not start, NotModelled for older releases.
    """
    for name in step_names(config):
        step_options = below(config, f"transforms.{name}.")
        if step_options.get("type") == EVENT_ROUTER:
            read = oracle_settings if config.get("connector.class") == ORACLE else settings
            return read(step_options, release)
        if step_options.get("type") == MONGO_EVENT_ROUTER:
            return settings(relational(step_options), release)
    return None


class Chain:
    """One task's way from a source record to a message."""

    def __init__(self, config: Options, release: Version, *, converted: bool = True) -> None:
        """config: a connector's, complete. release: Debezium's. converted: whether converters write the message, or its
        key, value and headers stay empty for who asks only where it goes.

        Raises Failure where the task would not start.
        """
        self.header_converter = self.key_converter = self.value_converter = unconverted
        if converted:  # a worker configures them before the transformations
            self.header_converter = _converter(config, "header.converter", f"{STORAGE}SimpleHeaderConverter")
            self.key_converter = _converter(config, "key.converter", "")
            self.value_converter = _converter(config, "value.converter", "")
        self.steps = _steps(config, release)

    def send(self, record: SourceRecord) -> Outcome:
        """What becomes of a record."""
        try:
            outcomes = [self._finish(result, routed) for result, routed in self._through(record)]
        except NotModelled as reason:
            return Unknown(str(reason))
        distinct = list(dict.fromkeys(outcomes))
        if len(distinct) == 1:
            return distinct[0]
        return Nondeterministic(tuple(x for x in distinct if isinstance(x, Message | Failed)))

    def _through(self, record: SourceRecord) -> list[tuple[Result, bool]]:
        """What leaves the transformations, and whether the event router had made something of it."""
        results: list[tuple[Result, bool]] = [(record, False)]
        for step, routes in self.steps:
            following: list[tuple[Result, bool]] = []
            for result, routed in results:
                if isinstance(result, SourceRecord):
                    following += [(output, routed or (routes and output is not result)) for output in step(result)]
                else:
                    following.append((result, routed))
            results = following
        return results

    def _finish(self, result: Result, routed: bool) -> "Message | Dropped | Failed":
        if isinstance(result, Failure):
            return Failed("transformation", result.kind, result.message)
        return result if isinstance(result, Dropped) else self._wire(result, routed=routed)

    def _wire(self, record: SourceRecord, *, routed: bool) -> Message | Failed:
        topic = record.topic or ""
        stage = "header"
        try:
            context = tuple((header.name, self.context_value(topic, header)) for header in record.context)
            headers = tuple((h.name, self.header_converter(topic, h.schema, h.value)) for h in record.headers)
            read = [h.value for h in record.headers] if self.header_converter is byte_array else []
            stage = "key"
            key = self.key_converter(topic, record.key_schema, _positioned(record.key, read))
            if self.key_converter is byte_array:
                read.append(record.key)
            stage = "value"
            value = self.value_converter(topic, record.value_schema, _positioned(record.value, read))
        except Failure as failure:
            return Failed(stage, failure.kind, failure.message)
        return _sendable(Message(topic, record.partition, key, value, headers, record.timestamp, routed, context))

    def context_value(self, topic: str, header: ContextHeader) -> bytes | VaryingBytes | None:
        """The value of one of the connector's own headers. Raises as a converter does."""
        if not isinstance(header.text, Varying):
            return self.header_converter(topic, STRING, header.text)
        content = self.header_converter(topic, STRING, MARK) or b""
        before, mark, after = content.partition(MARK.encode())
        if content and not mark:
            raise NotModelled(f"{header.name} in another encoding")
        return VaryingBytes(header.text, before, after)


def _positioned(value: Any, read: Sequence[Any]) -> Any:
    """A value as a converter finds it: a buffer of which a converter before has read the same object is at its end."""
    is_read = isinstance(value, Buffer) and any(value is each for each in read)
    return ReadBuffer(value) if is_read else value


def _sendable(message: Message) -> Message | Failed:
    """The producer's own checks."""
    if message.timestamp == -1:  # Connect takes it for none
        message = message._replace(timestamp=None)
    if message.timestamp is not None and message.timestamp < 0:
        return Failed("producer", "InvalidRecordException", f"Invalid record timestamp {message.timestamp}")
    if message.partition is not None and message.partition < 0:
        text = f"Invalid partition: {message.partition}. Partition number should always be non-negative or null."
        return Failed("producer", "IllegalArgumentException", text)
    if not TOPIC_NAME.fullmatch(message.topic) or message.topic in (".", ".."):
        return Failed("producer", "InvalidTopicException", f"Invalid topic: '{message.topic}'")
    return message


def step_names(config: Options) -> list[str]:
    """The names of a config's transformations, in their order."""
    return [trim(name) for name in split(config.get("transforms", ""), ",") if trim(name)]


def _steps(config: Options, release: Version) -> list[tuple[Step, bool]]:
    steps: list[tuple[Step, bool]] = []
    for name in step_names(config):
        options = below(config, f"transforms.{name}.")
        kind = options.get("type", "")
        if kind in ROUTER_STEPS:
            step = ROUTER_STEPS[kind](options, config, release)
        elif kind in transforms.BY_CLASS:
            step = transforms.BY_CLASS[kind](options)
        else:
            raise NotModelled(f"the transformation {kind or name}")
        predicate = options.get("predicate")
        guarded = _guarded(step, config, predicate, options) if predicate else step
        steps.append((guarded, kind in ROUTERS))
    return steps


def _guarded(step: Step, config: Options, predicate: str, options: Options) -> Step:
    condition = _predicate(config, predicate)
    negated = trim(options.get("negate", "false")).lower() == "true"
    return lambda record: step(record) if condition(record) is not negated else [record]


def _predicate(config: Options, predicate: str) -> Callable[[SourceRecord], bool]:
    declared = [trim(name) for name in split(config.get("predicates", ""), ",")]
    options = below(config, f"predicates.{predicate}.")
    if predicate not in declared:
        raise Failure("ConfigException", f"the predicate '{predicate}' is not declared in predicates")
    kind = options.get("type", "")
    if kind == f"{PREDICATES}TopicNameMatches":
        try:
            pattern = javaregex.compiled(options.get("pattern", ""))
        except javaregex.BadPattern as cause:
            raise Failure("ConfigException", f"Invalid value for predicates.{predicate}.pattern: {cause}") from None
        return lambda record: record.topic is not None and pattern.fullmatch(record.topic) is not None
    if kind == f"{PREDICATES}RecordIsTombstone":
        return lambda record: record.value is None
    if kind == f"{PREDICATES}HasHeaderKey":
        header_name = trim(options.get("name", ""))
        return lambda record: (
            header_name in {header.name for headers in (record.context, record.headers) for header in headers}
        )
    raise NotModelled(f"the predicate {kind or predicate}")


def _event_router(options: Options, config: Options, release: Version) -> Step:
    return EventRouter(options, release, beside_oracle=config.get("connector.class") == ORACLE).results


def _mongo_event_router(options: Options, config: Options, release: Version) -> Step:
    return MongoEventRouter(options, release).results


ROUTER_STEPS: Mapping[str, Callable[[Options, Options, Version], Step]] = {
    EVENT_ROUTER: _event_router,
    MONGO_EVENT_ROUTER: _mongo_event_router,
}


def _converter(config: Options, name: str, default: str) -> Converter:
    class_name = trim(config.get(name, default))
    options = below(config, f"{name}.")
    if name == "header.converter":
        # Connect configures it by a method that Debezium's converters for bytes leave empty
        options = {key: value for key, value in options.items() if not key.startswith("delegate.")}
    return converter(class_name, options) if class_name else Opaque(f"{name} is left to the worker")
