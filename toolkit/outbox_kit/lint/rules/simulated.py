"""A row sent through the whole config before there is a connector: whatever Connect's validation does not look at."""

from collections.abc import Iterator

from outbox_kit.finding import Severity
from outbox_kit.lint.rule import Flaw, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router.chain import Failed, Message


@rule(
    "first-row-fails",
    Severity.error,
    evidence="N10",
    fix="see it whole with: outbox-kit preview FILE",
    last=True,
)
def first_row_fails(subject: Subject) -> Iterator[Flaw]:
    """A plain row, sent through this config, stops the task.

    Connect's validation looks at none of this: the connector is accepted, and the first event fails.
    """
    for who, _, outcome in subject.previews:
        if isinstance(outcome, Failed):
            yield Flaw("connector.class", f"{who} stops the task: {outcome.kind}: {outcome.message}")
            return


@rule(
    "event-goes-astray",
    Severity.error,
    evidence="C03 G10 N10",
    fix="take out the override that sends it elsewhere; see outbox-kit preview",
    last=True,
)
def event_goes_astray(subject: Subject) -> Iterator[Flaw]:
    """A declared event would arrive at another topic than the schema file says, or pass the router as it is.

    Consumers wait on a topic where nothing comes.
    """
    for who, wanted, outcome in subject.previews:
        if isinstance(outcome, Message) and wanted is not None:
            if not outcome.routed or outcome.topic != wanted:
                yield Flaw("connector.class", f"{who} would go to '{outcome.topic}', not to '{wanted}'")
