"""The table of failed events, by scripts; see `databases.failures`.

Each write is a script that is sent as a whole: it locks the lanes of this relay, and changes something only if all of
them are its own. Texts of any length have no index, so events are found by digests.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from outbox_kit.databases.failures import FailedEvent, FailureCounts
from outbox_kit.databases.polling import Lane, OwnedLanes, lanes_lost
from outbox_kit.databases.scripts import ALONE, ReopenedSession, Rows, Scripting, listed
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

ADDED = ("lane", "event_id", "topic", "row_text", "cause", "attempts", "dead")
COMPUTED = ("lane_digest", "event_digest", "key_hash")
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

    def __init__(self, dsn: str, outbox: Outbox, owned: OwnedLanes | None = None) -> None:
        """owned: the lanes of the table that this relay reads; None if it is the only relay."""
        self._outbox, self._owned = outbox, owned
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
        columns = (*ADDED, *COMPUTED)
        for chunk in _chunks([*stored.values()]):
            values: dict[str, Any] = {"seconds": seconds}
            rows = []
            for place, fields in enumerate(chunk):
                values |= {f"{name}{place}": fields[name] for name in columns}
                rows.append([*(self._mark(name, place) for name in columns), str(place)])
            table = self.scripting.rows_table("given", (*columns, "place"), rows)
            self._write(self.scripts.insert, values, fields=", ".join(columns), given=table)

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        """See the protocol."""
        topics = {f"closed{place}": topic for place, topic in enumerate((*closed, " "))}  # no topic is blank
        marks = f"({', '.join(self.scripting.placeholder.format(name) for name in topics)})"
        parks = "1" if self._parks else "0"
        rows = self._selected(self.scripts.due, {"most": most, **topics}, parks=parks, closed=marks)
        return [failed_event(row) for row in rows]

    def begin(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        self._change(self.scripts.begin, numbers, {})

    def delivered(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        self._change(self.scripts.delivered, numbers, {})

    def postpone(self, number: int, cause: str, seconds: float, *, dead: bool, counted: bool) -> None:
        """See the protocol."""
        values = {"cause": cause, "dead": int(dead), "uncounted": 0 if counted else 1, "seconds": seconds}
        self._change(self.scripts.postpone, [number], values)

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
        return {name: getattr(failure, name) for name in ADDED} | {
            "dead": int(failure.dead),
            "lane_digest": sha256(lane).digest(),
            "event_digest": sha256(lane + b"\0" + event_id).digest(),
            "key_hash": self.fields.key_hash(failure.event_id if text is None else text),
        }

    def _change(self, change: str, numbers: Sequence[int], values: Mapping[str, Any]) -> None:
        """Change stored events. Raises LanesLost."""
        for start in range(0, len(numbers), MOST_EVENTS):
            self._write(change, values, numbers[start : start + MOST_EVENTS])

    def _write(self, change: str, values: Mapping[str, Any], changed: Sequence[int] = (), **parts: str) -> None:
        """Run a statement if the lanes of this relay, and those of the events concerned, are its own. Raises LanesLost.

        changed: the numbers of the events concerned.
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
        script = {
            "change": self._sql(change, **all_parts),
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
