"""Rules about the database server: whether the log can be read, and for how long it is kept."""

from collections.abc import Iterator

from outbox_kit.doctor.needs import DATABASE, LOG
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.printable import counted

DAY_SECONDS = 86_400
LONGEST_TRANSACTION_SECONDS = 60.0
LEAST_LIMIT_MB = 1024
MANAGED = "on a managed server set its own parameter, such as rds.logical_replication or cloudsql.logical_decoding"


def _hint(system: SystemObservation, name: str) -> str:
    return system.database.hints.get(name, "") if system.database else ""


def _number(system: SystemObservation, name: str) -> int | None:
    """A setting with a unit as a number; None if the server does not have it."""
    setting = system.database.settings.get(name) if system.database else None
    return int("".join(c for c in setting.value if c in "-0123456789")) if setting else None


@rule(
    "DOC-SERVER-01",
    Severity.error,
    fix="name the primary server in OUTBOX_KIT_DSN and database.host, or end the read-only mode",
    needs=DATABASE,
)
def accepts_writes(system: SystemObservation) -> Iterator[SystemViolation]:
    """The database accepts writes.

    Neither the application can write events, nor the connector its heartbeat: the position does not advance.
    """
    if system.database and system.database.read_only:
        text = f"the database accepts no writes: {system.database.read_only}"
        fix = (
            f"if this is the primary server: {_hint(system, 'read_only')} otherwise name the primary in OUTBOX_KIT_DSN"
        )
        yield SystemViolation(text, system.outbox.names.database, fix)


@rule("DOC-SERVER-02", Severity.error, fix=MANAGED, needs=LOG)
def logical_log(system: SystemObservation) -> Iterator[SystemViolation]:
    """The server writes what logical decoding needs: wal_level is logical.

    Without it no replication slot can be created.
    """
    setting = system.database.settings.get("wal_level") if system.database else None
    if setting and setting.value != "logical":
        pending = "; another value is configured, and holds after a restart" if setting.pending else ""
        yield SystemViolation(
            f"wal_level is '{setting.value}', expected 'logical'{pending}",
            "wal_level",
            f"{_hint(system, 'wal_level')}; {MANAGED}",
        )


@rule(
    "DOC-SERVER-03",
    Severity.warning,
    fix="set max_slot_wal_keep_size to what the disk can hold, and more than is written in the longest outage",
    needs=LOG,
)
def bounded_log(system: SystemObservation) -> Iterator[SystemViolation]:
    """The log that a slot retains has a limit.

    While the connector or relay is stopped, the server keeps all log from there on until the disk is full, and then
    accepts no writes at all. With a limit the slot is lost instead, and the rows of the outbox must be published again.
    """
    if _number(system, "max_slot_wal_keep_size") == -1:
        yield SystemViolation(
            "max_slot_wal_keep_size is -1: a stopped reader fills the disk of the server",
            "max_slot_wal_keep_size",
            _hint(system, "max_slot_wal_keep_size"),
        )


@rule("DOC-SERVER-04", Severity.warning, fix="raise max_slot_wal_keep_size", needs=LOG)
def large_limit(system: SystemObservation) -> Iterator[SystemViolation]:
    """The log that a slot retains lasts for an outage.

    When the limit is reached, the slot is lost, and with it all events that were not published.
    """
    limit = _number(system, "max_slot_wal_keep_size")
    if limit is not None and 0 <= limit < LEAST_LIMIT_MB:
        yield SystemViolation(
            f"max_slot_wal_keep_size is {limit} MB: a reader with a larger lag loses its slot",
            "max_slot_wal_keep_size",
            _hint(system, "max_slot_wal_keep_size"),
        )


@rule("DOC-SERVER-05", Severity.error, fix="drop slots that nothing reads, or raise the limit", needs=LOG)
def free_places(system: SystemObservation) -> Iterator[SystemViolation]:
    """A replication slot and a WAL sender are free for this outbox.

    Without them the connector's task, or the relay, fails at its start.
    """
    log = system.log
    if log is None or (log.slot and log.slot.active):
        return
    free = {"max_replication_slots": log.free_slots + bool(log.slot), "max_wal_senders": log.free_senders}
    for name, count in free.items():
        limit = _number(system, name) or 0
        if count < 1:
            fix = _hint(system, name).format(2 * limit)
            yield SystemViolation(f"{name} is reached: all {limit} are in use", name, fix)


@rule("DOC-SERVER-06", Severity.warning, fix="set idle_replication_slot_timeout to 0", needs=LOG)
def no_idle_timeout(system: SystemObservation) -> Iterator[SystemViolation]:
    """An outage does not invalidate the slot: idle_replication_slot_timeout is 0, or longer than a day.

    A slot that was not read for that time is lost, and with it all events that were not published.
    """
    seconds = _number(system, "idle_replication_slot_timeout")
    if seconds and seconds < DAY_SECONDS:
        name = "idle_replication_slot_timeout"
        yield SystemViolation(f"{name} is {seconds} s", name, _hint(system, name))


@rule(
    "DOC-SERVER-07",
    Severity.warning,
    fix="end the transaction, or the program that forgot it",
    needs=(*DATABASE, Need.sessions_seen),
)
def short_transactions(system: SystemObservation) -> Iterator[SystemViolation]:
    """No transaction is open for more than a minute.

    A new slot waits for it, a relay that reads the table waits for it, and the server removes no row that was deleted
    since it began.
    """
    for holder in system.database.holders if system.database else ():
        if holder.seconds is not None and holder.seconds > LONGEST_TRANSACTION_SECONDS:
            since = f" and holds {counted(holder.transactions, 'later transaction')}" if holder.transactions else ""
            yield SystemViolation(f"{holder.what} is open for {holder.seconds:.0f} s{since}", holder.what, holder.sql)


@rule("DOC-SERVER-08", Severity.warning, fix="create the database with encoding 'UTF8', and move the tables", needs=LOG)
def encoding(system: SystemObservation) -> Iterator[SystemViolation]:
    """The database stores texts as UTF-8.

    Characters that its encoding does not have cannot be written as events.
    """
    if system.database and system.database.encoding not in ("UTF8", ""):
        yield SystemViolation(f"the encoding is {system.database.encoding}", system.outbox.names.database)
