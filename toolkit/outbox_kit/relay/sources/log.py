"""A server's log as a source: commit order, and the rows that were there before the first start."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from outbox_kit.databases.changes import LogMessage, LogRow, ServerLog
from outbox_kit.relay.interface import LaneAges, OutboxEvent
from outbox_kit.relay.sources.routes import RowRoutes, of_config
from outbox_kit.router.chain import Outcome
from outbox_kit.router.compiled import compiled_messages
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.shape import Config

CONTENT = ("content",)
"""The columns of an event that is a message in the log."""


class LogSource:
    """See `Source`."""

    def __init__(self, outbox: Outbox, log: ServerLog, config: Config) -> None:
        """config: the connector's that the schema file generates."""
        self._outbox, self._log, self._config = outbox, log, config
        self._routes = RowRoutes(outbox, config)
        self._message_route: Callable[[bytes, int], Outcome] | None = None
        self._first_read: Iterator[Sequence[LogRow]] | None = None
        self._unfinished = 0

    def open(self) -> None:
        """See `Source`."""
        self._first_read, self._unfinished = None, 0
        self._routes.forget()
        if self._log.position() is None:
            in_log = self._outbox.table.storage == "log"
            if not in_log and self._outbox.connect.snapshot == "initial":
                self._first_read = self._log.first_read()
                return
            self._log.create()
        self._log.open()

    def read(self, seconds: float) -> Sequence[OutboxEvent]:
        """See `Source`."""
        if self._first_read is not None:
            return self._read_first(self._first_read)
        return self._events(self._log.read(seconds))

    def rest(self, seconds: float) -> Sequence[OutboxEvent] | None:
        """See `Source`: not of the first read, which would take too long."""
        rows = self._log.rest(seconds) if self._first_read is None else None
        return None if rows is None else self._events(rows)

    def finish(self, receipt: Any) -> None:
        """See `Source`."""
        if self._first_read is not None:
            self._unfinished -= 1
        else:
            self._log.finish(receipt)

    def maintain(self) -> None:
        """See `Source`."""
        self._log.confirm()

    def close(self) -> None:
        """See `Source`."""
        self._first_read = None
        self._log.close()

    def point(self) -> int:
        """See `Source`."""
        return self._log.mark()

    def passed(self, point: int) -> bool:
        """See `Source`."""
        return self._first_read is None and self._log.passed(point)

    def position(self) -> int | None:
        """See `Source`."""
        return self._log.position()

    def oldest(self) -> float | None:
        """See `Source`."""
        return self._log.oldest()

    def lane_ages(self) -> LaneAges:
        """See `Source`."""
        return LaneAges()

    def outcome(self, row: Mapping[str, str | None]) -> Outcome:
        """See `Source`."""
        if tuple(row) == CONTENT:
            return self._of_message((row["content"] or "").encode(), time.time_ns() // 1_000_000)
        return self._routes.outcome(row, self._log.columns)

    def _read_first(self, rows: Iterator[Sequence[LogRow]]) -> Sequence[OutboxEvent]:
        """The next rows of the first read, when all before are final; the log is read after the last."""
        if self._unfinished:
            return []
        events = self._events(next(rows, ()))
        self._unfinished = len(events)
        if not events:
            self._first_read = None
            self._log.open()
        return events

    def _events(self, rows: Sequence[LogRow | LogMessage]) -> Sequence[OutboxEvent]:
        now = time.time_ns() // 1_000_000
        return [self._event(row, now) for row in rows]

    def _event(self, row: LogRow | LogMessage, now: int) -> OutboxEvent:
        if isinstance(row, LogRow):
            return OutboxEvent(self._routes.of(row.table)(row.texts, now), row.table.names, row.texts, row.receipt)
        return OutboxEvent(self._of_message(row.content, now), CONTENT, (row.content,), row.receipt)

    def _of_message(self, content: bytes, now: int) -> Outcome:
        if self._message_route is None:
            release, topic = Version.of(self._outbox.connect.debezium), connector_topics(self._outbox).rows
            self._message_route = of_config(lambda: compiled_messages(self._config, release, topic))
        return self._message_route(content, now)
