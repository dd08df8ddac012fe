"""The table of failed events, by scripts; see `databases.failures`.

Each write is a script that is sent as a whole: it locks the lanes of this relay, and changes something only if all of
them are its own. Texts of any length have no index, so events are found by digests.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from outbox_kit.databases.failures import FailedEvent, FailureCounts
from outbox_kit.databases.polling import Lane, OwnedLanes, lanes_lost
from outbox_kit.databases.row_marks import FailedRow, RowMarks
from outbox_kit.databases.scripts import ALONE, ReopenedSession, Rows, Scripting, listed
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

ADDED = ("lane", "event_id", "topic", "row_text", "cause", "attempts", "dead")
COMPUTED = ("lane_digest", "event_digest", "key_hash")
DIGEST = "row_digest"
"""The column by which the relay recognizes the rows of failed events, if nothing in the rows tells them."""
LONG_TEXTS = ("lane", "event_id", "row_text", "cause")
MOST_EVENTS, MOST_CHARACTERS = 200, 1_000_000
"""Of one statement: a server takes statements of a limited size."""


@dataclass(frozen=True)
class FailureScripts:
    """The scripts about failed events; each is sent as a whole. Times are UTC."""

    counts: str
    """The numbers of dead letters and of other events."""
    waiting: str
    """The lanes that have events of `{waits}`, of the lanes `{chosen}`."""
    due: str
    """The events that are to be sent now, of the lanes `{chosen}`; a dead one holds back others if `{parks}` is 1."""
    write: str
    """Runs `{change}` in a transaction, which changes something if all lanes are this relay's: 1 if they are."""
    others: str
    """In such a script: counts the events of `{changed}` that are of other lanes than `{numbers}`."""
    insert: str
    """In such a script: adds the events of `{given}` that are not stored."""
    begin: str
    """In such a script: counts an attempt of the events of `{changed}`."""
    delivered: str
    """In such a script: removes the events of `{changed}`."""
    postpone: str
    """In such a script: sets when the events of `{changed}` are sent again."""
    started: str
    """Counts a start at a position: how many there were at it."""
    stopped: str
    """Sets the number of starts to 0."""
    allowed: str = "@mine = {count} and @others = 0"
    """In such a script: the condition on which something is changed."""
    long_text: str = "{}"
    """The expression of a text of any length, with `{}` for its mark."""


class StoredFields(NamedTuple):
    """How the table finds events."""

    key_hash: Callable[[str], int]
    """The hash of a message key, as the database computes it for a row."""
    lane: Callable[[Outbox], str]
    """The expression of the lane of a stored event."""


class ScriptedFailures:
    """See `databases.failures.FailureTable`. A database has its scripts."""

    scripting: Scripting
    """How this database's scripts are written and sent."""
    scripts: FailureScripts
    """The database's scripts."""
    fields: StoredFields
    """How the table finds events."""
    row_marks: Callable[[str, Outbox], RowMarks | None]
    """See `UnpublishedRows.marks`."""

    def __init__(self, dsn: str, outbox: Outbox, owned: OwnedLanes | None = None) -> None:
        """owned: the lanes of the table that this relay reads; None if it is the only relay."""
        self._dsn, self._outbox, self._owned = dsn, outbox, owned
        self._session = ReopenedSession(lambda: self.scripting.connect(dsn, outbox))

    @property
    def _parks(self) -> bool:
        """Whether a dead event keeps the later ones of its lane back."""
        return self._outbox.delivery.on_dead_letter == "park"

    def counts(self) -> FailureCounts:
        """See the protocol."""
        ((dead, waiting),) = self._selected(self.scripts.counts, {})
        return FailureCounts(int(dead or 0), int(waiting or 0))

    def lanes(self) -> set[str]:
        """See the protocol."""
        waits = self.scripting.always if self._parks else "dead = 0"
        return {str(lane) for (lane,) in self._selected(self.scripts.waiting, {}, waits=waits)}

    def add(self, failures: Sequence[FailedEvent], seconds: float) -> None:
        """See the protocol."""
        key, lanes = router_columns(self._outbox).key, self._outbox.delivery.lanes
        owned = None if self._owned is None else {*self._owned()}
        stored: dict[bytes, Mapping[str, Any]] = {}
        for failure in failures:
            fields = self._fields(failure, key)
            if owned is not None and fields["key_hash"] % lanes not in owned:
                raise lanes_lost("another relay has taken them")
            stored.setdefault(fields["event_digest"], fields)
        marks = self._marks
        columns = (*ADDED, *COMPUTED, *([DIGEST] if marks is not None and not marks.tells_failures else []))
        for chunk in _chunks([*stored.values()]):
            values: dict[str, Any] = {"seconds": seconds}
            rows, failed = [], []
            for place, fields in enumerate(chunk):
                values |= {f"{name}{place}": fields[name] for name in columns}
                rows.append([*(self._mark(name, place) for name in columns), str(place)])
                failed.append(FailedRow(fields["event_id"], self._mark("event_digest", place), fields["attempts"]))
            table = self.scripting.rows_table("given", (*columns, "place"), rows)
            change = _Change(self.scripts.insert, "" if marks is None else marks.failed())
            self._write(change, values, rows=failed, by="event_digest", fields=", ".join(columns), given=table)

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        """See the protocol."""
        topics = {f"closed{place}": topic for place, topic in enumerate((*closed, " "))}  # no topic is blank
        marks = f"({', '.join(self.scripting.placeholder.format(name) for name in topics)})"
        parks = "1" if self._parks else "0"
        rows = self._selected(self.scripts.due, {"most": most, **topics}, parks=parks, closed=marks)
        return [failed_event(row) for row in rows]

    def begin(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        assignments = "" if self._marks is None else self._marks.tried()
        self._change(_Change(self.scripts.begin, assignments), numbers, {})

    def delivered(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        assignments = "" if self._marks is None else self._marks.published(0)
        self._change(_Change(self.scripts.delivered, assignments, is_removed=True), numbers, {})

    def postpone(self, number: int, cause: str, seconds: float, *, dead: bool, counted: bool) -> None:
        """See the protocol."""
        uncounted = 0 if counted else 1
        assignments = "" if self._marks is None else self._marks.failed(f"{-uncounted}")
        values = {"cause": cause, "dead": int(dead), "uncounted": uncounted, "seconds": seconds}
        self._change(_Change(self.scripts.postpone, assignments), [number], values)

    def starts(self, position: int | None) -> int:
        """See the protocol."""
        values = {"slot": self._outbox.names.slot, "position": position}
        ((starts,),) = self._ran(self.scripts.started, values)
        return int(starts)

    def stopped(self) -> None:
        """See the protocol."""
        self._session.run(self._sql(self.scripts.stopped), {"slot": self._outbox.names.slot})

    def _mark(self, column: str, place: int) -> str:
        mark = self.scripting.placeholder.format(f"{column}{place}")
        return self.scripts.long_text.format(mark) if column in LONG_TEXTS else mark

    def _fields(self, failure: FailedEvent, key: str) -> Mapping[str, Any]:
        """The values of the columns of an event."""
        lane, event_id = failure.lane.encode(), failure.event_id.encode()
        text = orjson.loads(failure.row_text).get(key)
        marks = self._marks
        digest = None if marks is None or marks.tells_failures else marks.forms.id_digest(failure.event_id)
        return {name: getattr(failure, name) for name in ADDED} | {
            DIGEST: digest,
            "dead": int(failure.dead),
            "lane_digest": sha256(lane).digest(),
            "event_digest": sha256(lane + b"\0" + event_id).digest(),
            "key_hash": self.fields.key_hash(failure.event_id if text is None else text),
        }

    @cached_property
    def _marks(self) -> RowMarks | None:
        return self.row_marks(self._dsn, self._outbox)

    def _change(self, change: "_Change", numbers: Sequence[int], values: Mapping[str, Any]) -> None:
        """Change stored events. Raises LanesLost."""
        for start in range(0, len(numbers), MOST_EVENTS):
            changed = numbers[start : start + MOST_EVENTS]
            rows: Sequence[FailedRow] = ()
            if change.assignments and self._marks is not None:
                stored = self._ran(self._marks.forms.stored_ids, {}, numbers=listed(changed))
                rows = [FailedRow(event_id or "", str(int(number))) for number, event_id in stored]
            by = "" if self._marks is None else self._marks.forms.number
            self._write(change, dict(values), changed, rows=rows, by=by)

    def _write(
        self,
        change: "_Change",
        values: dict[str, Any],
        changed: Sequence[int] = (),
        *,
        rows: Sequence[FailedRow],
        by: str,
        **parts: str,
    ) -> None:
        """Run a statement if the lanes of this relay, and those of the events concerned, are its own. Raises LanesLost.

        changed: the numbers of the events concerned. rows, by: see `RowMarks.update`.
        """
        lanes: Collection[Lane] = ALONE if self._owned is None else self._owned.lanes()
        if not lanes:
            raise lanes_lost("its lease has ended")
        of_lanes = self.scripting.owned(self._outbox, lanes)
        if self._owned is None:
            of_lanes["count"] = "0"
        others = self.scripts.others if self._owned is not None and changed else ""
        all_parts = {**of_lanes, "changed": listed(changed), **parts}
        member = "" if self._owned is None else self._owned.member
        statements = [self._sql(change.statement, **all_parts)]
        if self._marks is not None:
            allowed = self.scripts.allowed.format(**all_parts)
            marked = self._marks.update(change.assignments, rows, values, by=by, allowed=allowed)
            statements.insert(0 if change.is_removed else 1, marked)
        script = {
            "change": "".join(statements),
            "concerned": self._sql(others, **all_parts) if others else "",
        }
        ((is_done,),) = self._ran(self.scripts.write, {**values, "member": member}, **script, **all_parts)
        if not is_done:
            raise lanes_lost("another relay has taken them, or its lease has ended")

    def _selected(self, query: str, values: Mapping[str, Any], **parts: str) -> Rows:
        """The rows of a query; the condition on the lanes of this relay is `chosen`."""
        owned = None if self._owned is None else self._owned()
        chosen = self.scripting.always if owned is None else f"{self.fields.lane(self._outbox)} in {listed(owned)}"
        return self._ran(query, values, chosen=chosen, **parts)

    def _ran(self, script: str, values: Mapping[str, Any], **parts: str) -> Rows:
        """The rows of the one statement of a script that has any."""
        (rows,) = self._session.run(self._sql(script, **parts), values)
        return rows

    def _sql(self, script: str, **parts: str) -> str:
        """A script with the names of the outbox."""
        return script.format(**{**self.scripting.names(self._outbox), "lane": self.fields.lane(self._outbox), **parts})


class _Change(NamedTuple):
    """What is done with stored events."""

    statement: str
    assignments: str
    """Of their rows in the outbox table; empty if there are none."""
    is_removed: bool = False
    """Whether they are removed."""


def failed_event(row: Sequence[Any]) -> FailedEvent:
    """The event of the first values of a row: number, lane, event id, topic, row, cause, attempts, dead."""
    number, lane, event_id, topic, row_text, cause, attempts, dead = row[:8]
    return FailedEvent(int(number), lane, event_id or "", topic, row_text or "", cause or "", int(attempts), bool(dead))


def _chunks(rows: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    """The events in groups that fit a statement."""
    chunk: list[Mapping[str, Any]] = []
    size = 0
    for row in rows:
        length = len(row["row_text"]) + len(row["cause"])
        if chunk and (len(chunk) == MOST_EVENTS or size + length > MOST_CHARACTERS):
            yield chunk
            chunk, size = [], 0
        chunk.append(row)
        size += length
    if chunk:
        yield chunk
