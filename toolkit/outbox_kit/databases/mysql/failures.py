"""The table of failed events in MySQL and MariaDB; see `databases.failures`.

Each write is a script that is sent as a whole: it locks the lanes of this relay, and changes something only if all of
them are its own.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from outbox_kit.databases.failures import FailedEvent, FailureCounts
from outbox_kit.databases.mysql.lanes import FENCE, key_hash, lane_of, mine, tables
from outbox_kit.databases.mysql.session import ReopenedSession, Rows
from outbox_kit.databases.polling import Lane, OwnedLanes, lanes_lost
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

COLUMNS = "number, lane, event_id, topic, row_text, cause, attempts, dead"
ADDED = ("lane", "event_id", "topic", "row_text", "cause", "attempts", "dead")
COMPUTED = ("lane_digest", "event_digest", "key_hash")
MOST_EVENTS, MOST_CHARACTERS = 500, 1_000_000
"""Of one statement: a server takes packets of a limited size."""
ANSWER_SECONDS = 20.0
COUNTS = "select coalesce(sum(dead), 0), coalesce(sum(not dead), 0) from {failures}"
WAITING = "select distinct lane from {failures} as candidate where {waits} and {chosen}"
DUE = """
select {columns} from {failures} as candidate
where not dead and send_at <= utc_timestamp(6) and (topic is null or topic not in %(closed)s) and {chosen}
  and not exists (select 1 from {failures} as earlier
                  where earlier.lane_digest = candidate.lane_digest and earlier.number < candidate.number
                    and case when earlier.dead then {parks} else earlier.attempts > 0
                        or earlier.send_at > utc_timestamp(6) or coalesce(earlier.topic in %(closed)s, false) end)
order by number limit %(most)s
"""
WRITE = """
start transaction;
{fence};
{concerned};
{change};
select @mine = %(count)s and @others = 0;
commit
"""
ALONE, NO_OTHERS = "set @mine = 0", "set @others = 0"
OTHERS = "select count(*) into @others from {failures} where number in %(changed)s and {lane} not in %(numbers)s"
ALLOWED = "@mine = %(count)s and @others = 0"
INSERT = """
insert into {failures} ({fields}, failed_at, send_at) select {fields}, utc_timestamp(6), {later}
from ({given}) as given where {allowed} order by place on duplicate key update number = {failures}.number
"""
CHANGED = "number in %(changed)s and {allowed}"
BEGIN = "update {failures} set attempts = attempts + 1, tried_at = utc_timestamp(6) where {changed}"
DELIVERED = "delete from {failures} where {changed}"
POSTPONE = """
update {failures} set cause = %(cause)s, dead = %(dead)s, attempts = attempts - %(uncounted)s, send_at = {later}
where {changed}
"""
STARTED = """
insert into {starts} (slot, position, starts, started_at) values (%(slot)s, %(position)s, 1, utc_timestamp(6))
on duplicate key update starts = if(position <=> %(position)s, starts + 1, 1), position = %(position)s,
    started_at = utc_timestamp(6);
select starts from {starts} where slot = %(slot)s
"""
STOPPED = "update {starts} set starts = 0 where slot = %(slot)s"


@dataclass(frozen=True)
class MySqlFailureTable:
    """See `databases.failures.FailureTable`."""

    dsn: str
    outbox: Outbox
    owned: OwnedLanes | None = None
    """The lanes of the table that this relay reads; None if it is the only relay."""

    @cached_property
    def _session(self) -> ReopenedSession:
        return ReopenedSession(self.dsn)

    @property
    def _parks(self) -> bool:
        """Whether a dead event keeps the later ones of its lane back."""
        return self.outbox.delivery.on_dead_letter == "park"

    def counts(self) -> FailureCounts:
        """See the protocol."""
        ((dead, waiting),) = self._selected(COUNTS, {})
        return FailureCounts(int(dead), int(waiting))

    def lanes(self) -> set[str]:
        """See the protocol."""
        if self.owned is not None and not self.owned():
            return set()
        return {lane for (lane,) in self._selected(WAITING, {}, waits="true" if self._parks else "not dead")}

    def add(self, failures: Sequence[FailedEvent], seconds: float) -> None:
        """See the protocol."""
        key = router_columns(self.outbox).key
        lanes = self.outbox.delivery.lanes
        owned = None if self.owned is None else {*self.owned()}
        for chunk in _chunks(failures):
            hashes = [_hash(failure, key) for failure in chunk]
            if owned is not None and not owned.issuperset(number % lanes for number in hashes):
                raise lanes_lost("another relay has taken them")
            values: dict[str, Any] = {"seconds": seconds}
            rows = []
            for place, (failure, number) in enumerate(zip(chunk, hashes, strict=True)):
                fields = {name: getattr(failure, name) for name in ADDED} | _computed(failure, number)
                values |= {f"{name}{place}": value for name, value in fields.items()}
                listed = ", ".join(f"%({name}{place})s as {name}" for name in fields)
                rows.append(f"select {listed}, {place} as place")
            fields_listed = ", ".join((*ADDED, *COMPUTED))
            self._write(INSERT, values, fields=fields_listed, given=" union all ".join(rows), allowed=ALLOWED)

    def due(self, most: int, closed: Collection[str]) -> Sequence[FailedEvent]:
        """See the protocol."""
        if self.owned is not None and not self.owned():
            return []
        values = {"closed": [*closed, ""], "most": most}  # no topic is empty, and a list may not be
        rows = self._selected(DUE, values, parks=str(self._parks).lower(), columns=COLUMNS)
        return [failed_event(row) for row in rows]

    def begin(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        self._change(BEGIN, numbers)

    def delivered(self, numbers: Sequence[int]) -> None:
        """See the protocol."""
        self._change(DELIVERED, numbers)

    def postpone(self, number: int, cause: str, seconds: float, *, dead: bool, counted: bool) -> None:
        """See the protocol."""
        self._change(
            POSTPONE, [number], {"cause": cause, "dead": dead, "uncounted": 0 if counted else 1, "seconds": seconds}
        )

    def starts(self, position: int | None) -> int:
        """See the protocol."""
        ((starts,),) = self._ran(STARTED, {"slot": self.outbox.names.slot, "position": position})[-1]
        return int(starts)

    def stopped(self) -> None:
        """See the protocol."""
        self._ran(STOPPED, {"slot": self.outbox.names.slot})

    def _change(self, change: str, numbers: Sequence[int], values: Mapping[str, Any] | None = None) -> None:
        """Change stored events. Raises LanesLost."""
        if numbers:
            changed = CHANGED.format(allowed=ALLOWED)
            self._write(change, {"changed": list(numbers), **(values or {})}, concerned=OTHERS, changed=changed)

    def _write(self, change: str, values: Mapping[str, Any], *, concerned: str = NO_OTHERS, **parts: str) -> None:
        """Run a statement if all lanes of this relay are its own, and so are those of the events. Raises LanesLost."""
        lanes: Collection[Lane] = () if self.owned is None else self.owned.lanes()
        if self.owned is None:
            fenced: dict[str, Any] = {"count": 0}
            fence, concerned = ALONE, NO_OTHERS
        elif lanes:
            fenced, fence = {**mine(lanes), "member": self.owned.member}, FENCE
        else:
            raise lanes_lost("its lease has ended")
        statements = {"fence": fence, "concerned": concerned, "change": change}
        written = {name: self._sql(statement, **parts) for name, statement in statements.items()}
        results = self._ran(WRITE, {**values, **fenced}, **written)
        if not results[-1][0][0]:
            raise lanes_lost("another relay has taken them, or its lease has ended")

    def _selected(self, query: str, values: Mapping[str, Any], **parts: str) -> Rows:
        """The rows of a query; the condition on the lanes of this relay is `chosen`."""
        owned = None if self.owned is None else self.owned()
        chosen = "true" if owned is None else f"{self._lane} in %(numbers)s"
        numbers = {} if owned is None else {"numbers": list(owned)}
        return self._ran(query, {**values, **numbers}, chosen=chosen, **parts)[0]

    def _ran(self, script: str, values: Mapping[str, Any], **parts: str) -> list[Rows]:
        """The rows of each statement of a script that has any."""
        with self._session.use() as kept:
            return kept.run(self._sql(script, **parts), values, seconds=ANSWER_SECONDS)

    @property
    def _lane(self) -> str:
        """The lane of a stored event."""
        return lane_of(self.outbox, "key_hash")

    def _sql(self, statement: str, **parts: str) -> str:
        return statement.format(**tables(self.outbox), **({"lane": self._lane} | parts))


def failed_event(row: Sequence[Any]) -> FailedEvent:
    """The event of a row of `COLUMNS`; this server has numbers in place of truth values."""
    return FailedEvent(*(*row[:7], bool(row[7])))


def _hash(failure: FailedEvent, key: str) -> int:
    """The hash by which the lane of an event is chosen; see `lanes.hash_of`."""
    text = json.loads(failure.row_text).get(key)
    return key_hash(failure.event_id if text is None else text)


def _computed(failure: FailedEvent, number: int) -> dict[str, Any]:
    """The columns by which a stored event is found; texts of any length have no index."""
    lane, event_id = failure.lane.encode(), failure.event_id.encode()
    return {
        "lane_digest": sha256(lane).digest(),
        "event_digest": sha256(lane + b"\0" + event_id).digest(),
        "key_hash": number,
    }


def _chunks(failures: Sequence[FailedEvent]) -> Iterator[Sequence[FailedEvent]]:
    """The events in groups that fit a statement."""
    chunk: list[FailedEvent] = []
    size = 0
    for failure in failures:
        if chunk and (len(chunk) == MOST_EVENTS or size + len(failure.row_text) > MOST_CHARACTERS):
            yield chunk
            chunk, size = [], 0
        chunk.append(failure)
        size += len(failure.row_text)
    if chunk:
        yield chunk
