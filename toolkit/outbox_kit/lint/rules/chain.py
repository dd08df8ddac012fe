"""The chain of transformations: its order, its predicates, and the records that are no events."""

from collections.abc import Iterator

from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Violation, rule
from outbox_kit.lint.subject import Subject, TransformStep
from outbox_kit.router import javaregex, options
from outbox_kit.router.chain import EVENT_ROUTER, MONGO_EVENT_ROUTER, PREDICATES
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.values import NotModelled

FLATTENING = (
    "io.debezium.transforms.ExtractNewRecordState",
    "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
)
READS_ENVELOPES = (
    "io.debezium.transforms.partitions.PartitionRouting",
    "io.debezium.transforms.partitions.ComputePartition",
)
TOPIC_MATCHES = f"{PREDICATES}TopicNameMatches"


@rule("no-router", Severity.info, evidence="D10", fix="add the event router, if this connector is for an outbox")
def no_router(subject: Subject) -> Iterator[Violation]:
    """No event router is among the transformations.

    The rows arrive as raw change events.
    """
    if subject.connector and not subject.router:
        yield Violation(
            "transforms" if "transforms" in subject.config else "connector.class", "nothing routes the outbox's rows"
        )


@rule("transformation-not-listed", Severity.error, evidence="N12", fix="name it in transforms")
def transformation_not_listed(subject: Subject) -> Iterator[Violation]:
    """A transformation has options, but is not in the list.

    It does not run.
    """
    listed = {step.name for step in subject.steps}
    for key in subject.config:
        parts = key.split(".")
        if len(parts) == 3 and parts[0] == "transforms" and parts[2] == "type" and parts[1] not in listed:
            yield Violation(key, f"'{parts[1]}' is not in transforms")


@rule("transformation-without-type", Severity.error, evidence="N12", fix="give its class as transforms.<name>.type")
def transformation_without_type(subject: Subject) -> Iterator[Violation]:
    """A listed transformation has no class.

    Connect refuses the config.
    """
    for step in subject.steps:
        if not step.kind:
            yield Violation("transforms", f"'{step.name}' has no type")


@rule(
    "unwrap-before-router",
    Severity.error,
    evidence="F08",
    fix="take it out, or put it behind a predicate that leaves the outbox alone",
)
def unwrap_before_router(subject: Subject) -> Iterator[Violation]:
    """A transformation flattens the change event before the router sees it.

    The router takes it for no change event and lets it pass to the raw topic, unrouted and without a word.
    """
    for step in _before_router(subject):
        if step.kind in FLATTENING and "predicate" not in step.options:
            yield Violation(step.key("type"), "after it there is no envelope for the router to read")


@rule("partition-routing-after-router", Severity.error, evidence="E04", fix="put it before the router")
def partition_routing_after_router(subject: Subject) -> Iterator[Violation]:
    """A transformation that reads the change event comes after the router.

    The router has taken the envelope off.
    """
    passed = False
    for step in subject.steps:
        passed = passed or step.routes
        if passed and step.kind in READS_ENVELOPES:
            yield Violation(step.key("type"), "it reads columns out of an envelope that is gone by then")


def _before_router(subject: Subject) -> Iterator[TransformStep]:
    for step in subject.steps:
        if step.routes:
            return
        yield step


@rule("wrong-router", Severity.error, evidence="F09 J10", fix="use the router of that database")
def wrong_router(subject: Subject) -> Iterator[Violation]:
    """The router is made for another kind of connector.

    MongoDB's rows are text, which the relational router refuses; MongoDB's router cannot read a table's row.
    """
    if subject.router and subject.connector:
        expected = options.catalogue(subject.connector).facts.get("router", EVENT_ROUTER)
        if subject.router.kind != expected:
            yield Violation(subject.router.key("type"), f"this connector's rows need {expected}")


@rule(
    "mongo-operation-option",
    Severity.warning,
    evidence="F10",
    fix="write table.op.invalid.behavior: that is the name it reads",
)
def mongo_operation_option(subject: Subject) -> Iterator[Violation]:
    """MongoDB's router never reads the documented name of the option for updates.

    Updates are skipped with a warning, whatever it says.
    """
    if (
        subject.router
        and subject.router.kind == MONGO_EVENT_ROUTER
        and "collection.op.invalid.behavior" in subject.router.options
    ):
        yield Violation(
            subject.router.key("collection.op.invalid.behavior"), "it is dropped; table.op.invalid.behavior is read"
        )


@rule("predicate-not-declared", Severity.error, evidence="G12", fix="declare it in predicates, or take it off")
def predicate_not_declared(subject: Subject) -> Iterator[Violation]:
    """A transformation names a predicate that is not declared.

    Connect refuses the config.
    """
    declared = [trim(name) for name in split(subject.config.get("predicates", ""), ",")]
    for step in subject.steps:
        predicate = step.options.get("predicate")
        if predicate is not None and predicate not in declared:
            yield Violation(step.key("predicate"), f"no predicate '{predicate}' is declared")


def _heartbeats(subject: Subject) -> bool:
    interval = subject.setting("heartbeat.interval.ms") or "0"
    return interval.isdigit() and int(interval) > 0


@rule(
    "no-predicate",
    Severity.warning,
    evidence="G01 G09 C10",
    fix="guard the router with a TopicNameMatches predicate on the raw topic",
)
def no_predicate(subject: Subject) -> Iterator[Violation]:
    """The router has no predicate, and more than the outbox's rows reach it.

    A row of another table, such as the heartbeat's or a signal's, is a change event without a payload column: the
    task fails on it.
    """
    if not subject.router or "predicate" in subject.router.options:
        return
    messages = []
    if "heartbeat.action.query" in subject.config:
        messages.append("the heartbeat's table")
    if "signal.data.collection" in subject.config:
        messages.append("the signal's table")
    if len(subject.tables) > 1:
        messages.append(f"{len(subject.tables)} tables")
    if messages:
        yield Violation(subject.router.key("type"), f"rows of {' and '.join(messages)} reach the router")


@rule("transformation-sees-heartbeats", Severity.warning, evidence="G09", fix="give it the router's predicate")
def transformation_sees_heartbeats(subject: Subject) -> Iterator[Violation]:
    """A transformation beside the router has no predicate, while heartbeats are sent.

    Most do not tolerate a record that is no change event.
    """
    if subject.router and _heartbeats(subject):
        for step in subject.steps:
            if not step.routes and "predicate" not in step.options and step.kind.startswith("org.apache.kafka"):
                yield Violation(step.key("type"), f"'{step.name}' sees heartbeats too")


@rule(
    "predicate-never-holds",
    Severity.error,
    evidence="G10",
    fix="write the whole raw topic: <topic.prefix>.<schema>.<table>, dots escaped",
)
def predicate_never_holds(subject: Subject) -> Iterator[Violation]:
    """The router's predicate does not hold for any captured table's raw topic.

    The rows go to their raw topic, unrouted.
    """
    pattern, key, negated = _topic_pattern(subject)
    topics = subject.raw_topics
    if pattern is None or not topics:
        return
    try:
        compiled = javaregex.compiled(pattern)
    except javaregex.BadPattern as cause:
        yield Violation(key, f"no regular expression of Java's: {cause}")
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


@rule("predicate-dots", Severity.info, evidence="G10", fix="escape the dots")
def predicate_dots(subject: Subject) -> Iterator[Violation]:
    """Unescaped dots in the predicate's pattern match any character.

    Another table's topic may match by accident.
    """
    pattern, key, _ = _topic_pattern(subject)
    if pattern and subject.raw_topics and pattern in subject.raw_topics:
        yield Violation(key, f"the dots in '{pattern}' stand for any character")


@rule(
    "predicate-misses-partitions",
    Severity.error,
    evidence="G11 I04",
    fix="publish through the root table",
    connectors=POSTGRES.name,
)
def predicate_misses_partitions(subject: Subject) -> Iterator[Violation]:
    """The outbox is partitioned, and changes are published under the partitions' own names.

    The predicate does not hold for them, and rows go to raw topics of their own.
    """
    pattern, key, _ = _topic_pattern(subject)
    creates = (subject.setting("publication.autocreate.mode") or "all_tables") != "disabled"
    partitioned = subject.outbox is not None and subject.outbox.table.retention == "partition"
    if partitioned and creates and pattern and not subject.on("publish.via.partition.root"):
        yield Violation(key, "set publish.via.partition.root=true, or let gen-ddl make the publication")
