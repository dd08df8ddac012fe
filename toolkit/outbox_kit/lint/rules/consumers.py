"""Rules about sink connectors that stand beside a source in a file."""

import re
from collections.abc import Iterator, Sequence

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.meant import CONNECT_CLASSES
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.topics import KEEP_TOPIC
from outbox_kit.lint.steps import TransformStep
from outbox_kit.lint.subject import JSON, Subject
from outbox_kit.router.javatext import trim

LITERAL = lazy_pattern(r"(?:[\w-]|\\[.\-])*")
"""What an expression begins with, if that is a plain text."""
DEFAULT_ROUTE = "outbox.event.${routedByValue}"


@rule(
    "sink-without-schema",
    Consequence.stop,
    evidence="O",
    fix="set value.converter.schemas.enable=true for the source and the sink, or use a registry",
)
def sink_without_schema(subject: Subject) -> Iterator[Violation]:
    """A sink that makes rows of messages receives their schema.

    A message of JSON without a schema stops its task.
    """
    key = "value.converter.schemas.enable"
    if not subject.facts.get("needs_schema") or not subject.says(key, "value.converter"):
        return
    converter = trim(subject.config.get("value.converter", ""))
    others = [step for step in subject.steps if not step.kind.startswith(CONNECT_CLASSES)]
    if converter == JSON and not others and subject.config.get(key, "").strip().lower() == "false":
        yield Violation(key, "the sink needs the schema of each message")


@rule(
    "sink-reads-other-topics",
    Consequence.wrong,
    evidence="N12",
    fix="name the topics to which the source publishes",
)
def sink_reads_other_topics(subject: Subject) -> Iterator[Violation]:
    """A sink reads topics to which a source in its file publishes.

    What no connector publishes to stays empty, and the sink has nothing to do, without an error.
    """
    key = next((name for name in ("topics", "topics.regex") if subject.config.get(name, "").strip()), "")
    sources = [peer for peer in subject.neighbours if peer.connector]
    if not key or not sources or not subject.says(key) or subject.is_of_page:
        return
    published = [_published(source) for source in sources]
    if not all(published):
        return
    begun = [prefix for prefixes in published for prefix in prefixes]
    value = subject.config[key]
    read = [_literal(value)] if key == "topics.regex" else subject.entries("topics")
    if not any(name.startswith(prefix) or prefix.startswith(name) for name in read for prefix in begun):
        yield Violation(key, f"the source publishes to {' and '.join(f'{prefix}...' for prefix in sorted(set(begun)))}")


def _published(source: Subject) -> Sequence[str]:
    """What the topics of a source begin with; empty if that is not known."""
    option = source.router_key("route.topic.replacement")
    if source.router and source.steps[-1:] == [source.router] and source.says(option):
        return [(source.router_option("route.topic.replacement") or DEFAULT_ROUTE).partition("$")[0]]
    if source.router or not all(step.kind.endswith(KEEP_TOPIC) for step in source.steps):
        return []
    return source.raw_topics if len(source.raw_topics) == len(source.tables) else []


def _literal(expression: str) -> str:
    match = LITERAL.match(expression)
    return re.sub(r"\\(.)", r"\1", match[0]) if match else ""


MONGO_HANDLER = "com.mongodb.kafka.connect.sink.cdc.debezium."


@rule(
    "handler-without-envelope",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="remove the transformation, or the handler",
)
def handler_without_envelope(subject: Subject) -> Iterator[Violation]:
    """A handler of MongoDB's sink for Debezium's change events receives change events.

    It fails on a row that ExtractNewRecordState has taken out of a change event: a row has no field `op`.
    """
    key = "change.data.capture.handler"
    if not trim(subject.config.get(key, "")).startswith(MONGO_HANDLER):
        return
    sources = [peer for peer in subject.neighbours if peer.connector]
    unwraps = _unwrap(subject) or (sources and all(_unwrap(source) for source in sources) and not subject.is_of_page)
    if unwraps:
        where = "the sink" if _unwrap(subject) else "the source"
        yield Violation(key, f"{where} takes the row out of the change event, and the handler needs the change event")


@rule(
    "deletes-not-sent",
    Consequence.loss,
    of_names=True,
    evidence="N12",
    fix="set delete.tombstone.handling.mode=tombstone in the source",
)
def deletes_not_sent(subject: Subject) -> Iterator[Violation]:
    """A sink that deletes rows receives the deletes.

    With `drop` the source sends neither a delete nor its tombstone: what is deleted in the source stays in the target.
    """
    sources = [peer for peer in subject.neighbours if peer.connector]
    dropping = [step for source in sources if (step := _unwrap(source)) and _drops_deletes(step)]
    if not dropping or len(dropping) < len(sources):
        return
    for key, value in DELETES.items():
        if subject.config.get(key, "").strip().lower() == value:
            yield Violation(key, f"the source drops deletes: {dropping[0].key(HANDLING)}=drop")


DELETES = {"delete.enabled": "true", "behavior.on.null.values": "delete", "delete.on.null.values": "true"}
"""Options of sinks by which they delete what a tombstone names."""
HANDLING = "delete.tombstone.handling.mode"


def _unwrap(subject: Subject) -> TransformStep | None:
    """The transformation that takes the row out of every change event."""
    every = (step for step in subject.steps if "predicate" not in step.options)
    return next((step for step in every if step.kind.endswith(UNWRAP)), None)


def _drops_deletes(step: TransformStep) -> bool:
    return step.options.get(HANDLING, "").strip().lower() == "drop"


ELASTICSEARCH = "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector"
CHANGES_TOPIC = ("RegexRouter", "TimestampRouter", "ByLogicalTableRouter", "ContentBasedRouter", "ExtractTopic$Value")
"""Ends of the classes of transformations after which a record has another topic."""


@rule(
    "topic-changed-before-search",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="set flush.synchronously=true",
)
def topic_changed_before_search(subject: Subject) -> Iterator[Violation]:
    """A sink for Elasticsearch whose transformations change the topic flushes synchronously.

    Its task fails with the first record otherwise: it counts records by their topic.
    """
    key, flag = "connector.class", "flush.synchronously"
    changing = [step for step in subject.steps if step.kind.endswith(CHANGES_TOPIC)]
    flushes = subject.config.get(flag, "").strip().lower() == "true"
    if trim(subject.config.get(key, "")) == ELASTICSEARCH and changing and not flushes and subject.says(flag):
        message = f"'{changing[0].name}' changes the topic, which needs flush.synchronously=true"
        yield Violation(changing[0].key("type"), message, unset="" if flag in subject.config else flag)


ROWS_ONLY = ("io.confluent.connect.jdbc.JdbcSinkConnector", "io.aiven.connect.jdbc.JdbcSinkConnector")
"""Sinks for JDBC that know no change events."""


@rule(
    "sink-gets-change-events",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="take the row out of the change event: io.debezium.transforms.ExtractNewRecordState",
)
def sink_gets_change_events(subject: Subject) -> Iterator[Violation]:
    """A sink that writes the fields of a record to columns receives rows.

    The fields `before`, `after` and `source` of a change event are structures, which are no columns: its task fails.
    """
    key = "connector.class"
    if trim(subject.config.get(key, "")) not in ROWS_ONLY or not subject.says("transforms", "topics"):
        return
    topics = subject.entries("topics")
    sources = [peer for peer in subject.neighbours if peer.connector and _publishes(peer, topics)]
    plain = all(not source.steps and source.says("transforms") for source in sources)
    if sources and plain and all(step.kind.endswith(CHANGES_TOPIC) for step in subject.steps):
        yield Violation(key, "the source sends change events, and this sink needs rows", unset="transforms")


def _publishes(source: Subject, topics: Sequence[str]) -> bool:
    """Whether one of the topics is that of a table of a source, whatever their prefix is."""
    return any(topic.endswith(f".{table}") for topic in topics for table in source.tables)


SEARCH = lazy_pattern(r"\.(?:Elastic|Open)[sS]earchSinkConnector$|\.OpensearchSinkConnector$")
STRUCTURED = lazy_pattern(r"\.(?:JsonConverter|AvroConverter|ProtobufConverter|JsonSchemaConverter)$")
KEEPS_STRUCT = lazy_pattern(r"\.ExtractField\$Key$|\.ValueToKey$|^(?!io\.debezium\.|org\.apache\.kafka\.)")
"""Transformations after which the key may be a plain value, and those that are not known."""
UNWRAP = "ExtractNewRecordState"


@rule(
    "search-key-is-struct",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="take the field out of the key: org.apache.kafka.connect.transforms.ExtractField$Key",
)
def search_key_is_struct(subject: Subject) -> Iterator[Violation]:
    """The key of a row is a plain value where a search engine takes it as the id of a document.

    A connector's key is a structure, also of one column: the task stops.
    """
    kind = trim(subject.config.get("connector.class", ""))
    ignored = subject.config.get("key.ignore", "false").strip().lower() == "true"
    rows = any(step.kind.endswith(UNWRAP) for step in subject.steps)
    plain = any(KEEPS_STRUCT.search(step.kind) for step in subject.steps)
    converter = trim(subject.config.get("key.converter", ""))
    if SEARCH.search(kind) and rows and not ignored and not plain and (not converter or STRUCTURED.search(converter)):
        shown = converter or "JsonConverter" in subject.text or "AvroConverter" in subject.text
        message = "a document cannot have the key of a row as its id: the key is a structure"
        yield Violation("transforms", message, consequence=None if shown else Consequence.risk)


@rule(
    "malformed-documents-skipped",
    Consequence.loss,
    of_names=True,
    evidence="N20",
    fix="set behavior.on.malformed.documents=fail",
)
def malformed_documents_skipped(subject: Subject) -> Iterator[Violation]:
    """A search engine's sink stops at a document that the index refuses.

    With another value the document is dropped, and its task goes on.
    """
    for key in ("behavior.on.malformed.documents", "behavior.on.malformed.docs"):
        if subject.config.get(key, "").strip().lower() in ("ignore", "warn"):
            yield Violation(key, f"{key} is {subject.config[key].strip()}")
