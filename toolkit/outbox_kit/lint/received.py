"""What each transformation receives from those before it. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.lint import meant
from outbox_kit.lint.steps import TransformStep
from outbox_kit.lint.subject import Subject
from outbox_kit.router.transforms import KAFKA

UNWRAPPING = ("ExtractNew", "DecodeLogical")
"""In the classes of Debezium's transformations that replace the change event."""
ROW = "ExtractNewRecordState"


@dataclass(frozen=True)
class Received:
    """What a transformation receives of an outbox row."""

    step: TransformStep
    is_envelope: bool
    """Whether the value is a change event as the connector gives it."""
    is_event: bool
    """Whether an event router came before."""
    is_row: bool
    """Whether the value is the row that a transformation of Debezium has taken out of the change event."""


def received_by_each(subject: Subject) -> Iterator[Received]:
    """The transformations of every record, up to one whose effect is not known."""
    is_envelope, is_event, is_row = not subject.on("after.state.only"), False, False
    for step in subject.steps:
        if step.kind and not step.kind.startswith(meant.CONNECT_CLASSES):
            return
        if "predicate" not in step.options or step.kind == f"{KAFKA}MaskField$Value":
            yield Received(step, is_envelope, is_event, is_row)
        is_envelope = is_envelope and not step.kind.endswith("$Value") and not unwraps(step)
        is_event = is_event or step.routes
        is_envelope = is_envelope and not is_event
        is_row = ROW in step.kind or (is_row and not step.kind.endswith("$Value") and not is_event)


def unwraps(step: TransformStep) -> bool:
    """Whether a transformation replaces the change event."""
    return any(map(step.kind.__contains__, UNWRAPPING))
