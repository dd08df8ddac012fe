"""Removal of a connector: stop, forget its position, delete, drop its slot; each step says what it leaves behind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.ownership import expect_own
from outbox_kit.delivery.debezium.stopped import await_stopped
from outbox_kit.errors import DatabaseRefused
from outbox_kit.wire.connector_topics import connector_topics

DOWN = "outbox-kit gen-ddl --down --apply --allow-destructive"


@dataclass(frozen=True)
class Leftover:
    """Something that a removal does not remove."""

    kind: str
    """One word or several with hyphens, for programs."""
    name: str
    """Its name."""
    text: str
    """What it is and does, and how it is removed."""


@dataclass(frozen=True)
class Removal:
    """The steps of one removal; each can be repeated."""

    delivery: Debezium
    """The connector that is removed."""
    report: Callable[[str], None]
    """Takes a line for each step that is done."""

    def refuse(self, *, drop_slot: bool) -> None:
        """Raise if it is not possible, before anything is changed.

        UsageProblem: the connector is another outbox's. DatabaseRefused: the user may not drop the slot.
        """
        delivery = self.delivery
        live = delivery.workers.config(delivery.name)
        if live is not None:
            fix = "correct connect.name or --connect"
            expect_own(delivery, live, fix=fix, slot=False)
        if drop_slot and delivery.slots is not None and not delivery.slots.may_drop(delivery.address):
            raise DatabaseRefused(
                f"the database user may not drop replication slot '{delivery.outbox.names.slot}'; nothing was changed",
                why="that needs the attribute REPLICATION, or a superuser",
                fix="use such a user in OUTBOX_KIT_DSN, or leave out --drop-slot",
            )

    def leftovers(self, *, drop_slot: bool, reset_offsets: bool) -> list[Leftover]:
        """What stays after the removal; asked before it, as Kafka Connect forgets the topics of a deleted connector."""
        return [*self._in_database(drop_slot=drop_slot), *self._in_kafka(reset_offsets=reset_offsets)]

    def _in_database(self, *, drop_slot: bool) -> Iterator[Leftover]:
        delivery, names = self.delivery, self.delivery.outbox.names
        live = (delivery.workers.config(delivery.name) or {}).get("slot.name")
        if delivery.slots is not None:
            slot = delivery.slot() if delivery.dsn is not None else None
            retained = "" if slot is None else f" ({slot.retained:,} bytes now)"
            if not drop_slot and (delivery.dsn is None or slot is not None):
                text = (
                    f"it retains WAL until it is dropped{retained}: outbox-kit remove --drop-slot --allow-destructive"
                )
                yield Leftover("slot", names.slot, text)
            if live not in (None, names.slot):
                text = f"the connector reads it, and the schema file names '{names.slot}': drop it by hand"
                yield Leftover("slot", str(live), text)
            if delivery.dsn is None or delivery.slots.publication_exists(delivery.dsn, names.publication):
                yield Leftover("publication", names.publication, f"removed with the tables: {DOWN}")
        tables = [delivery.outbox.table.name] if delivery.outbox.table.storage == "table" else []
        for table in (
            *tables,
            *([names.heartbeat_table] if delivery.outbox.dialect.capture.uses_heartbeat_table else ()),
        ):
            foreign = table == delivery.outbox.table.name and delivery.outbox.table.existing
            yield Leftover(
                "table",
                f"{names.schema}.{table}",
                "it is another owner's" if foreign else f"if it exists, to drop it: {DOWN}",
            )
        yield Leftover("role", names.role, f"the connector's user, if it exists; to drop it: {DOWN}")

    def _in_kafka(self, *, reset_offsets: bool) -> Iterator[Leftover]:
        delivery = self.delivery
        if not reset_offsets and delivery.workers.offsets(delivery.name):
            delete = "outbox-kit remove --reset-offsets --allow-destructive"
            text = f"a connector of the same name continues there; to delete it: {delete}"
            yield Leftover("stored-offset", delivery.name, text)
        for topic in delivery.workers.topics(delivery.name):
            yield Leftover("topic", topic, "its messages stay for its consumers")
        if "schema.history.internal.kafka.topic" in (delivery.config or {}):
            text = "the schema history; without it a connector with the same stored offset fails"
            yield Leftover("topic", connector_topics(delivery.outbox).history, text)

    def stop(self, deadline: float) -> None:
        """Stop the connector and wait until its task has ended and its slot is free.

        deadline: by time.monotonic(). Raises OutOfTime.
        """
        name, workers = self.delivery.name, self.delivery.workers
        if workers.status(name) is None:
            self.report(f"connector '{name}' is not registered")
            return
        workers.stop(name)
        await_stopped(self.delivery, deadline, deleted=True)
        self.report(f"stopped connector '{name}'")

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
