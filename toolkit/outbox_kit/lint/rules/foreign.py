"""Rules about the connectors that outbox-kit does not generate."""

import re
from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.filters import has_fewer_names
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.table_names import PLAIN_TABLE, parts
from outbox_kit.lint.words import listed
from outbox_kit.router.javatext import trim, whole_number


@rule("foreign-table-never-matches", Consequence.loss, evidence="C10", fix="write the whole name of the table")
def foreign_table_never_matches(subject: Subject) -> Iterator[Violation]:
    """The tables of such a connector have their whole names.

    The filter compares the whole name. What does not match is not captured, without an error.
    """
    expected = str(subject.facts.get("table", ""))
    for entry in subject.tables if expected and subject.says("table.include.list") else ():
        if has_fewer_names(entry, len(expected.split("."))):
            yield Violation("table.include.list", f"'{entry}' matches no table: expected {expected}")
            break


@rule("foreign-value-refused", Consequence.stop, evidence="N10", fix="use a value that the connector accepts")
def foreign_value_refused(subject: Subject) -> Iterator[Violation]:
    """The values of such a connector's options are among those that it accepts."""
    facts = subject.facts
    for key, words in facts.get("words", {}).items():
        word = trim(subject.config.get(key, ""))
        if word and word.lower() not in words and subject.says(key):
            yield Violation(key, f"unknown value '{word}': expected {listed(words)}")
    for key, (least, greatest) in facts.get("numbers", {}).items():
        number = whole_number(subject.config.get(key, ""))
        if number is not None and not least <= number <= greatest and subject.says(key):
            yield Violation(key, f"{number} is not between {least} and {greatest}")


@rule("foreign-option-missing", Consequence.stop, evidence="N10", fix="set the option")
def foreign_option_missing(subject: Subject) -> Iterator[Violation]:
    """An option of such a connector that needs another one has it."""
    for key, needed in subject.facts.get("requires", {}).items():
        if subject.config.get(key, "").strip() and needed not in subject.config and subject.says(key):
            yield Violation(key, f"'{needed}' is not set", unset=needed)


ADDED = lazy_pattern(r"\bASNCDC\.ADDTABLE\s*\(\s*'\w+'\s*,\s*'(\w+)'\s*\)", re.IGNORECASE)
"""The procedure of Debezium's scripts that puts a table of Db2 into capture mode."""


@rule(
    "capture-mode-not-set",
    Consequence.loss,
    of_names=True,
    evidence="N20",
    fix="call ASNCDC.ADDTABLE for the table",
)
def capture_mode_not_set(subject: Subject) -> Iterator[Violation]:
    """The captured tables of Db2 are in capture mode, if the file puts tables into it.

    Db2 records no changes of other tables: the connector publishes nothing of them, without an error.
    """
    added = {match[1].lower() for match in matches(subject.text, ADDED)}
    for table in subject.tables if added else ():
        name = parts(table)[-1].lower()
        if PLAIN_TABLE.fullmatch(table) and name not in added:
            yield Violation("table.include.list", f"the file puts other tables than '{table}' into capture mode")


@rule(
    "option-of-another-sink",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C08",
    fix="use the option of this sink",
)
def option_of_another_sink(subject: Subject) -> Iterator[Violation]:
    """No option is that of another sink of the same kind.

    Debezium's sink for JDBC and those of others have other names for the same; a name that a sink does not know is
    ignored.
    """
    for key, option in subject.facts.get("unread", {}).items():
        if subject.config.get(key, "false").strip().lower() not in ("false", "none"):
            consequence = Consequence.advice if option in subject.config else None
            yield Violation(key, f"the sink does not read '{key}'; its option is '{option}'", consequence=consequence)
