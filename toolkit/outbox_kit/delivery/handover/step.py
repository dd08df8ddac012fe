"""The steps of a hand-over, and what both directions have in common."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from outbox_kit.databases.hand_over import LogHandOver
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.stopped import await_stopped
from outbox_kit.delivery.handover.state import log_hand_over

AGAIN = "see the worker's log, then run outbox-kit hand-over again"
Report = Callable[[str], None]


class Step(NamedTuple):
    """One step. It can be repeated: a hand-over that was interrupted continues from what it finds."""

    name: str
    """One word or several with hyphens, for programs."""
    text: str
    """What it does, an instruction."""
    run: Callable[[], None]
    """Does it, and reports what was done. Raises what the systems raise."""


@dataclass(frozen=True)
class HandOver:
    """A hand-over of one outbox."""

    delivery: Debezium
    """The connector, with its config, its workers and the database."""
    report: Report
    """Takes a line for each thing that was done."""
    deadline: Callable[[], float]
    """By time.monotonic(): until then the connector must have stopped, or run."""

    @property
    def log(self) -> LogHandOver:
        """What the database needs."""
        return log_hand_over(self.delivery)

    @property
    def slot_name(self) -> str:
        """The name of the replication slot."""
        return self.delivery.outbox.names.slot

    def stop_step(self) -> Step:
        """Stop the connector."""
        until = f"it has released replication slot '{self.slot_name}'" if self.delivery.slots else "its task has ended"
        text = f"stop connector '{self.delivery.name}' and wait until {until}"
        return Step("stop-connector", text, self._stop)

    def _stop(self) -> None:
        self.delivery.workers.stop(self.delivery.name)
        await_stopped(self.delivery, self.deadline(), fix=AGAIN)
        self.report(f"connector '{self.delivery.name}' is STOPPED")
