"""Rules about the records that a sink receives: what it refuses, and what it writes otherwise than meant."""

import re
from collections.abc import Iterator, Sequence

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.received import ROW
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.foreign import FORMER_MARK
from outbox_kit.lint.rules.keys import of_converter
from outbox_kit.lint.steps import TransformStep
from outbox_kit.lint.subject import STRING, Subject
from outbox_kit.lint.words import listed
from outbox_kit.router import javaregex
from outbox_kit.router.javatext import trim
from outbox_kit.router.transforms import KAFKA

CLASS = "connector.class"
HANDLER = "change.data.capture.handler"
FORMER_HANDLER = "mongodb.change.data.capture.handler"
"""Of the sink that MongoDB's own one comes from."""
DEBEZIUM_HANDLERS = {
    HANDLER: "com.mongodb.kafka.connect.sink.cdc.debezium.",
    FORMER_HANDLER: "at.grahsl.kafka.connect.mongodb.cdc.debezium.",
}
"""What begins the classes for change events of Debezium."""
OF_MONGODB = "mongodb.MongoDbHandler"
"""The end of the class for change events of MongoDB, whose rows are texts."""
HANDLERS = (
    *(OF_MONGODB, "mongodb.ChangeStreamHandler"),
    *("rdbms.RdbmsHandler", "rdbms.mysql.MysqlHandler", "rdbms.postgres.PostgresHandler"),
)
ELASTICSEARCH = "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector"
CHANGES_TOPIC = ("RegexRouter", "TimestampRouter", "ByLogicalTableRouter", "ContentBasedRouter", "ExtractTopic$Value")
"""Ends of the classes of transformations after which a record has another topic."""
CREATES = ("auto.create", "schema.evolution")
"""Options with which a sink for JDBC creates a table."""
FORMER_ROW = "UnwrapFromEnvelope"
EXTRACTS = f"{KAFKA}ExtractField$Value"
OF_SINK = "com.snowflake.kafka.connector.records.Snowflake"
"""What begins the converters that only the sink for Snowflake can use."""
LITERAL = lazy_pattern(r"(?:[\w-]|\\[.\-]|\.(?=[\w\\-]))*")
"""What an expression begins with, if that is a plain text. A dot before a letter is meant as one."""


def creates_tables(subject: Subject) -> bool:
    """Whether a sink for JDBC creates the tables that it writes to."""
    return any(subject.config.get(key, "").strip().lower() in ("true", "basic") for key in CREATES)


def sources_of(subject: Subject) -> list[Subject]:
    """The sources in the file that publish to the topics of a sink, as far as their names show it."""
    topics, begins = subject.entries("topics"), literal_start(subject.config.get("topics.regex", ""))
    return [peer for peer in subject.neighbours if peer.connector and _publishes(peer, topics, begins)]


def literal_start(expression: str) -> str:
    """The plain text that everything begins with which an expression matches."""
    match = LITERAL.match(expression)
    return re.sub(r"\\(.)", r"\1", match[0]) if match else ""


def _publishes(source: Subject, topics: Sequence[str], begins: str) -> bool:
    """Whether a source has one of the topics. begins: what all topics begin with, if they are given by a pattern."""
    prefix = f"{source.config['topic.prefix']}." if source.config.get("topic.prefix") else ""
    if begins:
        return prefix != "" and begins.startswith(prefix)
    if source.tables:
        return any(topic.lower().endswith(f".{table.lower()}") for topic in topics for table in source.tables)
    return prefix != "" and any(topic.startswith(prefix) for topic in topics)


@rule(
    "handler-without-envelope",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="use the handler of the source's database, without a transformation that takes the row out",
)
def handler_without_envelope(subject: Subject) -> Iterator[Violation]:
    """A handler of MongoDB's sink for Debezium's change events receives those that it knows.

    It fails on a row that ExtractNewRecordState has taken out of a change event: a row has no field `op`. The handler
    for MongoDB's change events expects texts in `before` and `after`, those of other databases structures.
    """
    key = FORMER_HANDLER if FORMER_HANDLER in subject.config else HANDLER
    handler, package = trim(subject.config.get(key, "")), DEBEZIUM_HANDLERS[key]
    sources, topics = sources_of(subject), subject.entries("topics")
    if not handler.startswith(package):
        return
    if unwrapping_step(subject):
        yield Violation(key, "the sink takes the row out of the change event, which the handler needs")
    elif sources and all(unwrapping_step(source) for source in sources):
        yield Violation(key, "the source takes the row out of the change event, which the handler needs")
    elif handler.removeprefix(package) not in HANDLERS:
        yield Violation(key, f"unknown handler '{handler}': expected {listed([*map(package.__add__, HANDLERS)])}")
    elif not sources and handler.endswith(OF_MONGODB) and any(".dbo." in name for name in topics):
        yield Violation(key, "the handler is not for change events of SQL Server, whose schema is dbo")
    elif sources and all((source.connector == MONGODB.name) != handler.endswith(OF_MONGODB) for source in sources):
        yield Violation(key, f"the handler is not for change events of {sources[0].connector}")


@rule(
    "sink-inserts-again",
    Consequence.wrong,
    of_names=True,
    evidence="N12",
    fix="set document.id.strategy and writemodel.strategy, or the handler of the source's database",
)
def sink_inserts_again(subject: Subject) -> Iterator[Violation]:
    """MongoDB's sink finds the document of a row that is changed.

    By default each record gets an id of its own: a change inserts another document.
    """
    name, keys = "document.id.strategy", ("document.id.strategy", "writemodel.strategy", HANDLER)
    is_mongo = trim(subject.config.get(CLASS, "")) == "com.mongodb.kafka.connect.MongoSinkConnector"
    sources = [source for source in sources_of(subject) if not source.router] if is_mongo else []
    if sources and subject.says(*keys) and not any(key in subject.config for key in keys):
        yield Violation(CLASS, f"'{name}' is not set: every change inserts another document", unset=name)


JDBC = "JdbcSinkConnector"
DEBEZIUM = "io.debezium."
"""The sink takes change events as they are."""
TOPIC_OF_DEBEZIUM = lazy_pattern(r"(?!outbox\.event\.)[\w-]+\.\w+\.\w+")
"""What the topic of a table is called, and of no event: behind the prefix its database or schema, and its name."""
BY_KEY = ("record_key", "record_value")
"""Modes in which the key of a table is made of fields."""


@rule(
    "update-inserted-again",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="set insert.mode=upsert",
)
def update_inserted_again(subject: Subject) -> Iterator[Violation]:
    """A sink for JDBC changes the row of a change event that is there already.

    With insert.mode=insert it inserts the row of an update once more: the key of a table that it has created refuses
    it.
    """
    mode = next((subject.config[key] for key in ("pk.mode", "primary.key.mode") if key in subject.config), "")
    inserts = subject.config.get("insert.mode", "insert").strip().lower() == "insert"
    name = trim(subject.config.get(CLASS, ""))
    is_sink = name.endswith(JDBC) and creates_tables(subject) and mode.strip().lower() in BY_KEY
    topics = subject.entries("topics") if name.startswith(DEBEZIUM) and subject.says("topics", "transforms") else []
    takes_events = unwrapping_step(subject) or (topics and all(map(TOPIC_OF_DEBEZIUM.fullmatch, topics)))
    if is_sink and inserts and takes_events and subject.says("insert.mode"):
        unset = "" if "insert.mode" in subject.config else "insert.mode"
        yield Violation(CLASS if unset else "insert.mode", "the row of an update is inserted again", unset=unset)


def unwrapping_step(subject: Subject) -> TransformStep | None:
    """The transformation that takes the row out of every change event."""
    every = (step for step in subject.steps if "predicate" not in step.options)
    return next((step for step in every if step.kind.endswith(ROW)), None)


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
    flag = "flush.synchronously"
    is_search = trim(subject.config.get(CLASS, "")) == ELASTICSEARCH
    changing = [step for step in subject.steps if step.kind.endswith(CHANGES_TOPIC)]
    is_former = FORMER_MARK in subject.config  # which needs no flag
    if is_search and changing and not subject.on(flag) and subject.says(flag):
        message = f"'{changing[0].name}' changes the topic, which needs flush.synchronously=true"
        unset, consequence = "" if flag in subject.config else flag, Consequence.risk if is_former else None
        yield Violation(changing[0].key("type"), message, unset=unset, consequence=consequence)


@rule(
    "sink-gets-change-events",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="take the row out of the change event: io.debezium.transforms.ExtractNewRecordState",
)
def sink_gets_change_events(subject: Subject) -> Iterator[Violation]:
    """A sink that writes the fields of a record to columns receives rows.

    The fields `before`, `after` and `source` of a change event are structures, which are no columns: its task fails, or
    it writes empty rows.
    """
    effect = subject.facts.get("rows_only") if "fields.whitelist" not in subject.config else None  # of the key alone
    sources = sources_of(subject) if effect and subject.says("transforms", "topics") else []
    plain = all(not source.steps and source.says("transforms") for source in sources)
    if sources and plain and all(step.kind.endswith(CHANGES_TOPIC) for step in subject.steps):
        message = "the source sends change events, and this sink needs rows"
        yield Violation(CLASS, message, unset="transforms", consequence=Consequence[effect or "stop"])


@rule(
    "sink-gets-schema-changes",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="end the pattern such that it does not match the topic prefix alone, or set include.schema.changes=false",
)
def sink_gets_schema_changes(subject: Subject) -> Iterator[Violation]:
    """A sink that writes fields to columns receives no changes of the schema.

    The source sends them to a topic that is called like its prefix. They have lists and structures: the task fails.
    """
    key = "topics.regex"
    pattern = javaregex.compiled_or_none(subject.config.get(key, "")) if subject.says(key) else None
    listed_topics = subject.entries("topics") if subject.says("topics") else []
    for source in subject.neighbours if subject.facts.get("rows_only") == "stop" else ():
        prefix = source.config.get("topic.prefix", "")
        sends = source.connector and source.on("include.schema.changes") and source.says("topic.prefix")
        if sends and prefix and pattern and pattern.fullmatch(prefix):
            yield Violation(key, f"it matches '{prefix}', the topic of schema changes")
        elif sends and prefix in listed_topics:
            yield Violation("topics", f"'{prefix}' is the topic of schema changes")


@rule(
    "sink-gets-plain-value",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="keep a structure: ReplaceField$Value with include in place of ExtractField$Value",
)
def sink_gets_plain_value(subject: Subject) -> Iterator[Violation]:
    """A sink that writes fields receives values with fields.

    ExtractField$Value behind the transformation that takes the row out of a change event leaves the value of one
    column: the task fails on a text or a number.
    """
    needs_fields = subject.facts.get("needs_fields") or subject.facts.get("rows_only")
    kinds = [step.kind for step in subject.steps if "predicate" not in step.options]
    for step, previous in zip(subject.steps[1:], kinds, strict=False) if needs_fields and len(kinds) > 1 else ():
        if step.kind == EXTRACTS and previous.endswith((ROW, FORMER_ROW)) and len(kinds) == len(subject.steps):
            yield Violation(step.key("type"), "it leaves one column's value, and this sink needs fields")


PLAIN_CONVERTERS = ("StringConverter", "ByteArrayConverter")


@rule(
    "sink-takes-text",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="use the StringConverter, or the ByteArrayConverter",
)
def sink_takes_text(subject: Subject) -> Iterator[Violation]:
    """A sink that writes texts receives texts.

    It fails with the first record whose key or value is a structure.
    """
    for part in subject.facts.get("texts_only", ()):
        key, converter = f"{part}.converter", subject.converter_in_use(part)
        is_changed = any(step.kind.endswith(f"${part.capitalize()}") for step in subject.steps)
        if converter and subject.says(key) and not is_changed and not converter.endswith(PLAIN_CONVERTERS):
            yield Violation(key, f"the {part} is a structure with '{converter}', not a text")


@rule(
    "text-key-for-upsert",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="use a converter with structures for the key, such as the JsonConverter with schemas",
)
def text_key_for_upsert(subject: Subject) -> Iterator[Violation]:
    """A sink that finds rows by the fields of the key receives keys with fields.

    Its task fails on a key that the StringConverter reads.
    """
    key = "key.converter"
    flags = [flag for flag in subject.facts.get("struct_key_if", ()) if subject.config.get(flag, "").strip() == "true"]
    if flags and subject.converter_in_use("key") == STRING:
        yield of_converter(subject, "key", f"{key} reads texts, and {flags[0]} needs a key with fields")


@rule(
    "converter-of-sink",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="use a converter of Kafka Connect or of a registry",
)
def converter_of_sink(subject: Subject) -> Iterator[Violation]:
    """The converters of Snowflake's sink are used in that sink, and without transformations.

    They read records only: in a source the task fails with the first one. What they read has no fields for a
    transformation, which lets it pass unchanged.
    """
    for part in ("key", "value"):
        converter = subject.converter(part)
        if not converter.startswith(OF_SINK):
            continue
        if subject.connector:
            yield Violation(f"{part}.converter", f"'{converter}' does not write records")
        elif part == "value" and subject.steps:
            message = "the transformations find no fields in what this converter reads"
            yield Violation(f"{part}.converter", message, consequence=Consequence.wrong)
