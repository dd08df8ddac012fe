"""Sample rows, sent through the model of the whole config: what the validation of Kafka Connect does not cover."""

import re
from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router.chain import Failed, Message

TYPED = lazy_pattern(r"\btype\b|\bschema\b", re.IGNORECASE)
"""In failures that depend on the types of columns, which a config does not have."""


@rule(
    "sample-event-fails",
    Consequence.stop,
    evidence="N10",
    fix="see the complete result: outbox-kit preview FILE",
    last=True,
)
def sample_event_fails(subject: Subject) -> Iterator[Violation]:
    """A sample event passes the transformations and converters.

    The validation of Kafka Connect does not cover this: it accepts the connector, and the task fails on the first
    event.
    """
    for who, _, outcome in subject.previews:
        guessed = subject.outbox is None and isinstance(outcome, Failed) and TYPED.search(outcome.message)
        if isinstance(outcome, Failed) and not guessed:
            yield Violation("connector.class", f"the task fails on {who}: {outcome.kind}: {outcome.message}")
            return


@rule(
    "unexpected-topic",
    Consequence.loss,
    evidence="C03 G10 N10",
    fix="remove the option in connect.config that bypasses the event router; to see the result: outbox-kit preview",
    last=True,
)
def unexpected_topic(subject: Subject) -> Iterator[Violation]:
    """Every declared event passes through the event router.

    An event that bypasses the event router is published as a raw change event to the raw topic of the table, and
    consumers of its topic receive nothing.
    """
    for who, _, outcome in subject.previews if subject.outbox else ():
        if isinstance(outcome, Message) and not outcome.routed:
            yield Violation(
                "connector.class",
                f"{who} bypasses the event router and is published to '{outcome.topic}' as a raw change event",
            )


@rule(
    "topic-override",
    Consequence.wrong,
    evidence="C03 G10",
    fix="set routing.topic and routing.pattern instead of the option; if they cannot express it, ignore this rule",
    last=True,
)
def topic_override(subject: Subject) -> Iterator[Violation]:
    """No option in connect.config changes the topics of routing.topic.

    The options in connect.config apply, to the connector and to everything that is generated or verified; the schema
    file states another topic.
    """
    for who, expected, outcome in subject.previews:
        if isinstance(outcome, Message) and outcome.routed and expected is not None and outcome.topic != expected:
            yield Violation(_overriding(subject), f"{who} is published to '{outcome.topic}' instead of '{expected}'")


def _overriding(subject: Subject) -> str:
    """The raw option that most likely changes the topic."""
    raw = subject.outbox.connect.config if subject.outbox else {}
    routing = [name for name in raw if name.startswith("transforms.") and ".route." in name]
    return next(iter([*routing, *(name for name in raw if name.startswith("transforms"))]), "connector.class")
