"""Rules about the options of connectors that outbox-kit does not generate, and how they fit together."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.conditions import holds, option_of
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import JSON, Subject
from outbox_kit.router.javatext import trim

CLASS = "connector.class"


@rule("combination-refused", Consequence.stop, evidence="O", fix="set what is missing, or remove what excludes it")
def combination_refused(subject: Subject) -> Iterator[Violation]:
    """The options of such a connector fit together.

    The connector's own validation refuses others, and Kafka Connect the config with it.
    """
    yield from _not_together(subject)
    yield from _not_apart(subject)
    one_of = subject.facts.get("one_of", ())
    if one_of and not any(_is_set(subject, key) for key in one_of):
        message = f"none of {', '.join(one_of)} is set"  # which former releases take
        yield Violation(CLASS, message, unset=one_of[0], severity=Severity.warning)
    for prefix, needed in subject.facts.get("prefixes", {}).items():
        key = next((key for key in subject.config if key.startswith(prefix)), "")
        if key and subject.says(option_of(needed)) and not holds(needed, subject.config.get(option_of(needed), "")):
            yield Violation(key, f"'{key}' needs {needed.upper() if needed.islower() else needed}")


def _not_together(subject: Subject) -> Iterator[Violation]:
    for keys in subject.facts.get("together", ()):
        options_set = [key for key in keys if _is_set(subject, key)]
        missing = [key for key in keys if key not in options_set]
        if options_set and missing:
            message = f"'{missing[0]}' is not set; '{options_set[0]}' needs it"
            yield Violation(options_set[0], message, unset=missing[0])


def _not_apart(subject: Subject) -> Iterator[Violation]:
    for condition, others in subject.facts.get("apart", {}).items():
        key = option_of(condition)
        met = _is_set(subject, key) and (key == condition or holds(condition, subject.config[key]))
        for other in others if met else ():
            if _is_set(subject, other) and subject.says(key, other):
                yield Violation(other, f"'{other}' and '{condition}' are both set")


def _is_set(subject: Subject, key: str) -> bool:
    return bool(subject.config.get(key, "").strip())


@rule(
    "record-in-all-tables", Consequence.wrong, evidence="O", fix="set the option, with the field that names the table"
)
def record_in_all_tables(subject: Subject) -> Iterator[Violation]:
    """A sink with several tables has a field that says which of them a record belongs to.

    Without it the sink writes each record to all of them.
    """
    for tables, field in subject.facts.get("routes_by", {}).items():
        if len(subject.entries(tables)) > 1 and subject.says(tables) and field not in subject.config:
            yield Violation(tables, f"each record is written to all tables: '{field}' is not set", unset=field)


@rule("json-in-text", Consequence.wrong, evidence="O", fix="use StringConverter, or output.format schema")
def json_in_text(subject: Subject) -> Iterator[Violation]:
    """A source that gives JSON as a text has a converter for texts.

    JsonConverter writes the text as a JSON string once more: quotes around it, and escapes within.
    """
    for converter, form in subject.facts.get("texts_in_json", {}).items():
        is_json = trim(subject.config.get(converter, "")) == JSON and subject.says(converter, form)
        if is_json and trim(subject.config.get(form, "json")).lower() == "json" and not subject.changes_messages:
            yield Violation(converter, f"{form} is json: JsonConverter encodes the text a second time")
