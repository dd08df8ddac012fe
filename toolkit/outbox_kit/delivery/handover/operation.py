"""Which hand-over an outbox needs: by its database, and by what its relays read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from outbox_kit.connect.client import Config
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.failures import FailureCounts
from outbox_kit.databases.interface import Slot, SlotReader
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.offset_to_table import OffsetToTable
from outbox_kit.delivery.handover.slot_to_table import SlotToTable
from outbox_kit.delivery.handover.step import Report, Step
from outbox_kit.delivery.handover.table_to_offset import TableToOffset
from outbox_kit.delivery.handover.table_to_slot import TableToSlot
from outbox_kit.delivery.handover.tables import offset_hand_over
from outbox_kit.delivery.handover.to_connector import ToConnector
from outbox_kit.delivery.handover.to_relay import ToRelay


class ObservedState(Protocol):
    """What every hand-over observes; see `HandOverState` and `TableState`."""

    @property
    def status(self) -> ConnectorStatus:
        """Of the connector."""

    @property
    def config(self) -> Config | None:
        """The connector's, as the workers have it; None if it is not registered."""

    @property
    def offset(self) -> Mapping[str, Any] | None:
        """The connector's stored offset; None if there is none."""

    @property
    def position_text(self) -> str:
        """The position in it."""

    @property
    def slot(self) -> Slot | None:
        """The replication slot; None if there is none."""

    @property
    def reader(self) -> SlotReader | None:
        """The process that reads the slot."""

    @property
    def relays(self) -> Sequence[str]:
        """The relays that read the table."""

    @property
    def failures(self) -> FailureCounts | None:
        """The events that relays could not publish."""


State = TypeVar("State", bound=ObservedState)


class AnyHandOver(Protocol[State]):
    """A hand-over of one outbox."""

    def observe(self) -> State:
        """What is there now; nothing is changed. Raises WrongDatabase, UsageProblem, EnvironmentProblem."""

    def refuse(self, state: State) -> None:
        """Raise UsageProblem or EnvironmentProblem if it is not possible; nothing was changed."""

    def steps(self, state: State) -> Sequence[Step]:
        """What is to be done; empty if it is done."""

    def following(self) -> Sequence[str]:
        """The commands that follow."""


def start_relay(delivery: Debezium, report: Report, deadline: Callable[[], float]) -> AnyHandOver[Any]:
    """From a connector to a relay. deadline: by time.monotonic(), for the connector to stop.

    Raises UsageProblem where there is no hand-over.
    """
    if delivery.outbox.delivery.source == "log":
        return ToRelay(delivery, report, deadline)
    if delivery.slots is not None:
        return SlotToTable(delivery, report, deadline)
    offset_hand_over(delivery)
    return OffsetToTable(delivery, report, deadline)


def start_connector(
    delivery: Debezium,
    report: Report,
    deadline: Callable[[], float],
    relay_deadline: Callable[[], float],
    *,
    leave_failed: bool = False,
    allow_destructive: bool = False,
) -> AnyHandOver[Any]:
    """From a relay to a connector; the relays read the table if the schema file says so, or the server has no slots.

    deadline, relay_deadline: by time.monotonic(), for the connector to run and for the relay to stop.
    Raises UsageProblem where there is no hand-over.
    """
    if delivery.slots is None:
        offset_hand_over(delivery)
    kind: type[ToConnector | TableToSlot | TableToOffset] = TableToOffset
    if delivery.slots is not None:
        kind = TableToSlot if delivery.outbox.delivery.source == "table" else ToConnector
    return kind(delivery, report, deadline, relay_deadline, leave_failed, allow_destructive)
