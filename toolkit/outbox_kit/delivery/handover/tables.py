"""What is observed before a hand-over with relays that read the table, and the wait for relays that stop."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.connect.client import Config
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.failures import FailureCounts
from outbox_kit.databases.hand_over import OffsetTableHandOver, SlotTableHandOver, TableRelays
from outbox_kit.databases.interface import Slot, SlotReader
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.stopped import is_relay, is_stopped, slot_reader
from outbox_kit.delivery.handover.state import own_config, reached_by, stored_offset, usable_slot
from outbox_kit.delivery.slots import lsn
from outbox_kit.errors import SlotInUse, UsageProblem
from outbox_kit.schema.delivery import complaints
from outbox_kit.schema.model import Outbox
from outbox_kit.waiting import waiting_for

POLL_SECONDS = 0.5
AGAIN = "then run outbox-kit hand-over again"


@dataclass(frozen=True)
class TableState:
    """What publishes an outbox, and how far the connector is."""

    status: ConnectorStatus
    """Of the connector."""
    config: Config | None
    """The connector's, as the workers have it; None if it is not registered."""
    offset: Mapping[str, Any] | None
    """The connector's stored offset; None if there is none."""
    reached: int | None
    """The position in it; None before the first row was streamed."""
    slot: Slot | None
    """The replication slot; None if there is none."""
    reader: SlotReader | None
    """The process that reads the slot."""
    table_relays: TableRelays
    """The relays."""
    defects: Sequence[str]
    """What `gen-ddl --apply` would create for the relays, a sentence each."""

    @property
    def stopped(self) -> bool:
        """Whether the connector is STOPPED, and its task has ended."""
        return is_stopped(self.status)

    @property
    def relays(self) -> Sequence[str]:
        """Host and process id of each relay that runs."""
        return self.table_relays.running

    @property
    def failures(self) -> FailureCounts | None:
        """The events that relays could not publish."""
        return self.table_relays.failures

    @property
    def connector_reads(self) -> bool:
        """Whether another process than a relay certainly reads the slot now."""
        return self.reader is not None and self.reader.application is not None and not is_relay(self.reader)

    @property
    def position_text(self) -> str:
        """The position of the stored offset."""
        if self.reached is None or self.offset is None:
            return "none stored"
        file = self.offset.get("file")
        return f"LSN {lsn(self.reached)}" if file is None else f"{file}, position {self.offset.get('pos')}"


def with_table_relays(outbox: Outbox) -> Outbox:
    """The outbox with the `delivery` of its relays, which a schema file with `by: connector` has too.

    What the database cannot record was not written down: the first way that it knows holds. Raises UsageProblem.
    """
    delivery, records = outbox.delivery, outbox.dialect.capture.polled
    record = delivery.record if delivery.record in records else records[0]
    relays = delivery.model_copy(update={"by": "relay", "source": "table", "record": record})
    copy = outbox.model_copy(update={"delivery": relays})
    for problem in complaints(copy):
        raise UsageProblem(
            f"invalid delivery of the relays: {problem.text}",
            fix="keep the keys of delivery with which the relays read the table, and change only delivery.by",
        )
    return copy


def slot_hand_over(delivery: Debezium) -> SlotTableHandOver:
    """What the database needs, with slots. Raises UsageProblem where there is no hand-over."""
    hand_over = delivery.server.slot_table_hand_over
    if hand_over is None:
        raise impossible(delivery)
    return hand_over


def offset_hand_over(delivery: Debezium) -> OffsetTableHandOver:
    """What the database needs, with stored offsets. Raises UsageProblem where there is no hand-over."""
    hand_over = delivery.server.offset_table_hand_over
    if hand_over is None:
        raise impossible(delivery)
    if delivery.outbox.delivery.record == "mark":
        title = delivery.outbox.dialect.title
        raise UsageProblem(
            f"{title} has no hand-over between a connector and relays that mark rows",
            why="a connector without a stored offset publishes all rows of the table, also those that are marked",
            fix="use delivery.record: delete, or stop the writers until everything is published, then start the other "
            "side",
        )
    return hand_over


def table_relays(delivery: Debezium, relay: Outbox) -> TableRelays:
    """The relays of now. relay: the outbox with their `delivery`. Raises UsageProblem, EnvironmentProblem."""
    hand_over = slot_hand_over(delivery) if delivery.slots else offset_hand_over(delivery)
    return hand_over.table_relays(delivery.address, relay)


def observe_tables(delivery: Debezium, relay: Outbox) -> TableState:
    """What is there now; nothing is changed. relay: the outbox with the `delivery` of its relays.

    Raises WrongDatabase, UsageProblem where no hand-over is possible, and EnvironmentProblem.
    """
    relays = table_relays(delivery, relay)
    delivery.expect_database()
    slot = usable_slot(delivery) if delivery.slots else None
    config, status = own_config(delivery), delivery.status()
    offset = stored_offset(delivery) if config is not None else None
    if delivery.slots:
        reached = reached_by(delivery, offset)
    else:
        reached = delivery.stored_position() if config is not None else None
    examine = delivery.server.defects
    defects = examine(delivery.address, relay, {}) if examine else ()
    return TableState(status, config, offset, reached, slot, slot_reader(delivery), relays, defects)


def await_relays(
    delivery: Debezium, relay: Outbox, deadline: float, report: Callable[[str], None]
) -> FailureCounts | None:
    """Wait until no relay runs; the events that could not be published. deadline: by time.monotonic().

    Raises SlotInUse.
    """
    with waiting_for("the relays to stop"):
        while (relays := table_relays(delivery, relay)).running:
            if time.monotonic() > deadline:
                raise SlotInUse(
                    "relays still publish",
                    why=f"running: {', '.join(relays.running)}; the lease of a relay that was killed ends after 15 s",
                    fix=f"stop them where they were started, such as systemctl stop or kubectl scale; {AGAIN}",
                )
            time.sleep(POLL_SECONDS)
    report("no relay runs")
    return relays.failures


def impossible(delivery: Debezium) -> UsageProblem:
    """The error for a database without a hand-over."""
    return UsageProblem(
        f"no hand-over with {delivery.outbox.dialect.title}: a connector's position is not compared with its table",
        fix="stop the writers until everything is published, then start what is to publish",
    )
