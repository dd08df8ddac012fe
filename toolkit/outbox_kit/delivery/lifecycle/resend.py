"""Events sent again from the outbox table: what their consumers will see, and the steps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from outbox_kit.databases import servers
from outbox_kit.databases.resent import AT_ONCE, ChosenRows, ResendableRows, RowSelection
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.step import Report, Step
from outbox_kit.delivery.lifecycle.plan import OperationPlan
from outbox_kit.errors import UnknownName, UnsafeChange, UsageProblem
from outbox_kit.printable import counted
from outbox_kit.render.marked import unpublish
from outbox_kit.wire.routes import Routes

SHOWN_IDS = 3
AGAIN = "each 500 rows are one transaction: to send only those that are left, repeat the command with --from-id"


@dataclass
class Resend:
    """Rows of one outbox that are to be published again."""

    delivery: Debezium
    """The outbox and its database; its workers only if a connector publishes the events."""
    selection: RowSelection
    """Which rows."""
    most: int
    """How many rows at most."""
    report: Report
    """Takes a line for each thing that was done."""
    sent: int = field(default=0, init=False)
    """How many rows were handed over so far."""

    @property
    def rows(self) -> ResendableRows:
        """What publishes rows again. Raises UsageProblem if the table keeps none, or the database is not supported."""
        outbox = self.delivery.outbox
        refuse_without_rows(self.delivery)
        rows = servers.get(outbox.database.dialect).resendable
        if rows is None:
            raise UsageProblem(
                f"outbox-kit cannot send single rows of {outbox.dialect.title} again",
                why="the rows are deleted and inserted for that, with statements that exist for other databases only",
                fix="insert a copy of the row with a new event id, or publish all rows again: outbox-kit offsets reset",
            )
        return rows

    def plan(self, *, allow_destructive: bool) -> OperationPlan:
        """What would be sent, and what consumers see of it.

        Raises UnknownName if no row is chosen, UsageProblem if there are too many, UnsafeChange for an existing table.
        """
        delivery, rows = self.delivery, self.rows
        delivery.expect_database()
        chosen = rows.choose(delivery.address, delivery.outbox, self.selection, self.most)
        self._expect_some(chosen)
        if delivery.outbox.table.existing and not unpublish(delivery.outbox) and not allow_destructive:
            raise UnsafeChange(
                f"{counted(chosen.total, 'row')} of the existing table '{delivery.outbox.table.name}' would be deleted "
                "and inserted again",
                why="triggers and foreign keys of the table's owner act on that",
                fix="repeat with --allow-destructive if they may",
            )
        step = Step("resend", f"{self._verb()} {counted(chosen.total, 'row')}", lambda: self._resend(chosen.ids))
        relay = delivery.outbox.delivery.by == "relay"
        publisher = ("publisher", "the relay") if relay else ("connector", f"{delivery.name}: {delivery.status()}")
        first = ", ".join(chosen.ids[:SHOWN_IDS]) + (", ..." if chosen.total > SHOWN_IDS else "")
        facts = [publisher, ("rows", f"{chosen.total:,}: {first}")]
        sink = delivery.outbox.delivery.sink == "kafka"
        following = ("outbox-kit verify",) if sink else ()
        seen, notes = [*self._effects_on_consumers(chosen)], [*self._notes()]
        return OperationPlan("resend", delivery.name, facts, [step], seen, notes, following, AGAIN)

    def _expect_some(self, chosen: ChosenRows) -> None:
        requested = {event_id.casefold(): event_id for event_id in self.selection.ids}
        if chosen.total < len(requested):
            present = {event_id.casefold() for event_id in chosen.ids}
            missing = [event_id for folded, event_id in requested.items() if folded not in present]
            raise UnknownName(
                f"event '{(missing or self.selection.ids)[0]}' is not in table "
                f"'{self.delivery.outbox.table.name}', or does not meet the other conditions; nothing was changed",
                why=f"{chosen.total} of {len(requested)} ids are chosen; the other rows were deleted, or never written",
                fix="an event whose row was deleted must be written by the application again, with its id",
            )
        if not chosen.total:
            raise UnknownName("no row is chosen; nothing was changed", fix="check the conditions; times are in UTC")
        if chosen.total > self.most:
            raise UsageProblem(
                f"{chosen.total:,} rows are chosen, more than {self.most:,}; nothing was changed",
                fix="choose fewer, or allow more: --limit NUMBER",
            )

    def _verb(self) -> str:
        if unpublish(self.delivery.outbox):
            return "mark as not published, so that the relay sends them again:"
        return "delete and insert again, with the same values, in one transaction for each 500:"

    def _effects_on_consumers(self, chosen: ChosenRows) -> Iterator[str]:
        """What consumers see, a sentence each."""
        routes = Routes(self.delivery.outbox)
        for group in chosen.groups:
            events = counted(group.rows, "event")
            yield (
                f"{routes.topic(group.route)}: {events} {group.type} again, with the same event id, key, headers and "
                f"value, at the end of the partition of {'its key' if group.rows == 1 else 'their keys'}"
            )
        if routes.assumed:
            yield f"the topics are those of the schema file: {routes.assumed}"
        if chosen.newer:
            single = chosen.newer == 1
            yield (
                f"{counted(chosen.newer, 'newer event')} of {counted(chosen.keys, 'key')} {'is' if single else 'are'} "
                "before them: a consumer that applies events as they arrive goes back to an older state"
            )
        yield "a consumer with an inbox skips an event id that it has processed; any other processes the event twice"

    def _notes(self) -> Iterator[str]:
        yield "outbox-kit verify reports them as DUP-01 or DUP-02, not as disorder"
        if self.delivery.outbox.delivery.by != "relay" and not self.delivery.status().running:
            yield "the connector does not run: the events are sent when it does"

    def _resend(self, ids: Sequence[str]) -> None:
        outbox, address, assignments = self.delivery.outbox, self.delivery.address, unpublish(self.delivery.outbox)
        for start in range(0, len(ids), AT_ONCE):
            batch = ids[start : start + AT_ONCE]
            try:
                if assignments:
                    self.sent += self.rows.unmark(address, outbox, batch, assignments)
                else:
                    self.sent += self.rows.reinsert(address, outbox, batch)
            except BaseException:
                if start:
                    self.report(
                        f"{self.sent:,} rows were sent again, up to event '{ids[start - 1]}'; continue: --from-id"
                    )
                raise
        missing = len(ids) - self.sent
        self.report(
            f"{counted(self.sent, 'row')} sent again" + (f"; {missing:,} were deleted meanwhile" if missing else "")
        )


def refuse_without_rows(delivery: Debezium) -> None:
    """Raise UsageProblem for an outbox whose published events have no rows."""
    table, publishes = delivery.outbox.table, delivery.outbox.delivery
    write = "the application must write the events again, with their ids"
    if table.storage == "log":
        raise UsageProblem("events of table.storage: log have no rows that could be sent again", fix=write)
    if table.retention == "delete_on_insert":
        raise UsageProblem("with table.retention: delete_on_insert the table keeps no rows", fix=write)
    if publishes.by == "relay" and publishes.source == "table" and publishes.record == "delete":
        fix = f"{write}; events that the relay could not publish: outbox-kit relay dead retry"
        raise UsageProblem("the relay deletes the rows that it has published", fix=fix)
