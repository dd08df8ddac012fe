"""What would be done to the connector of one outbox. Values only."""

from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.connect.deploy import Deployment
from outbox_kit.connect.plan import unsafe_changes
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class PlannedConnector:
    """The plan of one connector."""

    outbox: Outbox
    deployment: Deployment
    foreign: Sequence[str] = ()
    """Why the connector of that name is not the outbox's, a phrase each; see `delivery.debezium.ownership`."""
    environment: str | None = None
    """The environment that it was planned for, if the plan is of several."""

    @property
    def name(self) -> str:
        """The connector's name."""
        return self.deployment.connector

    @property
    def scope(self) -> str:
        """The outbox: its service, and the environment if the plan is of several."""
        return in_environment(self.outbox.service, self.environment)

    @property
    def halted(self) -> bool:
        """Whether the connector is paused or stopped, and stays so."""
        before = self.deployment.before
        return before is not None and before.halted and not self.deployment.resumed

    @property
    def destructive(self) -> bool:
        """Whether a change can lose, repeat, alter or reorder messages."""
        return bool(unsafe_changes(self.deployment.edits))


def in_environment(name: str, environment: str | None) -> str:
    """A name with its environment, if there is one."""
    return f"{name} ({environment})" if environment else name
