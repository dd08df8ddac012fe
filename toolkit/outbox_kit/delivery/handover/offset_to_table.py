"""From a connector with a stored offset to relays that delete rows: delete what its offset says that it has published.

Rows that are visible were written to the log before. So a position of the log that is read after rows is behind them,
and a connector whose stored offset has reached it has published them. What commits late is not among the rows.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.stopped import await_stopped, is_stopped
from outbox_kit.delivery.handover.relay_start import TableRelayStart, unread, unregistered
from outbox_kit.delivery.handover.step import HandOver, Step
from outbox_kit.delivery.handover.tables import (
    AGAIN,
    POLL_SECONDS,
    TableState,
    offset_hand_over,
)
from outbox_kit.errors import ConnectorUnhealthy, ConnectRefused
from outbox_kit.printable import counted
from outbox_kit.waiting import waiting_for

PASS_SECONDS = 1.0
"""For the connector to publish what was just committed."""
LOOK_SECONDS = 0.1
STORE_SECONDS = 10.0
"""For a connector that is STOPPED to store its last offset."""
QUIET_SECONDS = 2.0
"""After which an offset that was deleted is not stored again."""


class _Looks:
    """Looks at the committed rows, each with a position of the log that is behind them."""

    def __init__(self, delivery: Debezium) -> None:
        self._delivery, self._seen = delivery, set[str]()
        self._looks: list[tuple[int, Sequence[str]]] = []

    @property
    def first(self) -> int:
        """The position of the first look."""
        return self._looks[0][0]

    def add(self) -> None:
        """Look now. Raises EnvironmentProblem."""
        delivery = self._delivery
        rows = offset_hand_over(delivery).committed_rows(delivery.address, delivery.outbox)
        added = [row for row in rows if row not in self._seen]
        self._seen.update(added)
        self._looks.append((delivery.point() or 0, added))

    def add_for(self, seconds: float) -> None:
        """Look again and again."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            self.add()

    def split(self, position: int) -> tuple[Sequence[str], Sequence[str]]:
        """The rows that are before a position of the log; and those of which that is not known."""
        rows: tuple[list[str], list[str]] = ([], [])
        for point, added in self._looks:
            rows[point > position].extend(added)
        return rows


@dataclass(frozen=True)
class OffsetToTable(TableRelayStart):
    """See `HandOver`."""

    def refuse(self, state: TableState) -> None:
        """Raise an error if it is not possible; nothing was changed.

        Raises DatabaseRefused, UsageProblem, UnsafeChange, ConnectorUnhealthy, ConnectRefused.
        """
        if state.config is None:
            raise unregistered(self.delivery)
        if not self.steps(state):
            return
        self.expect_tables(state)
        self.expect_no_relay(state)
        end = self.delivery.point()
        if state.reached is not None and end is not None and state.reached > end:
            raise ConnectRefused(
                f"the stored offset of '{self.delivery.name}' is beyond the end of the database's log",
                where=self.delivery.workers.url,
                why="it is the offset of another database server, or the log was reset",
                fix="see it: outbox-kit status, and delete it: outbox-kit remove --reset-offsets --allow-destructive",
            )
        if state.status.failed:
            raise ConnectorUnhealthy(
                f"connector '{self.delivery.name}' has failed: {state.status}",
                where=self.delivery.workers.url,
                why="which rows it has published is known while it runs",
                fix=f"see outbox-kit status --trace, correct the cause, {AGAIN}",
            )
        if state.reached is None:
            raise unread(self.delivery, changed=False)

    def steps(self, state: TableState) -> Sequence[Step]:
        """What is to be done; empty if the relays may publish, or do."""
        if state.stopped and state.offset is None:
            return []
        name, steps = self.delivery.name, []
        if not state.status.running:
            text = f"resume connector '{name}': which rows it has published is known while it runs"
            steps.append(Step("resume-connector", text, self._resume))
        text = "delete the rows that the connector has published, when its stored offset has passed them"
        steps.append(Step("delete-published", text, self._delete))
        text = f"stop connector '{name}', and delete the rows that it has published since"
        steps.append(Step("stop-connector", text, self._stop_and_delete))
        text = f"delete the stored offset of '{name}': a connector begins with the rows that relays leave"
        return [*steps, Step("reset-offset", text, self._reset)]

    def _resume(self) -> None:
        proof.resumed(self.delivery, self.deadline(), self.report)

    def _delete(self) -> None:
        delivery, hand_over = self.delivery, offset_hand_over(self.delivery)
        rows = hand_over.committed_rows(delivery.address, delivery.outbox)
        proof.position_advances(delivery, self.deadline(), self.report)
        hand_over.delete_rows(delivery.address, delivery.outbox, rows)
        self.report(f"deleted {counted(len(rows), 'published row')}")

    def _stop_and_delete(self) -> None:
        delivery, deadline = self.delivery, self.deadline()
        looks = _Looks(delivery)
        looks.add()
        delivery.probe.write_heartbeat(delivery.address, delivery.outbox)  # which an idle connector passes
        looks.add_for(PASS_SECONDS)
        delivery.workers.stop(delivery.name)
        while not is_stopped(delivery.status()) and time.monotonic() < deadline:
            looks.add_for(LOOK_SECONDS)
        await_stopped(delivery, deadline)
        looks.add()
        published, others = looks.split(self._last_position(looks.first))
        offset_hand_over(delivery).delete_rows(delivery.address, delivery.outbox, published)
        self.report(f"connector '{delivery.name}' is STOPPED; deleted {counted(len(published), 'published row')}")
        if others:
            self.report(
                f"at most {counted(len(others), 'event')} will be published twice: they were committed just before the "
                "connector stopped"
            )

    def _last_position(self, point: int) -> int:
        """What the stopped connector has stored, waited for until it is behind a position of the log.

        A task that does not end in time is ended by its worker and stores nothing: what it has stored before counts
        then. It is not resumed for that: a worker that is so busy would end it in the same way again.
        """
        until = time.monotonic() + STORE_SECONDS
        with waiting_for(f"connector '{self.delivery.name}' to store its last offset"):
            while (stored := self.delivery.stored_position() or 0) < point and time.monotonic() < until:
                time.sleep(POLL_SECONDS)
        return stored

    def _reset(self) -> None:
        reset_offset(self)


def reset_offset(hand_over: HandOver) -> None:
    """Delete the stored offset of a stopped connector, whose task may store a last one. Raises ConnectRefused."""
    delivery, until = hand_over.delivery, hand_over.deadline()
    before = delivery.workers.offsets(delivery.name)
    while True:
        delivery.workers.reset_offsets(delivery.name)
        time.sleep(QUIET_SECONDS)
        if not any(entry["offset"] for entry in delivery.workers.offsets(delivery.name)):
            break
        if time.monotonic() > until:
            raise ConnectRefused(
                f"the stored offset of '{delivery.name}' was not deleted, though the worker has accepted it",
                where=delivery.workers.url,
                fix=f"see the worker's log, {AGAIN}",
            )
    hand_over.report(f"deleted the stored offset, {[entry['offset'] for entry in before]}")
