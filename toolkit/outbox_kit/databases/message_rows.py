"""What the stores of two-phase messages have in common: the rows of a message's events, and their refusals. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from outbox_kit.databases.event_row import event_row
from outbox_kit.databases.two_phase import MessageEvent, MessageState, NewMessage, RefusedMessage, StoredMessage
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox

CREATE = "create the table: outbox-kit gen-ddl --coordinator --apply"
"""The next step if the table of messages does not exist."""


def added(message: NewMessage, state: MessageState) -> tuple[str, ...]:
    """The values of a new message: its id, protocol, check-back, events, digest and state.

    Only a prepared message keeps its events: those of a submitted one are in the outbox.
    """
    events = json.dumps([asdict(event) for event in message.events]) if state is MessageState.prepared else "[]"
    return message.message_id, message.protocol.value, message.check_back, events, message.digest, state.value


def stored_events(events: str) -> Sequence[MessageEvent]:
    """The events of a prepared message, as `added` has stored them."""
    return [MessageEvent(**event) for event in json.loads(events)]


def message_row(outbox: Outbox, event: MessageEvent) -> Mapping[str, Any]:
    """The values of an event by column; the database fills the others. Raises RefusedMessage."""
    values = event_row(outbox, event.event_id, event.aggregate, event.aggregate_id, event.type, event.payload)
    if repeated := values.keys() & event.columns.keys():
        raise RefusedMessage(f"the column '{min(repeated)}' is written twice", fix="leave it out of 'columns'")
    return {**values, **event.columns}


def refused(why: str) -> RefusedMessage:
    """The error for events that the outbox table does not take. why: as the server says."""
    return RefusedMessage(
        "the outbox table refuses the events",
        why=why,
        fix="correct the event; the schema file says which events, columns and sizes the table takes",
    )


def present(message: StoredMessage | None, message_id: str) -> StoredMessage:
    """A message that was there a moment ago. Raises UsageProblem if it was deleted since."""
    if message is None:
        raise UsageProblem(f"the message '{message_id}' was deleted in the meantime", fix="repeat the request")
    return message
