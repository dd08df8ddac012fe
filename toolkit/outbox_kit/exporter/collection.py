"""Collects the figures of an outbox: one session with the database, and two requests to Kafka Connect."""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from outbox_kit import deadline
from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.figures import DatabaseFigures, FigureReader, UnpublishedFigures
from outbox_kit.databases.probed_figures import ProbedFigures
from outbox_kit.errors import EnvironmentProblem, OutboxKitError, UsageProblem
from outbox_kit.exporter.position_log import Distance, LogEntry, PositionLog, Unconfirmed
from outbox_kit.exporter.question import SystemQuestion
from outbox_kit.exporter.samples import ConnectorFigures, ObservedOutbox, Unpublished, samples
from outbox_kit.monitoring.metrics import MetricSample, sample
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_publication, has_slot, lag_seconds

MARGIN_SECONDS = 1.0
"""By which a question may take longer than the limits that it sets itself."""
STORED_TIMES: Mapping[str, float] = {"ts_usec": 1e6, "ts_ms": 1e3, "ts_sec": 1.0}
"""The times of stored offsets, in parts of a second."""


@dataclass(frozen=True)
class Collected:
    """The figures of one time."""

    samples: Sequence[MetricSample]
    unanswered: Mapping[str, OutboxKitError]
    """Why a system has not answered, by its name."""
    unread: Mapping[str, str]
    """Why a part of the figures is missing, by its name."""
    observed: ObservedOutbox


class Collection:
    """Collects again and again; the age of unconfirmed events is known from earlier times."""

    def __init__(self, outbox: Outbox, dsn: str, connect: Connect | None, seconds: float) -> None:
        """connect: None if Kafka Connect is not to be asked. seconds: for each system."""
        self._outbox, self._dsn, self._connect, self._seconds = outbox, dsn, connect, seconds
        self._reader: FigureReader | None = None
        self._positions, self._distance = PositionLog(), Distance()
        self._database = SystemQuestion("database", self._read_database)
        asks_connect = connect is not None and outbox.delivery.by == "connector"
        self._workers = SystemQuestion("connect", self._read_connector) if asks_connect else None
        self._lock = threading.Lock()

    def collect(self) -> Collected:
        """The figures of now. Raises TimeoutError if another collection takes too long."""
        if not self._lock.acquire(timeout=self._seconds + MARGIN_SECONDS):
            raise TimeoutError("another collection has not ended")
        try:
            return self._collected()
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the session with the database. Raises nothing."""
        reader, self._reader = self._reader, None
        if reader is not None:
            with suppress(OutboxKitError):
                reader.close()

    def _collected(self) -> Collected:
        begin = time.monotonic()
        questions: dict[str, SystemQuestion[Any]] = {"database": self._database}
        if self._workers is not None:
            questions["connect"] = self._workers
        for question in questions.values():
            question.begin()
        answers, unanswered = dict[str, Any](), dict[str, OutboxKitError]()
        for system, question in questions.items():
            left = begin + self._seconds + MARGIN_SECONDS - time.monotonic()
            try:
                answers[system] = question.answer(left)
            except OutboxKitError as problem:
                unanswered[system] = problem
            except TimeoutError as late:
                unanswered[system] = EnvironmentProblem(f"the {system} does not answer", why=str(late))
        observed = self._observed(answers.get("database"), answers.get("connect"))
        unread = dict(observed.database.unread) if observed.database else {}
        about_scrape = [*_scrape(questions, unanswered, observed), sample("scrape_seconds", time.monotonic() - begin)]
        return Collected([*about_scrape, *samples(observed)], unanswered, unread, observed)

    def _observed(self, database: DatabaseFigures | None, connector: ConnectorFigures | None) -> ObservedOutbox:
        confirmed = _confirmed(self._outbox, database, connector)
        full = None
        if database is not None and database.slot is not None and database.slot.safe is not None:
            full = self._distance.seconds_left(database.log.at, database.slot.safe)
        unpublished = self._unpublished(database, connector, confirmed)
        return ObservedOutbox(self._outbox, database, connector, unpublished, confirmed, full)

    def _unpublished(
        self, database: DatabaseFigures | None, connector: ConnectorFigures | None, confirmed: int | None
    ) -> Unpublished:
        """The age and number of unpublished events. Nothing is known of a system that has not answered."""
        if database is None:
            return Unpublished(None, None)
        if self._outbox.delivery.polls:
            rows = database.unpublished
            if rows is None:
                return Unpublished(None, None)
            return Unpublished(rows.oldest_seconds if rows.rows else 0.0, rows.rows)
        log = database.log
        if log.end is None:
            return Unpublished(None, None)
        inserted = database.table.inserted if database.table is not None else None
        self._positions.add(LogEntry(log.at, log.end, inserted))
        if confirmed is None:
            return Unpublished(None, None)
        unconfirmed = self._positions.unconfirmed(confirmed)
        if unconfirmed is not None and not unconfirmed.is_least:
            return Unpublished(unconfirmed.oldest_seconds, unconfirmed.pending)
        stored_at = connector.stored_at if connector is not None else None
        rows = self._rows_since(stored_at)
        if rows is not None:
            return Unpublished(rows.oldest_seconds or 0.0, rows.rows)
        return self._least(database, unconfirmed)

    def _rows_since(self, at: float | None) -> UnpublishedFigures | None:
        """The rows that were written since a time; None if they cannot be found."""
        if at is None or self._reader is None:
            return None
        try:
            return self._reader.rows_since(at)
        except (OutboxKitError, TimeoutError):
            return None

    def _least(self, database: DatabaseFigures, unconfirmed: Unconfirmed | None) -> Unpublished:
        """Lower limits, once the age passes the threshold; before, nothing is known.

        All rows that were written while no process reads the slot are unpublished.
        """
        slot, ages, counts = database.slot, list[float](), list[int]()
        if unconfirmed is not None:
            ages, counts = [unconfirmed.oldest_seconds], [unconfirmed.pending or 0]
        if slot is not None and slot.inactive_seconds is not None:
            rows = self._rows_since(database.log.at - slot.inactive_seconds)
            if rows is not None:
                ages, counts = [*ages, rows.oldest_seconds or 0.0], [*counts, rows.rows]
        if max(ages, default=0.0) < lag_seconds(self._outbox):
            return Unpublished(None, None)
        return Unpublished(max(ages), max(counts))

    def _read_database(self) -> DatabaseFigures:
        """The database's figures; a session that has ended in the meantime is begun again once."""
        reader = self._reader
        if reader is not None:
            try:
                return reader.read()
            except EnvironmentProblem:
                self.close()
        with deadline.within(self._seconds):
            whereabouts.expect(self._dsn, self._outbox)
            self._reader = reader = self._opened()
        try:
            return reader.read()
        except BaseException:
            self.close()
            raise

    def _opened(self) -> FigureReader:
        server = servers.get(self._outbox.database.dialect)
        if server.figures is None:
            return ProbedFigures(server, self._dsn, self._outbox, self._seconds)
        return server.figures(self._dsn, self._outbox, self._seconds)

    def _read_connector(self) -> ConnectorFigures:
        """The states of the connector and its tasks, and the stored offset."""
        workers, name = self._connect, self._outbox.names.connector
        assert workers is not None  # noqa: S101 - it is asked only then
        with deadline.within(self._seconds):
            answer = workers.status(name)
            if answer is None:
                return ConnectorFigures("ABSENT", ())
            status = connector_status(answer)
            offsets = [entry["offset"] for entry in workers.offsets(name) if entry["offset"]]
        probe = servers.get(self._outbox.database.dialect).probe
        position, stored_at = None, None
        with suppress(ValueError, TypeError, LookupError, AttributeError):  # the offset of another kind of connector
            position = max((place for offset in offsets if (place := probe.position(offset)) is not None), default=None)
            times = [offset[key] / unit for offset in offsets for key, unit in STORED_TIMES.items() if offset.get(key)]
            stored_at = max(times, default=None)
        return ConnectorFigures(status.connector, status.tasks, position, stored_at)


def _confirmed(outbox: Outbox, database: DatabaseFigures | None, connector: ConnectorFigures | None) -> int | None:
    """The confirmed position: the slot's, or the one of the stored offset; None if it is not known."""
    if outbox.delivery.polls:
        return None
    if has_slot(outbox):
        return database.slot.confirmed if database is not None and database.slot is not None else None
    return connector.position if connector is not None else None


def _scrape(
    questions: Iterable[str], unanswered: Mapping[str, OutboxKitError], observed: ObservedOutbox
) -> Iterator[MetricSample]:
    """Whether systems and parts have answered."""
    for system in questions:
        yield sample("up", system not in unanswered, system=system)
    if observed.database is not None:
        for part in parts_of(observed.outbox):
            yield sample("part_up", part not in observed.database.unread, part=part)


def parts_of(outbox: Outbox) -> Sequence[str]:
    """The parts of a database's figures that an outbox has."""
    by_relay, measured = outbox.delivery.by == "relay", outbox.dialect.capture.measured
    parts = {
        "log": not outbox.delivery.polls,
        "slot": has_slot(outbox),
        "publication": has_publication(outbox),
        "table": measured,
        "inbox": measured,
        "horizon": measured,
        "heartbeat": not by_relay and outbox.dialect.capture.uses_heartbeat_table,
        "unpublished": outbox.delivery.polls and measured,
        "failures": by_relay,
        "relays": outbox.delivery.polls,
    }
    return [name for name, has in parts.items() if has]


def usage_problem(collected: Collected) -> UsageProblem | None:
    """A mistake of the user among the problems, such as an address of another database."""
    return next((problem for problem in collected.unanswered.values() if isinstance(problem, UsageProblem)), None)
