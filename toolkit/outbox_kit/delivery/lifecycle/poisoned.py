"""Events that make the task fail are skipped: errors are tolerated until the connector has passed them, not longer."""

from dataclasses import dataclass

from outbox_kit.connect import deploy
from outbox_kit.connect.causes import explain, root_lines
from outbox_kit.connect.client import Config
from outbox_kit.connect.deploy import Deployment
from outbox_kit.connect.status import failure
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.step import Step
from outbox_kit.delivery.lifecycle.plan import OperationPlan
from outbox_kit.delivery.lifecycle.registered import registered
from outbox_kit.delivery.lifecycle.states import States
from outbox_kit.errors import UsageProblem

TOLERANT = {"errors.tolerance": "all", "errors.log.enable": "true", "errors.log.include.messages": "false"}
"""The options with which Kafka Connect drops an event at which a transformation, a converter or the producer fails."""
OF_EVENT = ("Tolerance exceeded in error handler", "RecordTooLargeException", "InvalidRecordException")
"""The texts in the trace of a task that has failed at an event."""
OF_ALL = ("AuthorizationException", "RestClientException", "java.io.", "java.net.", "TimeoutException")
"""The texts in a trace whose cause would make each event fail: a registry, or a right that is missing."""


@dataclass(frozen=True)
class PoisonedEvents:
    """The events at which the task of a connector fails."""

    states: States
    """The way to a running connector."""

    @property
    def delivery(self) -> Debezium:
        """The connector."""
        return self.states.delivery

    def plan(self) -> OperationPlan:
        """The plan; empty if the task has not failed. Raises ConnectorUnhealthy if it has failed at no event."""
        before = registered(self.delivery)
        status, name = before.status, self.delivery.name
        tolerant = before.config.get("errors.tolerance") == TOLERANT["errors.tolerance"]
        left = tolerant and (self.delivery.config or {}).get("errors.tolerance") != TOLERANT["errors.tolerance"]
        facts = [*before.facts(), *(("trace", line.strip()) for line in root_lines(status.trace, 1) if line.strip())]
        if status.halted:
            raise UsageProblem(f"connector '{name}' is {status.connector}", fix="outbox-kit resume")
        if not status.failed and not left:
            return OperationPlan("skip-poisoned", name, facts, [])
        if status.failed and not tolerant and not _of_event(status.trace):
            error = failure(name, status)
            error.what = f"{error.what}, but not at an event; nothing was changed"
            raise error
        if self.delivery.dsn is None:
            raise UsageProblem(
                "the position of the connector needs the database", fix="set OUTBOX_KIT_DSN, or --dsn DSN"
            )
        config = {key: value for key, value in before.config.items() if not left or key not in TOLERANT}
        text = "set errors.tolerance: all until the connector has passed a new row, then set it back"
        steps = [Step("skip", text, lambda: self._skip(config))]
        cause = explain(status.trace)
        effects = [
            "every event between the stored offset and now at which the task fails is not published; all others are",
            *([f"the failure: {cause.means}"] if cause and status.failed else []),
        ]
        notes = (
            []
            if self.delivery.outbox.table.storage == "log"
            else ["outbox-kit verify lists the skipped events (LOS-01): correct their rows, then: outbox-kit resend"]
        )
        return OperationPlan("skip-poisoned", name, facts, steps, effects, notes, ("outbox-kit verify",))

    def _skip(self, config: Config) -> None:
        workers, name = self.delivery.workers, self.delivery.name
        before = deploy.baseline(workers, name, config | TOLERANT)
        try:
            workers.put_config(name, config | TOLERANT)
            self.states.report(f"errors.tolerance is {TOLERANT['errors.tolerance']}")
            self._await_passed(config | TOLERANT, before)
            tolerant = deploy.baseline(workers, name, config)
        finally:  # whatever happens: with this option events are lost silently
            workers.put_config(name, config)
        self._await_passed(config, tolerant)
        self.states.report(f"errors.tolerance is {config.get('errors.tolerance', 'none')} again")

    def _await_passed(self, config: Config, deployment: Deployment) -> None:
        """Wait until the connector runs with a configuration and has passed a new row."""
        delivery, deadline = self.delivery, self.states.deadline()
        self.states.report(str(deploy.await_running(delivery.workers, deployment, config, deadline)))
        proof.position_advances(delivery, deadline, self.states.report)
        proof.refuse_failed(delivery)


def _of_event(trace: str) -> bool:
    """Whether a task has failed at an event, and not because of something that each event needs."""
    errors = "\n".join(line for line in trace.splitlines() if not line.lstrip().startswith("at "))
    return any(text in errors for text in OF_EVENT) and not any(text in errors for text in OF_ALL)
