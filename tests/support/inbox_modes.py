"""Outboxes with another mode of the inbox."""

from outbox_kit.schema.inbox import InboxSettings
from outbox_kit.schema.model import Outbox


def with_mode(outbox: Outbox, mode: str, *, dense: bool = False) -> Outbox:
    """An outbox whose inbox has a mode. dense: whether the application writes the sequence numbers."""
    ordering = outbox.ordering.model_copy(update={"assigned_by": "application" if dense else "database"})
    inbox = InboxSettings.model_validate({"mode": mode})
    return outbox.model_copy(update={"inbox": inbox, "ordering": ordering})
