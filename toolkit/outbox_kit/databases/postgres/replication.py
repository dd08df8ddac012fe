"""A replication connection: the log of one database from a slot on, and the positions that are confirmed to the server.

After the chapter "Streaming Replication Protocol" of PostgreSQL's documentation. No method waits longer than it is
told, so that the caller can confirm positions at any time: a server that hears nothing for `wal_sender_timeout` ends
the connection.
"""

import math
import select
import struct
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

import psycopg
from psycopg import conninfo, pq

from outbox_kit import secret
from outbox_kit.databases.changes import LogIdentity
from outbox_kit.databases.connecting import refusal
from outbox_kit.databases.interface import RELAY_APPLICATION
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.handshake import certificate_refusal
from outbox_kit.databases.postgres.pgoutput import EPOCH_2000
from outbox_kit.databases.postgres.session import CONNECT_TIMEOUT_SECONDS, address
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, OutboxKitError, SlotInUse
from outbox_kit.waiting import waiting_for

DATA = struct.Struct(">cqqq")  # 'w', start, end of the log, time; the message follows
KEEPALIVE = struct.Struct(">cqqB")  # 'k', end of the log, time, whether an answer is wanted
STATUS = struct.Struct(">cqqqqB")  # 'r', written, flushed, applied, time, whether an answer is wanted
FIXED = {"replication": "database", "application_name": RELAY_APPLICATION, "client_encoding": "UTF8"}
SILENCE_SECONDS = 30.0
"""Seconds without a message after which the server is taken for dead; halfway it is asked for one."""
TEXT_FORMS = {"DateStyle": "ISO", "TimeZone": "UTC", "IntervalStyle": "postgres", "bytea_output": "hex"}
"""Settings of a session on which the texts of values depend."""
NO_IDLE_LIMIT = "idle_in_transaction_session_timeout"
"""A setting that is 0: a connection that keeps a snapshot or a temporary slot is idle in a transaction."""
TCP = {"keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3"}
ANSWER_SECONDS, RELEASE_SECONDS = 30.0, 3.0
MOST_BYTES = 8 << 20  # of one read, so that large rows do not fill the memory
IN_USE, EXISTS, UNDEFINED = "55006", "42710", "42704"
DONE = (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COPY_BOTH)


class LogChange(NamedTuple):
    """A message of the output plugin, and its position."""

    start: int
    data: bytes


class CreatedSlot(NamedTuple):
    """A new slot."""

    position: int
    """The log is sent from here."""
    snapshot: str
    """The exported snapshot of the rows that were committed before; valid until the connection is used again."""


class Replication:
    """One replication connection."""

    def __init__(self, dsn: str) -> None:
        """dsn: as for `session`. Raises UsageProblem, DatabaseUnreachable."""
        self._place = address(dsn)
        self._confirmed = 0
        self._received = time.monotonic()
        self._reply_requested = self._is_streaming = False
        parts = conninfo.conninfo_to_dict(dsn)
        forms = " ".join(f"-c {name}={value}" for name, value in {**TEXT_FORMS, NO_IDLE_LIMIT: "0"}.items())
        text = conninfo.make_conninfo(
            **{
                "connect_timeout": str(CONNECT_TIMEOUT_SECONDS),
                **TCP,
                **parts,
                **FIXED,
                "options": f"{parts.get('options') or ''} {forms}",
            },
        )
        self._connection = pq.PGconn.connect(text.encode())
        if self._connection.status != pq.ConnStatus.OK:
            words = _line(self._connection.error_message)
            self.close()
            why, fix = refusal(POSTGRES.access, words, lambda: certificate_refusal(dsn))
            raise DatabaseUnreachable("no replication connection to the database", where=self._place, why=why, fix=fix)

    def identity(self) -> LogIdentity:
        """Which log it is. Raises DatabaseUnreachable, DatabaseRefused."""
        identified = self._run("IDENTIFY_SYSTEM", ANSWER_SECONDS)
        system, timeline = ((identified.get_value(0, column) or b"").decode() for column in (0, 1))
        forks: Mapping[int, int] = {}
        if int(timeline) > 1:
            history = self._run(f"TIMELINE_HISTORY {timeline}", ANSWER_SECONDS)
            forks = _forks((history.get_value(0, 1) or b"").decode(errors="replace"))
        return LogIdentity(system, int(timeline), forks)

    def create_slot(self, name: str, *, temporary: bool = False) -> CreatedSlot:
        """Create a slot. Raises SlotInUse if it exists, DatabaseRefused, DatabaseUnreachable."""
        word = "TEMPORARY " if temporary else ""
        command = f"CREATE_REPLICATION_SLOT {POSTGRES.quote_ident(name)} {word}LOGICAL pgoutput EXPORT_SNAPSHOT"
        with waiting_for(f"transactions of PostgreSQL at {self._place} to end, before slot '{name}' can be created"):
            created = self._run(command, math.inf)
        position, snapshot = (created.get_value(0, column) or b"" for column in (1, 2))
        return CreatedSlot(_number(position.decode()), snapshot.decode())

    def start(self, slot: str, publication: str, *, messages: bool = False) -> None:
        """Begin to stream from the position that was confirmed last.

        messages: whether messages of `pg_logical_emit_message` are sent. Raises SlotInUse, DatabaseRefused.
        """
        options = {"proto_version": "1", "publication_names": POSTGRES.quote_ident(publication)}
        if messages:
            options["messages"] = "true"
        listed = ", ".join(f"{name} {POSTGRES.quote_literal(value)}" for name, value in options.items())
        self._run(f"START_REPLICATION SLOT {POSTGRES.quote_ident(slot)} LOGICAL 0/0 ({listed})", ANSWER_SECONDS)
        self._received, self._is_streaming = time.monotonic(), True

    def read(self, most: int, seconds: float) -> list[LogChange]:
        """The messages that have come, at most so many and about 8 MiB; waits so long for the first.

        Raises DatabaseUnreachable where the connection is lost, DatabaseRefused where the server ends the stream.
        """
        changes = self._received_changes(most)
        if not changes and self._wait(seconds):
            try:
                self._connection.consume_input()
            except psycopg.OperationalError as cause:
                raise self._lost(str(cause)) from cause
            changes = self._received_changes(most)
        self._watch()
        return changes

    def confirm(self, position: int, *, wants_answer: bool = False) -> None:
        """Tell the server that everything before a position is done with. Raises DatabaseUnreachable."""
        self._confirmed = position
        now = time.time_ns() // 1000 - EPOCH_2000 * 1_000_000
        status = STATUS.pack(b"r", position, position, position, now, wants_answer)
        try:
            self._connection.put_copy_data(status)
            self._connection.flush()
        except psycopg.OperationalError as cause:
            raise self._lost(str(cause)) from cause

    def close(self) -> None:
        """End the stream, and then the connection.

        The slot is free then: a server takes its time to notice that a connection has ended, and answers the end of a
        stream when it has released the slot. One that does not answer in a few seconds releases it later.
        """
        with suppress(psycopg.Error, OSError):
            if self._is_streaming:
                self._end_stream(time.monotonic() + RELEASE_SECONDS)
        self._connection.finish()

    def _end_stream(self, until: float) -> None:
        """Wait until the server has ended the stream too; what it has sent before is left to the next reader."""
        self._connection.put_copy_end()
        if self._awaited(self._is_drained, until):
            self._awaited(lambda: not self._connection.is_busy(), until)

    def _is_drained(self) -> bool:
        """Leave out what has come; whether the server has ended the stream."""
        size = 1
        while size > 0:
            size = self._connection.get_copy_data(1)[0]
        return size < 0

    def _received_changes(self, most: int) -> list[LogChange]:
        changes: list[LogChange] = []
        size_read = 0
        get = self._connection.get_copy_data
        while len(changes) < most and size_read < MOST_BYTES:
            try:
                size, view = get(1)
            except psycopg.OperationalError as cause:
                raise self._lost(str(cause)) from cause
            if size == 0:
                break
            if size < 0:
                raise self._ended()
            data = bytes(view)
            size_read += size
            if data[0] == 0x77:  # w
                changes.append(LogChange(DATA.unpack_from(data)[1], data[DATA.size :]))
            else:
                changes.append(LogChange(KEEPALIVE.unpack_from(data)[1], b""))
        if changes:
            self._received, self._reply_requested = time.monotonic(), False
        return changes

    def _wait(self, seconds: float) -> bool:
        """Whether there is something to read within so many seconds."""
        return bool(select.select([self._connection.socket], [], [], seconds)[0])

    def _awaited(self, is_done: Callable[[], bool], until: float) -> bool:
        """Send and receive until something has come. Whether it has in time."""
        while self._connection.flush() or not is_done():
            if time.monotonic() > until:
                return False
            if self._wait(0.2):
                self._connection.consume_input()
        return True

    def _watch(self) -> None:
        """Ask a silent server for an answer, and give it up after a while. Raises DatabaseUnreachable."""
        silence = time.monotonic() - self._received
        if silence > SILENCE_SECONDS:
            raise self._lost(f"it has not answered in {silence:.0f} s")
        if silence > SILENCE_SECONDS / 2 and not self._reply_requested:
            self._reply_requested = True
            self.confirm(self._confirmed, wants_answer=True)

    def _run(self, command: str, seconds: float) -> pq.abc.PGresult:
        """The answer to a command, which may take so long. Raises DatabaseUnreachable, DatabaseRefused, SlotInUse."""
        until = time.monotonic() + seconds
        self._connection.nonblocking = 1
        try:
            self._connection.send_query(command.encode())
            if not self._awaited(lambda: not self._connection.is_busy(), until):
                raise self._lost(f"it has not answered in {seconds:.0f} s")
            result = self._connection.get_result()
            if result is not None and result.status == pq.ExecStatus.TUPLES_OK:
                while self._connection.get_result() is not None:
                    pass
        except psycopg.OperationalError as cause:
            raise self._lost(str(cause)) from cause
        if result is not None and result.status in DONE:
            return result
        raise self._refused(result) if result is not None else self._lost("no answer")

    def _refused(self, result: pq.abc.PGresult) -> OutboxKitError:
        state = (result.error_field(pq.DiagnosticField.SQLSTATE) or b"").decode()
        why = _line(result.error_field(pq.DiagnosticField.MESSAGE_PRIMARY) or self._connection.error_message)
        if not state:
            return self._lost(why)
        if state in (IN_USE, EXISTS):
            fix = "see the reader: outbox-kit status; to hand the outbox over from a connector: outbox-kit hand-over"
            return SlotInUse("another process reads the replication slot", where=self._place, why=why, fix=fix)
        fix = "see what is missing: outbox-kit status" if state == UNDEFINED else ""
        return DatabaseRefused("the database refused to replicate", where=self._place, why=why, fix=fix)

    def _ended(self) -> OutboxKitError:
        """Why the stream has ended."""
        result = self._connection.get_result()
        if result is None or result.status == pq.ExecStatus.COMMAND_OK:
            return self._lost("the server has ended the stream")
        return self._refused(result)

    def _lost(self, why: str) -> DatabaseUnreachable:
        return DatabaseUnreachable("the replication connection was lost", where=self._place, why=secret.hidden(why))


def _line(text: bytes) -> str:
    return " ".join(text.decode(errors="replace").split())


def _forks(history: str) -> Mapping[int, int]:
    """The positions at which a history's timelines end, from the text of its file: timeline, position, reason."""
    fields = (line.split("\t") for line in history.splitlines() if line.strip() and not line.startswith("#"))
    return {int(timeline): _number(position) for timeline, position, *_ in fields}


def _number(lsn: str) -> int:
    """A position as bytes since the beginning of the log."""
    high, _, low = lsn.partition("/")
    return (int(high, 16) << 32) + int(low, 16)
