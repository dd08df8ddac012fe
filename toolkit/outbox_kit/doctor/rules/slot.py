"""Rules about the replication slot: the position of the reader, and how long the server keeps the log for it."""

import math
from collections.abc import Iterator

from outbox_kit.delivery.slots import LOST, size
from outbox_kit.doctor.needs import CONNECTOR, LOG, SLOT
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import Question, SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity

DEPLOY = "outbox-kit deploy-connector"
CREATE_AGAIN = (
    "outbox-kit remove --drop-slot --reset-offsets --allow-destructive, then outbox-kit deploy-connector --probe; the "
    "initial snapshot publishes all rows of the table again"
)
START = "outbox-kit relay"
READERS = ("Debezium Streaming", "outbox-kit relay")
"""The names under which a connector and a relay read the log."""
LARGE_LAG = 1 << 30
HOUR, DAY = 3600, 86_400
IDLE_SECONDS = DAY
LAST_SHARE = 0.2
"""Of the limit, below which its end is near, whatever the rate is."""


def _create(system: SystemObservation) -> str:
    name = system.outbox.names.slot
    return f"select pg_drop_replication_slot('{name}'); then {START}" if system.by_relay else CREATE_AGAIN


def _stored(system: SystemObservation) -> int | None:
    return system.connect.stored if system.connect and Question.offsets in system.answered else None


@rule("DOC-SLOT-01", Severity.error, fix=CREATE_AGAIN, needs=(*LOG, Need.created))
def exists(system: SystemObservation) -> Iterator[SystemViolation]:
    """The replication slot of a deployed outbox exists.

    What was written since it was dropped is not published. A slot that is created again begins at the end of the log.
    """
    name = system.outbox.names.slot
    if system.log is None or system.log.slot is not None or (system.relay and system.relay.first_read):
        return
    text = f"replication slot '{name}' does not exist"
    if system.registered and _stored(system) is not None:
        yield SystemViolation(f"{text}, but the connector has a stored offset: the slot was dropped", name)
    elif system.registered:
        yield SystemViolation(f"{text}: the connector is registered and has not created it", name, f"{DEPLOY} --probe")
    elif system.registered is None and system.database and system.database.relay_started:
        text += ", but a relay was started: the slot was dropped"
        fix = f"outbox-kit verify names events that are lost; {START} creates the slot and publishes all rows again"
        yield SystemViolation(text, name, fix)
    elif system.registered is None:
        start = START if system.by_relay else DEPLOY
        yield SystemViolation(f"{text}: it is created at the first start", name, start, severity=Severity.info)


@rule("DOC-SLOT-02", Severity.error, fix=CREATE_AGAIN, needs=SLOT)
def kept(system: SystemObservation) -> Iterator[SystemViolation]:
    """The server has the log that the slot needs.

    A lost slot cannot be read again. The events since its position are in the outbox table only.
    """
    slot = system.log.slot if system.log else None
    if slot and slot.wal_status in LOST:
        state = "is lost" if slot.wal_status == "lost" else "is about to be lost"
        cause = f", invalidation_reason={slot.invalidation}" if slot.invalidation else ""
        text = f"replication slot '{slot.name}' {state} (wal_status={slot.wal_status}{cause})"
        yield SystemViolation(text, slot.name, _create(system))


@rule("DOC-SLOT-03", Severity.error, fix="give this outbox a slot of its own: connect.slot", needs=SLOT)
def database(system: SystemObservation) -> Iterator[SystemViolation]:
    """The slot is one of this database, for the plugin of the connector.

    The connector's task fails, or reads the changes of another database.
    """
    slot = system.log.slot if system.log else None
    if slot is None:
        return
    expected = {"plugin": "pgoutput", "database": system.outbox.names.database}
    for name, value in expected.items():
        if (actual := getattr(slot, name)) != value:
            text = f"replication slot '{slot.name}' has {name} '{actual}', expected '{value}'"
            yield SystemViolation(text, f"{slot.name}: {name}")


@rule("DOC-SLOT-04", Severity.warning, fix=DEPLOY, needs=SLOT)
def read(system: SystemObservation) -> Iterator[SystemViolation]:
    """The slot is read.

    Nothing is published meanwhile, and the server keeps the log until the slot is read again or dropped.
    """
    slot = system.log.slot if system.log else None
    if slot is None or slot.active or slot.wal_status == "lost":
        return
    since = f" for {_duration(slot.inactive_seconds)}" if slot.inactive_seconds is not None else ""
    text = f"replication slot '{slot.name}' is inactive{since} and retains {size(slot.retained or 0)} of WAL"
    drop = "outbox-kit remove --drop-slot --allow-destructive"
    fix = START if system.by_relay else f"outbox-kit resume; if the outbox is no longer used: {drop}"
    yield SystemViolation(text, slot.name, fix, severity=Severity.error if system.registered else None)


@rule(
    "DOC-SLOT-05",
    Severity.error,
    fix="stop the other reader, or give this outbox a slot of its own",
    needs=(*SLOT, Need.reader_seen),
)
def reader(system: SystemObservation) -> Iterator[SystemViolation]:
    """The slot is read by the connector or the relay of this outbox only.

    Another reader takes the events: they are confirmed, and never published.
    """
    slot = system.log.slot if system.log else None
    if slot is None or slot.reader is None:
        return
    who = str(slot.reader)
    expected = READERS[system.by_relay]
    status = system.connect.status if system.connect else None
    fix = f"select pg_terminate_backend({slot.reader.pid}); and stop the program"
    if slot.reader.application != expected:
        yield SystemViolation(f"replication slot '{slot.name}' is read by {who}, not by {expected}", slot.name, fix)
    elif system.registered is False or (status and status.connector == "STOPPED"):
        state = "is stopped" if system.registered else "is not registered"
        text = (
            f"replication slot '{slot.name}' is read by {who}, but connector '{system.outbox.names.connector}' {state}"
        )
        yield SystemViolation(text, slot.name, fix)


@rule("DOC-SLOT-06", Severity.warning, fix="see outbox-kit status, and the log of the worker or relay", needs=SLOT)
def lag(system: SystemObservation) -> Iterator[SystemViolation]:
    """The reader is not far behind the end of the log.

    Events arrive late, and the server keeps the log.
    """
    slot = system.log.slot if system.log else None
    if slot and slot.active and slot.lag is not None and slot.lag > LARGE_LAG:
        yield SystemViolation(f"replication slot '{slot.name}' has a lag of {size(slot.lag)}", slot.name)


@rule("DOC-SLOT-07", Severity.warning, fix="let the slot be read, or raise the limit", needs=(*SLOT, Need.limit))
def time_left(system: SystemObservation) -> Iterator[SystemViolation]:
    """The log that the slot may still retain lasts for a day.

    The rate is measured for a moment: a slot that is read moves on, and its time begins again.
    """
    log, slot = system.log, system.log.slot if system.log else None
    if log is None or slot is None or slot.safe_bytes is None or slot.wal_status == "lost":
        return
    rate, safe, retained = log.bytes_per_second or 0.0, max(slot.safe_bytes, 0), slot.retained or 0
    moves = slot.active and retained < safe
    near_end = safe < LAST_SHARE * (safe + retained)
    if moves or not (near_end or _seconds_left(safe, rate) < DAY):
        return
    left = f"{_duration(safe / rate)} at {size(round(rate))}/s" if rate > 0 else "nothing is written at present"
    text = f"{size(safe)} of WAL can be written until replication slot '{slot.name}' is lost: {left}"
    raised = "alter system set max_slot_wal_keep_size = '50GB'; select pg_reload_conf();"
    fix = f"{raised} and let the slot be read: {START if system.by_relay else DEPLOY}"
    near = _seconds_left(safe, rate) < HOUR
    yield SystemViolation(text, slot.name, fix, severity=Severity.error if near else None)


def _seconds_left(safe: int, rate: float) -> float:
    """Until so many bytes are written. rate: in bytes a second."""
    return safe / rate if rate > 0 else math.inf


@rule("DOC-SLOT-08", Severity.warning, fix="drop the slot if nothing will read it again", needs=LOG)
def others(system: SystemObservation) -> Iterator[SystemViolation]:
    """No other slot of the server is left behind.

    The server keeps its log, and a limit is not the outbox's own.
    """
    for slot in system.log.others if system.log else ():
        old = slot.inactive_seconds is not None and slot.inactive_seconds > IDLE_SECONDS
        if not slot.active and (old or (slot.retained or 0) > LARGE_LAG):
            since = f" for {_duration(slot.inactive_seconds)}" if slot.inactive_seconds is not None else ""
            text = f"slot '{slot.name}' of database '{slot.database}' is inactive{since}"
            fix = f"select pg_drop_replication_slot('{slot.name}');"
            yield SystemViolation(f"{text} and retains {size(slot.retained or 0)} of WAL", slot.name, fix)


@rule("DOC-SLOT-09", Severity.warning, fix="set database.version in the schema file, and deploy again", needs=SLOT)
def failover(system: SystemObservation) -> Iterator[SystemViolation]:
    """Standby servers have a copy of the slot.

    After a failover the new primary has no slot: what was not published is not published at all.
    """
    slot = system.log.slot if system.log else None
    if system.log and slot and system.log.standbys and slot.failover is False:
        version = system.database.version.partition(".")[0] if system.database else ""
        text = f"replication slot '{slot.name}' is not copied to the {system.log.standbys} connected standby servers"
        fix = f"set database.version: {version} in the schema file, then {CREATE_AGAIN}"
        yield SystemViolation(text, slot.name, fix)


@rule("DOC-SLOT-10", Severity.error, fix=CREATE_AGAIN, needs=(*SLOT, *CONNECTOR, Need.offsets))
def not_ahead(system: SystemObservation) -> Iterator[SystemViolation]:
    """The slot is not ahead of the position that the connector has stored.

    Another reader has moved it, or it was dropped and created again: the events between the two positions were not
    published by this connector.
    """
    slot, stored = system.log.slot if system.log else None, _stored(system)
    if slot and stored is not None and slot.confirmed is not None and slot.confirmed > stored:
        gap = size(slot.confirmed - stored)
        yield SystemViolation(f"replication slot '{slot.name}' is {gap} ahead of the stored offset", slot.name)


def _duration(seconds: float) -> str:
    """Seconds in words."""
    for unit, length in (("days", DAY), ("hours", HOUR), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
