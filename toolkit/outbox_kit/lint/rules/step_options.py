"""Rules about the options of a transformation or a predicate by itself: what it does not start without.

Source: the classes' own `configure`, to which the conformance tests compare them.
"""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.conditions import demanded, option_of
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.words import listed
from outbox_kit.router import options
from outbox_kit.router.javatext import trim
from outbox_kit.router.transforms import KAFKA, REGEX_ROUTER

PLAIN = (REGEX_ROUTER, "io.debezium.transforms.ExtractNewRecordState", f"{KAFKA}ExtractField$Key")
"""Transformations that make no names with dots."""


@rule("transformation-option-missing", Consequence.stop, evidence="N12", fix="set the option")
def transformation_option_missing(subject: Subject) -> Iterator[Violation]:
    """Every transformation has the options without which it does not start.

    Kafka Connect rejects the connector, or its task fails when it starts.
    """
    for step in subject.steps:
        described = options.transformation(step.kind)
        facts = described.facts if described and subject.says(step.key("type")) else {}
        needed = [
            name
            for condition, name in demanded(facts.get("needs", {}), step.options)
            if subject.says(step.key(option_of(condition)))
        ]
        for name in [*facts.get("required", ()), *needed]:
            if not step.options.get(name, "").strip() and subject.says(step.key(name)):
                yield Violation(step.key("type"), f"'{step.key(name)}' is not set", unset=step.key(name))
        choices = facts.get("one_of", ())
        if choices and not any(name in step.options for name in choices) and subject.says(*map(step.key, choices)):
            message = f"'{step.name}' needs one of its options {listed(choices)}"
            yield Violation(step.key("type"), message, unset=step.key(choices[0]))


@rule("lists-of-different-length", Consequence.stop, evidence="N12", fix="name as many fields as headers")
def lists_of_different_length(subject: Subject) -> Iterator[Violation]:
    """A transformation between fields and headers has as many of both.

    Its task fails when it starts.
    """
    for step in subject.steps:
        described = options.transformation(step.kind)
        for name, other in described.facts.get("as_many", {}).items() if described else ():
            texts = [step.options.get(each, "") for each in (name, other)]
            lengths = {len(text.split(",")) for text in texts}
            if all(texts) and len(lengths) > 1 and subject.says(step.key(name), step.key(other)):
                yield Violation(step.key(name), f"'{step.name}' has not as many {name} as {other}")


@rule("list-in-brackets", Consequence.stop, of_names=True, evidence="N12", fix="write the names with commas alone")
def list_in_brackets(subject: Subject) -> Iterator[Violation]:
    """A list of names has commas alone, and an option for one field has one name.

    Brackets and quotes become parts of the names, and so does a comma in a name: there are no such fields.
    """
    for step in subject.steps:
        described = options.transformation(step.kind)
        for name, value in step.options.items():
            option = described.options.get(name) if described else None
            text, is_plain = value.strip(), subject.says(step.key(name))
            if option and option.type == "list" and text.startswith("[") and text.endswith("]") and is_plain:
                yield Violation(step.key(name), f"'{text}' has brackets, which belong to the names")
        field = step.options.get("field", "")
        if step.kind.startswith(f"{KAFKA}ExtractField$") and "," in field and subject.says(step.key("field")):
            yield Violation(step.key("field"), f"'{field}' is one name, and has a comma")


@rule("predicate-option-missing", Consequence.stop, evidence="N12", fix="set the option")
def predicate_option_missing(subject: Subject) -> Iterator[Violation]:
    """Every predicate has the options without which it does not start.

    Kafka Connect rejects the connector.
    """
    for name in subject.entries("predicates"):
        prefix = f"predicates.{name}."
        described = options.classes("predicates").get(trim(subject.config.get(f"{prefix}type", "")))
        for option in described.facts.get("required", ()) if described else ():
            key = f"{prefix}{option}"
            if not subject.config.get(key, "").strip() and subject.says(key):
                yield Violation(f"{prefix}type", f"'{key}' is not set", unset=key)


@rule(
    "nested-field-not-cast",
    Consequence.wrong,
    severity=Severity.error,
    evidence="N12",
    fix="flatten the value first: org.apache.kafka.connect.transforms.Flatten$Value",
)
def nested_field_not_cast(subject: Subject) -> Iterator[Violation]:
    """A transformation casts fields of the top level.

    It has no paths: the field that a name with a dot means keeps its type, without an error. Flatten makes such names.
    """
    for number, step in enumerate(subject.steps):
        is_cast = step.kind.startswith(f"{KAFKA}Cast$") and subject.says(step.key("spec"))
        if is_cast and all(before.kind in PLAIN for before in subject.steps[:number]):
            for entry in step.options.get("spec", "").split(","):
                if "." in (name := entry.partition(":")[0].strip()) and ":" in entry:
                    yield Violation(step.key("spec"), f"'{name}' has a dot: a field of the top level is expected")


ROUTING = "io.debezium.transforms.partitions.PartitionRouting"
OF_ENVELOPE = ("after.", "before.", "change.", "source.")


@rule(
    "partition-field-not-found",
    Consequence.wrong,
    severity=Severity.error,
    evidence="E04",
    fix="write the whole path: change.<column>, or after.<column>",
)
def partition_field_not_found(subject: Subject) -> Iterator[Violation]:
    """PartitionRouting looks for its fields in the change event.

    It leaves a record without one of them as it is, without an error: the key chooses the partition.
    """
    option = "partition.payload.fields"
    for step in subject.steps:
        fields = [field.strip() for field in step.options.get(option, "").split(",")]
        if step.kind == ROUTING and subject.says(step.key(option)) and fields != [""]:
            if not any(field.startswith(OF_ENVELOPE) or field == "op" for field in fields):
                yield Violation(
                    step.key(option), f"the change event has no field '{fields[0]}': its columns are in after"
                )


PROCESSORS = "post.processors"


@rule("post-processor-without-type", Consequence.stop, of_names=True, evidence="N12", fix="set its type")
def post_processor_without_type(subject: Subject) -> Iterator[Violation]:
    """Every post processor in the list has a type.

    The task does not start without one.
    """
    for name in subject.entries(PROCESSORS) if subject.says(PROCESSORS) else ():
        keys = (f"{PROCESSORS}.{name}.type", f"{name}.type")
        if not any(key in subject.config for key in keys) and subject.says(*keys):
            yield Violation(PROCESSORS, f"'{keys[0]}' is not set", unset=keys[0])
