"""Rules about the topic: the routing column, the regular expression and the replacement."""

import re
from collections.abc import Iterator
from itertools import product

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import QUOTED
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router import javaregex
from outbox_kit.router.javatext import trim
from outbox_kit.router.values import Failure, NotModelled
from outbox_kit.schema.words import LONGEST_TOPIC, TOPIC_CHARACTERS

REGEX, REPLACEMENT = "route.topic.regex", "route.topic.replacement"
SAMPLES = ("Order", "order-placed", "a")


@rule(
    "invalid-regex",
    Consequence.stop,
    evidence="C07 N10",
    fix="write a Java regular expression: a named group is (?<name>...) with letters and digits",
)
def invalid_regex(subject: Subject) -> Iterator[Violation]:
    """The regular expression of the topic is valid in Java.

    The task fails when it starts; the validation of Kafka Connect does not check this.
    """
    if subject.router and subject.router_option(REGEX) is not None:
        try:
            javaregex.compiled(trim(subject.router_option(REGEX) or ""))
        except javaregex.BadPattern as cause:
            yield Violation(subject.router_key(REGEX), f"invalid Java regular expression: {cause}")
        except NotModelled:
            return


def _compiled(subject: Subject) -> re.Pattern[str] | None:
    """The regular expression of the topic; None if Java rejects it or it is not modelled."""
    return javaregex.compiled_or_none(trim(subject.effective(REGEX) or ""))


def _rewritten(subject: Subject, route: str) -> str | None:
    """The topic of a routing value; None if it cannot be determined. Raises Failure."""
    pattern = _compiled(subject)
    return javaregex.rewritten(pattern, route, trim(subject.effective(REPLACEMENT) or "")) if pattern else None


def _routes(subject: Subject) -> list[str]:
    """The declared events' routing values; samples if none are declared."""
    if not subject.outbox:
        return list(SAMPLES)
    return list(subject.routes.declared) if subject.routes else []


@rule(
    "unknown-regex-group",
    Consequence.stop,
    evidence="C02",
    fix="refer to a group as $1 or ${name}; in a shell, quote the dollar sign",
)
def unknown_regex_group(subject: Subject) -> Iterator[Violation]:
    """The topic replacement refers only to groups of the regular expression.

    The task starts, and fails on the first event.
    """
    if not subject.router:
        return
    for route in _routes(subject):
        try:
            _rewritten(subject, route)
        except Failure as failure:
            key = subject.router_key(REPLACEMENT if subject.router_option(REPLACEMENT) is not None else REGEX)
            pair = (
                f"'{subject.effective(REPLACEMENT)}' does not fit the regular expression '{subject.effective(REGEX)}'"
            )
            yield Violation(key, f"the replacement {pair}: {failure.message}")
            return


PROGRAM = "the program"
DECLARED = lazy_pattern(r"(?<![{\w])\brouted_?[bB]y_?[vV]alue\b(?!\})")
"""A variable of a program that is called like the group."""
AROUND = "what is around the script"
NUMBERED = lazy_pattern(r"\$\((\d)\)")
GROUP = lazy_pattern(r"\(\?<([A-Za-z][A-Za-z0-9]*)>")
ESCAPED = {
    "the shell": "\\${{{0}}} in double quotes, or single quotes",
    "envsubst": "the variables that it is to replace as its argument",
    "Debezium Server": "$${{{0}}}",
    "Terraform": "$${{{0}}}",
    "Docker Compose": "$${{{0}}}",
    "make": "$${{{0}}}",
    "the template": "$${{{0}}}",
    AROUND: "$${{{0}}}",
    PROGRAM: "\\${{{0}}}, or a text in plain quotes",
}
"""How a reference to a group is written where something else replaces `${name}`."""


@rule(
    "group-expanded",
    Consequence.loss,
    of_names=True,
    evidence="C02",
    fix="escape the dollar sign; with envsubst, name the variables to replace",
)
def group_expanded(subject: Subject) -> Iterator[Violation]:
    """The reference to a group reaches the event router.

    A shell replaces `${routedByValue}` by an empty text, so that all events are published to one topic. Debezium Server
    and Terraform stop at a setting that does not exist.
    """
    expands = subject.document.expands
    if subject.document.kind == "code" and not DECLARED.search(subject.text):
        expands = PROGRAM
    elif expands == QUOTED:
        expands = AROUND  # the shell does not replace it
    if expands not in ESCAPED:
        return
    for step, option in product(subject.steps, ("replacement", "topic.replacement", "key.field.replacement")):
        number, regex = NUMBERED.search(step.options.get(option, "")), option.replace("replacement", "regex")
        refers = number is not None and (number[1] == "0" or "(" in step.options.get(regex, "("))
        if number and refers and not step.routes:
            yield Violation(step.key(option), f"{expands} replaces ${number[1]} before Debezium reads it")
    for key, value in subject.document.settings.items():
        if key.startswith("debezium.sink.") and "$(routedByValue)" in value:
            yield Violation(key, "only the event router knows ${routedByValue}", consequence=Consequence.stop)
    key = subject.router_key(REPLACEMENT)
    for group in [*GROUP.findall(subject.effective(REGEX) or ""), "routedByValue"]:
        if f"$({group})" in subject.config.get(key, ""):
            escaped = ESCAPED[expands].format(group)
            yield Violation(key, f"{expands} replaces ${{{group}}} before Debezium reads it; write {escaped}")
            return


@rule(
    "route-regex-mismatch",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C03 C04",
    fix="write a regular expression that matches every routing value as a whole",
)
def route_regex_mismatch(subject: Subject) -> Iterator[Violation]:
    """The regular expression matches every routing value.

    An event whose routing value does not match is not dropped: it is published to a topic that is named like the value.
    """
    if not subject.outbox or not subject.router:
        return
    pattern = _compiled(subject)
    if pattern is None:
        return
    for route in _routes(subject):
        if not pattern.fullmatch(route):
            yield Violation(subject.router_key(REGEX), f"'{route}' does not match; the topic would be '{route}'")


@rule("partial-regex-match", Consequence.wrong, evidence="C03", fix="write a greedy pattern, such as (.*)")
def partial_regex_match(subject: Subject) -> Iterator[Violation]:
    """The first match of the regular expression is the whole routing value.

    Only the first match is replaced, and the rest of the value stays: `(?<r>.+?)` with `${r}-events` turns abc into
    a-eventsbc.
    """
    if not subject.router or subject.router_option(REGEX) is None:
        return
    pattern = _compiled(subject)
    if pattern is None:
        return
    for route in _routes(subject):
        full_match, first = pattern.fullmatch(route), pattern.search(route)
        if full_match and first and first.span() != full_match.span():
            yield Violation(subject.router_key(REGEX), f"only '{first[0]}' of '{route}' is replaced")
            return


@rule("invalid-topic-name", Consequence.stop, evidence="C05", fix="use A-Z a-z 0-9 . _ - only, at most 249 characters")
def invalid_topic_name(subject: Subject) -> Iterator[Violation]:
    """Every topic name is valid in Kafka.

    The producer rejects the event, and the task fails.
    """
    if not subject.router:
        return
    for route in _routes(subject):
        try:
            topic = _rewritten(subject, route)
        except Failure:
            return
        if topic is not None and (not TOPIC_CHARACTERS.fullmatch(topic) or len(topic) > LONGEST_TOPIC):
            yield Violation(
                subject.router_key(REPLACEMENT), f"the routing value '{route}' gives the invalid topic name '{topic}'"
            )
            return


@rule(
    "topic-name-collision",
    Consequence.risk,
    evidence="C05",
    fix="give the events names that differ in more than . and _",
)
def topic_name_collision(subject: Subject) -> Iterator[Violation]:
    """Topic names differ in more than dots and underscores.

    Kafka rejects the second topic: the metrics of both would have the same name.
    """
    seen: dict[str, str] = {}
    for topic in subject.topics:
        other = seen.setdefault(topic.replace(".", "_"), topic)
        if other != topic:
            yield Violation(subject.router_key(REPLACEMENT), f"'{topic}' collides with '{other}'")


@rule("default-topic-replacement", Consequence.wrong, evidence="C01", fix="set route.topic.replacement")
def default_topic_replacement(subject: Subject) -> Iterator[Violation]:
    """The topic replacement is set if the routing column contains topic names.

    The default is outbox.event.<value>: the topic has a prefix that the column does not contain.
    """
    if subject.router and subject.router_option(REPLACEMENT) is None:
        column = subject.columns.get("route", "").lower()
        if any(word in column for word in ("topic", "destination")):
            yield Violation(
                subject.router_key("route.by.field"),
                f"the topic is 'outbox.event.<{column}>', not the value of '{column}'",
                unset=subject.router_key(REPLACEMENT),
            )


@rule(
    "after-state-only",
    Consequence.loss,
    evidence="C07",
    fix="set after.state.only=false; a named group is (?P<name>...) in Confluent Cloud, (?<name>...) elsewhere",
)
def after_state_only(subject: Subject) -> Iterator[Violation]:
    """The option after.state.only is not true.

    With true, which the managed connectors of Confluent Cloud support, the event router receives no envelope and passes
    every record on unchanged. Regular expressions there are RE2: a named group is (?P<name>...).
    """
    if subject.router and subject.config.get("after.state.only", "").strip().lower() == "true":
        yield Violation(
            "after.state.only",
            "after.state.only is true: the event router of a managed connector receives no envelope",
            consequence=None if subject.document.managed else Consequence.advice,
        )
