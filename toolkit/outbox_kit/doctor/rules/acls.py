"""Rules about the rights of the Kafka user with which events are published: --principal names it."""

from collections.abc import Iterator

from outbox_kit.doctor.needs import KAFKA
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rights import needed
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.kafka.acls import lacking

GRANT = "kafka-acls.sh --bootstrap-server {at} --add --allow-principal {principal} {operations} {kind} {name}"
OPTIONS = {"TOPIC": "--topic", "GROUP": "--group", "TRANSACTIONAL_ID": "--transactional-id"}


@rule(
    "DOC-ACLS-01",
    Severity.error,
    fix="add the ACLs",
    needs=(*KAFKA, Need.principal, Need.acls, Need.authorizer),
)
def allowed(system: SystemObservation) -> Iterator[SystemViolation]:
    """ACLs allow the Kafka user of the worker or relay what it needs.

    The task fails, or the relay waits. A connector's task stays RUNNING while it may not create a topic. A super user
    of the brokers needs no ACL, which a client cannot see.
    """
    principal, entries = system.principal, system.acls
    if system.kafka is None or principal is None or entries is None:
        return
    for resource, operations in needed(system):
        if missing := lacking(entries, resource, operations):
            fix = GRANT.format(
                at=system.kafka.bootstrap,
                principal=principal,
                operations=" ".join(f"--operation {operation.title()}" for operation in missing),
                kind=OPTIONS[resource.kind],
                name=resource.name,
            )
            kind = resource.kind.lower().replace("_", " ")
            text = f"no ACL allows {principal} to {' and '.join(missing)} {kind} '{resource.name}'"
            yield SystemViolation(text, resource.name, fix)
