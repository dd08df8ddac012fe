"""Rules about the capture of rows, in servers whose queries `status` shares: SQL Server, Oracle and MongoDB."""

from collections.abc import Iterator

from outbox_kit.doctor.needs import CAPTURE, OBJECTS
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.doctor.rules.outbox import old_heartbeat
from outbox_kit.doctor.rules.roles import APPLY, PASSWORD, lacking_privileges
from outbox_kit.findings.rule import Severity

STATUS = "see its state: outbox-kit status"


@rule("DOC-CAPTURE-01", Severity.error, fix="outbox-kit gen-ddl --apply", needs=CAPTURE)
def captured(system: SystemObservation) -> Iterator[SystemViolation]:
    """The server captures the rows of the outbox and of the heartbeat.

    The connector reads only what is captured, and stays RUNNING. Before the first deployment the tables do not exist.
    """
    for table in system.capture.missing if system.capture else ():
        severity = None if system.registered else Severity.info
        yield SystemViolation(f"table {table} is not captured, or does not exist", table, severity=severity)


@rule("DOC-CAPTURE-02", Severity.warning, fix="follow the finding's own statement", needs=CAPTURE)
def lasting(system: SystemObservation) -> Iterator[SystemViolation]:
    """The server writes what the connector reads, and keeps it longer than an outage may last.

    The server deletes it by age, read or not.
    """
    for risk in system.capture.risks if system.capture else ():
        yield SystemViolation(risk.text, risk.text.partition(":")[0], risk.fix)


@rule("DOC-CAPTURE-03", Severity.warning, fix=STATUS, needs=(*CAPTURE, Need.registered))
def heartbeat(system: SystemObservation) -> Iterator[SystemViolation]:
    """The connector writes its heartbeat, and the server captures it.

    The connector has no connection to the database otherwise, or nothing is captured.
    """
    yield from old_heartbeat(system, system.capture.heartbeat_seconds if system.capture else None)


@rule("DOC-CAPTURE-04", Severity.error, fix=APPLY, needs=OBJECTS)
def created(system: SystemObservation) -> Iterator[SystemViolation]:
    """The outbox and the connector's user are as gen-ddl creates them.

    The connector fails, or publishes incomplete events. Before the first deployment they do not exist.
    """
    for flaw in system.objects.flaws if system.objects else ():
        severity = None if system.registered else Severity.info
        yield SystemViolation(flaw.text, flaw.text.partition(":")[0], flaw.fix, severity=severity)


@rule("DOC-CAPTURE-05", Severity.error, fix=PASSWORD, needs=(*OBJECTS, Need.objects_seen))
def privileged(system: SystemObservation) -> Iterator[SystemViolation]:
    """The connector's user exists and has its privileges.

    The connector fails at the first statement that it may not execute.
    """
    if system.objects is None:
        return
    if not system.objects.user_exists:
        name = system.outbox.names.role
        yield SystemViolation(
            f"user {name} does not exist", name, severity=None if system.registered else Severity.info
        )
    yield from lacking_privileges(system.objects.lacking)
