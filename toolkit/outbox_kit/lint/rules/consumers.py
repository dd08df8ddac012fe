"""Rules about sink connectors that stand beside a source in a file."""

from collections.abc import Iterator, Sequence

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import worker
from outbox_kit.lint.conditions import option_of
from outbox_kit.lint.meant import CONNECT_CLASSES
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.keys import of_converter
from outbox_kit.lint.rules.sink_records import CLASS, literal_start, sources_of
from outbox_kit.lint.rules.topics import KEEP_TOPIC
from outbox_kit.lint.subject import BYTES, JSON, STRING, Subject
from outbox_kit.router.javatext import trim

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
    name, key = "value.converter", "value.converter.schemas.enable"
    flag = subject.facts.get("needs_schema_unless", "")
    needs_schema = subject.facts.get("needs_schema") or (flag and subject.says(flag) and not subject.on(flag))
    if not needs_schema or not subject.says(key, name):
        return
    of_worker = name not in subject.config and not subject.document.settings
    options = (worker.options(subject.text) or {}) if of_worker else subject.config
    others = [step for step in subject.steps if not step.kind.startswith(CONNECT_CLASSES)]
    if trim(options.get(name, "")) == JSON and not others and options.get(key, "").strip().lower() == "false":
        message = "the sink needs the schema of each message"
        yield Violation(CLASS if of_worker else key, message, unset=key if of_worker else "")


@rule(
    "unwrap-without-schema",
    Consequence.wrong,
    of_names=True,
    evidence="N12",
    fix="set value.converter.schemas.enable=true for the source and the sink, or take the row out in the source",
)
def unwrap_without_schema(subject: Subject) -> Iterator[Violation]:
    """A sink that takes the row out of a change event receives the schema of the event.

    ExtractNewRecordState knows a change event by the name of its schema: it passes JSON without one on unchanged.
    """
    name, key = "value.converter", "value.converter.schemas.enable"
    is_plain = trim(subject.config.get(name, "")) == JSON and subject.config.get(key, "").strip().lower() == "false"
    first = next(iter(subject.steps), None)
    takes_plain = subject.is_sink and not subject.facts.get("needs_schema")
    if is_plain and takes_plain and first and ROW_OF_DEBEZIUM.search(first.kind):
        yield Violation(key, f"'{first.name}' passes every change event on unchanged: it has no schema")


ROW_OF_DEBEZIUM = lazy_pattern(r"^io\.debezium\..*\.ExtractNew(?:Record|Document)State$")


@rule(
    "sink-needs-fields",
    Consequence.stop,
    of_names=True,
    evidence="A02",
    fix="use a converter with structures, such as the JsonConverter",
)
def sink_needs_fields(subject: Subject) -> Iterator[Violation]:
    """A sink that reads a field of the value receives values with fields.

    Its task fails on a text or on bytes.
    """
    for condition in subject.facts.get("reads_field_if", ()):
        key = option_of(condition)
        reads = subject.says(key) and subject.config.get(key, "").strip().endswith(condition.partition("=")[2])
        if key in subject.config and reads and subject.converter_in_use("value") in (STRING, BYTES):
            yield of_converter(subject, "value", f"the sink reads a field of the value: {condition}")
            return


FORMS = lazy_pattern(r"(Avro|Protobuf|JsonSchema)Converter$")
"""Ends of the classes of converters that read only what they have written."""
OF_SCHEMAS, JSON_ALONE = "JSON with schemas", "JSON without schemas"


@rule(
    "sink-converter-differs",
    Consequence.stop,
    of_names=True,
    evidence="A02",
    fix="give the sink the converters of the source, with the same schemas.enable",
)
def sink_converter_differs(subject: Subject) -> Iterator[Violation]:
    """A sink reads what the converter of its source has written.

    A JsonConverter with schemas.enable fails at JSON without schemas, and those of a registry fail at anything else.
    """
    for part in ("key", "value"):
        form = _form(subject, part)
        for source in sources_of(subject) if form else ():
            written = _form(source, part)
            if written and written != form and (written != OF_SCHEMAS or form != JSON_ALONE):
                yield of_converter(subject, part, f"the sink reads {form}, and the source writes {written}")
                break


def _form(subject: Subject, part: str) -> str:
    """What a converter of a config writes or reads; empty if that is not known, or any bytes."""
    converter = subject.converter_in_use(part)
    key = f"{part}.converter.schemas.enable"
    if not subject.says(f"{part}.converter", key):
        return ""
    if converter == JSON:
        of_worker = {} if f"{part}.converter" in subject.config else worker.options(subject.text) or {}
        is_plain = {**of_worker, **subject.config}.get(key, "true").strip().lower() == "false"
        return JSON_ALONE if is_plain else OF_SCHEMAS
    match = FORMS.search(converter)
    return match[1] if match else ""


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
    read = [literal_start(value)] if key == "topics.regex" else subject.entries("topics")
    ends = {end for source in sources for end in _ends(source)} if key == "topics" and len(sources) == 1 else {""}
    ends_otherwise = not any(name.endswith(end) for name in read for end in ends)
    if ends_otherwise or not any(
        name.startswith(prefix) or prefix.startswith(name) for name in read for prefix in begun
    ):
        topics = " and ".join(sorted({f"{prefix}*{end}" for prefix in begun for end in ends}))
        yield Violation(key, f"the source publishes to {topics}")


def _ends(source: Subject) -> Sequence[str]:
    """What the topics of a source end with."""
    if not source.router or source.steps[-1:] != [source.router]:
        return [""]
    replacement = source.router_option("route.topic.replacement") or DEFAULT_ROUTE
    return [replacement.rpartition("}")[2]]


def _published(source: Subject) -> Sequence[str]:
    """What the topics of a source begin with; empty if that is not known."""
    option = source.router_key("route.topic.replacement")
    if source.router and source.steps[-1:] == [source.router] and source.says(option):
        return [(source.router_option("route.topic.replacement") or DEFAULT_ROUTE).partition("$")[0]]
    if source.router or not all(step.kind.endswith(KEEP_TOPIC) for step in source.steps):
        return []
    return source.raw_topics if len(source.raw_topics) == len(source.tables) else []


SEARCH = lazy_pattern(r"\.(?:Elastic|Open)[sS]earchSinkConnector$|\.OpensearchSinkConnector$")
STRUCTURED = lazy_pattern(r"\.(?:JsonConverter|AvroConverter|ProtobufConverter|JsonSchemaConverter)$")
KEEPS_STRUCT = lazy_pattern(r"\.ExtractField\$Key$|^(?!io\.debezium\.|org\.apache\.kafka\.)")
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
    sources = sources_of(subject)
    rows = any(step.kind.endswith(UNWRAP) for each in (subject, *sources) for step in each.steps)
    plain = any(KEEPS_STRUCT.search(step.kind) for step in subject.steps)
    converter = trim(subject.config.get("key.converter", ""))
    if SEARCH.search(kind) and rows and not ignored and not plain and (not converter or STRUCTURED.search(converter)):
        shown = converter or "JsonConverter" in subject.text or "AvroConverter" in subject.text
        message = "a document cannot have the key of a row as its id: the key is a structure"
        yield Violation("transforms", message, consequence=None if shown else Consequence.risk)


OF_ROW = lazy_pattern(r"ExtractNewRecordState$|ExtractField\$Value$")


@rule(
    "search-key-ignored",
    Consequence.wrong,
    of_names=True,
    evidence="N12",
    fix="set key.ignore=false, and take the field out of the key: org.apache.kafka.connect.transforms.ExtractField$Key",
)
def search_key_ignored(subject: Subject) -> Iterator[Violation]:
    """A search engine has one document for a row.

    With key.ignore=true the id of a document is made of topic, partition and offset: every change of a row adds a
    document, and a delete removes none.
    """
    key = "key.ignore"
    is_search = SEARCH.search(trim(subject.config.get("connector.class", ""))) is not None
    rows = [
        step for step in subject.steps if OF_ROW.search(step.kind) and step.options.get("field", "after") == "after"
    ]
    if is_search and rows and subject.on(key) and "key.ignore.id.strategy" not in subject.config:
        yield Violation(key, "every change of a row adds a document")


@rule(
    "malformed-documents-skipped",
    Consequence.loss,
    severity=Severity.warning,
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
