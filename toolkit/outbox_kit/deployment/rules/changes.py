"""Rules about the options that differ, by the effect of the change."""

from collections.abc import Iterator

from outbox_kit.connect.planned import PlannedConnector
from outbox_kit.deployment.rule import PlannedViolation, rule
from outbox_kit.findings.rule import Severity
from outbox_kit.router.options import Effect

DEPLOY = "outbox-kit deploy-connector"
ALLOW = f"{DEPLOY} --allow-destructive"


def _with(plan: PlannedConnector, effect: Effect) -> Iterator[PlannedViolation]:
    """The changes with an effect; of a connector that is not registered there are none."""
    for edit in plan.deployment.edits if plan.deployment.live is not None else ():
        if edit.effect is effect:
            before, after = edit.shown(edit.before), edit.shown(edit.after)
            sides = f"{'not set' if before is None else before} -> {'not set' if after is None else after}"
            yield PlannedViolation(f"{edit.key}: {sides}: {effect}", edit.key)


@rule("PLN-11", Severity.warning, fix=f"apply the schema file: {DEPLOY}; or keep the value: set it in connect.config")
def restart(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The options whose change restarts the task have the values of the schema file.

    The connector was changed by hand, or the schema file was changed and not deployed. Events that were sent within the
    last seconds before the restart can be published twice.
    """
    yield from _with(plan, Effect.restart)


@rule("PLN-12", Severity.error, fix=f"hand the stored offset over, or accept duplicates or a gap: {ALLOW}")
def position(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The options that decide where the connector resumes have the values of the schema file.

    The stored offset no longer applies: the initial snapshot publishes the rows of the table again, or events that were
    written meanwhile are never published.
    """
    yield from _with(plan, Effect.position)


@rule("PLN-13", Severity.error, fix=f"see what consumers notice: outbox-kit diff; then {ALLOW}")
def wire(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The options that form messages and topics have the values of the schema file.

    Consumers get other topics, headers or bytes from then on.
    """
    yield from _with(plan, Effect.wire)


@rule("PLN-14", Severity.error, fix=f"let consumers finish the messages that are in the topics first; then {ALLOW}")
def order(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The options that decide over key and partition have the values of the schema file.

    Events of one key move to another partition, and can be consumed before earlier ones.
    """
    yield from _with(plan, Effect.order)


@rule("PLN-15", Severity.error, fix=f"see what the option excludes: outbox-kit explain OPTION; then {ALLOW}")
def loss(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The options that can exclude or drop events have the values of the schema file.

    Events may be dropped silently.
    """
    yield from _with(plan, Effect.loss)


@rule("PLN-16", Severity.info, fix="read the connector with credentials for which the values are not masked")
def comparable(plan: PlannedConnector) -> Iterator[PlannedViolation]:
    """The values of the registered connector can be read.

    A masked value is taken as equal without a comparison, and the previous configuration cannot be restored.
    """
    for key in plan.deployment.masked:
        yield PlannedViolation(f"{key} is masked", key)
