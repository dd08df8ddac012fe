"""What is observed before a hand-over, and the waits for a connector that stops and for a slot that is free."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.connect.client import Config
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.failures import FailureCounts
from outbox_kit.databases.hand_over import LogHandOver, RelayTables
from outbox_kit.databases.interface import Slot, SlotReader
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.ownership import expect_own
from outbox_kit.delivery.debezium.stopped import is_relay, is_stopped, slot_reader
from outbox_kit.delivery.slots import LOST, lsn
from outbox_kit.errors import ConnectRefused, DatabaseRefused, UsageProblem

POLL_SECONDS = 0.1


@dataclass(frozen=True)
class HandOverState:
    """What publishes an outbox, and how far it is."""

    status: ConnectorStatus
    """Of the connector."""
    config: Config | None
    """The connector's, as the workers have it; None if it is not registered."""
    offset: Mapping[str, Any] | None
    """The connector's stored offset; None if there is none."""
    reached: int | None
    """The position in it; None before the first row was streamed."""
    slot: Slot
    """The replication slot."""
    reader: SlotReader | None
    """The process that reads the slot."""
    tables: RelayTables
    """The relay's."""

    @property
    def stopped(self) -> bool:
        """Whether the connector is STOPPED, and its task has ended."""
        return is_stopped(self.status)

    @property
    def failures(self) -> FailureCounts | None:
        """The events that the relay could not publish."""
        return self.tables.failures

    @property
    def relays(self) -> Sequence[str]:
        """The relays that read the table: none."""
        return ()

    @property
    def position_text(self) -> str:
        """The position of the stored offset."""
        return "none stored" if self.reached is None else f"LSN {lsn(self.reached)}"

    @property
    def relay_reads(self) -> bool:
        """Whether a relay reads the slot now."""
        return is_relay(self.reader)

    @property
    def connector_reads(self) -> bool:
        """Whether another process than a relay certainly reads the slot now."""
        return self.reader is not None and self.reader.application is not None and not self.relay_reads


def log_hand_over(delivery: Debezium) -> LogHandOver:
    """What the database needs in a hand-over. Raises UsageProblem where there is no hand-over."""
    outbox, hand_over = delivery.outbox, delivery.server.hand_over
    if hand_over is None:
        raise UsageProblem(
            f"no hand-over with {outbox.dialect.title}: a relay cannot read its log",
            fix="publish with the connector: outbox-kit deploy-connector",
        )
    return hand_over


def observe(delivery: Debezium) -> HandOverState:
    """What is there now; nothing is changed.

    Raises WrongDatabase, UsageProblem where no hand-over is possible, and EnvironmentProblem.
    """
    hand_over = log_hand_over(delivery)
    delivery.expect_database()
    slot = existing_slot(delivery)
    tables = hand_over.relay_tables(delivery.address, delivery.outbox)
    if tables.polled:
        names = delivery.outbox.names
        raise UsageProblem(
            f"no hand-over: table '{names.schema}.{names.lane_table}' shows that relays have read the outbox table",
            why="what they have published is not known to a process that reads the log",
            fix="if they publish now: keep delivery.source: table and the other keys of delivery, and change only "
            "delivery.by; if none of them has published since the replication slot was created, drop the table",
        )
    config, status = own_config(delivery), delivery.status()
    offset = stored_offset(delivery) if config is not None else None
    reached = reached_by(delivery, offset)
    return HandOverState(status, config, offset, reached, slot, slot_reader(delivery), tables)


def own_config(delivery: Debezium) -> Config | None:
    """The connector's, as the workers have it; None if it is not registered.

    Raises UsageProblem for the connector of another outbox.
    """
    config = delivery.workers.config(delivery.name)
    if config is not None:
        expect_own(delivery, config, then="")
    return config


def stored_offset(delivery: Debezium) -> Mapping[str, Any] | None:
    """The connector's stored offset; None if there is none. Raises ConnectRefused."""
    server = delivery.config["topic.prefix"] if delivery.config else None
    for entry in delivery.workers.offsets(delivery.name):
        partition = entry.get("partition")
        if isinstance(partition, Mapping) and partition.get("server") == server and entry["offset"]:
            offset: Mapping[str, Any] = entry["offset"]
            return offset
    return None


def existing_slot(delivery: Debezium) -> Slot:
    """The slot. Raises DatabaseRefused where nothing can go on from it."""
    slot = usable_slot(delivery)
    if slot is None:
        raise DatabaseRefused(
            f"replication slot '{delivery.outbox.names.slot}' does not exist: nothing was published that could be "
            "handed over",
            fix=f"start what is to publish: {_start(delivery)}",
        )
    return slot


def usable_slot(delivery: Debezium) -> Slot | None:
    """The slot; None if there is none. Raises DatabaseRefused for one from which nothing can go on."""
    slot, name, database = delivery.slot(), delivery.outbox.names.slot, delivery.outbox.names.database
    if slot is None:
        return None
    if slot.database != database:
        raise DatabaseRefused(f"replication slot '{name}' is of database '{slot.database}', not of '{database}'")
    if slot.wal_status in LOST:
        raise DatabaseRefused(
            f"replication slot '{name}' is lost (wal_status={slot.wal_status}): its log is gone",
            why="events may never have been published",
            fix="create it again as the runbook says (outbox-kit gen-runbook): all rows are published again",
        )
    return slot


def _start(delivery: Debezium) -> str:
    return "outbox-kit relay" if delivery.outbox.delivery.by == "relay" else "outbox-kit deploy-connector"


def reached_by(delivery: Debezium, offset: Mapping[str, Any] | None) -> int | None:
    """The position in an offset; None before the first row was streamed.

    Raises ConnectRefused for one that is not of this server.
    """
    if offset is None:
        return None
    name, workers, fix = delivery.name, delivery.workers, "see it: outbox-kit status"
    try:
        reached = log_hand_over(delivery).reached(offset)
    except (ValueError, TypeError, OverflowError) as cause:
        what = f"the stored offset of '{name}' cannot be read"
        raise ConnectRefused(what, where=workers.url, why=str(cause), fix=fix) from None
    end = delivery.point()
    if reached is not None and end is not None and reached > end:
        raise ConnectRefused(
            f"the stored offset of '{name}' is beyond the end of the database's log",
            where=workers.url,
            why="it is the offset of another database server",
            fix=f"{fix}, and delete it: outbox-kit remove --reset-offsets --allow-destructive",
        )
    return reached
