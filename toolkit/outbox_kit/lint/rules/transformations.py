"""Rules about the transformations: their order, their predicates, and records that are not events."""

import re
from collections.abc import Iterator

from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lint import placeholders
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.heartbeat import heartbeat_table, is_captured
from outbox_kit.lint.subject import Subject, TransformStep
from outbox_kit.router import javaregex, options
from outbox_kit.router.chain import EVENT_ROUTER, MONGO_EVENT_ROUTER, PREDICATES, Message
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.values import NotModelled
from outbox_kit.schema.nearest import closest

FLATTENING = (
    "io.debezium.transforms.ExtractNewRecordState",
    "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
)
READS_ENVELOPES = (
    "io.debezium.transforms.partitions.PartitionRouting",
    "io.debezium.transforms.partitions.ComputePartition",
)
SLIP = 0.6
"""How similar a name must be to be meant."""
REGEX_ROUTER = "org.apache.kafka.connect.transforms.RegexRouter"
TOPIC_MATCHES = f"{PREDICATES}TopicNameMatches"


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
    for step in _before_router(subject) if subject.router else ():
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
    passed = False
    for step in subject.steps:
        passed = passed or step.routes
        if passed and step.kind in READS_ENVELOPES:
            yield Violation(
                step.key("type"), f"'{step.name}' reads columns of the envelope, which the event router has removed"
            )


def _before_router(subject: Subject) -> Iterator[TransformStep]:
    for step in subject.steps:
        if step.routes:
            return
        yield step


@rule("wrong-router", Consequence.stop, evidence="F09 J10", fix="use the event router for that database")
def wrong_router(subject: Subject) -> Iterator[Violation]:
    """The event router fits the connector.

    The relational event router rejects the rows of MongoDB, which are text; the event router of MongoDB cannot read the
    rows of a table.
    """
    if subject.router and subject.connector:
        expected = options.catalogue(subject.connector).facts.get("router", EVENT_ROUTER)
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
    declared = [trim(name) for name in split(subject.config.get("predicates", ""), ",")]
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
    if heartbeat and subject.tables and "outbox" not in heartbeat.lower() and is_captured(subject, heartbeat):
        message = f"rows of the heartbeat table '{heartbeat}' reach the event router, which has no predicate"
        yield Violation("table.include.list", message)
    if signals and subject.tables and is_captured(subject, re.split(r"\.", signals)[-1]):
        message = f"rows of the signal table '{signals}' reach the event router, which has no predicate"
        yield Violation("table.include.list", message)


ALL_TOPICS = re.compile(r"\^?\(?(?:\?<\w+>)?\.[*+]\)?\$?")
LOGICAL_ROUTER = "io.debezium.transforms.ByLogicalTableRouter"
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
    others = subject.heartbeats or subject.on("include.schema.changes")
    for step in subject.steps if others else ():
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


@rule(
    "topic-pattern-never-matches",
    Consequence.wrong,
    evidence="C03",
    fix="match the topic that the event router gives, or move the transformation before it without the event router",
)
def topic_pattern_never_matches(subject: Subject) -> Iterator[Violation]:
    """A RegexRouter behind the event router matches the topics of events.

    The event router has replaced the raw topic, so that a pattern of the raw topic matches no event.
    """
    routed = False
    for step in subject.steps:
        routed = routed or step.routes
        pattern = _pattern(step.options.get("regex", "")) if step.kind == REGEX_ROUTER and routed else None
        if pattern is None or not subject.says(step.key("regex"), subject.router_key("route.topic.replacement")):
            continue
        raw = any(pattern.fullmatch(topic) for topic in subject.raw_topics)
        topics = {outcome.topic for _, _, outcome in subject.previews if isinstance(outcome, Message)}
        if raw and not any(pattern.fullmatch(topic) for topic in topics):
            message = f"'{step.options['regex']}' matches the raw topic, which the event router has replaced"
            yield Violation(step.key("regex"), message)


def _pattern(text: str) -> re.Pattern[str] | None:
    try:
        return javaregex.compiled(text)
    except (javaregex.BadPattern, NotModelled):
        return None


@rule(
    "predicate-never-matches",
    Consequence.loss,
    evidence="G10",
    fix="write the whole raw topic, with the dots escaped: <topic.prefix>.<schema>.<table>",
)
def predicate_never_matches(subject: Subject) -> Iterator[Violation]:
    """The predicate of the event router matches the raw topic of a captured table.

    If it does not match, rows are published to their raw topic, unrouted.
    """
    pattern, key, negated = _topic_pattern(subject)
    topics = subject.raw_topics
    if pattern is None or not topics:
        return
    try:
        compiled = javaregex.compiled(pattern)
    except javaregex.BadPattern as cause:
        yield Violation(key, f"invalid Java regular expression: {cause}")
        return
    except NotModelled:
        return
    if not any(bool(compiled.fullmatch(topic)) is not negated for topic in topics):
        yield Violation(key, f"'{pattern}' {'excludes' if negated else 'does not match'} {', '.join(topics)}")


def _topic_pattern(subject: Subject) -> tuple[str | None, str, bool]:
    """The pattern of the router's predicate by topic name, its key, and whether it is negated."""
    if not subject.router:
        return None, "", False
    predicate = subject.router.options.get("predicate", "")
    key = f"predicates.{predicate}.pattern"
    negated = subject.router.options.get("negate", "").strip().lower() == "true"
    if trim(subject.config.get(f"predicates.{predicate}.type", "")) != TOPIC_MATCHES:
        return None, key, negated
    return subject.config.get(key), key, negated


@rule("predicate-unescaped-dots", Consequence.advice, evidence="G10", fix="escape the dots")
def predicate_unescaped_dots(subject: Subject) -> Iterator[Violation]:
    """The dots in the pattern of the predicate are escaped.

    An unescaped dot matches any character, so the topic of another table may match by accident.
    """
    pattern, key, _ = _topic_pattern(subject)
    if pattern and subject.raw_topics and pattern in subject.raw_topics:
        yield Violation(key, f"the dots in '{pattern}' match any character")


@rule(
    "predicate-misses-partitions",
    Consequence.loss,
    evidence="G11 I04",
    fix="set publish.via.partition.root=true, or let gen-ddl create the publication",
    connectors=POSTGRES.name,
)
def predicate_misses_partitions(subject: Subject) -> Iterator[Violation]:
    """The predicate matches the changes of a partitioned outbox table.

    Changes that are published under the name of a partition have a raw topic of their own, which the predicate does not
    match: they stay unrouted.
    """
    pattern, key, _ = _topic_pattern(subject)
    creates = (subject.setting("publication.autocreate.mode") or "all_tables") != "disabled"
    partitioned = subject.outbox is not None and subject.outbox.table.retention == "partition"
    if partitioned and creates and pattern and not subject.on("publish.via.partition.root"):
        yield Violation(key, "the publication uses the names of the partitions")
