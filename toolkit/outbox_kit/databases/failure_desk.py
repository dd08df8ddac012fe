"""The table of failed events for operators, by scripts; see `databases.failures.FailureDesk`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from outbox_kit.databases.failure_scripts import failed_event
from outbox_kit.databases.failures import DeadLetters, Selection, StoredEvent, WaitingLane, WaitingLanes
from outbox_kit.databases.row_marks import FailedRow, RowMarks
from outbox_kit.databases.scripts import Rows, Scripting, ScriptSession, listed
from outbox_kit.schema.model import Outbox

LARGEST_NUMBER = 2**63 - 1
AT_ONCE = 500
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class DeskScripts:
    """The scripts for operators. An event is the columns of `failed_event`, then three times, in microseconds."""

    without_row: str
    """The columns of an event, with an empty text in place of its row."""
    with_row: str
    """The columns of an event."""
    dead: str
    """At most so many events of `{chosen}`, by number."""
    count: str
    """How many events `{chosen}` has."""
    numbers: str
    """The numbers of `{chosen}`, in their order."""
    event: str
    """The event of a number."""
    retry: str
    """Has the dead letters of `{numbers}` sent again, the first after so many pauses: how many they were."""
    discard: str
    """Runs `{marked}` and deletes the dead letters of `{numbers}`: how many they were."""
    marked: str
    """The condition of `{marked}` that a stored event is a dead letter."""
    waiting: str
    """The first event of each lane with `{waits}`, its depth, its age in microseconds, and how many lanes there are."""
    number: str
    """The column of an event's number."""
    same_lane: str
    """The condition that the lane is `{}`."""
    ends: str
    """The condition that a lane ends like `{}`."""


class ScriptedDesk:
    """See `databases.failures.FailureDesk`. A database has its scripts."""

    scripting: Scripting
    """How this database's scripts are written and sent."""
    scripts: DeskScripts
    """The database's scripts."""
    row_marks: Callable[[str, Outbox], RowMarks | None]
    """See `UnpublishedRows.marks`."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        self._dsn, self._outbox = dsn, outbox

    def dead(self, selection: Selection, most: int) -> DeadLetters:
        """See the protocol."""
        letters: list[StoredEvent] = []
        total = 0
        with closing(self._connect()) as kept:
            for condition, values in self._chosen(selection):
                query = self._sql(self.scripts.dead, condition, columns=self.scripts.without_row)
                letters += [_stored(row) for row in _rows(kept, query, {**values, "most": most})]
                ((count,),) = _rows(kept, self._sql(self.scripts.count, condition), values)
                total += int(count)
        return DeadLetters(sorted(letters, key=lambda letter: letter.failure.number)[:most], total)

    def numbers(self, selection: Selection) -> Sequence[int]:
        """See the protocol."""
        numbers: list[int] = []
        with closing(self._connect()) as kept:
            for condition, values in self._chosen(selection):
                rows = _rows(kept, self._sql(self.scripts.numbers, condition), values)
                numbers += [int(number) for (number,) in rows]
        return sorted(numbers)

    def event(self, number: int) -> StoredEvent | None:
        """See the protocol."""
        if number > LARGEST_NUMBER:
            return None
        query = self._sql(self.scripts.event, columns=self.scripts.with_row)
        with closing(self._connect()) as kept:
            rows = _rows(kept, query, {"wanted": number})
        return _stored(rows[0]) if rows else None

    def retry(self, numbers: Sequence[int], rate: float | None) -> int:
        """See the protocol."""
        return self._changed(self.scripts.retry, numbers, {"pause": round(1_000_000 / rate) if rate else 0})

    def discard(self, numbers: Sequence[int]) -> int:
        """See the protocol."""
        marks = self.row_marks(self._dsn, self._outbox)
        return self._changed(self.scripts.discard, numbers, {}, marks)

    def waiting(self, most: int) -> WaitingLanes:
        """See the protocol."""
        waits = self.scripting.always if self._outbox.delivery.on_dead_letter == "park" else "dead = 0"
        query = self._sql(self.scripts.waiting, columns=self.scripts.without_row, waits=waits)
        with closing(self._connect()) as kept:
            rows = _rows(kept, query, {"most": most})
        lanes = [WaitingLane(_stored(row), int(row[-3]), int(row[-2]) / 1_000_000) for row in rows]
        return WaitingLanes(lanes, int(rows[0][-1]) if rows else 0)

    def _changed(
        self, script: str, numbers: Sequence[int], values: Mapping[str, Any], marks: RowMarks | None = None
    ) -> int:
        """How many dead letters a script has changed. marks: of the rows of discarded ones."""
        changed, ordered = 0, sorted(number for number in numbers if number <= LARGEST_NUMBER)
        with closing(self._connect()) as kept:
            for start in range(0, len(ordered), AT_ONCE):
                chosen = listed(ordered[start : start + AT_ONCE])
                bound: dict[str, Any] = {**values, "skipped": changed} if values else {}
                marked = "" if marks is None else self._discarded(kept, marks, chosen, bound)
                ((count,),) = _rows(kept, self._sql(script, numbers=chosen, marked=marked), bound)
                changed += int(count)
        return changed

    def _discarded(self, kept: ScriptSession, marks: RowMarks, numbers: str, values: dict[str, Any]) -> str:
        """The statement that marks the rows of discarded events; empty if none has to be marked."""
        assignments, forms = marks.discarded(), marks.forms
        if not assignments:
            return ""
        stored = _rows(kept, self._sql(forms.stored_ids, numbers=numbers), {})
        rows = [FailedRow(event_id or "", str(int(number))) for number, event_id in stored]
        return marks.update(assignments, rows, values, by=forms.number, allowed=self.scripts.marked)

    def _chosen(self, selection: Selection) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The conditions of a selection, each with its values; no event is in two of them."""
        mark = self.scripting.placeholder.format
        forms = {"topic": "topic = {}", "lane": self.scripts.same_lane}
        values = {name: text for name in forms if (text := getattr(selection, name)) is not None}
        conditions = ["dead = 1", *(forms[name].format(mark(name)) for name in values)]
        if selection.lane_ends is not None:
            values["ending"], values["keyless"] = selection.lane_ends
            conditions += [self.scripts.ends.format(mark("ending"))]
            conditions += [f"not ({self.scripts.ends.format(mark('keyless'))})"]
        if selection.numbers is None:
            yield " and ".join(conditions), values
            return
        numbers = sorted({number for number in selection.numbers if number <= LARGEST_NUMBER})
        for start in range(0, max(1, len(numbers)), AT_ONCE):
            yield (
                " and ".join([*conditions, f"{self.scripts.number} in {listed(numbers[start : start + AT_ONCE])}"]),
                values,
            )

    def _connect(self) -> ScriptSession:
        return self.scripting.connect(self._dsn, self._outbox)

    def _sql(self, script: str, chosen: str = "", **parts: str) -> str:
        return script.format(**self.scripting.names(self._outbox), chosen=chosen, **parts)


def _rows(kept: ScriptSession, query: str, values: Mapping[str, Any]) -> Rows:
    (rows,) = kept.run(query, values)
    return rows


def _stored(row: Sequence[Any]) -> StoredEvent:
    failed_at, tried_at, send_at = row[8:11]
    tried = None if tried_at is None else _at(tried_at)
    return StoredEvent(failed_event(row), _at(failed_at), tried, _at(send_at))


def _at(microseconds: Any) -> datetime:
    return EPOCH + timedelta(microseconds=int(microseconds))
