"""The lane of an event: the events of one route and key, which keep their order. Pure."""

from collections.abc import Mapping, Sequence

import orjson

from outbox_kit.databases.failures import FailedEvent
from outbox_kit.relay.interface import OutboxEvent
from outbox_kit.router.chain import Failed, Message, Nondeterministic, Outcome, Unknown
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns


class Lanes:
    """Which columns of an outbox name the lane and the id of an event."""

    def __init__(self, outbox: Outbox) -> None:
        read = router_columns(outbox)
        self._columns = (read.route, read.key, read.id)
        self._in_log = outbox.table.storage == "log"

    def lane(self, event: OutboxEvent) -> str:
        """The lane of an event; one of its own if the event has no key."""
        return _lane(self._parts(event))

    def failed(self, event: OutboxEvent, cause: str, *, attempts: int = 0, dead: bool = False) -> FailedEvent:
        """The event as it is stored."""
        parts, message = self._parts(event), chosen(event.outcome)
        topic = message.topic if message is not None else None
        texts = zip(event.columns, event.texts, strict=True)
        row = {column: None if text is None else text.decode() for column, text in texts}
        return FailedEvent(0, _lane(parts), parts[2] or "", topic, orjson.dumps(row).decode(), cause, attempts, dead)

    def _parts(self, event: OutboxEvent) -> Sequence[str | None]:
        """The texts of route, key and id."""
        if self._in_log:
            return _of_document(event.texts[0] or b"", self._columns)
        row = dict(zip(event.columns, event.texts, strict=True))
        texts = (row.get(column) for column in self._columns)
        return [None if text is None else text.decode() for text in texts]


def chosen(outcome: Outcome) -> Message | None:
    """The message of an outcome, the first of those that the JVM's hash order may choose; None if there is none."""
    if isinstance(outcome, Nondeterministic):
        return next((message for message in outcome.outcomes if isinstance(message, Message)), None)
    return outcome if isinstance(outcome, Message) else None


def failure(outcome: Outcome) -> str:
    """Why the router makes no message; empty if it makes one, or drops the row."""
    if isinstance(outcome, Failed):
        return f"{outcome.stage}: {outcome.kind}: {outcome.message}"
    if isinstance(outcome, Unknown):
        return f"outbox-kit does not model {outcome.reason}"
    if isinstance(outcome, Nondeterministic) and chosen(outcome) is None:
        return "; ".join(failure(each) for each in outcome.outcomes)
    return ""


def row_of(stored: FailedEvent) -> Mapping[str, str | None]:
    """The texts of a stored event by column."""
    row: dict[str, str | None] = orjson.loads(stored.row_text)
    return row


def _lane(parts: Sequence[str | None]) -> str:
    route, key, event_id = parts
    return orjson.dumps([route, key] if key is not None else [route, None, event_id]).decode()


def _of_document(content: bytes, columns: Sequence[str]) -> Sequence[str | None]:
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict):
        return [None, None, content[:200].decode(errors="replace")]
    return [None if document.get(column) is None else str(document[column]) for column in columns]
