"""Rules about the transformations: their order, their predicates, and records that are not events."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import placeholders
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.heartbeat import heartbeat_table, is_captured
from outbox_kit.lint.steps import TransformStep
from outbox_kit.lint.subject import Subject
from outbox_kit.router import options
from outbox_kit.router.chain import EVENT_ROUTER, MONGO_EVENT_ROUTER
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.transforms import REGEX_ROUTER
from outbox_kit.schema.nearest import closest

FLATTENING = (
    "io.debezium.transforms.ExtractNewRecordState",
    "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
)
READS_ENVELOPES = (
    "io.debezium.transforms.partitions.PartitionRouting",
    "io.debezium.transforms.partitions.ComputePartition",
)
LOGICAL_ROUTER = "io.debezium.transforms.ByLogicalTableRouter"
SLIP = 0.6
"""How similar a name must be to be meant."""


@rule(
    "no-router",
    Consequence.advice,
    strict=True,
    evidence="D10",
    fix="add the event router if this connector is for an outbox",
)
def no_router(subject: Subject) -> Iterator[Violation]:
    """The event router is one of the transformations.

    Without it, rows are published as raw change events.
    """
    outbox = any("outbox" in table.lower() for table in subject.tables)
    if subject.connector and outbox and not subject.router:
        yield Violation(
            "transforms" if "transforms" in subject.config else "connector.class", "no event router is configured"
        )


@rule("transformation-not-listed", Consequence.loss, evidence="N12", fix="add its name to transforms")
def transformation_not_listed(subject: Subject) -> Iterator[Violation]:
    """Every transformation with options is listed in transforms.

    A transformation that is not listed does not run.
    """
    listed = {step.name for step in subject.steps}
    for key in subject.config if subject.says("transforms") else ():
        parts = key.split(".")
        if len(parts) == 3 and parts[0] == "transforms" and parts[2] == "type" and parts[1] not in listed:
            routes = trim(subject.config[key]) in options.ROUTER_FILES
            consequence = None if routes else Consequence.wrong
            message = f"transformation '{parts[1]}' is not listed in transforms"
            yield Violation(key, message, consequence=consequence)


@rule(
    "options-of-no-transformation",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="N12",
    fix="correct the name of the transformation, or remove its options",
)
def options_of_no_transformation(subject: Subject) -> Iterator[Violation]:
    """Every option of a transformation belongs to one that exists.

    The options of a name that is not in transforms, and has no class, have no effect.
    """
    names = [step.name for step in subject.steps]
    seen = set[str]()
    for key in subject.config if subject.says("transforms") else ():
        prefix, _, rest = key.partition(".")
        name, _, option = rest.partition(".")
        if prefix != "transforms" or not option or name in (*names, *seen) or placeholders.is_open(key, key):
            continue
        seen.add(name)
        if f"transforms.{name}.type" not in subject.config:
            near = closest(name, names, SLIP)
            message = f"transformation '{name}' does not exist" + (f"; did you mean '{near}'?" if near else "")
            yield Violation(key, message, consequence=None if near else Consequence.advice)


@rule("transformation-without-type", Consequence.stop, evidence="N12", fix="set transforms.<name>.type to its class")
def transformation_without_type(subject: Subject) -> Iterator[Violation]:
    """Every listed transformation has a class.

    Kafka Connect rejects the config.
    """
    for step in subject.steps:
        if not step.kind:
            yield Violation("transforms", f"transformation '{step.name}' has no type", unset=step.key("type"))
    listed = subject.config.get("transforms", "")
    names = [trim(name) for name in listed.split(",")]
    if listed.strip() and "" in names and subject.says("transforms"):
        yield Violation("transforms", "a comma too many: a transformation without a name has no type")
    for name in {name for name in names if name and names.count(name) > 1}:
        yield Violation("transforms", f"transformation '{name}' is listed twice")
    for name in subject.entries("converters"):
        if f"{name}.type" not in subject.config and subject.says("converters", f"{name}.type"):
            yield Violation("converters", f"converter '{name}' has no type", unset=f"{name}.type")


@rule(
    "unwrap-before-router",
    Consequence.loss,
    evidence="F08",
    fix="remove the transformation, or give it a predicate that excludes the outbox",
)
def unwrap_before_router(subject: Subject) -> Iterator[Violation]:
    """No transformation flattens the change event before the event router.

    The event router does not recognize a flattened record as a change event, and passes it on to the raw topic,
    unrouted and without an error.
    """
    for step in before_router(subject) if subject.router else ():
        if step.kind in FLATTENING and "predicate" not in step.options:
            yield Violation(step.key("type"), f"'{step.name}' removes the envelope that the event router reads")


@rule(
    "partition-routing-after-router",
    Consequence.stop,
    evidence="E04",
    fix="move the transformation before the event router",
)
def partition_routing_after_router(subject: Subject) -> Iterator[Violation]:
    """Transformations that read the change event come before the event router.

    The event router removes the envelope of the change event.
    """
    passed = ""
    for step in subject.steps:
        if passed and step.kind in READS_ENVELOPES:
            message = f"'{step.name}' reads columns of the envelope, which '{passed}' has removed"
            yield Violation(step.key("type"), message)
        passed = passed or (step.name if step.routes or step.kind in FLATTENING else "")


def sends_others(subject: Subject) -> bool:
    """Whether the connector sends records that are no rows: heartbeats, or changes of tables."""
    return subject.heartbeats or subject.on("include.schema.changes")


def before_router(subject: Subject) -> Iterator[TransformStep]:
    """The transformations before the event router; all of them where there is none."""
    for step in subject.steps:
        if step.routes:
            return
        yield step


@rule(
    "unwrap-of-another-database",
    Consequence.stop,
    severity=Severity.warning,
    evidence="F09 J10",
    fix="use ExtractNewDocumentState with MongoDB, and ExtractNewRecordState with other databases",
)
def unwrap_of_another_database(subject: Subject) -> Iterator[Violation]:
    """The transformation that extracts the row fits the connector.

    The row of MongoDB is a text in `after`, in other databases it is a structure.
    """
    if subject.connector:
        other = FLATTENING[0] if subject.connector == MONGODB.name else FLATTENING[1]
        for step in subject.steps:
            if step.kind == other:
                yield Violation(step.key("type"), f"'{step.kind}' does not read the records of this connector")


@rule(
    "added-field-renamed",
    Consequence.wrong,
    evidence="G09",
    fix="write the name with its prefix, which is __ by default",
)
def added_field_renamed(subject: Subject) -> Iterator[Violation]:
    """Fields that the extraction of the row adds have their prefix in later transformations."""
    plain = dict[str, str]()
    for step in subject.steps:
        if step.kind in FLATTENING:
            prefix = step.options.get("add.fields.prefix", "__")
            added = [field.rpartition(".")[2] for field in map(trim, split(step.options.get("add.fields", ""), ","))]
            plain = {name: prefix for name in added if name and prefix and ":" not in name}
        for pair in map(trim, split(step.options.get("renames", ""), ",")):
            if (name := pair.partition(":")[0]) in plain:
                message = f"the field is called '{plain[name]}{name}', not '{name}'"
                yield Violation(step.key("renames"), message)


@rule(
    "tombstone-not-sent",
    Consequence.wrong,
    severity=Severity.error,
    evidence="F08",
    fix="set tombstones.on.delete=true",
)
def tombstone_not_sent(subject: Subject) -> Iterator[Violation]:
    """A connector whose tombstones are to be kept sends them.

    The transformation passes on the tombstone of the connector and makes none itself.
    """
    key = "tombstones.on.delete"
    for step in subject.steps if subject.config.get(key, "").strip().lower() == "false" else ():
        mode = step.options.get("delete.tombstone.handling.mode", "").strip().lower()
        if step.kind in FLATTENING and mode == "rewrite-with-tombstone":
            yield Violation(key, f"'{step.name}' keeps tombstones, and the connector sends none")


@rule("wrong-router", Consequence.stop, evidence="F09 J10", fix="use the event router for that database")
def wrong_router(subject: Subject) -> Iterator[Violation]:
    """The event router fits the connector.

    The relational event router rejects the rows of MongoDB, which are text; the event router of MongoDB cannot read the
    rows of a table.
    """
    if subject.router and subject.connector:
        expected = subject.facts.get("router", EVENT_ROUTER)
        if subject.router.kind != expected:
            yield Violation(subject.router.key("type"), f"this connector requires {expected}")


@rule(
    "mongo-operation-option",
    Consequence.wrong,
    of_names=True,
    evidence="F10",
    fix="rename the option to table.op.invalid.behavior",
)
def mongo_operation_option(subject: Subject) -> Iterator[Violation]:
    """The option for updates has the name that the event router of MongoDB reads.

    The documented name is never read: updates are skipped with a warning, whatever its value.
    """
    if (
        subject.router
        and subject.router.kind == MONGO_EVENT_ROUTER
        and "collection.op.invalid.behavior" in subject.router.options
    ):
        yield Violation(
            subject.router.key("collection.op.invalid.behavior"),
            "the option is ignored; the event router reads table.op.invalid.behavior",
        )


@rule(
    "predicate-not-declared",
    Consequence.stop,
    evidence="G12",
    fix="declare the predicate in predicates, or remove it from the transformation",
)
def predicate_not_declared(subject: Subject) -> Iterator[Violation]:
    """Every predicate that a transformation names is declared.

    Kafka Connect rejects the config.
    """
    declared = subject.entries("predicates")
    for step in subject.steps:
        predicate = step.options.get("predicate")
        if predicate is not None and predicate not in declared:
            yield Violation(step.key("predicate"), f"predicate '{predicate}' is not declared")


@rule(
    "no-predicate",
    Consequence.stop,
    evidence="G01 G09 C10",
    fix="give the event router a TopicNameMatches predicate for the raw topic of the outbox table",
)
def no_predicate(subject: Subject) -> Iterator[Violation]:
    """The event router has a predicate if it receives more than outbox rows.

    A row of another table, such as the heartbeat or signal table, is a change event without a payload column: the task
    fails on it.
    """
    if not subject.router or "predicate" in subject.router.options:
        return
    heartbeat, signals = heartbeat_table(subject), subject.config.get("signal.data.collection", "")
    apart = len(subject.tables) > 1 and "outbox" not in heartbeat.lower()  # from the outbox, whose rows may be written
    if heartbeat and apart and is_captured(subject, heartbeat):
        message = f"rows of the heartbeat table '{heartbeat}' reach the event router, which has no predicate"
        yield Violation("table.include.list", message)
    if signals and not subject.document.partial:  # captured whatever the list says: RelationalTableFilters
        listed = subject.tables and is_captured(subject, re.split(r"\.", signals)[-1])
        message = f"rows of the signal table '{signals}' reach the event router, which has no predicate"
        key = "table.include.list" if listed else "signal.data.collection"
        yield Violation(key, message, consequence=Consequence.risk)  # once someone sends a signal


ALL_TOPICS = lazy_pattern(r"\^?\(?(?:\?<\w+>)?\.[*+]\)?\$?")
REROUTING = {REGEX_ROUTER: "regex", LOGICAL_ROUTER: "topic.regex"}


@rule(
    "all-topics-rerouted",
    Consequence.risk,
    evidence="G09",
    fix="match the topics of tables only, such as (prefix)\\.(.+)\\.(.+), or give it a predicate",
)
def all_topics_rerouted(subject: Subject) -> Iterator[Violation]:
    """A transformation that sends everything to one topic leaves out heartbeats and schema changes.

    They arrive between the rows, where consumers do not expect them.
    """
    for step in subject.steps if sends_others(subject) else ():
        option = REROUTING.get(step.kind)
        if option and "predicate" not in step.options and "$" not in step.options.get(f"{option[:-5]}replacement", "$"):
            if ALL_TOPICS.fullmatch(trim(step.options.get(option, ""))):
                yield Violation(step.key(option), "the topics of heartbeats and schema changes match too")


SEES_FIELDS = ("ExtractField", "ValueToKey", "HeaderFrom", "TimestampConverter")
"""Transformations of Kafka that fail on a record without their field."""


@rule(
    "transformation-without-predicate",
    Consequence.risk,
    evidence="G09",
    fix="give the transformation the predicate of the event router",
)
def transformation_without_predicate(subject: Subject) -> Iterator[Violation]:
    """Every transformation that needs a field has a predicate if heartbeats are sent.

    It fails on a record that does not have the field, such as a heartbeat.
    """
    if subject.router and subject.heartbeats:
        for step in subject.steps:
            name = step.kind.rpartition(".")[2].partition("$")[0]
            if name in SEES_FIELDS and "predicate" not in step.options and step.kind.startswith("org.apache.kafka"):
                yield Violation(step.key("type"), f"transformation '{step.name}' also receives heartbeats")


OF_PREDICATE = lazy_pattern(r"predicates\.(?P<name>[^.]+)\.negate")


@rule(
    "negate-of-predicate",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="G10",
    fix="set transforms.<name>.negate of the transformation that has the predicate",
)
def negate_of_predicate(subject: Subject) -> Iterator[Violation]:
    """A predicate is negated where a transformation uses it.

    A predicate has no option `negate`: the transformation is applied to what the predicate matches.
    """
    for key, value in subject.config.items():
        if OF_PREDICATE.fullmatch(key) and value.strip().lower() == "true":
            yield Violation(key, "a predicate has no option 'negate'; a transformation has it")
