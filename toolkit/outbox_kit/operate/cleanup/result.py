"""What a cleanup has removed, and what stays. Values only."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from outbox_kit.databases.cleanup import PartitionRemoval, RemovalState, TableCondition
from outbox_kit.delivery.slots import size
from outbox_kit.operate.cleanup.kind import Way
from outbox_kit.printable import counted
from outbox_kit.render.cleanup import OldRows, RowProof

PROOFS: Mapping[RowProof, str] = {
    RowProof.slot: "the position that the replication slot has confirmed",
    RowProof.lanes: "the positions of the relay's lanes",
    RowProof.mark: "the marks of the relay",
    RowProof.point: "the stored offset of the connector",
    RowProof.redelivery: "what Kafka can deliver again",
    RowProof.age: "none: by age",
}


UNPROVEN: Mapping[RowProof, str] = {
    RowProof.redelivery: "Kafka can deliver it again, or its consumer is not declared",
}


class OldCounts(NamedTuple):
    """The numbers of rows that are older than they are kept."""

    removable: int
    unproven: int
    """Rows that nothing proves published."""
    failed: int
    """Rows of events that a relay could not publish, or that wait for such an event."""
    future: int
    """Rows whose time is after the clock of the database, at most 1,000; they are not old."""


@dataclass
class CleanupResult:
    """The outcome of one run."""

    rows: OldRows
    way: Way
    before: TableCondition
    dry_run: bool
    notes: list[str]
    """What an operator should see, a sentence each."""
    deleted: int = 0
    batches: int = 0
    created: Sequence[str] = ()
    """Partitions that were created."""
    removals: dict[str, PartitionRemoval] = field(default_factory=dict)
    """The outcome for each partition by name."""
    unfinished: str = ""
    """Why the run has ended before all was removed; empty if it has not."""
    counts: OldCounts | None = None
    """Before a dry run, and after another one."""
    after: TableCondition | None = None

    @property
    def complete(self) -> bool:
        """Whether everything was removed that may be."""
        return not self.unfinished and all(
            removal.state is not RemovalState.blocked for removal in self.removals.values()
        )

    def lines(self) -> Sequence[str]:
        """The result as text."""
        facts = [
            ("table", ".".join(self.rows.table)),
            ("kept", f"{counted(self.rows.keep_hours, 'hour')}, by the clock of the database"),
            ("proof", PROOFS[self.rows.proof]),
            *(("note", note) for note in self.notes),
            *self._removed(),
            *self._stays(),
            *_condition("before", self.before),
            *([] if self.after is None else _condition("after", self.after)),
        ]
        return [f"{label:<10} {text}" for label, text in facts]

    def _removed(self) -> Sequence[tuple[str, str]]:
        verb = "discarded" if self.way is Way.discard else "deleted"
        batches = "1 batch" if self.batches == 1 else f"{self.batches:,} batches"
        facts = [] if self.dry_run else [(verb, f"{counted(self.deleted, 'row')} in {batches}")]
        facts += [("created", f"partition {name}") for name in self.created]
        for name, removal in self.removals.items():
            why = f": {removal.why}" if removal.why else ""
            facts.append(("partition", f"{name} {removal.state}{why}"))
            facts += [("  by", detail) for detail in removal.details]
        return [*facts, ("unfinished", self.unfinished)] if self.unfinished else facts

    def _stays(self) -> Sequence[tuple[str, str]]:
        if self.counts is None:
            return []
        removable, unproven, failed, future = self.counts
        facts = [("removable", counted(removable, "row"))] if self.dry_run or removable else []
        state = UNPROVEN.get(self.rows.proof, "not proven published")
        facts += [("stays", f"{counted(unproven, 'old row')}: {state}")] if unproven else []
        facts += [("stays", f"{counted(failed, 'old row')}: failed or waiting events of the relay")] if failed else []
        more = "at least " if future == 1000 else ""
        late = f"{more}{counted(future, 'row')} with a time after the clock of the database"
        return [*facts, ("note", late)] if future else facts

    def document(self, kind: str) -> dict[str, Any]:
        """The result as plain values. kind: the name of the kind of table."""
        return {
            "schema": "outbox-kit/cleanup/v1",
            "kind": kind,
            "table": ".".join(self.rows.table),
            "way": self.way,
            "dry_run": self.dry_run,
            "keep_hours": self.rows.keep_hours,
            "proof": self.rows.proof,
            "notes": self.notes,
            "deleted": self.deleted,
            "batches": self.batches,
            "created": [*self.created],
            "partitions": [{"name": name, **asdict(removal)} for name, removal in self.removals.items()],
            "old": None if self.counts is None else self.counts._asdict(),
            "unfinished": self.unfinished,
            "complete": self.complete,
            "before": _described(self.before),
            "after": None if self.after is None else _described(self.after),
        }


def _condition(label: str, table: TableCondition) -> Sequence[tuple[str, str]]:
    """A table in words, with what keeps its dead rows."""
    facts = [] if table.rows is None else [f"about {counted(table.rows, 'row')}"]
    facts += [] if table.dead_rows is None else [counted(table.dead_rows, "dead row")]
    facts += [] if table.size is None else [size(table.size)]
    facts += [] if table.history is None else [f"history list of {counted(table.history, 'transaction')}"]
    holders = []
    for holder in table.holders:
        seconds = "" if holder.seconds is None else f", {holder.seconds:.0f} s old"
        age = f", {counted(holder.transactions, 'transaction')} behind" if holder.transactions else ""
        holders.append(("  horizon", f"{holder.what}{seconds}{age}"))
    return [(label, ", ".join(facts)), *holders, *(("  note", note) for note in table.notes)]


def _described(table: TableCondition) -> dict[str, Any]:
    return {
        "rows": table.rows,
        "dead_rows": table.dead_rows,
        "bytes": table.size,
        "history": table.history,
        "holders": [asdict(holder) for holder in table.holders],
        "notes": [*table.notes],
    }
