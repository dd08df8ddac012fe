"""The connector of one outbox, with the slot that it reads, as a `Delivery`."""

from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.connect.client import Config, Connect
from outbox_kit.connect.status import ConnectorStatus, connector_status
from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.interface import Probe, Slot, Slots
from outbox_kit.delivery.debezium.health import LOST, Observation
from outbox_kit.delivery.interface import Health
from outbox_kit.errors import ConnectRefused, UsageProblem
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class Debezium:
    """See `Delivery`."""

    outbox: Outbox
    """The outbox."""
    connect: Connect | None = None
    """The workers that run its connector; None if they cannot be asked."""
    dsn: str | None = None
    """The database; None if it cannot be asked."""
    config: Config | None = None
    """The connector's config, whose secrets are masked in what is shown."""

    @property
    def name(self) -> str:
        """The connector's name."""
        return self.outbox.names.connector

    @property
    def probe(self) -> Probe:
        """The questions that the database can be asked."""
        return servers.get(self.outbox.database.dialect).probe

    @property
    def slots(self) -> Slots | None:
        """The database's replication slots; None if it has none."""
        return servers.get(self.outbox.database.dialect).slots

    @property
    def workers(self) -> Connect:
        """The workers that run the connector. Raises UsageProblem where they were not named."""
        if self.connect is None:
            raise UsageProblem("Kafka Connect was not named", fix="name it: --connect, or OUTBOX_KIT_CONNECT")
        return self.connect

    @property
    def address(self) -> str:
        """The database's address. Raises UsageProblem where it was not given."""
        if self.dsn is None:
            raise UsageProblem("the database was not named", fix="name it: --dsn, or OUTBOX_KIT_DSN")
        return self.dsn

    @property
    def reports_position(self) -> bool:
        """See `Delivery`: the heartbeat moves a slot on; a stored offset may stand still while the database is idle."""
        return self.dsn is not None and self.slots is not None

    def point(self) -> int | None:
        """See `Delivery`."""
        return self.probe.log_position(self.address, self.outbox)

    def position(self) -> int | None:
        """See `Delivery`: what the slot has confirmed, or what the connector has stored if there are no slots."""
        if self.slots is None:
            return self.stored_position()
        slot = self.slot()
        return slot.confirmed if slot else None

    def lag_reason(self, point: int) -> str:
        """See `Delivery`."""
        position = self.position()
        if position is not None and position >= point:
            return ""
        if self.slots is None:
            return f"'{self.name}' has stored the position {position}, and has to pass {point}"
        slot = self.outbox.names.slot
        unread = "" if position is None else f"{point - position} bytes of log are unread by slot '{slot}'"
        return unread or f"there is no slot '{slot}'"

    def obstacles(self) -> Sequence[str]:
        """See `Delivery`: the slot, and the tables that the connector is sent."""
        obstacles, names = [], self.outbox.names
        slot = self.slot()
        if self.slots and slot is None:
            obstacles.append(f"there is no slot '{names.slot}' now")
        elif slot and slot.wal_status in LOST:
            obstacles.append(f"the slot '{names.slot}' is {slot.wal_status} now")
        if missing := self.unpublished():
            obstacles.append(f"{missing} now")
        return obstacles

    def status(self) -> ConnectorStatus:
        """See `Delivery`."""
        return connector_status(self.workers.status(self.name), self.config)

    def health(self) -> Health:
        """See `Delivery`. Raises WrongDatabase."""
        if self.dsn:
            whereabouts.expect(self.dsn, self.outbox)
        status = self.status()
        registered = status.connector != "UNKNOWN"
        observation = Observation(
            self.outbox,
            status,
            stored=self.stored_position() if registered else None,
            topics=self.workers.topics(self.name) if registered else None,
            slot=self.slot() if self.dsn else None,
            heartbeat_seconds=self.probe.heartbeat_age(self.dsn, self.outbox) if self.dsn else None,
            database_asked=self.dsn is not None,
        )
        return observation.health()

    def slot(self) -> Slot | None:
        """The connector's slot; None if there is none, or the database has no slots."""
        return self.slots.slot(self.address, self.outbox.names.slot) if self.slots else None

    def unpublished(self) -> str:
        """Which tables of the outbox the server does not pass on to the connector, as a sentence; empty if none."""
        missing = self.probe.missing_from_publication(self.address, self.outbox)
        carrier = f"the publication '{self.outbox.names.publication}'" if self.slots else "change data capture"
        return f"{carrier} does not carry {' and '.join(missing)}" if missing else ""

    def stored_position(self) -> int | None:
        """The log position that the connector itself has stored while streaming, or None if it has not.

        A slot that another connector reads advances as well. The initial snapshot stores a position too, which needs
        no slot and is left out. Raises ConnectRefused for the offset of another kind of connector.
        """
        probe, offsets = self.probe, self.workers.offsets(self.name)
        try:
            stored = [probe.position(entry["offset"]) for entry in offsets if entry["offset"]]
        except (ValueError, TypeError, LookupError, AttributeError) as cause:
            what, url = f"the stored offset of '{self.name}' cannot be read", self.workers.url
            why = f"{type(cause).__name__}: it is not what this database's connector stores"
            raise ConnectRefused(what, where=url, why=why) from None
        return max((position for position in stored if position is not None), default=None)
