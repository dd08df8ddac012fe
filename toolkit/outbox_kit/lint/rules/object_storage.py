"""Rules about the sinks that write files: how they name them."""

from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

KEY = "path.format"
QUOTED = lazy_pattern(r"'[^']*'")
LETTERS = frozenset("GCxweEyYDMdahHKkmsSzZ")
"""What stands for a part of a time in a pattern of Joda-Time."""


@rule("path-format-letters", Consequence.stop, evidence="O", fix="write texts in single quotes: 'dt='YYYY-MM-dd")
def path_format_letters(subject: Subject) -> Iterator[Violation]:
    """The path of a partitioner by time is a pattern of Joda-Time.

    Outside of single quotes each letter stands for a part of the time. Another one is refused: the task fails when it
    starts.
    """
    partitioner = subject.config.get("partitioner.class", "")
    if "io.confluent." not in partitioner or "TimeBased" not in partitioner or not subject.says(KEY):
        return
    plain = QUOTED.sub("", subject.config.get(KEY, ""))
    wrong = [letter for letter in plain if letter.isalpha() and letter not in LETTERS]
    if wrong and "'" not in plain:
        yield Violation(KEY, f"'{wrong[0]}' is not a letter of a pattern for times")
