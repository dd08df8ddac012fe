"""From the routing value to the topic's name."""

import re
from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Violation, rule
from outbox_kit.lint.subject import COLUMN_OPTIONS, Subject
from outbox_kit.router import javaregex
from outbox_kit.router.javatext import trim
from outbox_kit.router.values import Failure, NotModelled
from outbox_kit.schema.words import LONGEST_TOPIC, TOPIC_CHARACTERS

REGEX, REPLACEMENT = "route.topic.regex", "route.topic.replacement"
SAMPLES = ("Order", "order-placed", "a")


@rule(
    "bad-regex",
    Severity.error,
    evidence="C07 N10",
    fix="write a regular expression of Java's: named groups are (?<name>...) with letters and digits",
)
def bad_regex(subject: Subject) -> Iterator[Violation]:
    """Java refuses the topic's regular expression.

    The task fails at its start; Connect's own validation does not look at it.
    """
    if subject.router and subject.router_option(REGEX) is not None:
        try:
            javaregex.compiled(trim(subject.router_option(REGEX) or ""))
        except javaregex.BadPattern as cause:
            yield Violation(subject.router_key(REGEX), f"no regular expression of Java's: {cause}")
        except NotModelled:
            return


def _compiled(subject: Subject) -> re.Pattern[str] | None:
    """The topic's regular expression; None where Java refuses it, or it is not known here."""
    try:
        return javaregex.compiled(trim(subject.effective(REGEX) or ""))
    except (javaregex.BadPattern, NotModelled):
        return None


def _rewritten(subject: Subject, route: str) -> str | None:
    """The topic of a routing value; None where that cannot be said. Raises Failure."""
    pattern = _compiled(subject)
    return javaregex.rewritten(pattern, route, trim(subject.effective(REPLACEMENT) or "")) if pattern else None


def _routes(subject: Subject) -> list[str]:
    """The declared events' routing values; samples where none are declared."""
    if not subject.outbox:
        return list(SAMPLES)
    return list(subject.routes.declared) if subject.routes else []


@rule(
    "replacement-group",
    Severity.error,
    evidence="C02",
    fix="refer to the regex's groups as $1 or ${name}; in a shell, quote the dollar",
)
def replacement_group(subject: Subject) -> Iterator[Violation]:
    """The topic's replacement names a group that the regular expression does not have.

    The task fails on the first event, and only then.
    """
    if not subject.router:
        return
    for route in _routes(subject):
        try:
            _rewritten(subject, route)
        except Failure as failure:
            key = subject.router_key(REPLACEMENT if subject.router_option(REPLACEMENT) is not None else REGEX)
            yield Violation(
                key, f"'{subject.effective(REPLACEMENT)}' with '{subject.effective(REGEX)}': {failure.message}"
            )
            return


@rule(
    "route-does-not-match",
    Severity.error,
    evidence="C03 C04",
    fix="let the regex match the whole of every routing value",
)
def route_does_not_match(subject: Subject) -> Iterator[Violation]:
    """A declared event's routing value does not match the regular expression.

    It is not dropped: it goes to a topic named by the bare value.
    """
    if not subject.outbox or not subject.router:
        return
    pattern = _compiled(subject)
    if pattern is None:
        return
    for route in _routes(subject):
        if not pattern.fullmatch(route):
            yield Violation(subject.router_key(REGEX), f"'{route}' does not match and would be a topic of its own")


@rule("topic-cut-short", Severity.warning, evidence="C03", fix="write a greedy pattern, such as (.*)")
def topic_cut_short(subject: Subject) -> Iterator[Violation]:
    """The regular expression matches the whole value, but its first find is shorter, and only that is replaced.

    `(?<r>.+?)` with `${r}-events` makes a-eventsbc of abc.
    """
    if not subject.router or subject.router_option(REGEX) is None:
        return
    pattern = _compiled(subject)
    if pattern is None:
        return
    for route in _routes(subject):
        full_match, first = pattern.fullmatch(route), pattern.search(route)
        if full_match and first and first.span() != full_match.span():
            yield Violation(subject.router_key(REGEX), f"of '{route}' only '{first[0]}' is replaced")
            return


@rule("illegal-topic", Severity.error, evidence="C05", fix="use A-Z a-z 0-9 . _ - only, 249 characters at most")
def illegal_topic(subject: Subject) -> Iterator[Violation]:
    """The topic's name is none that Kafka takes.

    The producer fails and the task with it.
    """
    if not subject.router:
        return
    for route in _routes(subject):
        try:
            topic = _rewritten(subject, route)
        except Failure:
            return
        if topic is not None and (not TOPIC_CHARACTERS.fullmatch(topic) or len(topic) > LONGEST_TOPIC):
            yield Violation(subject.router_key(REPLACEMENT), f"'{route}' would go to '{topic}'")
            return


@rule("topics-collide", Severity.warning, evidence="C05", fix="give the events names that differ in more than . and _")
def topics_collide(subject: Subject) -> Iterator[Violation]:
    """Two topics differ only in dots and underscores.

    Kafka refuses the second: their metrics would have one name.
    """
    seen: dict[str, str] = {}
    for topic in subject.topics:
        other = seen.setdefault(topic.replace(".", "_"), topic)
        if other != topic:
            yield Violation(subject.router_key(REPLACEMENT), f"'{topic}' collides with '{other}'")


@rule("default-topic-prefix", Severity.info, evidence="C01", fix="set route.topic.replacement")
def default_topic_prefix(subject: Subject) -> Iterator[Violation]:
    """The topic's replacement is left to its default, outbox.event.<value>.

    Where the routing column already holds the topic's name, the prefix surprises.
    """
    if subject.router and subject.router_option(REPLACEMENT) is None:
        column = subject.columns.get("route", "").lower()
        if any(word in column for word in ("topic", "destination")):
            yield Violation(subject.router_key("route.by.field"), f"'{column}' becomes 'outbox.event.<{column}>'")


@rule("route-column-type", Severity.error, evidence="C06", fix="route by a text column that is NOT NULL")
def route_column_type(subject: Subject) -> Iterator[Violation]:
    """The routing column is no text, or may be null.

    The task fails on the first event, or on the first null.
    """
    if not subject.outbox or not subject.router:
        return
    for extra in subject.outbox.table.extra:
        if extra.name == subject.columns.get("route") and (extra.kind not in ("text", "uuid") or not extra.required):
            yield Violation(
                subject.router_key("route.by.field"), f"'{extra.name}' is {extra.kind}, required: {extra.required}"
            )


@rule("unknown-column", Severity.error, evidence="B06 J12 J14", fix="name a column of the table, letter by letter")
def unknown_column(subject: Subject) -> Iterator[Violation]:
    """The router is told to read a column that the table does not have.

    The task fails on the first event: is not a valid field name.
    """
    if not subject.outbox or not subject.router:
        return
    column_names = subject.outbox.column_names
    for purpose, column in subject.columns.items():
        if column not in column_names:
            yield Violation(subject.router_key(COLUMN_OPTIONS[purpose]), f"the table has no column '{column}'")
    if not _ignores_missing(subject):
        for entry in subject.placement:
            if entry.column not in column_names:
                key = subject.router_key("{}.fields.additional.placement")
                yield Violation(key, f"the table has no column '{entry.column}'")


def _ignores_missing(subject: Subject) -> bool:
    return (subject.effective("{}.field.additional.missing") or "").strip().lower() == "ignore"


@rule(
    "regex-of-another-engine",
    Severity.info,
    evidence="C07",
    fix="write (?P<name>...) for Confluent Cloud's managed connectors, (?<name>...) everywhere else",
)
def regex_of_another_engine(subject: Subject) -> Iterator[Violation]:
    """The config looks like one for Confluent Cloud, whose regular expressions are RE2's.

    There named groups are (?P<name>...), and the router needs after.state.only=false.
    """
    if subject.router and subject.config.get("after.state.only", "").strip().lower() == "true":
        yield Violation("after.state.only", "the router sees no envelope and lets every record pass as it is")
