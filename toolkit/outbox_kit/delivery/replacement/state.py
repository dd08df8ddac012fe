"""What is observed of two connectors before one replaces the other, and the steps that are left. Pure but `observe`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from outbox_kit.connect.client import Config
from outbox_kit.connect.plan import between
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.replacement.trial_config import trial_of
from outbox_kit.delivery.slots import LOST
from outbox_kit.errors import ConnectorUnhealthy, DatabaseRefused, UsageProblem
from outbox_kit.versions import Version

REMOVE_TRIAL, DISCARD, TRIAL, CREATE = "remove-trial", "discard-connector", "run-trial", "create-connector"
STOP, COPY_SLOT, COPY_OFFSET, RESUME = "stop-former", "copy-slot", "copy-offset", "resume-connector"
DROP_SLOT, DELETE = "drop-former-slot", "delete-former"


@dataclass(frozen=True)
class ConnectorSide:
    """What is observed of one of the connectors."""

    name: str
    config: Config | None
    """As the workers have it; None if it is not registered."""
    status: ConnectorStatus
    slot: Slot | None
    """Its replication slot; None if it does not exist."""
    reached: int | None
    """The position in its stored offset; None if none is stored."""

    @property
    def stopped(self) -> bool:
        """Whether it is STOPPED, its task has ended, and its slot is free."""
        return self.status.connector == "STOPPED" and not self.status.tasks and not (self.slot and self.slot.active)

    @property
    def text(self) -> str:
        """Its state in words."""
        return "not registered" if self.config is None else str(self.status)


@dataclass(frozen=True)
class ReplacementState:
    """What is observed of both connectors."""

    former: ConnectorSide
    new: ConnectorSide
    trial_left: bool
    """Whether an interrupted trial has left its connector or its slot."""
    matches: bool
    """Whether the new connector has the configuration of the schema file."""

    @property
    def switched(self) -> bool:
        """Whether the new connector continues where the former one has ended, which is STOPPED.

        A former connector that was resumed since has moved its slot on.
        """
        former, new = self.former, self.new
        if new.config is None or new.slot is None or new.reached is None or not former.stopped:
            return False
        behind = former.slot is not None and new.slot.confirmed < former.slot.confirmed
        return not behind and new.reached >= (former.reached or 0)

    @property
    def _copied(self) -> bool:
        """Whether the new connector's slot is at the position of the former one's, which stays there."""
        former, new = self.former, self.new
        if new.config is None or not self.matches or not former.stopped or former.slot is None or new.slot is None:
            return False
        return new.slot.confirmed == former.slot.confirmed

    @property
    def published(self) -> bool:
        """Whether the new connector has published since the switch."""
        former, new = self.former, self.new
        if former.slot is None:
            return self.switched
        moved = new.slot is not None and new.slot.confirmed > former.slot.confirmed
        return self.switched and (moved or (new.reached or 0) > (former.reached or 0))

    def refuse(self, url: str) -> None:
        """Raise if one cannot replace the other; nothing was changed. url: of Kafka Connect.

        Raises ConnectorUnhealthy, DatabaseRefused.
        """
        former, new = self.former, self.new
        if former.config is None and new.config is None:
            raise ConnectorUnhealthy(
                f"neither connector '{former.name}' nor '{new.name}' is registered; nothing was changed",
                where=url,
                fix="check --from and --connect; to register it: outbox-kit deploy-connector",
            )
        if former.config is None or self.switched:
            return
        if new.config is not None and not new.stopped:
            raise ConnectorUnhealthy(
                f"connectors '{former.name}' and '{new.name}' are both registered, and '{new.name}' is {new.status}",
                where=url,
                why="its replication slot and stored offset would be replaced while it runs",
                fix=f"stop connector '{new.name}': outbox-kit stop; then repeat the command",
            )
        self._refuse_slots()
        if TRIAL in self.steps() and not former.status.running:
            raise ConnectorUnhealthy(
                f"connector '{former.name}' does not run: {former.status}; nothing was changed",
                where=url,
                why="the trial compares the messages of both connectors",
                fix="set connect.connector in the schema file to its name, then: outbox-kit resume, or outbox-kit "
                "restart",
            )
        if former.reached is None:
            raise ConnectorUnhealthy(
                f"connector '{former.name}' has stored no offset after its initial snapshot; nothing was changed",
                where=url,
                fix="wait until outbox-kit status shows an offset",
            )

    def _refuse_slots(self) -> None:
        former, new = self.former, self.new
        if former.slot is None or former.slot.wal_status in LOST:
            state = "does not exist" if former.slot is None else f"is lost (wal_status={former.slot.wal_status})"
            raise DatabaseRefused(
                f"the replication slot of connector '{former.name}' {state}; nothing was changed",
                why="a new connector cannot continue at its position",
                fix="see outbox-kit doctor",
            )
        if new.config is None and new.slot is not None:
            raise DatabaseRefused(
                f"the replication slot of connector '{new.name}' exists, and the connector is not registered; nothing "
                "was changed",
                why="another process may use it",
                fix="set connect.slot in the schema file to another name, or drop the slot",
            )

    def steps(self) -> Sequence[str]:
        """The names of the steps that are left, in their order; empty if none is."""
        former, new = self.former, self.new
        names = [REMOVE_TRIAL] if self.trial_left else []
        if former.config is None:
            return names if new.status.running else [*names, RESUME]
        if not self.switched:
            if new.config is not None and not self.matches:
                names.append(DISCARD)
            if new.config is None or not self.matches:
                names += [TRIAL, CREATE]
            names += [] if former.stopped else [STOP]
            names += [COPY_OFFSET] if self._copied else [COPY_SLOT, COPY_OFFSET]
        return [*names, RESUME, *([DROP_SLOT] if former.slot is not None else []), DELETE]


def former_of(delivery: Debezium, name: str) -> Debezium:
    """The connector that is to be replaced, with its registered configuration.

    delivery: with the new one. name: of the former one. Raises UsageProblem if it is the new one, or reads its
    replication slot.
    """
    if name == delivery.name:
        fix = "set connect.connector and connect.slot in the schema file to new names, and give the present one"
        raise UsageProblem(f"connector '{name}' has this name in the schema file already", fix=f"{fix}: --from NAME")
    config = delivery.workers.config(name)
    slot = (config or {}).get("slot.name") or f"{name} has no slot"
    connect = delivery.outbox.connect.model_copy(update={"connector": name, "slot": slot})
    outbox = delivery.outbox.model_copy(update={"connect": connect})
    if config is not None and slot == delivery.outbox.names.slot:
        raise UsageProblem(
            f"connectors '{name}' and '{delivery.name}' would read one replication slot, '{slot}'",
            fix="set connect.slot in the schema file to a new name; without other changes: outbox-kit rename",
        )
    return replace(delivery, outbox=outbox, config=config)


def observe(former: Debezium, new: Debezium) -> ReplacementState:
    """What is there now; nothing is changed. Raises EnvironmentProblem."""
    trial = trial_of(new)
    registered = new.workers.config(new.name)
    edits = between(registered, new.config or {}, Version.of(new.outbox.connect.debezium))
    left = new.workers.status(trial.name) is not None or trial.slot() is not None
    return ReplacementState(
        _side(former, former.config), _side(new, registered), left, matches=registered is not None and not edits
    )


def _side(delivery: Debezium, config: Config | None) -> ConnectorSide:
    if config is None:
        slot = delivery.slot() if delivery.config is not None else None
        return ConnectorSide(delivery.name, None, delivery.status(), slot, None)
    return ConnectorSide(delivery.name, config, delivery.status(), delivery.slot(), delivery.stored_position())
