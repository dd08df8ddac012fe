"""The figures of an outbox in databases for which the kit has no statements of their own for them.

They are the answers to the questions of the probe and of the relays' tables, each of which has a session of its own.
"""

import time

from outbox_kit.databases.figure_parts import FigureParts
from outbox_kit.databases.figures import (
    DatabaseFigures,
    FailureFigures,
    LogFigures,
    RelayFigures,
    UnpublishedFigures,
)
from outbox_kit.databases.interface import Server
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_heartbeat


class ProbedFigures:
    """See `FigureReader`. Times are those of this machine."""

    def __init__(self, server: Server, dsn: str, outbox: Outbox, seconds: float) -> None:
        """See `OpensFigures`. server: of the database."""
        self._server, self._dsn, self._outbox, self._seconds = server, dsn, outbox, seconds

    def read(self) -> DatabaseFigures:
        """See `FigureReader`."""
        dsn, outbox, server, parts = self._dsn, self._outbox, self._server, FigureParts(self._seconds)
        reads_log, by_relay = not outbox.delivery.polls, outbox.delivery.by == "relay"
        end = parts.read("log", lambda: server.probe.log_position(dsn, outbox)) if reads_log else None
        beats = has_heartbeat(outbox)
        return DatabaseFigures(
            log=LogFigures(time.time(), end),
            heartbeat_seconds=parts.read("heartbeat", lambda: server.probe.heartbeat_age(dsn, outbox))
            if beats
            else None,
            failures=parts.read("failures", self._failures) if by_relay else None,
            relays=parts.read("relays", self._relays) if by_relay else None,
            unread=parts.unread,
        )

    def rows_since(self, at: float) -> UnpublishedFigures | None:  # noqa: ARG002 - a protocol's
        """See `FigureReader`: no statement finds them."""
        return None

    def close(self) -> None:
        """See `FigureReader`: each question has a session of its own."""

    def _failures(self) -> FailureFigures | None:
        if self._server.failures is None:
            return None
        table = self._server.failures(self._dsn, self._outbox)
        counts = table.counts()
        return FailureFigures(counts.dead, counts.waiting, len(table.lanes()), None)

    def _relays(self) -> RelayFigures | None:
        if self._server.polled is None:
            return None
        return RelayFigures(self._server.polled(self._dsn, self._outbox).runs(), ())
