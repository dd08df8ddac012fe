"""Proof that a connector publishes: the state RUNNING does not say so; its stored position and a canary row do.

A connector whose slot belongs to another one, or whose table is not published, stays RUNNING.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict

from outbox_kit.connect import deploy
from outbox_kit.connect.deploy import Deployment
from outbox_kit.connect.status import failure
from outbox_kit.databases.interface import RELAY_APPLICATION
from outbox_kit.delivery import canary
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import ConnectorUnhealthy, DatabaseRefused, EnvironmentProblem, SlotInUse
from outbox_kit.kafka.read import Cluster
from outbox_kit.waiting import waiting_for
from outbox_kit.wire.routes import Routes

Report = Callable[[str], None]

BEAT_SECONDS = 2.0
POLL_SECONDS = 0.5


def preflight(delivery: Debezium) -> None:
    """Refuse to register a connector that could not publish. Raises DatabaseRefused, WrongDatabase."""
    if delivery.dsn is None:
        return
    delivery.expect_database()
    if missing := delivery.unpublished():
        raise DatabaseRefused(
            f"{missing}; nothing was changed",
            why="the connector publishes only what the server passes on to it",
            fix="outbox-kit gen-ddl --apply",
        )


def refuse_relay(delivery: Debezium) -> None:
    """Refuse to have a connector publish while a relay does. Raises SlotInUse, EnvironmentProblem."""
    _refuse_slot_reader(delivery)
    _refuse_table_readers(delivery)


def _refuse_table_readers(delivery: Debezium) -> None:
    """Raise SlotInUse if relays read the table."""
    hand_over = delivery.server.slot_table_hand_over or delivery.server.offset_table_hand_over
    if delivery.dsn is None or hand_over is None:
        return
    outbox = delivery.outbox
    if running := hand_over.running_relays(delivery.dsn, outbox):
        raise SlotInUse(
            f"relays read table '{outbox.table.name}'; nothing was changed",
            where=f"database '{outbox.names.database}'",
            why=f"running: {', '.join(running)}; the connector would publish their events a second time. The lease of "
            "a relay that was killed ends after 15 s",
            fix="hand the outbox over: outbox-kit hand-over, with delivery.source: table and the other keys of "
            "delivery as the relays have them",
        )


def _refuse_slot_reader(delivery: Debezium) -> None:
    """Raise SlotInUse if a relay reads the slot."""
    if delivery.dsn is None or delivery.slots is None:
        return
    name = delivery.outbox.names.slot
    reader = delivery.slots.reader(delivery.dsn, name)
    if reader is not None and reader.application == RELAY_APPLICATION:
        raise SlotInUse(
            f"a relay reads replication slot '{name}'; nothing was changed",
            why=f"{reader} publishes the events, and a new connector would publish all rows again",
            fix="hand the outbox over: outbox-kit hand-over",
        )


def resumed(delivery: Debezium, deadline: float, report: Report) -> None:
    """Resume the connector and wait until it runs. deadline: by time.monotonic().

    Raises ConnectorUnhealthy, OutOfTime.
    """
    before = delivery.status()
    delivery.workers.resume(delivery.name)
    deployment = Deployment(delivery.name, resumed=True, before=before)
    report(str(deploy.await_running(delivery.workers, deployment, delivery.config or {}, deadline)))


def refuse_failed(delivery: Debezium) -> None:
    """Raise ConnectorUnhealthy where the connector or its task has failed by now."""
    status = delivery.status()
    if status.failed:
        raise failure(delivery.name, status)


def position_advances(delivery: Debezium, deadline: float, report: Report) -> int | None:
    """Wait until the connector has stored a position after a row that is written now.

    Returns the position, or None where the database is not to be had. deadline: by time.monotonic(). Raises
    ConnectorUnhealthy with the likely cause.
    """
    if delivery.dsn is None:
        report("not checked: replication slot and stored offset (set OUTBOX_KIT_DSN)")
        return None
    with waiting_for(f"the stored offset of '{delivery.name}' to pass a new row"):
        return _advanced(delivery, deadline, report)


def _advanced(delivery: Debezium, deadline: float, report: Report) -> int:
    point, beaten = None, 0.0
    while True:
        if time.monotonic() - beaten > BEAT_SECONDS:  # a row from before the initial snapshot's end is not streamed
            beaten = time.monotonic()
            delivery.probe.write_heartbeat(delivery.address, delivery.outbox)
        stored = delivery.stored_position()
        if point is None and stored is not None:
            # the initial snapshot is over: what follows must be streamed
            point = delivery.point()
        elif point is not None and stored is not None and stored >= point and _slot_is_read(delivery):
            slot = f"replication slot '{delivery.outbox.names.slot}' is active, and " if delivery.slots else ""
            report(f"{slot}the stored offset has passed a new row")
            return stored
        refuse_failed(delivery)
        if time.monotonic() > deadline:
            what = "no offset was stored" if point is None else f"no offset after {point} was stored"
            raise _silence(delivery, f"{what} (last: {stored})", point)
        time.sleep(POLL_SECONDS)


def _slot_is_read(delivery: Debezium) -> bool:
    """Whether a connector reads the slot, where there is one."""
    slot = delivery.slot()
    return delivery.slots is None or bool(slot and slot.active)


def canary_arrives(delivery: Debezium, cluster: Cluster, deadline: float, report: Report) -> dict[str, object]:
    """Send one row through the outbox and wait for its message; the row is deleted again whatever happens.

    Returns topic, partition, offset and milliseconds from the commit. deadline: by time.monotonic(). Raises
    ConnectorUnhealthy.
    """
    if delivery.dsn is None:
        raise ConnectorUnhealthy("a canary row needs the database", fix="set OUTBOX_KIT_DSN")
    seconds = max(deadline - time.monotonic(), 1.0)
    sent = canary.send(delivery.outbox, delivery.probe, delivery.dsn, cluster, seconds, lambda: refuse_failed(delivery))
    record = sent.location
    if record is None:
        refuse_failed(delivery)
        caveat = Routes(delivery.outbox).caveat
        where = f"'{sent.topic}'" + (f" ({caveat})" if caveat else "")
        raise _silence(delivery, f"the canary row {sent.event_id} did not arrive in {where}")
    report(f"a canary row arrived at {sent.topic}-{record.partition}@{record.offset} after {sent.milliseconds} ms")
    return {**asdict(record), "milliseconds": sent.milliseconds}


def _silence(delivery: Debezium, what: str, point: int | None = None) -> ConnectorUnhealthy:
    """The error for a connector that runs and publishes nothing, with the likely reasons.

    point: a position of the log that the connector has not stored.
    """
    return ConnectorUnhealthy(
        f"'{delivery.name}' is RUNNING but publishes nothing",
        where=delivery.workers.url,
        why="; ".join([what, *_reasons(delivery, point)]),
        fix="fix the cause, then run outbox-kit deploy-connector again; the connector is registered and retries",
    )


def _reasons(delivery: Debezium, point: int | None) -> list[str]:
    try:
        return list(_observed(delivery, point))
    except EnvironmentProblem as problem:
        return [f"the cause could not be examined: {problem.what}"]


def _observed(delivery: Debezium, point: int | None) -> Iterator[str]:
    if delivery.dsn is None or delivery.slots is None:
        return
    name, slot = delivery.outbox.names.slot, delivery.slot()
    if missing := delivery.unpublished():
        yield missing
    if slot is None:
        yield f"replication slot '{name}' does not exist"
    elif not slot.active:
        yield f"replication slot '{name}' is inactive (wal_status={slot.wal_status or 'unknown'})"
    elif point is None and delivery.stored_position() is None:
        yield f"replication slot '{name}' is read by another connector, or the initial snapshot is still running"
    elif point is not None and slot.confirmed >= point:
        yield f"replication slot '{name}' is read by another connector, which has passed that position"
    else:
        yield (
            "the replication slot is active; possibly the worker may not create a missing topic: then its log has "
            "UNKNOWN_TOPIC_OR_PARTITION"
        )
