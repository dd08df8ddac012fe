"""A connector under another name: the new one continues at the stored offset of the old one, with the same slot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from outbox_kit.connect import deploy
from outbox_kit.connect.client import Config
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.offset_changes import copy_offset
from outbox_kit.delivery.debezium.ownership import expect_own
from outbox_kit.delivery.debezium.stopped import await_stopped
from outbox_kit.delivery.handover.step import Step
from outbox_kit.delivery.lifecycle.plan import OperationPlan
from outbox_kit.delivery.lifecycle.states import States
from outbox_kit.errors import ConnectorUnhealthy, OutboxKitError, UsageProblem


@dataclass(frozen=True)
class Rename:
    """The change of a connector's name to the one in the schema file."""

    states: States
    """The way to a running connector of the new name."""
    former: str
    """The name before."""

    @property
    def delivery(self) -> Debezium:
        """The connector under its new name."""
        return self.states.delivery

    @property
    def old(self) -> Debezium:
        """The connector under its former name."""
        connect = self.delivery.outbox.connect.model_copy(update={"connector": self.former})
        outbox = self.delivery.outbox.model_copy(update={"connect": connect})
        return replace(self.delivery, outbox=outbox)

    def plan(self) -> OperationPlan:
        """The steps from the state that is found. Raises UsageProblem, ConnectorUnhealthy, ConfigRefused."""
        delivery, name = self.delivery, self.delivery.name
        if self.former == name:
            fix = "set connect.connector in the schema file to the new name, and give the former one: --from NAME"
            raise UsageProblem(f"connector '{name}' has this name in the schema file already", fix=fix)
        if delivery.dsn is not None:
            proof.preflight(delivery)
            proof.refuse_relay(delivery)
        old_config, new_config = delivery.workers.config(self.former), delivery.workers.config(name)
        old, new = self.old.status(), delivery.status()
        for config in filter(None, (old_config, new_config)):
            expect_own(delivery, config)
        facts = [("former", f"{self.former}: {_state(old)}"), ("connector", f"{name}: {_state(new)}")]
        steps = self._steps(old_config, old, new)
        return OperationPlan("rename", name, facts, steps, following=("outbox-kit verify",))

    def _steps(self, old_config: Config | None, old: ConnectorStatus, new: ConnectorStatus) -> Sequence[Step]:
        """The steps that are left."""
        name, missing = self.delivery.name, new.connector == "UNKNOWN"
        if old_config is None and missing:
            raise ConnectorUnhealthy(
                f"neither connector '{self.former}' nor '{name}' is registered; nothing was changed",
                where=self.delivery.workers.url,
                fix="check --from and --connect; to register it: outbox-kit deploy-connector",
            )
        if old_config is None:
            return [] if new.running else [self.states.resume_step()]
        if not missing and new.connector != "STOPPED":
            raise ConnectorUnhealthy(
                f"connectors '{self.former}' and '{name}' are both registered, and '{name}' is {new.connector}",
                where=self.delivery.workers.url,
                why="its stored offset would be replaced while it runs",
                fix="stop the one that is not to publish, and delete it: see outbox-kit status; or outbox-kit stop",
            )
        deploy.validate(self.delivery.workers, name, self.delivery.config or {})
        if not self.delivery.workers.offsets(self.former):
            raise ConnectorUnhealthy(
                f"connector '{self.former}' has stored no offset; nothing was changed",
                why="the connector of the new name would begin with its initial snapshot",
                fix="wait until outbox-kit status shows an offset; if no event was published, use outbox-kit remove",
            )
        stop = [] if old.connector == "STOPPED" and not old.tasks else [self._step("stop-former", self._stop)]
        create = [self._step("create-connector", self._create)] if missing else []
        return [
            *stop,
            *create,
            self._step("copy-offsets", self._copy),
            self._step("delete-former", self._delete),
            self.states.resume_step(),
        ]

    def _step(self, name: str, run: Callable[[], None]) -> Step:
        texts = {
            "stop-former": f"stop connector '{self.former}' and wait until its task has ended",
            "create-connector": f"create connector '{self.delivery.name}' in state STOPPED",
            "copy-offsets": f"store the offset of '{self.former}' for '{self.delivery.name}'",
            "delete-former": f"delete connector '{self.former}'",
        }
        return Step(name, texts[name], run if name == "delete-former" else lambda: self._or_back(run))

    def _or_back(self, run: Callable[[], None]) -> None:
        """Run a step; if it fails, the connector of the former name runs again."""
        try:
            run()
        except OutboxKitError as error:
            self.delivery.workers.resume(self.former)
            error.details = (*error.details, f"  connector '{self.former}' was resumed: it publishes as before")
            raise

    def _stop(self) -> None:
        self.delivery.workers.stop(self.former)
        await_stopped(self.old, self.states.deadline())
        self.states.report(f"connector '{self.former}' is STOPPED")

    def _create(self) -> None:
        self.delivery.workers.create_stopped(self.delivery.name, self.delivery.config or {})
        await_stopped(self.delivery, self.states.deadline())
        self.states.report(f"created connector '{self.delivery.name}' in state STOPPED")

    def _copy(self) -> None:
        name = self.delivery.name
        copy_offset(self.delivery.workers, self.former, name, self.states.deadline())
        self.states.report(f"stored the offset of '{self.former}' for '{name}'")

    def _delete(self) -> None:
        self.delivery.workers.delete(self.former)
        self.states.report(f"deleted connector '{self.former}'")


def _state(status: ConnectorStatus) -> str:
    return "not registered" if status.connector == "UNKNOWN" else str(status)
