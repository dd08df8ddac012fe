"""Rows and messages side by side, on disk where they are many: what is missing, what differs, what has no row.

Everything here is exact, and its memory does not grow with the number of rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from outbox_kit.databases.ledger import Row
from outbox_kit.findings.finding import RecordLocation
from outbox_kit.verify.state.scratch import ScratchDatabase
from outbox_kit.verify.transitions import NO_NUMBER
from outbox_kit.wire.parts import MessagePart

BUFFERED = 20_000  # messages, before they are written
ASKED_AT_ONCE = 2000  # the most ids in one query of a database
PROBLEM, SPACE = "cannot compare rows and messages", "300 bytes for each row and message"
ENCODED = "(starts_with({0}, '\"') or starts_with({0}, '{{'))"
TABLES = """
create table row_(id varchar, aggregate varchar, type varchar, key varchar, route varchar, stamp bigint,
  "transaction" varchar{parts});
create table arrival(id varchar, topic varchar, part integer, pos bigint, stamp bigint, seq bigint,
  compared boolean, wrapping varchar, unwrapped varchar{parts});
create table earlier(id varchar);
create table horizon(route varchar, key varchar, since bigint);
"""
MISSING = """
create or replace table missing as select * from row_ anti join arrival using (id) anti join earlier using (id)
"""
# a compacted topic keeps the last message of each key only
SUPERSEDED = """
delete from missing using (
  select route, key, max(stamp) as stamp from row_ semi join arrival using (id) group by all
) kept
where kept.key = missing.key and kept.route is not distinct from missing.route
and missing.route is not distinct from $route and coalesce(kept.stamp >= missing.stamp, true)
"""
# of each id the message that came first, where it has no row
UNMATCHED = """
create or replace table unmatched as
select id, unnest(arg_min({'topic': topic, 'part': part, 'pos': pos, 'stamp': stamp, 'seq': seq}, (topic, part, pos)))
from arrival anti join row_ using (id) where compared group by id
"""
DIFFERENT = """
create or replace table different as
select id, topic, part, pos, wrapping, unwrapped{values} from arrival join row_ using (id) where {any}
"""
LOST = """
from missing left join horizon on horizon.key = missing.key and horizon.route is not distinct from missing.route
where missing.route is not distinct from $route and ($since = 0 or stamp >= coalesce(horizon.since, $since))
"""
TORN = f"""
select "transaction", list(id order by id) from missing
where "transaction" in (select distinct "transaction" {LOST} order by 1 limit $most) group by 1 order by 1
"""  # noqa: S608 - constants
FIRST_MATCHED = """
select topic, part, min(pos) as pos from arrival
semi join (select id from row_ where coalesce(stamp, 0) >= $since) matched using (id) group by all
"""


class Unmatched(NamedTuple):
    """A message without a row."""

    event_id: str
    place: RecordLocation
    at: int
    """Its timestamp, in milliseconds since 1970."""


class Difference(NamedTuple):
    """A part of a message that is not its row's: the two as texts, of a payload a few digits."""

    place: RecordLocation
    event_id: str
    value: str | None
    row: str | None


@dataclass(frozen=True)
class Lost:
    """Rows of a route without a message, that were written since a moment. All times in milliseconds since 1970."""

    route: str | None
    topic: str
    """The route's."""
    since: int
    count: int
    earliest: int | None
    """When the first was written; None if that is unknown."""
    latest: int | None
    """When the last was written; None if that is unknown."""
    first: list[tuple[Any, ...]]
    """The id, type, aggregate and key of the first of them."""


class Comparison:
    """What was read of a ledger, and of the topics. Raises SpoolFailed."""

    def __init__(self, folder: Path, memory: int, parts: Sequence[MessagePart]) -> None:
        """folder: where what does not fit into memory is written. memory: in bytes. parts: that are compared."""
        self.parts = tuple(parts)
        self._database = ScratchDatabase(folder, memory, PROBLEM, SPACE, file="comparison.duckdb")
        self._names = [f"p{number}" for number in range(len(self.parts))]
        self._waiting: list[tuple[Any, ...]] = []
        self._database.execute("".join(TABLES.format(parts="".join(f", {name} varchar" for name in self._names))))

    def close(self) -> None:
        """Let go of everything."""
        self._database.close()

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Rows of the ledger."""
        columns = [(r.event_id, r.aggregate, r.type, r.key, r.route, r.milliseconds, r.transaction) for r in rows]
        self._database.insert("row_", [(*fixed, *row.values) for fixed, row in zip(columns, rows, strict=True)])

    def add_arrival(
        self,
        event_id: str,
        place: RecordLocation,
        at: int,
        sequence: int,
        values: Sequence[str | None],
        *,
        compared: bool,
        wrapping: tuple[str, str] | None = None,
    ) -> None:
        """A message. sequence: NO_NUMBER where it has none. compared: whether it must have a row among those here.

        wrapping: the id of the check that says how a converter seems to have wrapped its payload, and what it had
        wrapped, as rows are compared by it.
        """
        numbered = None if sequence == NO_NUMBER else sequence
        at_place = (place.topic, place.partition, place.offset)
        self._waiting.append((event_id, *at_place, at, numbered, compared, *(wrapping or (None, None)), *values))
        if len(self._waiting) >= BUFFERED:
            self.flush()

    def add_earlier(self, ids: Iterable[str]) -> None:
        """The ids of messages before those that are judged: their rows are not missing."""
        self._database.insert("earlier", [(event_id,) for event_id in ids])

    def keys(self, route: str | None, since: int) -> list[str]:
        """The keys of the missing rows of a route that were written since a moment."""
        condition = "route is not distinct from $route and stamp >= $since and key is not null"
        query = f"select distinct key from missing where {condition}"  # noqa: S608 - a constant
        return [key for (key,) in self._database.execute(query, {"route": route, "since": since})]

    def since(self, route: str | None, moments: Sequence[tuple[str, int]]) -> None:
        """Since when rows of some keys of a route can be lost, where that is not the same for all; see `lost`."""
        self._database.execute("delete from horizon where route is not distinct from $route", {"route": route})
        self._database.insert("horizon", [(route, key, at) for key, at in moments])

    def flush(self) -> None:
        """Write down what is only remembered so far."""
        if self._waiting:
            self._database.insert("arrival", self._waiting)
            self._waiting = []

    def missing(self) -> int:
        """How many rows have no message; `lost` and `torn` tell of them as they are now."""
        self.flush()
        self._database.execute(MISSING)
        return self._database.number("select count(*) from missing")

    def superseded(self, route: str | None) -> None:
        """Leave missing rows of a route out after which another row of their key was published."""
        self._database.execute(SUPERSEDED, {"route": route})

    def rekeyed(self) -> bool:
        """Whether a message has another key than its row, as far as keys are compared."""
        names = [self._name(part) for part in self.parts if part.place == "key"]
        query = "from arrival join row_ using (id) where arrival.{0} is distinct from row_.{0} limit 1"
        return any(self._database.execute(query.format(name)) for name in names)

    def routes(self) -> list[str | None]:
        """The routes of the rows that are missing."""
        return [route for (route,) in self._database.execute("select distinct route from missing")]

    def lost(self, route: str | None, topic: str, since: int, most: int) -> Lost:
        """The missing rows of a route that were written since a moment, in milliseconds since 1970. topic: the route's.

        most: how many are named. Rows that do not say when they were written count where the moment is 0 only.
        """
        values: dict[str, Any] = {"route": route, "since": since}
        first = f"select id, type, aggregate, missing.key {LOST} order by stamp, id limit {most}"
        times = "case when count(stamp) = count(*) then min(stamp) end, max(stamp)"
        ((count, earliest, latest),) = self._database.execute(f"select count(*), {times} {LOST}", values)
        rows = self._database.execute(first, values)
        return Lost(route, topic, since, count, earliest, latest if earliest is not None else None, rows)

    def transactions(self, lost: Sequence[tuple[str | None, int]], most: int) -> dict[str, list[str]]:
        """The ids of the missing rows of some transactions that have lost ones, by transaction.

        lost: routes, and the moments since which their rows are lost; see `lost`.
        """
        transactions: dict[str, list[str]] = {}
        for route, since in lost:
            transactions |= dict(self._database.execute(TORN, {"route": route, "since": since, "most": most}))
        return dict(sorted(transactions.items())[:most])

    def differing(self) -> None:
        """Find the messages that are not their rows; `differences` tells of them."""
        if not self.parts:
            return
        self.flush()
        values = "".join(f", arrival.{name} as a{name}, row_.{name} as r{name}" for name in self._names)
        some = " or ".join(f"arrival.{name} is distinct from row_.{name}" for name in self._names)
        self._database.execute(DIFFERENT.format(values=values, any=some))

    def differences(
        self, part: MessagePart, most: int, *, encoded: bool, wrapping: str | None = None
    ) -> tuple[dict[str, int], list[Difference]]:
        """How many messages of each topic have another part than their rows, and the first of each partition.

        encoded: whether values count that look encoded, of rows whose do not. wrapping: the id of a check: only
        payloads are counted that are wrapped as it says, and whose rows have what is wrapped.
        """
        name = self._name(part)
        condition = f"from different where a{name} is distinct from r{name}"
        if not encoded:
            row_encoded, message_encoded = (f"coalesce({ENCODED.format(side + name)}, false)" for side in "ar")
            condition += f" and ({message_encoded} or not {row_encoded})"
        if wrapping:
            condition += f" and wrapping = $wrapping and unwrapped = r{name}"
        bound = {"wrapping": wrapping} if wrapping else {}
        counts = self._database.execute(f"select topic, count(*) {condition} group by 1 order by 1", bound)
        first = self._database.execute(
            f"select topic, part, pos, id, a{name}, r{name} {condition} "
            f"qualify row_number() over (partition by topic, part order by pos) <= {most} order by topic, part, pos",
            bound,
        )
        return dict(counts), [
            Difference(RecordLocation(topic, partition, offset), *rest) for topic, partition, offset, *rest in first
        ]

    def encoded(self, part: MessagePart) -> tuple[int, int]:
        """How many messages have a value that looks like an encoded one: as their rows have it, and as they do not."""
        name = self._name(part)
        look = "wrapping is not null" if part.place == "payload" else ENCODED.format(f"arrival.{name}")
        same = f"count(*) filter (arrival.{name} = row_.{name})"
        query = f"select {same}, count(*) from arrival join row_ using (id) where {look}"  # noqa: S608 - ours
        ((equal, total),) = self._database.execute(query)
        return equal, total - equal

    def matched(self) -> int:
        """How many messages have a row."""
        self.flush()
        return self._database.number("select count(*) from arrival semi join row_ using (id)")

    def unmatched(self) -> int:
        """How many ids of messages have no row; the next questions are about them."""
        self.flush()
        self._database.execute(UNMATCHED)
        return self._database.number("select count(*) from unmatched")

    def below(self, sequence: int) -> bool:
        """Whether an unmatched message has a lower sequence number."""
        return bool(self._database.number("select count(*) from unmatched where seq < $least", {"least": sequence}))

    def early(self) -> bool:
        """Whether an unmatched message comes before the first one of its partition that has a row."""
        query = f"select count(*) from unmatched join ({FIRST_MATCHED}) first using (topic, part) where unmatched.pos < first.pos"  # noqa: S608, E501
        return bool(self._database.number(query, {"since": 0}))

    def surely(self, at: int, lowest: int | None, since: int | None) -> Iterator[list[Unmatched]]:
        """The unmatched messages whose rows were written late enough, some thousands at a time.

        at: when they were sent at the earliest, in milliseconds since 1970: a row is written before its message.
        lowest: a sequence number from which on they were; None where none tells. since: rows that were, in milliseconds
        since 1970: what comes behind the first of them in its partition was too; None where places tell nothing. A
        number, where a message has one, is the better evidence: a transaction may commit hours after its rows' time.
        """
        later, place, number, values = "", "false", "null", {"at": at}
        if since is not None:
            later = f"left join ({FIRST_MATCHED}) first using (topic, part)"
            place, values = "coalesce(unmatched.pos > first.pos, false)", values | {"since": since}
        if lowest is not None:
            number, values = "unmatched.seq > $lowest", values | {"lowest": lowest}
        yield from self._unmatched_batches(
            f"from unmatched {later} where unmatched.stamp >= $at and coalesce({number}, {place})", values
        )

    def batches(self) -> Iterator[list[Unmatched]]:
        """All unmatched messages, some thousands at a time."""
        yield from self._unmatched_batches("from unmatched", {})

    def _unmatched_batches(self, condition: str, values: dict[str, Any]) -> Iterator[list[Unmatched]]:
        columns = "unmatched.id, topic, part, unmatched.pos, unmatched.stamp"
        query = f"select {columns} {condition} order by topic, part, unmatched.pos"
        for rows in self._database.batches(query, values, ASKED_AT_ONCE):
            yield [Unmatched(event_id, RecordLocation(*place), at) for event_id, *place, at in rows]

    def _name(self, part: MessagePart) -> str:
        return self._names[self.parts.index(part)]
