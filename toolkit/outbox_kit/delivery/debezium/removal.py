"""Removal of a connector: stop, forget its position, delete, drop its slot; each step says what it leaves behind."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import OutOfTime


@dataclass(frozen=True)
class Removal:
    """The steps of one removal; each can be repeated."""

    delivery: Debezium
    """The connector that is removed."""
    report: Callable[[str], None]
    """Takes a line for each step that is done."""

    def stop(self, deadline: float) -> None:
        """Stop the connector and wait until its task has ended and its slot is free.

        deadline: by time.monotonic(). Raises OutOfTime.
        """
        name, workers = self.delivery.name, self.delivery.workers
        if workers.status(name) is None:
            self.report(f"Kafka Connect knows no connector '{name}'")
            return
        workers.stop(name)
        while True:
            status = self.delivery.status()
            if status.connector in ("STOPPED", "UNKNOWN") and not status.tasks and not self._slot_is_read():
                self.report(f"stopped '{name}'")
                return
            if time.monotonic() > deadline:
                raise OutOfTime(f"'{name}' did not stop", where=workers.url, why=f"seen last: {status}")
            time.sleep(0.3)

    def delete(self, *, reset_offsets: bool) -> None:
        """Delete the connector, and first its stored position where asked."""
        name, workers = self.delivery.name, self.delivery.workers
        if workers.status(name) is None:
            if reset_offsets:
                self.report(
                    "its stored position was not reset: Kafka Connect resets that of a registered connector only; "
                    "if there is one: outbox-kit deploy-connector, then this command again"
                )
            return
        if reset_offsets:
            workers.reset_offsets(name)
            self.report("forgot its stored position")
        workers.delete(name)
        self.report(f"deleted '{name}'")

    def slot(self, *, drop: bool, reset_offsets: bool) -> None:
        """Drop the slot, for which the database must be named, or say what it goes on retaining."""
        name, slots = self.delivery.outbox.names.slot, self.delivery.slots
        if slots is None:
            return
        if self.delivery.dsn is None:
            self.report(f"the slot '{name}' was not looked at (no database); it holds back the log until it is dropped")
            return
        slot = self.delivery.slot()
        if slot is None:
            self.report(f"there is no slot '{name}'")
        elif drop:
            slots.drop_slot(self.delivery.dsn, name)
            self.report(f"dropped the slot '{name}'")
            if not reset_offsets:
                self.report(
                    "Kafka Connect may still have the position that was stored: a connector of the same name fails "
                    "there, unless it is forgotten too: --reset-offsets, before the connector is deleted"
                )
        else:
            self.report(
                f"THE SLOT '{name}' STAYS and holds back the server's log, {slot.retained} bytes now and growing, "
                "until a connector reads it again or it is dropped: "
                "outbox-kit remove --drop-slot --allow-destructive"
            )

    def _slot_is_read(self) -> bool:
        slot = self.delivery.slot() if self.delivery.dsn else None
        return bool(slot and slot.active)
