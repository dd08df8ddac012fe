"""Proof that events flow, because RUNNING proves almost nothing: the slot, the stored position, a canary row.

A connector whose slot is somebody else's, or whose table is not published, stays RUNNING for as long as one likes.
"""

import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit import dialects, source
from outbox_kit.connect.client import Config, Connect
from outbox_kit.connect.health import failure, health
from outbox_kit.errors import ConnectorUnhealthy, ConnectRefused, DatabaseRefused, EnvironmentProblem
from outbox_kit.kafka.canary import await_header
from outbox_kit.kafka.read import Cluster
from outbox_kit.preview.routes import Routes
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.source import whereabouts

Report = Callable[[str], None]

BEAT_SECONDS = 2.0
POLL_SECONDS = 0.5


@dataclass(frozen=True)
class Target:
    """What is looked at. dsn: None where the database is not to be had."""

    outbox: Outbox
    connect: Connect
    config: Config
    dsn: str | None

    @property
    def slots(self) -> bool:
        """Whether the database has a slot that could be looked at."""
        return dialects.named(self.outbox.database.dialect).slots

    @property
    def probe(self) -> Any:
        """The questions that this dialect's database can be asked."""
        return source.named(self.outbox.database.dialect).probe

    def refuse_failed(self) -> None:
        """Raise ConnectorUnhealthy where the connector or its task has failed by now."""
        name = names(self.outbox).connector
        found = health(self.connect.status(name), self.config)
        if found.failed:
            raise failure(name, found)


def preflight(target: Target) -> None:
    """Refuse to register a connector that could not publish. Raises DatabaseRefused, WrongDatabase."""
    if target.dsn is None:
        return
    whereabouts.expect(target.dsn, target.outbox)
    missing = target.probe.unpublished(target.dsn, target.outbox)
    if missing:
        carrier = f"the publication '{names(target.outbox).publication}'" if target.slots else "change data capture"
        raise DatabaseRefused(
            f"{carrier} does not carry {' and '.join(missing)}; nothing was changed",
            why="the connector would run and publish nothing",
            fix="outbox-kit gen-ddl --apply",
        )


def position_advances(target: Target, deadline: float, report: Report) -> int | None:
    """Wait until the connector has stored a position behind something written just now.

    Returns the position in bytes of log, or None where the database is not to be had. deadline: by
    time.monotonic(). Raises ConnectorUnhealthy with the likely cause.
    """
    if target.dsn is None:
        report("not proven: the slot and its position (no database; set OUTBOX_KIT_DSN)")
        return None
    name = names(target.outbox).connector
    fence, beaten = None, 0.0
    while True:
        if time.monotonic() - beaten > BEAT_SECONDS:  # one from before the first read's end is not streamed
            beaten = time.monotonic()
            target.probe.beat(target.dsn, target.outbox)
        stored = stored_position(target.connect, name, target.probe)
        if fence is None and stored is not None:
            # the first read is over: what lies behind must be streamed
            fence = target.probe.log_position(target.dsn, target.outbox)
        elif fence is not None and stored is not None and stored >= fence and _is_read(target):
            slot = f"the slot '{names(target.outbox).slot}' is read, and " if target.slots else ""
            report(f"{slot}the stored position has passed a new row")
            return stored
        target.refuse_failed()
        if time.monotonic() > deadline:
            what = "no position was stored" if fence is None else f"no position behind {fence} was stored"
            raise _silence(target, f"{what} (seen last: {stored})", fence)
        time.sleep(POLL_SECONDS)


def _is_read(target: Target) -> bool:
    """Whether somebody reads the slot, where there is one."""
    slot = target.probe.slot(target.dsn, names(target.outbox).slot) if target.slots else None
    return not target.slots or bool(slot and slot.active)


def canary_arrives(target: Target, cluster: Cluster, deadline: float, report: Report) -> dict[str, object]:
    """Send one row through the outbox and wait for its message; the row is taken out again whatever happens.

    Returns topic, partition, offset and milliseconds from the commit. Raises ConnectorUnhealthy.
    """
    if target.dsn is None:
        raise ConnectorUnhealthy("a canary row needs the database", fix="set OUTBOX_KIT_DSN")
    event_id, routes = uuid.uuid4(), Routes(target.outbox)
    topic = routes.canary
    try:
        target.probe.write_canary(target.dsn, target.outbox, event_id)
        written = time.monotonic()
        header = "id", str(event_id).encode()
        seen = await_header(cluster, topic, header, max(deadline - written, 1.0), target.refuse_failed)
        waited = round((time.monotonic() - written) * 1000)
    finally:
        target.probe.remove_canary(target.dsn, target.outbox, event_id)
    if seen is None:
        target.refuse_failed()
        where = f"'{topic}'" + (f" ({routes.caveat})" if routes.caveat else "")
        raise _silence(target, f"the canary row {event_id} did not arrive in {where}")
    report(f"a canary row arrived at {topic}-{seen.partition}@{seen.offset} after {waited} ms")
    return {"topic": topic, "partition": seen.partition, "offset": seen.offset, "milliseconds": waited}


def stored_position(connect: Connect, connector: str, probe: Any) -> int | None:
    """The log position that the connector itself has stored while streaming, or None if it has not.

    Its own, not the slot's: a slot that another connector reads advances as well. While streaming: the first read of
    the table stores a position too, and needs no slot for it.
    """
    try:
        stored = [probe.position(entry["offset"]) for entry in connect.offsets(connector) if entry["offset"]]
    except (ValueError, TypeError, LookupError, AttributeError) as cause:
        why = f"{type(cause).__name__}: it is not what this database's connector stores"
        raise ConnectRefused(f"the stored offset of '{connector}' cannot be read", where=connect.url, why=why) from None
    return max((position for position in stored if position is not None), default=None)


def _silence(target: Target, what: str, fence: int | None = None) -> ConnectorUnhealthy:
    """The connector runs and nothing flows: say the likeliest reason that can be seen from here.

    fence: a position of the log that the connector has not stored.
    """
    return ConnectorUnhealthy(
        f"'{names(target.outbox).connector}' runs, but nothing flows",
        where=target.connect.url,
        why="; ".join([what, *_reasons(target, fence)]),
        fix="mend that, then deploy again; the connector is registered and keeps trying",
    )


def _reasons(target: Target, fence: int | None) -> list[str]:
    try:
        return list(_seen(target, fence))
    except EnvironmentProblem as problem:
        return [f"nobody could look why: {problem.what}"]


def _seen(target: Target, fence: int | None) -> Sequence[str]:
    if target.dsn is None or not target.slots:
        return ()
    derived = names(target.outbox)
    slot = target.probe.slot(target.dsn, derived.slot)
    missing = target.probe.unpublished(target.dsn, target.outbox)
    reasons = [f"the publication '{derived.publication}' does not carry {' and '.join(missing)}"] if missing else []
    if slot is None:
        reasons.append(f"the slot '{derived.slot}' was never made")
    elif not slot.active:
        reasons.append(f"nobody reads the slot '{derived.slot}' ({slot.wal_status or 'no state'})")
    elif fence is None and stored_position(target.connect, derived.connector, target.probe) is None:
        reasons.append(
            f"the slot '{derived.slot}' is read by another connector, or this one is still at its first read"
        )
    elif fence is not None and slot.confirmed >= fence:
        reasons.append(f"the slot '{derived.slot}' is read by another connector, which has passed that position")
    else:
        reasons.append(
            "the slot is read: a topic may be missing that the worker may not create; its log has "
            "UNKNOWN_TOPIC_OR_PARTITION then"
        )
    return reasons
