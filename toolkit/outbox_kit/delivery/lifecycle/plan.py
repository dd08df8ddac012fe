"""The plan of an operation: what is there, the steps, and what they mean for consumers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from outbox_kit.delivery.handover.step import Step


@dataclass(frozen=True)
class OperationPlan:
    """What an operation would do. Nothing is changed until its steps are run, in their order."""

    name: str
    """The command, such as `pause`."""
    subject: str
    """The connector."""
    facts: Sequence[tuple[str, str]]
    """A label and a text for each fact about the state before."""
    steps: Sequence[Step]
    """What is to be done; empty if nothing is."""
    consequences: Sequence[str] = ()
    """The events that are lost or published again, a sentence each; empty if no event is."""
    notes: Sequence[str] = ()
    """What a reader should know, and need not confirm; a sentence each."""
    following: Sequence[str] = field(default_factory=tuple)
    """The commands that follow."""
    again: str = ""
    """What to do after an interruption, if the operation cannot simply be repeated."""
