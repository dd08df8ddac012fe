"""Rules about what each transformation receives from those before it."""

import re
from collections.abc import Iterator, Sequence

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.received import received_by_each
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.transformations import LOGICAL_ROUTER, READS_ENVELOPES, before_router
from outbox_kit.lint.subject import MONGO, Subject
from outbox_kit.router import javaregex
from outbox_kit.router.chain import MONGO_EVENT_ROUTER
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.transforms import KAFKA, REGEX_ROUTER

STRUCTS = ("HeaderFrom", "ExtractField", "InsertField", "ReplaceField", "MaskField", "Flatten")
"""Kafka's transformations that fail on a record whose key or value has no fields (`Requirements.requireStruct`)."""
UNLESS_NAMED = {"TimestampConverter": "field", "Cast": "spec"}
"""Those that do so if they name a field."""


@rule(
    "struct-after-router",
    Consequence.stop,
    evidence="G09",
    fix="remove the transformation, or give it a predicate that excludes events",
)
def struct_after_router(subject: Subject) -> Iterator[Violation]:
    """No transformation behind the event router needs fields that events do not have.

    The key of an event is the value of one column, and its value is the payload as it is stored. The task fails on the
    first event: Only Struct objects supported.
    """
    options_of_value = ("{}.expand.json.payload", "{}.fields.additional.placement")
    is_known = subject.says(*map(subject.router_key, options_of_value)) and subject.option_prefix != MONGO
    is_struct = subject.expands or subject.enveloped or not is_known
    for received in received_by_each(subject):
        step, (name, _, part) = received.step, received.step.kind.removeprefix(KAFKA).partition("$")
        if not received.is_event:
            continue
        if step.kind == LOGICAL_ROUTER:
            yield Violation(
                step.key("type"), f"'{step.name}' reads the fields of the key, and that of an event has none"
            )
        if not step.kind.startswith(KAFKA):
            continue
        naming_option = UNLESS_NAMED.get(name, "")
        names_field = ":" in step.options.get(naming_option, "") or (
            naming_option == "field" and "field" in step.options
        )
        needs = name in STRUCTS or (naming_option and names_field)
        if (needs and part == "Key") or (needs and part == "Value" and not is_struct):
            yield Violation(step.key("type"), f"the {part.lower()} of an event has no fields for '{name}'")
        elif name == "ValueToKey" and not is_struct:
            yield Violation(step.key("type"), f"the value of an event has no fields for '{name}'")


@rule(
    "filter-without-predicate",
    Consequence.loss,
    evidence="G10",
    fix="give the transformation a predicate, or remove it",
)
def filter_without_predicate(subject: Subject) -> Iterator[Violation]:
    """Kafka's Filter has a predicate.

    It drops every record that it receives: without a predicate, all.
    """
    for step in subject.steps:
        if step.kind == f"{KAFKA}Filter" and "predicate" not in step.options:
            yield Violation(step.key("type"), f"'{step.name}' drops every record", unset=step.key("predicate"))


@rule(
    "router-input-filtered-out",
    Consequence.loss,
    evidence="N20",
    fix="set negate=true for the Filter: it drops what its predicate matches",
)
def router_input_filtered_out(subject: Subject) -> Iterator[Violation]:
    """No Filter drops the records of the event router.

    Kafka's Filter drops what its predicate matches. The event router with the same predicate receives nothing.
    """
    router = subject.router
    if router is None:
        return
    for step in before_router(subject):
        same = step.options.get("predicate", "") == router.options.get("predicate") and step.negated == router.negated
        if step.kind == f"{KAFKA}Filter" and same:
            message = f"'{step.name}' drops every record that the event router would receive"
            yield Violation(step.key("predicate"), message)


@rule(
    "partition-routing-before-router",
    Consequence.wrong,
    severity=Severity.error,
    evidence="E04",
    fix="place a column as the partition: table.fields.additional.placement=<column>:partition",
)
def partition_routing_before_router(subject: Subject) -> Iterator[Violation]:
    """No partition is chosen before the event router.

    The event router makes a new record, whose partition the producer chooses by the key.
    """
    for received in received_by_each(subject) if subject.router and subject.router.kind != MONGO_EVENT_ROUTER else ():
        step = received.step
        if not received.is_event and step.kind in READS_ENVELOPES:
            yield Violation(step.key("type"), f"the event router drops the partition that '{step.name}' chooses")


@rule("event-id-dropped", Consequence.wrong, evidence="D02", fix="keep the header id")
def event_id_dropped(subject: Subject) -> Iterator[Violation]:
    """The header with the id of the event is kept.

    Consumers recognize an event that arrives twice by its id, which is in no other place.
    """
    for received in received_by_each(subject) if subject.router else ():
        step = received.step
        dropped = [trim(name) for name in split(step.options.get("headers", ""), ",")]
        if received.is_event and step.kind == f"{KAFKA}DropHeaders" and "id" in dropped:
            yield Violation(step.key("headers"), f"'{step.name}' drops the id of the event")


REPLACING = {
    REGEX_ROUTER: (("regex", "replacement"),),
    LOGICAL_ROUTER: (
        ("topic.regex", "topic.replacement"),
        ("key.field.regex", "key.field.replacement"),
    ),
}
REFERENCE = lazy_pattern(r"(?<!\\)\$(?:(\d)|\{(\w+)\})")


@rule(
    "replacement-without-group",
    Consequence.stop,
    of_names=True,
    evidence="C02",
    fix="refer to a group of the regular expression",
)
def replacement_without_group(subject: Subject) -> Iterator[Violation]:
    """A replacement refers to groups of its regular expression.

    The task fails on the first record whose topic matches: No group.
    """
    for step in subject.steps:
        for expression, replacement in REPLACING.get(step.kind, ()):
            key, text = step.key(replacement), step.options.get(replacement, "")
            if not subject.says(step.key(expression)) or not step.options.get(expression):
                continue
            compiled = javaregex.compiled_or_none(step.options[expression])
            for unknown in _unknown_groups(text, compiled) if compiled else ():
                yield Violation(key, f"the regular expression '{step.options[expression]}' has no group {unknown}")
                break


def _unknown_groups(replacement: str, compiled: re.Pattern[str]) -> Sequence[str]:
    """The groups that a replacement names and an expression does not have."""
    names, numbers = set(compiled.groupindex), {str(number) for number in range(compiled.groups + 1)}
    references = [match.groups(default="") for match in REFERENCE.finditer(replacement)]
    return [number or name for number, name in references if number not in numbers and name not in names]


CHANGING = {
    "SetSchemaMetadata$Value": ("schema.name", Consequence.loss, "gives the change event another name"),
    "ExtractField$Value": ("field", Consequence.loss, "takes a field out of the change event"),
    "HoistField$Value": ("field", Consequence.loss, "puts the change event into another one"),
    "Flatten$Value": ("", Consequence.stop, "takes the fields of the change event apart"),
}
"""Kafka's transformations after which the event router does not know a change event: what they do, by which option."""


@rule(
    "envelope-changed-before-router",
    Consequence.loss,
    evidence="F08",
    fix="move the transformation behind the event router, or give it a predicate that excludes the outbox",
)
def envelope_changed_before_router(subject: Subject) -> Iterator[Violation]:
    """No transformation changes the change event before the event router.

    The event router passes a record on, unrouted, whose schema has another name than that of a change event; it fails
    on a change event without the field `after`.
    """
    for received in received_by_each(subject) if subject.router else ():
        step = received.step
        if not received.is_envelope or step.kind.removeprefix(KAFKA) not in CHANGING:
            continue
        option, consequence, how = CHANGING[step.kind.removeprefix(KAFKA)]
        name = step.options.get(option, "") if option else "all"
        if name and not name.endswith(".Envelope"):
            message = f"'{step.name}' {how}, before the event router reads it"
            yield Violation(step.key("type"), message, consequence=consequence)


TIMESCALE = "io.debezium.connector.postgresql.transforms.timescaledb.TimescaleDb"
CHUNKS = "_timescaledb_internal"


@rule(
    "hypertable-not-captured",
    Consequence.loss,
    evidence="C10",
    fix="capture the schema _timescaledb_internal",
)
def hypertable_not_captured(subject: Subject) -> Iterator[Violation]:
    """The chunks of TimescaleDB's hypertables are captured where their transformation is used.

    The rows of a hypertable are written to tables in the schema _timescaledb_internal.
    """
    for key in ("table.include.list", "schema.include.list"):
        entries = subject.entries(key) if subject.says(key) else []
        patterns = [javaregex.compiled_or_none(entry) for entry in entries]
        chunk = CHUNKS + ("._hyper_1_1_chunk" if key.startswith("table") else "")
        if entries and all(patterns) and not any(pattern.fullmatch(chunk) for pattern in patterns if pattern):
            if any(step.kind == TIMESCALE for step in subject.steps):
                yield Violation(key, f"the rows of hypertables are in {CHUNKS}, which is not captured")


@rule(
    "payload-cast-to-base64",
    Consequence.wrong,
    evidence="F05",
    fix="store the payload as text, or send the bytes with Debezium's BinaryDataConverter",
)
def payload_cast_to_base64(subject: Subject) -> Iterator[Violation]:
    """No payload is cast to text.

    Kafka's Cast writes bytes as Base64, and leaves a payload of text as it is.
    """
    for received in received_by_each(subject) if subject.router and not subject.expands else ():
        step = received.step
        if received.is_event and step.kind == f"{KAFKA}Cast$Value" and trim(step.options.get("spec", "")) == "string":
            yield Violation(step.key("spec"), "a payload of bytes becomes Base64")
