"""A row sent through the whole config before there is a connector: whatever Connect's validation does not look at."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router.chain import Failed, Message


@rule(
    "first-row-fails",
    Severity.error,
    evidence="N10",
    fix="see it whole with: outbox-kit preview FILE",
    last=True,
)
def first_row_fails(subject: Subject) -> Iterator[Violation]:
    """A plain row, sent through this config, stops the task.

    Connect's validation looks at none of this: the connector is accepted, and the first event fails.
    """
    for who, _, outcome in subject.previews:
        if isinstance(outcome, Failed):
            yield Violation("connector.class", f"{who} stops the task: {outcome.kind}: {outcome.message}")
            return


@rule(
    "event-goes-astray",
    Severity.error,
    evidence="C03 G10 N10",
    fix="take out the raw option that keeps it from the router; see outbox-kit preview",
    last=True,
)
def event_goes_astray(subject: Subject) -> Iterator[Violation]:
    """A declared event would pass the router as it is: a raw change record on the table's own topic.

    Consumers wait on a topic where nothing comes.
    """
    for who, _, outcome in subject.previews if subject.outbox else ():
        if isinstance(outcome, Message) and not outcome.routed:
            yield Violation("connector.class", f"{who} would go to '{outcome.topic}' as the connector read it")


@rule(
    "topic-overridden",
    Severity.warning,
    evidence="C03 G10",
    fix="say it in routing.topic and routing.pattern, and take the raw option out; where they cannot, ignore this rule",
    last=True,
)
def topic_overridden(subject: Subject) -> Iterator[Violation]:
    """Raw options of the connector send a declared event to another topic than routing.topic says.

    The raw options hold, for the connector and for everything that is generated or verified; whoever reads the schema
    file is told otherwise.
    """
    for who, expected, outcome in subject.previews:
        if isinstance(outcome, Message) and outcome.routed and expected is not None and outcome.topic != expected:
            yield Violation(_overriding(subject), f"{who} goes to '{outcome.topic}', not to '{expected}'")


def _overriding(subject: Subject) -> str:
    """The raw option that is likeliest to route otherwise."""
    raw = subject.outbox.connect.config if subject.outbox else {}
    routing = [name for name in raw if name.startswith("transforms.") and ".route." in name]
    return next(iter([*routing, *(name for name in raw if name.startswith("transforms"))]), "connector.class")
