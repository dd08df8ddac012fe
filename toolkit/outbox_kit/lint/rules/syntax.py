"""Rules about how a config is written: its syntax and its keys."""

import re
from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import worker
from outbox_kit.lint.meant import PROPERTIES, TRAILING
from outbox_kit.lint.option_keys import well_formed
from outbox_kit.lint.rule import RULES, Consequence, Edit, Violation, rule
from outbox_kit.lint.subject import Subject

IN_QUOTES = lazy_pattern(r"([\"']).*\1")
LOST = lazy_pattern(r"(?<!\\)(?:\\\\)*\\([dDwWsSbB])")
"""A class of characters as Java's properties do not have it."""


@rule(
    "unreadable-config",
    Consequence.stop,
    of_names=True,
    of_faults=True,
    evidence="N12",
    fix="correct the syntax",
)
def unreadable_config(subject: Subject) -> Iterator[Violation]:
    """Every text that looks like a connector config can be read.

    Kafka Connect rejects the request. Of JSON the line at fault is left out, and the other options are checked.
    """
    if subject.document.fault:
        yield Violation(_key_in(subject, subject.document.fault_line), subject.document.fault)


COMMENTED = (".jsonc", ".json5")
"""Files that something else reads first, because they may have comments."""


@rule(
    "loose-json",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="remove comments, trailing and doubled commas, add missing ones; write a backslash as two",
)
def loose_json(subject: Subject) -> Iterator[Violation]:
    """A config in JSON has no comments, no trailing, doubled or missing commas and no escapes of other languages.

    Some readers accept them; Kafka Connect rejects the request. Within single quotes a shell does not remove the
    backslash at the end of a line.
    """
    loose = subject.document.loose
    if loose and not (subject.source.endswith(COMMENTED) or (loose.is_comment and subject.is_of_page)):
        line = loose.spot[0]
        slip = "a comment, a comma before a bracket, a missing or doubled comma, a backslash or an unknown escape"
        message = f"line {line} is not JSON: {slip}"
        yield Violation(_key_in(subject, line), message)


def _key_in(subject: Subject, line: int) -> str:
    """The option in a line, or the member beside the options; the connector's class if there is none."""
    body = subject.document.body
    spots = {**(body.spots if body else {}), **subject.document.spots}
    return next((key for key, spot in spots.items() if spot[0] == line), "connector.class")


@rule(
    "trailing-comment",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="write the comment on a line of its own",
)
def trailing_comment(subject: Subject) -> Iterator[Violation]:
    """No value in a properties file ends with a comment.

    In properties a comment has a line of its own. Behind a value it is a part of the value.
    """
    if subject.document.kind in PROPERTIES:
        values = {**subject.document.config, **subject.document.settings}
        for key, value in values.items():
            option = key.removeprefix("debezium.source.")
            if TRAILING.search(value) and (option not in subject.config or key in subject.config):
                yield Violation(key, f"'#' and what follows are a part of the value of '{key}'")


@rule(
    "invalid-suppression",
    Consequence.wrong,
    of_names=True,
    evidence="N12",
    fix="write: outbox-kit: ignore RULE: reason",
)
def invalid_suppression(subject: Subject) -> Iterator[Violation]:
    """Every comment that accepts findings names rules that exist and states a reason.

    A comment without a reason, or with a misspelt rule, accepts nothing.
    """
    for suppression in subject.suppressions:
        unknown = [rule for rule in suppression.rules if not RULES.knows(rule)]
        problem = f"rule or group '{unknown[0]}' not found" if unknown else ""
        problem = problem or ("" if suppression.reason else "it states no reason")
        if problem:
            message = f"the comment in line {suppression.line} does not accept what it should: {problem}"
            yield Violation("connector.class", message)


@rule(
    "quoted-value",
    Consequence.wrong,
    evidence="N12",
    fix="remove the quotes",
)
def quoted_value(subject: Subject) -> Iterator[Violation]:
    """No value in a properties file stands in quotes.

    They are a part of the value: a table in quotes, for example, is not captured.
    """
    if subject.document.kind in PROPERTIES:
        for key, value in subject.config.items():
            if IN_QUOTES.fullmatch(value.strip()):
                lost = Consequence.loss if key.endswith((".include.list", ".exclude.list")) else None
                yield Violation(key, f"the quotes are a part of the value of '{key}'", consequence=lost)


@rule(
    "backslash-lost",
    Consequence.wrong,
    severity=Severity.error,
    evidence="N12",
    fix="write a backslash as two",
)
def backslash_lost(subject: Subject) -> Iterator[Violation]:
    r"""Every backslash of a regular expression in a properties file is written as two.

    Java drops a single one: `outbox_\d+` becomes `outbox_d+`.
    """
    if subject.document.kind not in PROPERTIES:
        return
    lines = subject.text.splitlines()
    for key in {**subject.document.config, **subject.document.settings}:
        number = subject.document.spot(key)[0]
        written = lines[number - 1] if key in subject.document.spots and number <= len(lines) else ""
        if not key.isupper() and (match := LOST.search(written)) and key in written:
            lost = Consequence.loss if key.endswith((".include.list", ".exclude.list")) else None
            yield Violation(key, f"'\\{match[1]}' is read as '{match[1]}'", consequence=lost)


@rule(
    "malformed-key",
    Consequence.wrong,
    of_names=True,
    evidence="N12",
    fix="correct the spelling of the key; look for a stray quote or comma",
)
def malformed_key(subject: Subject) -> Iterator[Violation]:
    """Every key is a well-formed option name.

    Kafka Connect ignores a key with a quote, a blank or another invalid character; the intended option is not set.
    """
    for key in subject.config:
        if not well_formed(key) and subject.option(key) is None:  # a table's name may contain any character
            cleaned = re.sub(r"[\"'\s,;{}=]", "", key)
            edit = Edit(key, rename=cleaned) if cleaned and cleaned not in subject.config else None
            heavy = subject.shapes(cleaned) and edit is not None
            severity = Severity.error if heavy else Severity.info if cleaned in subject.config else None
            yield Violation(key, f"invalid option name '{key}'", edit, severity=severity)


@rule("duplicate-key", Consequence.wrong, of_names=True, evidence="N12", fix="remove all but one")
def duplicate_key(subject: Subject) -> Iterator[Violation]:
    """Every key occurs once.

    Only the last value applies.
    """
    for key in subject.document.twice:
        yield Violation(key, f"'{key}' is set more than once; the last value applies")


@rule(
    "value-not-string",
    Consequence.stop,
    evidence="N12",
    fix="write the value as one string; separate the entries of a list with commas",
)
def value_not_string(subject: Subject) -> Iterator[Violation]:
    """Every value is a string.

    The REST API of Kafka Connect rejects the whole config if a value is a list or an object.
    """
    for key, kind in subject.document.odd.items():
        yield Violation(key, f"'{key}' is {kind}; expected a string")


@rule(
    "connector-resources-off",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="annotate the KafkaConnect with strimzi.io/use-connector-resources: 'true'",
)
def connector_resources_off(subject: Subject) -> Iterator[Violation]:
    """The KafkaConnect that the file shows heeds resources of connectors.

    Without the annotation Strimzi ignores the resource of the connector.
    """
    resource = worker.RESOURCE.search(subject.text) is not None and "kind: KafkaConnector" in subject.text
    shown = not any(mark in subject.text for mark in worker.OUTLINES)
    if subject.document.kind == "yaml" and resource and shown and "use-connector-resources" not in subject.text:
        yield Violation("connector.class", "the KafkaConnect in the file has no strimzi.io/use-connector-resources")


OF_WORKER = ("group.id", "config.storage.topic", "offset.storage.topic")


@rule(
    "connector-in-worker",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="make a resource KafkaConnector of the options of the connector",
)
def connector_in_worker(subject: Subject) -> Iterator[Violation]:
    """The options of a connector are not in the config of a worker.

    A KafkaConnect has no connector by them: nothing is captured, without an error.
    """
    if subject.document.kind == "yaml" and all(key in subject.config for key in OF_WORKER):
        yield Violation("connector.class", "the options of the connector are in the config of a worker")
