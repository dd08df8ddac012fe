"""The samples of what was observed of an outbox. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outbox_kit.databases.figures import DatabaseFigures, SlotFigures, TableFigures
from outbox_kit.monitoring.metrics import CONNECTOR_STATES, SLOT_STATES, MetricSample, sample
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_heartbeat, has_slot

ABSENT = "absent"


@dataclass(frozen=True)
class ConnectorFigures:
    """What Kafka Connect has answered about a connector."""

    connector: str
    """Its state; ABSENT if it is not registered."""
    tasks: Sequence[str]
    """The state of each task."""
    position: int | None = None
    """The position of the stored offset; None if there is none, or it is of a snapshot."""
    stored_at: float | None = None
    """When the database wrote what is there, in seconds since 1970."""


@dataclass(frozen=True)
class Unpublished:
    """The events that are not published."""

    oldest_seconds: float | None
    """None if it is not known."""
    pending: int | None
    """None if it is not known."""


@dataclass(frozen=True)
class ObservedOutbox:
    """What the systems of an outbox have answered; None for one that has not answered, or was not asked."""

    outbox: Outbox
    database: DatabaseFigures | None = None
    connector: ConnectorFigures | None = None
    unpublished: Unpublished = Unpublished(None, None)
    confirmed: int | None = None
    """The confirmed position."""
    full_seconds: float | None = None
    """Until the slot reaches its limit; None if it is not known, or there is no limit."""


def samples(observed: ObservedOutbox) -> Iterator[MetricSample]:
    """All samples but those about the scrape itself. A value that is not known has none."""
    unpublished, database = observed.unpublished, observed.database
    if unpublished.oldest_seconds is not None:
        yield sample("oldest_seconds", unpublished.oldest_seconds)
    if unpublished.pending is not None:
        yield sample("pending_events", unpublished.pending)
    if observed.confirmed is not None:
        yield sample("confirmed_position", observed.confirmed)
    if database is not None:
        yield from _database(observed, database)
    if observed.connector is not None:
        yield from _connector(observed.outbox, observed.connector)


def _database(observed: ObservedOutbox, database: DatabaseFigures) -> Iterator[MetricSample]:
    outbox, log = observed.outbox, database.log
    if log.end is not None:
        yield sample("log_end_position", log.end)
    if has_slot(outbox) and "slot" not in database.unread:
        yield from _slot(observed, database, outbox.names.slot)
    if database.publication is not None:
        yield sample("table_published", database.publication, publication=outbox.names.publication)
    if log.first is not None and observed.confirmed is not None:
        yield sample("offset_in_log", observed.confirmed >= log.first)
    if log.keep_seconds is not None:
        yield sample("log_keep_seconds", log.keep_seconds)
    yield from _horizon(database)
    if has_heartbeat(outbox) and database.heartbeat_seconds is not None:
        yield sample("heartbeat_seconds", database.heartbeat_seconds)
    for name, table in (("outbox", database.table), ("inbox", database.inbox)):
        if table is not None:
            yield from _table(name, table)
    yield from _relays(database)


def _slot(observed: ObservedOutbox, database: DatabaseFigures, name: str) -> Iterator[MetricSample]:
    slot, cap = database.slot, database.log.cap
    status = ABSENT if slot is None else slot.wal_status
    for state in dict.fromkeys((*SLOT_STATES, status)):
        yield sample("slot_status", state == status, slot=name, status=state)
    yield sample("slot_active", slot is not None and slot.active, slot=name)
    if cap is not None:
        yield sample("slot_cap_bytes", cap, slot=name)
    if slot is not None:
        yield from _slot_sizes(slot, cap, name)
    if observed.full_seconds is not None:
        yield sample("slot_full_seconds", observed.full_seconds, slot=name)


def _slot_sizes(slot: SlotFigures, cap: int | None, name: str) -> Iterator[MetricSample]:
    for metric, size in (("retained", slot.retained), ("unconfirmed", slot.unconfirmed), ("safe", slot.safe)):
        if size is not None:
            yield sample(f"slot_{metric}_bytes", size, slot=name)
    if slot.safe is not None and cap:
        yield sample("slot_used_share", max(0.0, 1 - slot.safe / cap), slot=name)
    if slot.active or slot.inactive_seconds is not None:
        yield sample("slot_inactive_seconds", slot.inactive_seconds or 0.0, slot=name)


def _horizon(database: DatabaseFigures) -> Iterator[MetricSample]:
    """The holders by kind; the kinds that have an age end never: 0 without a holder."""
    if database.horizon is None:
        return
    kinds = {holder.kind: holder for holder in database.horizon}
    for kind in ("session", "prepared"):
        holder = kinds.get(kind)
        yield sample("horizon_seconds", (holder.seconds or 0.0) if holder else 0.0, kind=kind)
    for holder in kinds.values():
        if holder.transactions is not None:
            yield sample("horizon_transactions", holder.transactions, kind=holder.kind)


def _table(name: str, table: TableFigures) -> Iterator[MetricSample]:
    for metric, value in (
        ("table_rows", table.rows),
        ("table_dead_rows", table.dead),
        ("table_bytes", table.size),
        ("inserted_rows_total", table.inserted),
    ):
        if value is not None:
            yield sample(metric, value, table=name)


def _relays(database: DatabaseFigures) -> Iterator[MetricSample]:
    failures, relays = database.failures, database.relays
    if failures is not None:
        yield sample("dead_letters", failures.dead)
        yield sample("waiting_events", failures.waiting)
        yield sample("parked_keys", failures.parked)
        if failures.attempts is not None:
            yield sample("failed_attempts", failures.attempts)
    if relays is not None:
        yield sample("relays", relays.running)
        for process in dict.fromkeys(relays.hanging):
            yield sample("relay_hangs", True, process=process)


def _connector(outbox: Outbox, figures: ConnectorFigures) -> Iterator[MetricSample]:
    name = outbox.names.connector
    for state in dict.fromkeys((*CONNECTOR_STATES, figures.connector)):
        yield sample("connector_state", state == figures.connector, connector=name, state=state)
    for number, task in enumerate(figures.tasks or ("ABSENT",)):
        for state in dict.fromkeys((*CONNECTOR_STATES, task)):
            yield sample("task_state", state == task, connector=name, task=str(number), state=state)
