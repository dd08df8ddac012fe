"""A case played: a log and a ledger that change by a clock, which goes on only when the verifier asks or waits.

So every run of a case is the same, whatever the machine does meanwhile.
"""

import json
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import psycopg
import pytest
from psycopg import sql

from outbox_kit.kafka.read import Progress, Range, Reading
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.published_log import PublishedLog
from outbox_kit.verify.reading.captured import CapturedMessage
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.waiting import WAITS
from tests.support.fuzz.harm import key_of
from tests.support.fuzz.transactions import end_or_mark
from tests.support.fuzz.values import Case, Message
from tests.support.request import request_of

ASKED_SECONDS = 0.05  # that one question to the log takes
CATCH_UP_SECONDS = 20.0
WAITED_SECONDS = 1.0  # that a short wait takes here, for fewer questions
TOGETHER = 200  # rows in one statement
LIMIT_SECONDS = 60  # of real time, for a verification that does not end


@dataclass(frozen=True)
class Server:
    """A database for tables that are made and dropped. dsn: how the verifier reaches it. slot: one of its own.

    writers: connections, all but the last for transactions.
    """

    dsn: str
    slot: str
    writers: Sequence[psycopg.Connection[Any]]


@dataclass
class Clock:
    """Seconds since the start. watchers: are told of the time whenever it has changed."""

    now: float = 0.0
    base: float = field(default_factory=time.time)
    watchers: list[Callable[[float], None]] = field(default_factory=list)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
        for watcher in self.watchers:
            watcher(self.now)

    def milliseconds(self, at: float) -> int:
        """A moment, in milliseconds since 1970."""
        return int((self.base + at) * 1000)


@dataclass
class SimulatedLog:
    """The topics of a case, as a `Log`."""

    case: Case
    clock: Clock
    readings: int = 0
    all_topics: bool = False

    def __post_init__(self) -> None:
        self._records: defaultdict[tuple[str, int], list[tuple[Message, CapturedMessage]]] = defaultdict(list)
        for one in self.case.messages:
            record = CapturedMessage(
                one.place, one.key.encode(), one.value, list(one.headers), self.clock.milliseconds(one.at)
            )
            self._records[one.topic, one.partition].append((one, record))

    def topics(self) -> dict[str, int]:
        """Every topic."""
        self.clock.advance(ASKED_SECONDS)
        return {**self.case.partitions, "another-team": 1}

    def hidden(self, names: Sequence[str]) -> dict[str, str]:  # noqa: ARG002 - a Log's
        """None."""
        return {}

    def settings(self, names: Sequence[str]) -> dict[str, dict[str, str] | None]:
        """Those of topics that keep everything."""
        self.clock.advance(ASKED_SECONDS)
        return {name: {"cleanup.policy": "delete", "retention.ms": "-1"} for name in names}

    def pin(self, partitions: Sequence[tuple[str, int]]) -> list[Range]:
        """As they are now."""
        self.clock.advance(ASKED_SECONDS)
        return [Range(*here, self.case.starts.get(here, 0), self._end(here)) for here in partitions]

    def at(self, partitions: Sequence[tuple[str, int]], milliseconds: int) -> dict[tuple[str, int], int]:
        """The first offset at or after a moment."""
        found: dict[tuple[str, int], int] = {}
        for here in partitions:
            later = [m.offset for m, record in self._records[here] if record.milliseconds >= milliseconds]
            found |= {here: later[0]} if later else {}
        return found

    def read(self, reading: Reading, deadline: float) -> Iterator[tuple[str, int, list[Any]]]:  # noqa: ARG002
        """The records of the ranges; one reading of a case may end half-way."""
        self.clock.advance(ASKED_SECONDS)
        self.readings += 1
        reading.progress = {(r.topic, r.partition): Progress(r, r.start, done=r.end <= r.start) for r in reading.ranges}
        for number, (here, progress) in enumerate(sorted(reading.progress.items())):
            r = progress.planned
            own = [record for m, record in self._records[here] if r.start <= m.offset < r.end]
            if self.readings == self.case.broken and number % 2 == 0 and own:
                own = own[: len(own) // 2]
                progress.position, progress.error = (own[-1].offset() + 1 if own else r.start), "the broker is gone"
            else:
                progress.position, progress.done = r.end, True
            progress.visible = len(own)
            for n in range(0, len(own), 500):
                yield *here, own[n : n + 500]
                self.clock.advance(ASKED_SECONDS)

    def _end(self, here: tuple[str, int]) -> int:
        later = [m.offset for m, _ in self._records[here] if m.at > self.clock.now]
        return later[0] if later else self.case.ends[here]


class SimulatedTable:
    """The rows of a case in a table of a real server, written by its steps, with a real slot."""

    def __init__(self, case: Case, clock: Clock, server: Server) -> None:
        self.case, self.clock, self.slot, self.idle = case, clock, server.slot, list(server.writers)
        self.busy: dict[int, psycopg.Connection[Any]] = {}
        self.admin = self.idle.pop()
        self.steps = list(case.steps)
        self.deletions = sorted({row.deleted for row in case.rows if row.deleted >= 0})
        self._create()
        try:
            self.advance(0.0)
            self._delete([row.event_id for row in case.rows if row.deleted < 0])
        except BaseException:
            self.close()
            raise
        clock.watchers.append(self.advance)

    def advance(self, now: float) -> None:
        """Do what is due by now."""
        while self.steps and self.steps[0].at <= now:
            self._several(now) if self.steps[0].what == "insert" else self._step()
        while self.deletions and self.deletions[0] <= now:
            at = self.deletions.pop(0)
            self._delete([row.event_id for row in self.case.rows if row.deleted == at])
        if self.case.passes is not None and now > 0 and self.case.passes <= now:
            self.admin.execute("select pg_logical_emit_message(true, 'fuzz', '')")
            self.admin.execute("select pg_replication_slot_advance(%s, pg_current_wal_flush_lsn())", (self.slot,))

    def close(self) -> None:
        """Leave nothing behind."""
        for connection in self.busy.values():
            connection.rollback()
        self.admin.execute(sql.SQL("drop table {}").format(self._table))

    def _create(self) -> None:
        table, kind = self.case.table, {"json": "json", "text": "text", "bytes": "bytea"}
        ids = {"bigint": "bigint", "ulid": "text", "upper": "text"}.get(self.case.ids, "uuid")
        self._table = sql.Identifier("public", table.get("name", "outbox"))
        columns = ["id {} primary key", "aggregatetype text", "aggregateid text", "type text", "payload {}"]
        columns += ["created_at timestamptz", "sequence bigint", "tenant text"]
        text = ", ".join(columns).format(ids, kind[table["payload"]])
        self.admin.execute(sql.SQL("create table {} ({})").format(self._table, sql.SQL(text)))
        self._marks = sql.SQL("({})").format(sql.SQL(", ").join([sql.Placeholder()] * len(columns)))

    def _several(self, now: float) -> None:
        """The next inserts of one transaction, in one go."""
        transaction, values = self.steps[0].transaction, []
        while self.steps and self.steps[0].at <= now and self.steps[0].what == "insert":
            if self.steps[0].transaction != transaction:
                break
            values.append(self._values(self.steps.pop(0).row))
        with self._of(transaction).cursor() as cursor:
            for n in range(0, len(values), TOGETHER):
                some = values[n : n + TOGETHER]
                listed = sql.SQL(", ").join([self._marks] * len(some))
                cursor.execute(sql.SQL("insert into {} values {}").format(self._table, listed), sum(some, ()))

    def _values(self, number: int) -> tuple[Any, ...]:
        row, kind = self.case.rows[number], self.case.table["payload"]
        payload = row.payload if row.payload is None or kind == "bytes" else row.payload.decode()
        at = datetime.fromtimestamp(self.clock.milliseconds(row.written) / 1000, UTC)
        return row.event_id, row.aggregate, row.key, row.type, payload, at, row.sequence, row.tenant

    def _step(self) -> None:
        step = self.steps.pop(0)
        if end_or_mark(self._of(step.transaction), step.what):
            self.idle.append(self.busy.pop(step.transaction))

    def _of(self, transaction: int) -> psycopg.Connection[Any]:
        if transaction not in self.busy:
            self.busy[transaction] = self.idle.pop()
        return self.busy[transaction]

    def _delete(self, ids: Sequence[str]) -> None:
        if ids:
            query = sql.SQL("delete from {} where id::text = any(%s)").format(self._table)
            self.admin.execute(query, (list(ids),))


def file_of(case: Case, clock: Clock, folder: Path) -> PublishedLog:
    """The rows of a case as a ledger's file: what the application knows of every transaction."""
    lines = []
    for row in case.rows:
        known: dict[str, Any] = {
            "key": key_of(case.document, row),
            "type": row.type,
            "sequence": row.sequence,
            "aggregate": row.aggregate,
            "transaction": row.part,
            "at": clock.milliseconds(row.written),
        }
        line = {name: value for name, value in known.items() if name in case.told and value is not None}
        event_id = row.event_id.upper() if case.upper else row.event_id
        lines.append({"id": event_id, **line, "outcome": "committed" if row.committed else "rolled_back"})
    path = folder / "ledger.ndjson"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return PublishedLog(path, Outbox.model_validate(case.document))


@dataclass
class Endless(Exception):
    """A verification that did not end."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise Endless in what does not end in time."""

    def ring(_: int, __: FrameType | None) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def simulated_time(clock: Clock) -> Iterator[None]:
    """Waiting takes no time, but lets the clock of the case go on."""
    monotonic, wall = time.monotonic, time.time
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "sleep", lambda seconds: clock.advance(max(seconds, WAITED_SECONDS)))
        patch.setattr(time, "monotonic", lambda: monotonic() + clock.now)
        patch.setattr(time, "time", lambda: wall() + clock.now)
        patch.setattr(WAITS, "listener", None)  # an earlier test of the command line has set it
        yield


def played(case: Case, folder: Path, server: Server | None = None) -> Result:
    """Verify a case. server: where the ledger is a table. Raises Endless."""
    clock, document = Clock(), case.document
    table = SimulatedTable(case, clock, server) if case.ledger == "table" and server else None
    if server:
        own = {"name": server.slot}  # the database is called as its slot
        document = document | {
            "connect": document["connect"] | {"slot": server.slot},
            "database": document["database"] | own,
        }
    request = request_of(
        Outbox.model_validate(document),
        SimulatedLog(case, clock),
        server.dsn if server and table else None,
        record=file_of(case, clock, folder) if case.ledger == "file" else None,
        catch_up=CATCH_UP_SECONDS,
        max_samples=100_000,
    )
    try:
        with simulated_time(clock), limited(LIMIT_SECONDS):
            return Verification(request, lambda _: None).run()
    finally:
        if table:
            table.close()
