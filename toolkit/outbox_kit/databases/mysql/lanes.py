"""Lanes and members in MySQL and MariaDB; see `databases.polling`.

Each change is a script that is sent as a whole, so that a relay that is frozen holds no lock. Times are UTC.
"""

import os
import socket
import time
import uuid
import zlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from outbox_kit.databases.mysql.session import KeptSession, Rows, address, bound, session
from outbox_kit.databases.polling import Lane, Membership, Position
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.schema.model import Outbox

ANSWER_SECONDS = 20.0
FORGET_SECONDS = 60.0
LATER = "utc_timestamp(6) + interval cast(%(seconds)s * 1000000 as signed) microsecond"
LIVE = "m.lease_until > utc_timestamp(6)"
EXPECTED = "select count(*), coalesce(max(lane), -1) from {lanes}"
RUNS = "select count(*) from {members} as m where {live}"
JOIN = """
delete from {members} where lease_until < utc_timestamp(6) - interval %(forget)s second;
insert into {members} (member, place, lease_until) values (%(member)s, %(place)s, {later})
"""
RENEW = """
update {members} as m set lease_until = {later} where m.member = %(member)s and {live};
select 'member', member, 0 from {members} as m where {live}
union all select 'lane', cast(lane as char), epoch from {lanes} where owner = %(member)s
union all select 'free', '', count(*) from {lanes} as l
    where not exists (select 1 from {members} as m where m.member = l.owner and {live})
"""
CLAIM = """
update {lanes} as l set owner = %(member)s, epoch = epoch + 1
where not exists (select 1 from {members} as m where m.member = l.owner and {live}) order by lane limit %(most)s;
select lane, epoch from {lanes} where owner = %(member)s order by lane
"""
RELEASE = """
update {lanes} set owner = null
where lane in %(numbers)s and (lane, epoch) in %(pairs)s and owner = %(member)s
"""
LEAVE = """
update {lanes} set owner = null where owner = %(member)s;
delete from {members} where member = %(member)s
"""
FENCE = """
select count(*) into @mine from {lanes} as l force index (primary)
where l.lane in %(numbers)s and (l.lane, l.epoch) in %(pairs)s and l.owner = %(member)s
  and exists (select 1 from {members} as m where m.member = %(member)s and {live}) for update
"""
"""How many of some lanes are this relay's; they are nobody else's before the transaction ends."""


class MySqlLanes:
    """What the tables of all kinds have in common; see `polling.OutboxTable`."""

    wakes = False
    """See `polling.OutboxTable`."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        """dsn: as for `session`."""
        self._dsn, self._outbox = dsn, outbox
        self._kept: KeptSession | None = None
        self._held: set[int] = set()
        self.member = ""
        """See `polling.OutboxTable`."""

    def open(self, lease_seconds: float) -> None:
        """See `polling.OutboxTable`."""
        self._kept, self.member, self._held = KeptSession(self._dsn), str(uuid.uuid4()), set()
        ((count, greatest),) = self._rows(EXPECTED)
        if count != self._outbox.delivery.lanes or greatest != count - 1:
            raise UsageProblem(
                f"invalid delivery.lanes '{self._outbox.delivery.lanes}': expected {count}, as in the table "
                f"{self._outbox.names.lane_table}",
                where=address(self._dsn),
                fix="stop all relays when everything is published, drop the table, then outbox-kit gen-ddl --apply",
            )
        self._examine()
        place = f"{socket.gethostname()} {os.getpid()}"
        self._run(JOIN, {"forget": FORGET_SECONDS, "place": place, "seconds": lease_seconds})

    def close(self) -> None:
        """See `polling.OutboxTable`."""
        kept = self._kept
        if kept is not None:
            with suppress(EnvironmentProblem):
                self._run(LEAVE)
            kept.close()
        self._kept = None

    def runs(self) -> int:
        """See `polling.OutboxTable`."""
        with session(self._dsn) as cursor:
            cursor.execute(self.sql(RUNS), {})
            ((count,),) = cursor.fetchall()
        return int(count)

    def renew(self, lease_seconds: float) -> Membership:
        """See `polling.OutboxTable`."""
        rows = self._rows(RENEW, {"seconds": lease_seconds})
        members = sorted(name for kind, name, _ in rows if kind == "member")
        lanes = [Lane(int(name), number) for kind, name, number in rows if kind == "lane"]
        (free,) = (number for kind, _, number in rows if kind == "free")
        return Membership(self.member in members, members, sorted(lanes), free)

    def claim(self, most: int) -> Sequence[tuple[Lane, Position]]:
        """See `polling.OutboxTable`."""
        claimed = [Lane(*row) for row in self._rows(CLAIM, {"most": most}) if row[0] not in self._held]
        self._held |= {lane.number for lane in claimed}
        return [(lane, Position()) for lane in claimed]

    def release(self, lanes: Collection[Lane]) -> None:
        """See `polling.OutboxTable`."""
        self._held -= {lane.number for lane in lanes}
        self._run(RELEASE, mine(lanes))

    def wait(self, seconds: float) -> bool:
        """See `polling.OutboxTable`: the server wakes nobody."""
        time.sleep(seconds)
        return False

    @property
    def kept(self) -> KeptSession:
        """The connection. It is open between `open` and `close`."""
        assert self._kept is not None  # noqa: S101
        return self._kept

    def sql(self, statements: str, **parts: str) -> str:
        """Statements with the names of the outbox."""
        return statements.format(**tables(self._outbox), **parts)

    def _run(self, statements: str, values: Mapping[str, Any] | None = None, /, **parts: str) -> list[Rows]:
        """The rows of each statement of a script that has any."""
        bound_values = {"member": self.member, **(values or {})}
        return self.kept.run(self.sql(statements, **parts), bound_values, seconds=ANSWER_SECONDS)

    def _rows(self, statements: str, values: Mapping[str, Any] | None = None, /, **parts: str) -> Rows:
        """The rows of the one statement of a script that has any."""
        (rows,) = self._run(statements, values, **parts)
        return rows

    def _examine(self) -> None:
        """Raise UsageProblem if the table cannot be read in order."""


def tables(outbox: Outbox) -> dict[str, str]:
    """The names of an outbox's tables in a statement with values, and the parts of statements about time."""
    names = outbox.names
    listed = {
        "lanes": names.lane_table,
        "members": names.member_table,
        "failures": names.failure_table,
        "starts": names.run_table,
        "table": outbox.table.name,
    }
    return {name: bound(names.schema, table) for name, table in listed.items()} | {"live": LIVE, "later": LATER}


def mine(lanes: Collection[Lane]) -> dict[str, Any]:
    """The values of `FENCE` for lanes, of which there is one at least."""
    return {"numbers": [lane.number for lane in lanes], "pairs": [tuple(lane) for lane in lanes], "count": len(lanes)}


def key_hash(text: str) -> int:
    """The hash of a message key, as `hash_of` computes it: CRC-32 of its UTF-8."""
    return zlib.crc32(text.encode())


def hash_of(key: str, event_id: str) -> str:
    """The expression of the hash by which an event's lane is chosen. key, event_id: expressions of their texts."""
    return f"crc32(coalesce({key}, {event_id}, ''))"


def lane_of(outbox: Outbox, hashed: str) -> str:
    """The expression of the lane of a hash."""
    return f"mod({hashed}, {outbox.delivery.lanes})"
