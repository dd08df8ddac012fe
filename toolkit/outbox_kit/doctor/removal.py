"""Taking a connector away in the order that leaves nothing behind unsaid."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from outbox_kit import dialects, source
from outbox_kit.connect.client import Connect
from outbox_kit.connect.health import health
from outbox_kit.errors import OutOfTime
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names


@dataclass(frozen=True)
class Removal:
    """The steps of one removal; each can be repeated. dsn: None where the database is not to be had."""

    outbox: Outbox
    connect: Connect
    dsn: str | None
    report: Callable[[str], None]

    def stop(self, deadline: float) -> None:
        """Stop the connector and wait until its task is gone and its slot is free. Raises OutOfTime."""
        name = names(self.outbox).connector
        if self.connect.status(name) is None:
            self.report(f"Kafka Connect knows no connector '{name}'")
            return
        self.connect.stop(name)
        while True:
            found = health(self.connect.status(name))
            if found.connector in ("STOPPED", "UNKNOWN") and not found.tasks and not self._slot_is_read():
                self.report(f"stopped '{name}'")
                return
            if time.monotonic() > deadline:
                raise OutOfTime(f"'{name}' did not stop", where=self.connect.url, why=f"seen last: {found}")
            time.sleep(0.3)

    def delete(self, *, reset_offsets: bool) -> None:
        """Delete the connector, and first its stored position where asked."""
        name = names(self.outbox).connector
        if reset_offsets:
            self.connect.reset_offsets(name)
            self.report("forgot its stored position")
        if self.connect.status(name) is not None:
            self.connect.delete(name)
            self.report(f"deleted '{name}'")

    def slot(self, *, drop: bool, reset_offsets: bool) -> None:
        """Drop the slot, for which the database must be named, or say loudly what it goes on holding."""
        name = names(self.outbox).slot
        if not self._slots:
            return
        if self.dsn is None:
            self.report(f"the slot '{name}' was not looked at (no database); it holds back the log until it is dropped")
            return
        probe = source.named(self.outbox.database.dialect).probe
        found = probe.slot(self.dsn, name)
        if found is None:
            self.report(f"there is no slot '{name}'")
        elif drop:
            probe.drop_slot(self.dsn, name)
            self.report(f"dropped the slot '{name}'")
            if not reset_offsets:
                self.report(
                    "Kafka Connect may still have the position that was stored: a connector of the same name fails "
                    "there, unless it is forgotten too: --reset-offsets, before the connector is deleted"
                )
        else:
            self.report(
                f"THE SLOT '{name}' STAYS and holds back the server's log, {found.retained} bytes now and growing, "
                "until a connector reads it again or it is dropped: "
                "outbox-kit remove --drop-slot --allow-destructive"
            )

    @property
    def _slots(self) -> bool:
        return dialects.named(self.outbox.database.dialect).slots

    def _slot_is_read(self) -> bool:
        if self.dsn is None or not self._slots:
            return False
        found = source.named(self.outbox.database.dialect).probe.slot(self.dsn, names(self.outbox).slot)
        return bool(found and found.active)
