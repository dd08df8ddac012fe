"""The table of failed events in MySQL and MariaDB for operators; see `databases.failures.FailureDesk`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from outbox_kit.databases.failures import DeadLetters, Selection, StoredEvent, WaitingLane, WaitingLanes
from outbox_kit.databases.mysql.failures import failed_event
from outbox_kit.databases.mysql.lanes import tables
from outbox_kit.databases.mysql.session import session
from outbox_kit.schema.model import Outbox

FIELDS = "number, lane, event_id, topic, {row}, cause, attempts, dead, failed_at, tried_at, send_at"
WITHOUT_ROW, WITH_ROW = FIELDS.format(row="''"), FIELDS.format(row="row_text")
LARGEST_NUMBER = 2**63 - 1
LIST = "select {columns} from {failures} where {chosen} order by number limit %(most)s"
COUNT = "select count(*) from {failures} where {chosen}"
NUMBERS = "select number from {failures} where {chosen} order by number"
EVENT = "select {columns} from {failures} where number = %(number)s"
RETRY = """
update {failures} as candidate join (
    select number, row_number() over (order by number) - 1 as place from {failures}
    where dead and number in %(numbers)s
) as chosen on candidate.number = chosen.number
set candidate.dead = false, candidate.attempts = 0,
    candidate.send_at = utc_timestamp(6) + interval cast(chosen.place * %(pause)s * 1000000 as signed) microsecond
"""
DISCARD = "delete from {failures} where dead and number in %(numbers)s"
WAITING = """
with waiting as (
    select min(number) as number, count(*) as depth from {failures} where {waits} group by lane_digest
), oldest as (select number, depth, count(*) over () as total from waiting order by number limit %(most)s)
select {columns}, depth, timestampdiff(microsecond, failed_at, utc_timestamp(6)) / 1000000, total
from {failures} join oldest using (number) order by number
"""


@dataclass(frozen=True)
class MySqlFailureDesk:
    """See `databases.failures.FailureDesk`."""

    dsn: str
    outbox: Outbox

    def dead(self, selection: Selection, most: int) -> DeadLetters:
        """See the protocol."""
        chosen, values = _chosen(selection)
        with session(self.dsn) as cursor:
            cursor.execute(self._sql(LIST, chosen=chosen, columns=WITHOUT_ROW), {**values, "most": most})
            letters = [_stored(row) for row in cursor.fetchall()]
            cursor.execute(self._sql(COUNT, chosen=chosen), values)
            ((total,),) = cursor.fetchall()
        return DeadLetters(letters, total)

    def numbers(self, selection: Selection) -> Sequence[int]:
        """See the protocol."""
        chosen, values = _chosen(selection)
        with session(self.dsn) as cursor:
            cursor.execute(self._sql(NUMBERS, chosen=chosen), values)
            return [number for (number,) in cursor.fetchall()]

    def event(self, number: int) -> StoredEvent | None:
        """See the protocol."""
        if number > LARGEST_NUMBER:
            return None
        with session(self.dsn) as cursor:
            cursor.execute(self._sql(EVENT, columns=WITH_ROW), {"number": number})
            row = cursor.fetchone()
        return _stored(row) if row else None

    def retry(self, numbers: Sequence[int], rate: float | None) -> int:
        """See the protocol."""
        return self._changed(RETRY, {"numbers": list(numbers), "pause": 1 / rate if rate else 0.0})

    def discard(self, numbers: Sequence[int]) -> int:
        """See the protocol."""
        return self._changed(DISCARD, {"numbers": list(numbers)})

    def waiting(self, most: int) -> WaitingLanes:
        """See the protocol."""
        waits = "true" if self.outbox.delivery.on_dead_letter == "park" else "not dead"
        with session(self.dsn) as cursor:
            cursor.execute(self._sql(WAITING, columns=WITHOUT_ROW, waits=waits), {"most": most})
            rows = cursor.fetchall()
        lanes = [WaitingLane(_stored(row), int(row[-3]), float(row[-2])) for row in rows]
        return WaitingLanes(lanes, int(rows[0][-1]) if rows else 0)

    def _changed(self, statement: str, values: Mapping[str, Any]) -> int:
        """How many rows a statement has changed."""
        with session(self.dsn) as cursor:
            return int(cursor.execute(self._sql(statement), values))

    def _sql(self, statement: str, **parts: str) -> str:
        return statement.format(**tables(self.outbox), **parts)


def _chosen(selection: Selection) -> tuple[str, Mapping[str, Any]]:
    """The condition of a selection, and its values; no event has a number that is larger than the column's type."""
    conditions = {"topic": "topic = %(topic)s", "lane": "lane = %(lane)s"}
    texts = {name: getattr(selection, name) for name in conditions}
    values: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    listed = ["dead", *(conditions[name] for name in values)]
    if selection.numbers is not None:
        values["numbers"] = [0, *(number for number in selection.numbers if number <= LARGEST_NUMBER)]
        listed.append("number in %(numbers)s")
    if selection.lane_ends is not None:
        values["end"], values["keyless"] = selection.lane_ends
        listed += ["right(lane, char_length(%(end)s)) = %(end)s"]
        listed += ["right(lane, char_length(%(keyless)s)) <> %(keyless)s"]
    return " and ".join(listed), values


def _stored(row: Sequence[Any]) -> StoredEvent:
    failed_at, tried_at, send_at = row[8:11]
    tried = None if tried_at is None else _in_utc(tried_at)
    return StoredEvent(failed_event(row), _in_utc(failed_at), tried, _in_utc(send_at))


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)
