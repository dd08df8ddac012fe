"""Removal of a connector: stop, forget its position, delete, drop its slot; each step says what it leaves behind."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import OutOfTime
from outbox_kit.waiting import waiting_for


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
            self.report(f"connector '{name}' is not registered")
            return
        workers.stop(name)
        with waiting_for(f"connector '{name}' to stop and release its replication slot"):
            self._await_stopped(deadline)
        self.report(f"stopped connector '{name}'")

    def _await_stopped(self, deadline: float) -> None:
        while True:
            status = self.delivery.status()
            if status.connector in ("STOPPED", "UNKNOWN") and not status.tasks and not self._slot_is_read():
                return
            if time.monotonic() > deadline:
                url, why = self.delivery.workers.url, f"last state: {status}"
                raise OutOfTime(f"'{self.delivery.name}' did not stop", where=url, why=why)
            time.sleep(0.3)

    def delete(self, *, reset_offsets: bool) -> None:
        """Delete the connector, and first its stored position where asked."""
        name, workers = self.delivery.name, self.delivery.workers
        if workers.status(name) is None:
            if reset_offsets:
                self.report(
                    "the stored offset was not deleted: Kafka Connect deletes that of a registered connector only; "
                    "if there is one, run outbox-kit deploy-connector, then this command again"
                )
            return
        if reset_offsets:
            workers.reset_offsets(name)
            self.report("deleted its stored offset")
        workers.delete(name)
        self.report(f"deleted connector '{name}'")

    def slot(self, *, drop: bool, reset_offsets: bool) -> None:
        """Drop the slot, for which the database must be named, or report what it still retains."""
        name, slots = self.delivery.outbox.names.slot, self.delivery.slots
        if slots is None:
            return
        if self.delivery.dsn is None:
            self.report(
                f"replication slot '{name}' was not examined (OUTBOX_KIT_DSN is not set): it retains WAL until dropped"
            )
            return
        slot = self.delivery.slot()
        if slot is None:
            self.report(f"replication slot '{name}' does not exist")
        elif drop:
            slots.drop_slot(self.delivery.dsn, name)
            self.report(f"dropped replication slot '{name}'")
            if not reset_offsets:
                self.report(
                    "Kafka Connect may still have the stored offset, with which a connector of the same name fails: to "
                    "delete it too, use --reset-offsets while the connector is registered"
                )
        else:
            self.report(
                f"warning: replication slot '{name}' was not dropped and retains WAL, {slot.retained} bytes now and "
                "growing, until a connector reads it again or it is dropped: "
                "outbox-kit remove --drop-slot --allow-destructive"
            )

    def _slot_is_read(self) -> bool:
        slot = self.delivery.slot() if self.delivery.dsn else None
        return bool(slot and slot.active)
