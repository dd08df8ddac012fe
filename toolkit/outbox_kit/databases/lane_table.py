"""Lanes and members of relays that read a table, by scripts; see `databases.polling`. Times are UTC."""

import os
import socket
import time
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Self

from outbox_kit.databases.polling import Lane, Membership, Position
from outbox_kit.databases.scripts import Rows, Scripting, ScriptSession
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.schema.model import Outbox

FORGET_SECONDS = 60
MOST_PLACE = 200


@dataclass(frozen=True)
class LaneScripts:
    """The scripts about lanes and members; each is sent as a whole."""

    expected: str
    """The number of the lanes, and the greatest one or -1."""
    runs: str
    """The number of the members whose leases have not ended."""
    join: str
    """Forgets members whose leases have ended long ago, and adds this one."""
    renew: str
    """Extends the lease, if it has not ended. Rows of a kind (member, lane or free), a text and a number."""
    claim: str
    """Takes at most so many free lanes: their numbers and epochs."""
    release: str
    """Gives up some lanes."""
    leave: str
    """Gives up all lanes and removes this member."""


class LaneTable:
    """What all tables that relays read by scripts have in common; see `polling.OutboxTable`."""

    scripting: Scripting
    """How this database's scripts are written and sent."""
    lane_scripts: LaneScripts
    """The database's scripts."""
    wakes = False
    """See `polling.OutboxTable`."""

    def __init__(self, dsn: str, outbox: Outbox) -> None:
        """dsn: as for the database's session."""
        self._dsn, self._outbox = dsn, outbox
        self._kept: ScriptSession | None = None
        self.member = ""
        """See `polling.OutboxTable`."""

    def open(self, lease_seconds: float) -> None:
        """See `polling.OutboxTable`."""
        self._kept, self.member = self.scripting.connect(self._dsn, self._outbox), str(uuid.uuid4())
        self._expect_lanes()
        self._examine()
        place = f"{socket.gethostname()[:MOST_PLACE]} {os.getpid()}"
        values = {"forget": FORGET_SECONDS, "place": place, "seconds": lease_seconds}
        self._run(self.lane_scripts.join, values)

    @contextmanager
    def examined(self) -> Iterator[Self]:
        """Connected for the length of a block, without being a member. Raises as `open`."""
        self._kept = self.scripting.connect(self._dsn, self._outbox)
        try:
            self._expect_lanes()
            self._examine()
            yield self
        finally:
            self._kept.close()
            self._kept = None

    def _expect_lanes(self) -> None:
        """Raise UsageProblem if the table has other lanes than the schema file."""
        ((count, greatest),) = self._rows(self.lane_scripts.expected)
        if count != self._outbox.delivery.lanes or greatest != count - 1:
            raise UsageProblem(
                f"invalid delivery.lanes '{self._outbox.delivery.lanes}': expected {count}, as in the table "
                f"{self._outbox.names.lane_table}",
                where=self.scripting.address(self._dsn),
                fix="stop all relays when everything is published, drop the table, then outbox-kit gen-ddl --apply",
            )

    def close(self) -> None:
        """See `polling.OutboxTable`."""
        kept = self._kept
        if kept is not None:
            with suppress(EnvironmentProblem):
                self._run(self.lane_scripts.leave)
            kept.close()
        self._kept = None

    def runs(self) -> int:
        """See `polling.OutboxTable`."""
        with closing(self.scripting.connect(self._dsn, self._outbox)) as kept:
            (((count,),),) = kept.run(self._sql(self.lane_scripts.runs), {})
        return int(count)

    def renew(self, lease_seconds: float) -> Membership:
        """See `polling.OutboxTable`."""
        rows = self._rows(self.lane_scripts.renew, {"seconds": lease_seconds})
        members = sorted(name for kind, name, _ in rows if kind == "member")
        lanes = [Lane(int(name), int(number)) for kind, name, number in rows if kind == "lane"]
        (free,) = (int(number) for kind, _, number in rows if kind == "free")
        return Membership(self.member in members, members, sorted(lanes), free)

    def claim(self, most: int) -> Sequence[tuple[Lane, Position]]:
        """See `polling.OutboxTable`."""
        claimed = self._rows(self.lane_scripts.claim, {"most": most})
        return [(lane, Position()) for lane in sorted(Lane(int(number), int(epoch)) for number, epoch in claimed)]

    def release(self, lanes: Collection[Lane]) -> None:
        """See `polling.OutboxTable`."""
        self._run(self.lane_scripts.release, {}, self.scripting.owned(self._outbox, lanes))

    def request_wakeups(self) -> bool:
        """See `polling.OutboxTable`: the server wakes nobody."""
        return False

    def wait(self, seconds: float) -> bool:
        """See `polling.OutboxTable`: the server wakes nobody."""
        time.sleep(seconds)
        return False

    def _sql(self, script: str, parts: Mapping[str, str] | None = None) -> str:
        """A script with the names of the outbox, and other parts."""
        return script.format(**self.scripting.names(self._outbox), **(parts or {}))

    def _run(
        self, script: str, values: Mapping[str, Any] | None = None, parts: Mapping[str, str] | None = None
    ) -> list[Rows]:
        """The rows of each statement of a script that has any. It is open between `open` and `close`."""
        assert self._kept is not None  # noqa: S101
        return self._kept.run(self._sql(script, parts), {"member": self.member, **(values or {})})

    def _rows(
        self, script: str, values: Mapping[str, Any] | None = None, parts: Mapping[str, str] | None = None
    ) -> Rows:
        """The rows of the one statement of a script that has any."""
        (rows,) = self._run(script, values, parts)
        return rows

    def _examine(self) -> None:
        """Raise UsageProblem if the table cannot be read in order."""
