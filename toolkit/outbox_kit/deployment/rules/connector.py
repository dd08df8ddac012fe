"""Rules about the connector itself."""

from collections.abc import Iterator

from outbox_kit.connect.planned import PlannedConnector
from outbox_kit.connect.status import RESUME
from outbox_kit.deployment.rule import PlannedViolation, rule
from outbox_kit.findings.rule import Severity

DEPLOY = "outbox-kit deploy-connector"


@rule("PLN-01", Severity.warning, fix=f"create it: {DEPLOY}")
def registered(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The connector is registered.

    No event is published without it. Its name, or the address of Kafka Connect, may also be another one.
    """
    if plan.deployment.live is None:
        yield PlannedViolation(f"connector '{plan.name}' is not registered", plan.name)


@rule(
    "PLN-02",
    Severity.error,
    fix=f"choose another name: connect.connector in the schema file; if the connector is this outbox's: {DEPLOY} "
    "--adopt",
)
def owner(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The registered connector of that name is the outbox's.

    It reads another source: a deployment would end its delivery, and use its stored offset for this outbox.
    """
    if plan.foreign:
        reasons = "; ".join(plan.foreign)
        yield PlannedViolation(f"connector '{plan.name}' is not the connector of this outbox: {reasons}", plan.name)


@rule("PLN-03", Severity.warning, fix=f"restart what has failed: {DEPLOY}")
def healthy(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The connector and its task have not failed.

    No event is published until they are restarted. An unchanged configuration restarts nothing; a deployment does.
    """
    before = plan.deployment.before
    if before is not None and before.failed:
        yield PlannedViolation(f"connector '{plan.name}' has failed: {before}", plan.name)


@rule("PLN-04", Severity.warning, fix=RESUME)
def resumed(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The connector is not paused or stopped.

    It publishes no events until it is resumed, and the database retains its log.
    """
    before = plan.deployment.before
    if before is not None and before.halted:
        yield PlannedViolation(f"connector '{plan.name}' is {before.connector}", plan.name)
