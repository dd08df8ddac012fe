"""A registered connector of an outbox: its state and its configuration, before an operation on it."""

from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.connect.client import Config
from outbox_kit.connect.status import ConnectorStatus, connector_status
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.ownership import expect_own
from outbox_kit.delivery.slots import slot_text
from outbox_kit.errors import ConnectorUnhealthy


@dataclass(frozen=True)
class Registered:
    """A connector that Kafka Connect has, and that is the outbox's."""

    name: str
    """The connector's name."""
    status: ConnectorStatus
    """Its states."""
    config: Config
    """Its configuration, as the workers have it."""
    slot: Slot | None
    """Its replication slot; None if the database was not named, or has none."""

    def facts(self) -> Iterator[tuple[str, str]]:
        """Its state in words, by label."""
        yield "connector", f"{self.name}: {self.status}"
        if self.slot is not None:
            yield "slot", slot_text(self.slot)


def registered(delivery: Debezium) -> Registered:
    """The connector of an outbox.

    Raises ConnectorUnhealthy if it is not registered, UsageProblem if a connector of that name is another outbox's,
    WrongDatabase, and EnvironmentProblem.
    """
    workers, name = delivery.workers, delivery.name
    delivery.expect_database()
    config = workers.config(name)
    if config is None:
        raise ConnectorUnhealthy(
            f"connector '{name}' is not registered; nothing was changed",
            where=workers.url,
            fix="check --connect and connect.name; to register it: outbox-kit deploy-connector",
        )
    expect_own(delivery, config)
    slot = delivery.slot() if delivery.dsn is not None else None
    return Registered(name, connector_status(workers.status(name), config), config, slot)
