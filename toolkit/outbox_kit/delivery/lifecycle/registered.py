"""A registered connector of an outbox: its state and its configuration, before an operation on it."""

from collections.abc import Iterator
from dataclasses import dataclass

from outbox_kit.connect.client import Config
from outbox_kit.connect.status import ConnectorStatus, connector_status
from outbox_kit.databases import whereabouts
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.ownership import OTHER_CONNECTOR, expect_options
from outbox_kit.delivery.slots import slot_text
from outbox_kit.errors import ConnectorUnhealthy

OWN = ("connector.class", "topic.prefix", "slot.name", "database.dbname", "database.names", "database.include.list")
"""The options by which a connector belongs to an outbox."""


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
    if delivery.dsn is not None:
        whereabouts.expect(delivery.dsn, delivery.outbox)
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


def expect_own(delivery: Debezium, config: Config) -> None:
    """Raise UsageProblem if a connector of that name is another outbox's. config: as the workers have it."""
    expect_options(delivery, config, OWN, fix=OTHER_CONNECTOR, then="; nothing was changed")
