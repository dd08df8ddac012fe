"""Plan a connector, and carry the plan out: write, wait, prove; restore the previous configuration if that fails."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.connect import deploy
from outbox_kit.connect.plan import refuse_unsafe
from outbox_kit.connect.planned import PlannedConnector
from outbox_kit.delivery.debezium import ownership, proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import ConnectorUnhealthy, EnvironmentProblem, OutOfTime, StalePlan, UnsafeChange
from outbox_kit.kafka.read import Cluster
from outbox_kit.versions import Version

Report = Callable[[str], None]
ADOPT = "outbox-kit deploy-connector --adopt"
LEFT = "it has the new configuration: see outbox-kit status --trace; correct it and deploy again"


@dataclass(frozen=True)
class DeploymentLimits:
    """How long a deployment may take."""

    seconds: float
    """Until the connector must run and be proven, and again until a restored one must run."""
    stable_for: float
    """Seconds for which the connector must stay RUNNING."""


@dataclass
class DeploymentOutcome:
    """What became of a plan."""

    evidence: dict[str, Any] = field(default_factory=dict)
    """What proves that events flow."""
    written: bool = False
    """Whether Kafka Connect was asked to change something."""
    restored: bool | None = None
    """Whether the previous configuration runs again; None if it was not to be restored."""


def observe(delivery: Debezium, *, resume: bool = False, validated: bool = True) -> PlannedConnector:
    """The plan of a connector; only reads. validated: whether Kafka Connect is to validate the configuration.

    Raises ConfigRefused, ConnectorUnhealthy (the worker cannot reach the database), EnvironmentProblem.
    """
    workers, config, outbox = delivery.workers, delivery.config or {}, delivery.outbox
    cluster = str(workers.worker().get("kafka_cluster_id") or "")
    release = Version.of(outbox.connect.debezium)
    deployment = deploy.planned(workers, delivery.name, config, release=release, cluster=cluster, resume=resume)
    if validated:
        deploy.validate(workers, delivery.name, config)
    return PlannedConnector(outbox, deployment, ownership.differences(outbox, deployment.live, config))


def refuse(plan: PlannedConnector, url: str, *, adopt: bool, allow_destructive: bool) -> None:
    """Raise UnsafeChange if the plan needs a permission that is not there.

    url: of Kafka Connect. adopt: whether another connector of that name may be replaced.
    """
    if plan.foreign and not adopt:
        raise UnsafeChange(
            f"connector '{plan.name}' is not the connector of this outbox; nothing was changed",
            where=url,
            why="; ".join(plan.foreign),
            fix=f"choose another name: connect.connector in the schema file; if it is this outbox's: {ADOPT}",
        )
    if not allow_destructive:
        refuse_unsafe(plan.name, plan.deployment.edits)


@dataclass(frozen=True)
class Application:
    """How a plan is carried out."""

    delivery: Debezium
    limits: DeploymentLimits
    report: Report
    """Takes a line for each step."""
    kafka: Cluster | None = None
    """Where a canary is to arrive; None without a probe."""
    whole_trace: bool = False
    restores: bool = True
    """Whether the previous configuration is put back if the new one does not run."""

    def apply(self, plan: PlannedConnector, outcome: DeploymentOutcome) -> None:
        """Carry the plan out, wait until the connector runs, and prove that events flow; `outcome` is filled meanwhile.

        Raises StalePlan if the connector has changed since, and EnvironmentProblem, whose details say whether the
        previous configuration runs again.
        """
        deployment = plan.deployment
        if deployment.action in ("create", "update") and self.delivery.workers.config(plan.name) != deployment.live:
            raise StalePlan(
                f"connector '{plan.name}' was changed after the plan was made; nothing was changed by this command",
                where=self.delivery.workers.url,
                fix="see what would be done now: outbox-kit plan",
            )
        outcome.written = not deployment.empty
        deploy.write(self.delivery.workers, deployment, deployment.config)
        if deployment.resumed:
            self.report(f"resumed '{plan.name}'")
        if deployment.action != "none" or not deployment.resumed:
            self.report(f"{_action_text(deployment.action)} '{plan.name}'")
        try:
            self._prove(plan, outcome, time.monotonic() + self.limits.seconds)
        except (ConnectorUnhealthy, OutOfTime) as error:
            error.details = (*error.details, *self._after_failure(plan, outcome))
            raise

    def _prove(self, plan: PlannedConnector, outcome: DeploymentOutcome, deadline: float) -> None:
        """Wait until the connector runs, and prove that events flow. deadline: by time.monotonic()."""
        deployment, delivery = plan.deployment, self.delivery
        deployment.after = deploy.await_running(
            delivery.workers, deployment, deployment.config, deadline, whole_trace=self.whole_trace
        )
        self.report(str(deployment.after))
        running_since = time.monotonic()
        if self.kafka is not None:
            outcome.evidence["canary"] = proof.canary_arrives(delivery, self.kafka, deadline, self.report)
        outcome.evidence["position"] = proof.position_advances(delivery, deadline, self.report)
        time.sleep(max(0.0, running_since + self.limits.stable_for - time.monotonic()))
        proof.refuse_failed(delivery)

    def _after_failure(self, plan: PlannedConnector, outcome: DeploymentOutcome) -> list[str]:
        """Restore the previous configuration, if there is one that ran; what became of the connector, a line each."""
        deployment = plan.deployment
        if deployment.action == "create":
            return [f"  left  '{plan.name}' is registered; see outbox-kit status --trace, or outbox-kit remove"]
        if deployment.action != "update":
            return []
        if not deployment.restorable:
            why = "values of it are masked" if deployment.masked else "the connector did not run with it"
            return [f"  left  the previous configuration of '{plan.name}' was not restored: {why}; {LEFT}"]
        if not self.restores:
            return [f"  left  the previous configuration of '{plan.name}' was not restored; {LEFT}"]
        self.report(f"restoring the previous configuration of '{plan.name}'")
        outcome.restored = False
        try:
            status = deploy.restore(self.delivery.workers, deployment, time.monotonic() + self.limits.seconds)
        except EnvironmentProblem as problem:
            why = problem.why or "see outbox-kit status"
            return [f"  left  the previous configuration of '{plan.name}' does not run either: {problem.what}; {why}"]
        outcome.restored = True
        return [f"  now   the previous configuration of '{plan.name}' was restored: {status}"]


def _action_text(action: str) -> str:
    return {"create": "created", "update": "updated", "restart": "restarted the failed parts of"}.get(
        action, "no changes to"
    )
