"""A row sent through the whole config before there is a connector: whatever Connect's validation does not look at."""

from collections.abc import Iterator

from outbox_kit.errors import UsageProblem
from outbox_kit.finding import Severity
from outbox_kit.lint.rule import Flaw, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.preview import rows
from outbox_kit.preview.send import send
from outbox_kit.router.chain import Failed, Message, Outcome


def _previews(subject: Subject) -> Iterator[tuple[str, str | None, Outcome]]:
    """What each declared event will be, with its topic by the schema file; one made-up row where none is declared."""
    if not subject.router or not subject.connector:
        return
    raw = subject.raw_topic
    try:
        if subject.outbox:
            for event in subject.outbox.events:
                row = rows.of_event(subject.outbox, event, {})
                route = subject.outbox.route(event)
                wanted = None if route is None else subject.outbox.topic(route)
                yield f"'{event.type}'", wanted, send(subject.connector, subject.config, raw, row, subject.release)
        else:
            placed = [(entry.column, entry.place or "") for entry in subject.placement]
            row = rows.of_config(subject.connector, subject.columns, placed, {})
            yield "the first row", None, send(subject.connector, subject.config, raw, row, subject.release)
    except UsageProblem:  # a payload whose schema gives no sample
        return


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
    for who, _, outcome in _previews(subject):
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
    for who, wanted, outcome in _previews(subject):
        if isinstance(outcome, Message) and wanted is not None:
            if not outcome.routed or outcome.topic != wanted:
                yield Flaw("connector.class", f"{who} would go to '{outcome.topic}', not to '{wanted}'")
