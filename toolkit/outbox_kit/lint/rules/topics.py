"""Rules about the topics between the transformations, and the expressions and predicates that match them."""

from collections.abc import Iterator

from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import meant
from outbox_kit.lint.raw_topics import example_topics
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.transformations import LOGICAL_ROUTER, before_router
from outbox_kit.lint.subject import Subject
from outbox_kit.router import javaregex
from outbox_kit.router.chain import PREDICATES, Message
from outbox_kit.router.javatext import trim
from outbox_kit.router.transforms import REGEX_ROUTER
from outbox_kit.router.values import Failure, NotModelled

KEEP_TOPIC = (".ExtractNewRecordState", ".ExtractNewDocumentState", ".ExtractNewDocumentState$Value")
"""Transformations that leave the topic as it is."""
NAMELESS = lazy_pattern(r"(?:\\[wWdD.]|[^A-Za-z0-9_\\])+")
"""An expression that names nothing, such as one for a number of parts."""
TOPIC_MATCHES = f"{PREDICATES}TopicNameMatches"


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
    yield from _no_topic(subject)
    routed = False
    for step in subject.steps:
        routed = routed or step.routes
        pattern = (
            javaregex.compiled_or_none(step.options.get("regex", "")) if step.kind == REGEX_ROUTER and routed else None
        )
        if pattern is None or not subject.says(step.key("regex"), subject.router_key("route.topic.replacement")):
            continue
        raw = any(pattern.fullmatch(topic) for topic in subject.raw_topics)
        topics = {outcome.topic for _, _, outcome in subject.previews if isinstance(outcome, Message)}
        if raw and not any(pattern.fullmatch(topic) for topic in topics):
            message = f"'{step.options['regex']}' matches the raw topic, which the event router has replaced"
            yield Violation(step.key("regex"), message)


def _no_topic(subject: Subject) -> Iterator[Violation]:
    """Expressions that match no topic of a captured table or of a sink, where all of these are known."""
    topics = subject.raw_topics if len(subject.raw_topics) == len(subject.tables) else []
    is_nameless = any(NAMELESS.fullmatch(step.options.get("regex", "")) for step in subject.steps)
    if not topics and subject.connector and is_nameless:
        topics = example_topics(subject.raw_topic_pattern, subject.config)
    if subject.connector is None and subject.says("topics"):
        topics = subject.entries("topics")
    step = next((step for step in before_router(subject) if not step.kind.endswith(KEEP_TOPIC)), None)
    if not topics or step is None or step.kind != REGEX_ROUTER or "predicate" in step.options:
        return
    if "regex" not in step.options:
        return  # the connector does not start
    pattern, prefix = javaregex.compiled_or_none(step.options["regex"]), subject.config.get("topic.prefix", "")
    others = [prefix, *([f"__debezium-heartbeat.{prefix}"] if subject.heartbeats else [])]
    if pattern and subject.says(step.key("regex")) and not any(map(pattern.fullmatch, (*topics, *others))):
        yield Violation(step.key("regex"), f"'{step.options['regex']}' does not match {', '.join(topics)}")


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
    topics = _topics_before_router(subject)
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


@rule(
    "predicate-matches-no-topic",
    Consequence.wrong,
    evidence="G10",
    fix="match the whole raw topic: <topic.prefix>.<schema>.<table>",
)
def predicate_matches_no_topic(subject: Subject) -> Iterator[Violation]:
    """The predicate of a transformation before any that changes the topic matches the topic of a table.

    If it matches none, the transformation is never applied.
    """
    topics = subject.raw_topics if len(subject.raw_topics) == len(subject.tables) else []
    prefix = subject.config.get("topic.prefix", "")
    others = [prefix, f"{subject.setting('topic.heartbeat.prefix')}.{prefix}", f"{prefix}.transaction"]
    for step in before_router(subject) if topics else ():
        key = f"predicates.{step.options.get('predicate', '')}.pattern"
        pattern = javaregex.compiled_or_none(subject.config.get(key, ""))
        is_of_topic = trim(subject.config.get(key.replace(".pattern", ".type"), "")) == TOPIC_MATCHES
        if pattern and key in subject.config and is_of_topic and not step.negated and subject.says(key, "topic.prefix"):
            if not any(map(pattern.fullmatch, (*topics, *others))):
                yield Violation(
                    key, f"'{subject.config[key]}' matches no topic of a captured table: {', '.join(topics)}"
                )
        if step.kind in (REGEX_ROUTER, LOGICAL_ROUTER) or not step.kind.startswith(meant.CONNECT_CLASSES):
            return


def _topics_before_router(subject: Subject) -> list[str]:
    """The topics that rows have before the event router; empty if that is not known."""
    topics = list(subject.raw_topics)
    for step in before_router(subject):
        if step.kind == REGEX_ROUTER and "predicate" not in step.options:
            if not subject.says(step.key("regex"), step.key("replacement")):
                return []
            try:
                pattern = javaregex.compiled(step.options.get("regex", ""))
                topics = [javaregex.rewritten(pattern, topic, step.options.get("replacement", "")) for topic in topics]
            except (Failure, NotModelled, javaregex.BadPattern):
                return []
        elif step.kind == LOGICAL_ROUTER or not step.kind.startswith(meant.CONNECT_CLASSES):
            return []
    return topics


def _topic_pattern(subject: Subject) -> tuple[str | None, str, bool]:
    """The pattern of the router's predicate by topic name, its key, and whether it is negated."""
    if not subject.router:
        return None, "", False
    predicate = subject.router.options.get("predicate", "")
    key = f"predicates.{predicate}.pattern"
    negated = subject.router.negated
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
