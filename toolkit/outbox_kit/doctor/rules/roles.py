"""Rules about the roles: of the connector or relay, and of the application."""

from collections.abc import Iterator, Sequence

from outbox_kit.databases.observed import LackingPrivilege
from outbox_kit.doctor.needs import CREATED, ROLE
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.printable import counted

APPLY = "outbox-kit gen-ddl --apply"
PASSWORD = "outbox-kit gen-ddl --apply --password-env OUTBOX_DB_PASSWORD"  # noqa: S105 - a command


@rule("DOC-ROLES-01", Severity.error, fix=PASSWORD, needs=(*CREATED, Need.role_examined))
def role_exists(system: SystemObservation) -> Iterator[SystemViolation]:
    """The role of the connector or relay exists and may log in.

    Without it nothing can read the outbox.
    """
    name, role = system.outbox.names.role, system.database.role if system.database else None
    if role is None:
        yield SystemViolation(f"role {name} does not exist", name)
    elif not role.login:
        yield SystemViolation(f"role {name} may not log in", name, f"alter role {_ident(system, name)} login;")
    elif role.expired:
        fix = f"alter role {_ident(system, name)} valid until 'infinity';"
        yield SystemViolation(f"the password of role {name} has expired", name, fix)


@rule("DOC-ROLES-02", Severity.error, fix=APPLY, needs=(Need.reads_slot, *ROLE))
def replication(system: SystemObservation) -> Iterator[SystemViolation]:
    """The role may read the log.

    The attribute REPLICATION is not inherited from another role; managed servers have a role for it.
    """
    name, role = system.outbox.names.role, system.database.role if system.database else None
    if role and not role.replication:
        quoted = _ident(system, name)
        fix = f"alter role {quoted} replication; on Amazon RDS: grant rds_replication to {quoted};"
        yield SystemViolation(f"role {name} has no attribute REPLICATION", name, fix)


@rule("DOC-ROLES-03", Severity.warning, fix="use a role with the privileges of gen-ddl only", needs=ROLE)
def least_privilege(system: SystemObservation) -> Iterator[SystemViolation]:
    """The role is not a superuser.

    The password of a superuser on a Kafka Connect worker opens the whole server.
    """
    name, role = system.outbox.names.role, system.database.role if system.database else None
    if role and role.superuser:
        yield SystemViolation(f"role {name} is a superuser", name, f"alter role {_ident(system, name)} nosuperuser;")


@rule("DOC-ROLES-04", Severity.error, fix=APPLY, needs=(*CREATED, Need.role_examined))
def privileges(system: SystemObservation) -> Iterator[SystemViolation]:
    """All roles have the privileges that they need.

    The connector, the relay or the application fails at the first statement that it may not execute.
    """
    yield from lacking_privileges(system.database.lacking if system.database else ())


@rule("DOC-ROLES-05", Severity.error, fix="create the role, or correct database.writers", needs=CREATED)
def writers(system: SystemObservation) -> Iterator[SystemViolation]:
    """The roles of database.writers exist.

    A role that does not exist cannot be granted anything, so the application may not write events.
    """
    for name in system.database.absent_writers if system.database else ():
        yield SystemViolation(f"role {name} of database.writers does not exist", name)


def lacking_privileges(missing: Sequence[LackingPrivilege]) -> Iterator[SystemViolation]:
    """One violation for all privileges that are missing, with the statements that grant them."""
    if missing:
        subject = "; ".join(f"{each.role}: {each.privilege}" for each in missing)
        fix = f"run these statements, or {APPLY}"
        text = f"{counted(len(missing), 'grant')} {'is' if len(missing) == 1 else 'are'} missing"
        yield SystemViolation(text, subject, fix, [each.sql for each in missing])


def _ident(system: SystemObservation, name: str) -> str:
    return system.outbox.dialect.quote_ident(name)
