"""Rules about the topic: the routing column, the regular expression and the replacement."""

import re
from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.headers import PLACEMENT
from outbox_kit.lint.subject import COLUMN_OPTIONS, Subject
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
    try:
        return javaregex.compiled(trim(subject.effective(REGEX) or ""))
    except (javaregex.BadPattern, NotModelled):
        return None


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


NUMBERED = re.compile(r"\$\((\d)\)")
GROUP = re.compile(r"\(\?<([A-Za-z][A-Za-z0-9]*)>")
ESCAPED = {
    "the shell": "\\${{{0}}} in double quotes, or single quotes",
    "Debezium Server": "$${{{0}}}",
    "Terraform": "$${{{0}}}",
    "the template": "$${{{0}}}",
}
"""How a reference to a group is written where something else replaces `${name}`."""


@rule(
    "group-expanded",
    Consequence.loss,
    of_names=True,
    evidence="C02",
    fix="escape the dollar sign",
)
def group_expanded(subject: Subject) -> Iterator[Violation]:
    """The reference to a group reaches the event router.

    A shell replaces `${routedByValue}` by an empty text, so that all events are published to one topic. Debezium Server
    and Terraform stop at a setting that does not exist.
    """
    expands = subject.document.expands
    if expands not in ESCAPED:
        return
    for step in subject.steps:
        if (number := NUMBERED.search(step.options.get("replacement", ""))) and not step.routes:
            message = f"{expands} replaces ${number[1]} before Debezium reads it"
            yield Violation(step.key("replacement"), message)
    key = subject.router_key(REPLACEMENT)
    for group in [*GROUP.findall(subject.effective(REGEX) or ""), "routedByValue"]:
        if f"$({group})" in subject.config.get(key, ""):
            escaped = ESCAPED[expands].format(group)
            yield Violation(key, f"{expands} replaces ${{{group}}} before Debezium reads it; write {escaped}")
            return


CAPITALS = re.compile(r"[A-Z]+[a-z]")
NAMED = re.compile(r"aggregate(_?)([it])", re.IGNORECASE)


@rule(
    "default-column-differs",
    Consequence.stop,
    evidence="B06 C06",
    fix="name the column of the table",
)
def default_column_differs(subject: Subject) -> Iterator[Violation]:
    """A column that is left at its default is named like the others.

    The defaults are aggregateid and aggregatetype. In a table with aggregate_id or aggregateId they do not exist, and
    the task fails on the first event: is not a valid field name.
    """
    if subject.outbox or not subject.router or not subject.captures_outbox or subject.created_table:
        return
    kind = subject.router_option("{}.field.event.type")
    columns = [column for column in {*subject.reads, *([kind] if kind else ())} if _is_named(subject, column)]
    for purpose in ("route", "key", "payload", "id"):
        default = subject.columns.get(purpose, "")
        option = COLUMN_OPTIONS[purpose]
        capital = next((column for column in _columns_set(subject) if CAPITALS.match(column)), None)
        if subject.router_option(option) is None and capital and default.islower():
            full = subject.router_key(option)
            message = f"'{full}' is not set: its default is '{default}', but another column is named '{capital}'"
            yield Violation(subject.router.key("type"), message, unset=full)
            continue
        elsewhere = f".{subject.router_key(option).removeprefix(subject.router.prefix)}"
        if not NAMED.match(default) or any(key.endswith(elsewhere) for key in subject.config):
            continue
        others = [column for column in _columns_set(subject) if "_" in column.strip("_") and not NAMED.match(column)]
        for column in [*sorted(columns), *others]:
            if _style(column) != _style(default):
                full = subject.router_key(option)
                message = f"'{full}' is not set: its default is '{default}', but another column is named '{column}'"
                # a table may mix both styles
                yield Violation(subject.router.key("type"), message, unset=full, consequence=Consequence.risk)
                break


@rule("column-not-in-table", Consequence.stop, evidence="B06 C06", fix="name a column of the table")
def column_not_in_table(subject: Subject) -> Iterator[Violation]:
    """Every column that the event router reads is one of the table that the file creates.

    The task fails on the first event: is not a valid field name.
    """
    table = subject.created_table
    if not subject.router or subject.outbox or table is None:
        return
    for purpose in [*COLUMN_OPTIONS] if table.is_complete else ["key", "payload", "route"]:
        column, full = subject.columns.get(purpose), subject.router_key(COLUMN_OPTIONS[purpose])
        if column and table.lacks(column) and subject.says(full):
            if full in subject.config:
                yield Violation(full, f"the table has no column '{column}'")
            else:
                message = f"'{full}' is not set: its default is '{column}', but the table has no such column"
                yield Violation(subject.router.key("type"), message, unset=full)
    full = subject.router_key(PLACEMENT)
    for entry in subject.placement if table.is_complete and subject.says(full) else ():
        if table.lacks(entry.column):
            yield Violation(full, f"the table has no column '{entry.column}'")


def _is_named(subject: Subject, column: str) -> bool:
    """Whether the config names a column of the aggregate's, and it is no default."""
    options = [subject.router_option(option) for option in (*COLUMN_OPTIONS.values(), "{}.field.event.type")]
    return NAMED.match(column) is not None and column in [*options, *(entry.column for entry in subject.placement)]


def _columns_set(subject: Subject) -> list[str]:
    """The columns that the options of the event router name."""
    columns = (subject.router_option(option) for option in (*COLUMN_OPTIONS.values(), "{}.field.event.type"))
    return [column for column in columns if column]


def _style(column: str) -> tuple[bool, bool]:
    """How the words of a column's name are joined: by an underscore, by a capital."""
    match = NAMED.match(column)
    if match is None:
        return "_" in column, False
    return (bool(match[1]), match[2].isupper() and not column.isupper()) if match else (False, False)


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


@rule("route-column-type", Consequence.stop, evidence="C06", fix="route by a text column that is NOT NULL")
def route_column_type(subject: Subject) -> Iterator[Violation]:
    """The routing column is a text column that is never null.

    The task fails on the first event, or on the first null.
    """
    if not subject.outbox or not subject.router:
        return
    for extra in subject.outbox.table.extra:
        if extra.name == subject.columns.get("route") and (extra.kind not in ("text", "uuid") or not extra.required):
            yield Violation(
                subject.router_key("route.by.field"),
                f"'{extra.name}' has the type {extra.kind}{'' if extra.required else ' and may be null'}",
            )


@rule(
    "unknown-column", Consequence.stop, evidence="B06 J12 J14", fix="name a column of the table, with the same spelling"
)
def unknown_column(subject: Subject) -> Iterator[Violation]:
    """Every column that the event router reads exists in the table.

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
        managed = subject.document.release is not None
        yield Violation(
            "after.state.only",
            "after.state.only is true: the event router of a managed connector receives no envelope",
            consequence=None if managed else Consequence.advice,
        )
