"""Rules about the transformations with a script: Debezium's Filter and ContentBasedRouter."""

from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.received import received_by_each
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.transformations import sends_others
from outbox_kit.lint.subject import Subject

SCRIPTS = ("io.debezium.transforms.Filter", "io.debezium.transforms.ContentBasedRouter")
NO_INSERTS = lazy_pattern(
    r"\s*value\.op\s*(?:==\s*(?P<quote>['\"])[dut](?P=quote)|!=\s*(?P<other>['\"])c(?P=other))\s*"
)
ROW = lazy_pattern(r"\bvalue\.(?:after|before)\b|\bvalue\.get\(\s*['\"](?:after|before)")
OPERATION = lazy_pattern(r"\bvalue\.op\b")
"""What fails in Groovy on a record without the field."""


@rule(
    "filter-drops-inserts",
    Consequence.loss,
    evidence="G10",
    fix="keep the inserts: value.op == 'c'",
)
def filter_drops_inserts(subject: Subject) -> Iterator[Violation]:
    """The condition of Debezium's Filter is true for inserts.

    It keeps the records for which the condition is true, and drops all others. Events are inserted rows.
    """
    for step in subject.steps if subject.router else ():
        condition = step.options.get("condition", "")
        if step.kind == SCRIPTS[0] and NO_INSERTS.fullmatch(condition):
            yield Violation(step.key("condition"), f"'{condition}' keeps no inserted row")


@rule(
    "script-without-rows",
    Consequence.stop,
    evidence="G09",
    fix="set topic.regex to the topics of tables, or give the transformation a predicate",
)
def script_without_rows(subject: Subject) -> Iterator[Violation]:
    """A script that reads the row, and does not ask for the schema of the record first, receives rows only.

    A heartbeat and a change of the schema have no fields `op` and `after`: the task fails on the first one.
    """
    for received in received_by_each(subject) if sends_others(subject) else ():
        step = received.step
        option = "condition" if "condition" in step.options else "topic.expression"
        is_limited = {"topic.regex", "predicate"} & step.options.keys()
        script = step.options.get(option, "")
        reads = ROW.search(script) or (OPERATION.search(script) and "groovy" in step.options.get("language", ""))
        if step.kind in SCRIPTS and not is_limited and reads and "valueSchema" not in script:
            message = f"'{step.name}' also receives heartbeats and schema changes, which have no row"
            yield Violation(step.key("type"), message, unset=step.key("topic.regex"))


INTERPOLATED = lazy_pattern(r"\s*\"[^\"]*\$[{\w][^\"]*\"\s*")
"""An expression of Groovy that is a text with a variable in it, and nothing else."""


@rule(
    "topic-is-no-text",
    Consequence.stop,
    of_names=True,
    evidence="G09",
    fix="add the texts, or convert the result: topic + '.' + value.after.region, or \"...\".toString()",
)
def topic_is_no_text(subject: Subject) -> Iterator[Violation]:
    """The expression of ContentBasedRouter gives a text of Java.

    Groovy makes a GString of a text with a variable in it. The task fails on the first record: not a String.
    """
    option = "topic.expression"
    for step in subject.steps:
        is_groovy = step.kind == SCRIPTS[1] and "groovy" in step.options.get("language", "").lower()
        if is_groovy and INTERPOLATED.fullmatch(step.options.get(option, "")):
            yield Violation(step.key(option), f"{step.options[option]} is a GString of Groovy")


OF_ROW = lazy_pattern(r"\bvalue\.after\.\w")
ASKS = lazy_pattern(r"\?\.|\bnull\b|value\.op\b|\bvalueSchema\b")
"""What a script has that heeds rows which are deleted."""


@rule(
    "script-on-deletes",
    Consequence.risk,
    evidence="G09",
    fix="heed the null: value.after != null && ..., or skip deletes: skipped.operations=d,t",
)
def script_on_deletes(subject: Subject) -> Iterator[Violation]:
    """A script that reads columns heeds rows that are deleted.

    The record of a delete has no `after`: the task fails on the first one.
    """
    for received in received_by_each(subject) if "d" not in subject.skipped else ():
        step = received.step
        for option in ("condition", "topic.expression") if step.kind in SCRIPTS and received.is_envelope else ():
            script = step.options.get(option, "")
            if OF_ROW.search(script) and not ASKS.search(script):
                yield Violation(step.key(option), f"'{step.name}' also receives deletes, whose 'after' is null")


DROPPING = lazy_pattern(
    r"(?:drop|exclude|skip|remove|ignore|discard|reject|omit)[_.-]?(?P<what>[A-Z]?[a-z]{3,}?)s?(?=[A-Z_.-]|$)"
)
"""The name of a transformation after what it drops."""
NEGATED = lazy_pattern(r"!|\bnot\b|\bfalse\b|<>")


@rule(
    "filter-keeps-what-it-names",
    Consequence.loss,
    evidence="G10",
    fix="negate the condition",
)
def filter_keeps_what_it_names(subject: Subject) -> Iterator[Violation]:
    """The condition of a Debezium Filter that is called after what it drops is true for the rest.

    It keeps the records for which the condition is true, and drops all others.
    """
    for step in subject.steps:
        condition = step.options.get("condition", "")
        name = DROPPING.match(step.name) if step.kind == SCRIPTS[0] else None
        if name and name["what"].lower() in condition.lower() and not NEGATED.search(condition):
            yield Violation(step.key("condition"), f"'{step.name}' keeps the records for which the condition is true")
