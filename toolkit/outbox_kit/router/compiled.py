"""A config compiled for one table: from a row's texts to its message, without a record in between. Pure.

The compiled function copies what an ordinary row only copies, and leaves every other row to the model: the first row of
each route, a text that a converter changes in an unusual way, a topic that is invalid. So it cannot differ from the
model but in what it copies, which tests compare with the model and with the real router.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

from outbox_kit.router.chain import (
    EVENT_ROUTER,
    PREDICATES,
    Chain,
    Failed,
    Message,
    Outcome,
    Unknown,
    VaryingBytes,
    router_settings,
    step_names,
)
from outbox_kit.router.columns import Kind, NoSuchValue
from outbox_kit.router.convert import Binary, Converter, byte_array, string
from outbox_kit.router.events import Relation, RowColumn, message
from outbox_kit.router.javatext import BLANKS
from outbox_kit.router.settings import Options, Settings
from outbox_kit.router.simple_header import simple_header
from outbox_kit.router.transforms import HEADER_FROM, INSERT_FIELD
from outbox_kit.router.values import Failure, NotModelled, SourceRecord, Type
from outbox_kit.versions import Version

Texts = Sequence[bytes | None]
"""A row's values in UTF-8 as the database writes them, in the order of its columns; None for NULL."""
Route = Callable[[Texts, int], Outcome]
"""From a row and the moment at which it was read, in milliseconds since 1970, to what becomes of it."""
Encoder = Callable[[bytes | None], bytes | None]

MOST_TOPICS = 10_000
BLANK_BYTES = BLANKS.encode()


def compiled(dialect: str, config: Options, release: Version, raw_topic: str, columns: Sequence[RowColumn]) -> Route:
    """The function of a config for the rows of one table.

    columns: the table's, whose values are not read. raw_topic: `<topic.prefix>.<schema>.<table>`.
    Raises NoSuchType and NotModelled where the model does not know the config or the table, Failure where the task
    would not start.
    """
    relation, chain = Relation(dialect, config, raw_topic, columns, release), Chain(config, release)
    names = [column.name for column in columns]

    def modelled(row: Texts, at_ms: int) -> Outcome:
        values = {name: None if text is None else text.decode() for name, text in zip(names, row, strict=True)}
        try:
            return chain.send(relation.record(values, at_ms=at_ms))
        except NoSuchValue as cause:
            return Failed("source", "NoSuchValue", str(cause))

    settings = router_settings(config, release)
    if settings is None or not _copies(settings, config):
        return modelled
    try:
        plan = _Plan.of(chain, config, settings, relation, names)
    except _Unusual:
        return modelled
    return plan.compiled(modelled)


def compiled_messages(config: Options, release: Version, topic: str) -> Callable[[bytes, int], Outcome]:
    """The function of a config for messages in PostgreSQL's log: of a message's content and the moment.

    topic: `<topic.prefix>.message`. Raises as `compiled`.
    """
    chain = Chain(config, release)

    def modelled(content: bytes, at_ms: int) -> Outcome:
        try:
            return chain.send(message(topic, content.decode(), at_ms=at_ms))
        except UnicodeDecodeError as cause:
            return Unknown(f"a message in the log that is not UTF-8: {cause}")

    return modelled


class _Unusual(Exception):
    """The config, or the table, does more than copying."""


def _copies(settings: Settings, config: Options) -> bool:
    """Whether a message consists of copies of columns and of what is the same in every message."""
    *before, last = step_names(config) or [""]
    kinds = {name: config.get(f"transforms.{name}.type") for name in (*before, last)}
    guards = {config.get(f"transforms.{name}.predicate") for name in kinds} - {None}
    return (
        kinds[last] == EVENT_ROUTER
        and all(kinds[name] in (INSERT_FIELD, HEADER_FROM) for name in before)
        and all(config.get(f"predicates.{name}.type") == f"{PREDICATES}TopicNameMatches" for name in guards)
        and settings.timestamp is None
        and settings.version is None
        and settings.expansion is None
        and not settings.enveloped
        and all(entry.place for entry in settings.placements)
    )


class _Plan:
    """Which columns go where, and what makes bytes of them."""

    def __init__(self) -> None:
        self.indexes: list[int] = []
        """Of the columns of route, key, payload and headers."""
        self.encoders: list[tuple[int, Encoder]] = []
        """What changes a value, by its place in `indexes`."""
        self.names: list[str] = []
        """Of the headers, in their order."""
        self.constants: tuple[tuple[str, bytes | None], ...] = ()
        """The headers before them that every message has."""
        self.context: tuple[tuple[str, bytes | VaryingBytes | None], ...] = ()
        """The connector's own headers."""
        self.partition: int | None = None
        """The index of the column that chooses the partition."""
        self.tombstones = False
        """Whether an event without a payload becomes a tombstone."""
        self.is_text = False
        """Whether the payload is a text, which may be blank."""

    @classmethod
    def of(cls, chain: Chain, config: Options, settings: Settings, relation: Relation, names: Sequence[str]) -> "_Plan":
        """The plan for a config and a table. Raises _Unusual."""
        plan, kinds = cls(), relation.kinds
        plan.constants = _constants(chain, relation)
        plan.context = _context(chain, relation)
        plan.tombstones = settings.tombstones
        payload = _kind_of(kinds, settings.payload)
        plan.is_text = payload.schema.type is Type.string
        if plan.tombstones and plan.is_text and not payload.copies:
            raise _Unusual
        plan._add(names, settings.route, _kind_of(kinds, settings.route), string)
        if kinds[settings.route].schema.type is not Type.string:
            raise _Unusual
        is_shared = settings.key == settings.payload and chain.key_converter is byte_array
        if is_shared or chain.header_converter is byte_array:  # which reads what the key or the payload may be too
            raise _Unusual
        plan._add(names, settings.key, _kind_of(kinds, settings.key), chain.key_converter)
        plan._add(names, settings.payload, payload, chain.value_converter)
        plan._header(names, "id", settings.id, kinds, chain.header_converter)
        for entry in settings.placements:
            if entry.column not in kinds and settings.ignores_missing:
                continue
            if entry.place == "header":
                plan._header(names, entry.alias, entry.column, kinds, chain.header_converter)
            elif plan.partition is None and _is_number(_kind_of(kinds, entry.column)):
                plan.partition = names.index(entry.column)
            else:
                raise _Unusual
        return plan

    def _header(
        self, names: Sequence[str], header: str, column: str, kinds: Mapping[str, Kind], converter: Converter
    ) -> None:
        self._add(names, column, _kind_of(kinds, column), converter)
        self.names.append(header)

    def _add(self, names: Sequence[str], column: str, kind: Kind, converter: Converter) -> None:
        if encoder := _encoder(kind, converter):
            self.encoders.append((len(self.indexes), encoder))
        self.indexes.append(names.index(column))

    def compiled(self, modelled: Route) -> Route:
        """The function, which leaves unusual rows to the model."""
        pick, encoders, names, constants = itemgetter(*self.indexes), self.encoders, self.names, self.constants
        partition_at, tombstones, is_text, context = self.partition, self.tombstones, self.is_text, self.context
        topics: dict[bytes | None, str] = {}

        def through_model(row: Texts, at_ms: int) -> Outcome:
            outcome = modelled(row, at_ms)
            if isinstance(outcome, Message) and outcome.routed and len(topics) < MOST_TOPICS:
                topics[pick(row)[0]] = outcome.topic
            return outcome

        def route(row: Texts, at_ms: int) -> Outcome:
            values = pick(row)
            topic = topics.get(values[0])
            if topic is None:
                return through_model(row, at_ms)
            payload = values[2]
            if encoders:
                values = list(values)
                try:
                    for place, encode in encoders:
                        values[place] = encode(values[place])
                except (Failure, NotModelled, NoSuchValue):
                    return through_model(row, at_ms)
            value, partition = values[2], None
            if tombstones and (payload is None or (is_text and payload[:1] <= b" " and not payload.strip(BLANK_BYTES))):
                value = None
            if partition_at is not None and (text := row[partition_at]) is not None:
                if text[:1] == b"-":
                    return through_model(row, at_ms)
                partition = int(text)
            headers = (*constants, *zip(names, values[3:], strict=True))
            return Message(topic, partition, values[1], value, headers, at_ms, True, context)

        return route


def _kind_of(kinds: Mapping[str, Kind], column: str) -> Kind:
    if column not in kinds:
        raise _Unusual
    return kinds[column]


def _encoder(kind: Kind, converter: Converter) -> Encoder | None:
    """What makes a converter's bytes of a column's text; None if they are the text."""
    encoder = _plain_encoder(kind, converter)
    return encoder if kind.schema.default is None else _unless_null(encoder)


def _unless_null(encoder: Encoder | None) -> Encoder:
    """Leaves a NULL to the model, which reads it as the column's default."""

    def encode(text: bytes | None) -> bytes | None:
        if text is None:
            raise NoSuchValue("the column's default")
        return text if encoder is None else encoder(text)

    return encode


def _plain_encoder(kind: Kind, converter: Converter) -> Encoder | None:
    if converter in (string, simple_header) and kind.copies:
        return None
    if kind.schema.type is Type.bytes and kind.schema.name is None and _takes_bytes(converter):
        return _unescaped

    def encode(text: bytes | None) -> bytes | None:
        return converter("", kind.schema, None if text is None else kind.read(text.decode()))

    return encode


def _takes_bytes(converter: Converter) -> bool:
    return converter is byte_array or (isinstance(converter, Binary) and converter.takes_buffers)


def _unescaped(text: bytes | None) -> bytes | None:
    """Bytes in hexadecimal, as PostgreSQL writes them."""
    if text is None:
        return None
    if text[:2] != b"\\x":
        raise NoSuchValue("bytes in another form than hexadecimal")
    return bytes.fromhex(text[2:].decode())


def _constants(chain: Chain, relation: Relation) -> tuple[tuple[str, bytes | None], ...]:
    """The headers that the transformations before the router add to every record. Raises _Unusual."""
    record = relation.record({})
    for step, routes in chain.steps:
        if routes:
            break
        results = step(record)
        if len(results) != 1 or not isinstance(results[0], SourceRecord):
            raise _Unusual
        record = results[0]
    else:
        raise _Unusual
    try:
        return tuple((h.name, chain.header_converter("", h.schema, h.value)) for h in record.headers)
    except (Failure, NotModelled):
        raise _Unusual from None


def _context(chain: Chain, relation: Relation) -> tuple[tuple[str, bytes | VaryingBytes | None], ...]:
    """The connector's own headers. Raises _Unusual."""
    try:
        return tuple((header.name, chain.context_value("", header)) for header in relation.context)
    except (Failure, NotModelled):
        raise _Unusual from None


def _is_number(kind: Kind) -> bool:
    """Whether a column is what the router takes for a partition."""
    return kind.schema.type is Type.int32 and kind.copies
