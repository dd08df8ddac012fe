"""What `outbox_kit.inbox` promises on real servers: effects once, together with the row of the inbox."""

import asyncio
import json
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pymysql
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from outbox_kit.errors import UsageProblem
from outbox_kit.inbox import (
    HighWater,
    Inbox,
    InboxMessage,
    MessageIds,
    OutsideWindow,
    PartitionFenced,
    PartitionMissing,
    PartitionOffsets,
    SequenceGap,
)
from outbox_kit.inbox.problems import PurgeRefused
from outbox_kit.inbox.purge import purge
from outbox_kit.inbox.sessions import completed, session_of
from outbox_kit.inbox.statements import Query
from outbox_kit.kafka.deliverable import DeliverablePartition
from tests.database.clients import POSTGRES, SERVERS, connected, grant_role, sqlalchemy_url
from tests.database.conftest import Kit, Written
from tests.support.servers import PASSWORD, Server
from tests.support.servers.pgbouncer import pgbouncer
from tests.support.servers.postgres import Postgres

EFFECT = "insert into effect (n) values (1)"
DAY = 86_400
Connect = Callable[[], Any]


@pytest.fixture
def connect(server: Server, name: str, kit: Kit, written: Written) -> Iterator[Connect]:
    """Opens connections, of psycopg and PyMySQL, in autocommit mode and in a database with the tables of all modes."""
    for mode in ("message-id", "high-water", "offsets"):
        written(f"delivery_guarantee: exactly-once\ninbox: {{mode: {mode}}}\n", writers="")
        kit("gen-ddl", "--inbox", "--apply")
    server.ask("create table effect (n int)", database=name)
    opened: list[Any] = []

    def open_connection() -> Any:
        if server.dialect == "postgres":
            opened.append(psycopg.connect(server.environment(name)["OUTBOX_KIT_DSN"], autocommit=True))
        else:
            place: Any = {"host": "127.0.0.1", "port": server.port, "user": "boss", "password": PASSWORD}
            opened.append(pymysql.connect(**place, database=name, autocommit=True, ssl_disabled=True))
        return opened[-1]

    yield open_connection
    for connection in opened:
        connection.close()


def run(connection: Any, statement: str) -> Any:
    """Run a statement in the transaction of a connection."""
    cursor = connection.cursor()
    cursor.execute(statement)
    return cursor.fetchall() if cursor.description else None


@contextmanager
def counted(server: Server, name: str, effects: int) -> Iterator[None]:
    """Expects so many effects more after a block."""
    (before,) = server.ask("select count(*) from effect", database=name)
    yield
    (after,) = server.ask("select count(*) from effect", database=name)
    assert after[0] - before[0] == effects


@SERVERS
def test_the_same_message_at_once_has_its_effects_once_and_an_error_rolls_both_back(
    server: Server, name: str, connect: Connect
) -> None:
    inbox, message = Inbox("billing", dialect=server.dialect), uuid.uuid4()
    first, second = connect(), connect()
    began, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        run(first, EFFECT)
        began.set()
        assert go_on.wait(60)

    with ThreadPoolExecutor(2) as threads, counted(server, name, 1):
        slower = threads.submit(inbox.once, first, message, slow)
        assert began.wait(60)
        waiting = threads.submit(inbox.once, second, str(message).upper(), lambda: run(second, EFFECT))
        with pytest.raises(TimeoutError):
            waiting.result(0.3)  # until it is known what becomes of the first
        go_on.set()
        assert (slower.result(60), waiting.result(60)) == (True, False)

    def fail() -> None:
        run(first, EFFECT)
        raise ValueError("undone")

    with counted(server, name, 1):
        other = uuid.uuid4()
        with pytest.raises(ValueError, match="undone"):
            inbox.once(first, other, fail)
        assert inbox.once(second, other, lambda: run(second, EFFECT))
    assert Inbox("mail", dialect=server.dialect).once(first, message, lambda: None)


@SERVERS
def test_a_batch_says_which_messages_are_new_and_needs_a_transaction(connect: Connect, server: Server) -> None:
    inbox, connection = Inbox("billing", dialect=server.dialect), connect()
    session = session_of(connection)
    ids = [uuid.uuid4() for _ in range(1500)]
    with pytest.raises(UsageProblem, match="no transaction is open"):
        inbox.new(connection, ids)
    messages = [InboxMessage.of_id(message) for message in ids]
    with session.transaction():
        assert completed(inbox.claim(messages[:1100]), session.execute) == [True] * 1100
    with session.transaction():
        flags = completed(inbox.claim([*messages, messages[-1]]), session.execute)
    assert flags == [False] * 1100 + [True] * 400 + [False]
    assert [inbox.once(connection, message, lambda: None) for message in ids[1098:1101]] == [False] * 3


@SERVERS
def test_a_high_water_mark_skips_duplicates_and_reports_a_gap(connect: Connect, server: Server) -> None:
    connection = connect()

    def once(sequence: int, key: bytes = b"it's \xff", **mode: Any) -> bool:
        message = InboxMessage("orders", 0, sequence, key, headers={"sequence": str(sequence).encode()})
        return Inbox("billing", HighWater(**mode), server.dialect).once(connection, message, lambda: None)

    assert [once(sequence) for sequence in (3, 3, 2, 7, 7)] == [True, False, False, True, False]
    assert once(1, b"other") and once(1, producer="invoices")
    with pytest.raises(SequenceGap, match="9 follows 7"):
        once(9, dense=True)
    assert [once(sequence, dense=True) for sequence in (8, 9)] == [True, True]
    assert once(20, dense=True, accept_gaps=True)
    with pytest.raises(SequenceGap, match="2 follows 0"):
        once(2, b"new", dense=True, start=1)
    assert [once(sequence, b"new", dense=True, start=1) for sequence in (1, 1, 2)] == [True, False, True]


@SERVERS
def test_an_owner_of_an_earlier_generation_stores_no_offset(connect: Connect, server: Server) -> None:
    mode = PartitionOffsets()
    inbox = Inbox("billing", mode, server.dialect)
    session = session_of(connect())

    def take(generation: int, **how: bool) -> int:
        with session.transaction():
            steps = mode.take(inbox.facts, inbox.table, "billing", ("orders", 0), generation, **how)
            return completed(steps, session.execute)

    def claim(offsets: list[int], generation: int) -> list[bool]:
        with session.transaction():
            batch = [InboxMessage("orders", 0, offset) for offset in offsets]
            return completed(inbox.claim(batch, generation), session.execute)

    assert (take(3), claim([0, 1, 4], 3), take(3)) == (0, [True] * 3, 5)
    assert (claim([1, 4, 5], 4), take(5)) == ([False, False, True], 6)
    with pytest.raises(PartitionFenced, match="generation 5"):
        claim([6], 4)
    with pytest.raises(PartitionFenced, match="generation 5"):
        take(1)
    assert (take(1, restart=True), claim([6], 1)) == (6, [True])


@SERVERS
def test_a_transaction_that_has_read_before_learns_of_a_later_owner(connect: Connect, server: Server) -> None:
    """Its own reads are of an older snapshot in MySQL and MariaDB, unless they lock."""
    mode = PartitionOffsets()
    inbox = Inbox("billing", mode, server.dialect)
    early, late = (session_of(connect()) for _ in range(2))

    def take(generation: int) -> int:
        with late.transaction():
            return completed(mode.take(inbox.facts, inbox.table, "billing", ("orders", 0), generation), late.execute)

    def claim(session: Any, generation: int) -> list[bool]:
        return completed(inbox.claim([InboxMessage("orders", 0, 0)], generation), session.execute)

    take(1)
    with pytest.raises(PartitionFenced, match="generation 2"), early.transaction():
        early.execute(Query("select count(*) from inbox_position"))
        take(2)
        claim(early, 1)
    with early.transaction():
        early.execute(Query("select count(*) from inbox_position"))
        with late.transaction():
            assert claim(late, 2) == [True]
        assert claim(early, 2) == [False]


def retained(since: float) -> DeliverablePartition:
    return DeliverablePartition("orders", 0, 5, 9, 9, since, None, 7.0 * DAY)


@SERVERS
def test_a_purge_leaves_what_kafka_can_deliver_again(server: Server, name: str, connect: Connect) -> None:
    inbox, connection, now = Inbox("billing", dialect=server.dialect), connect(), datetime.now(UTC).timestamp()
    old, newer = uuid.uuid4(), uuid.uuid4()
    inbox.once(connection, old, lambda: None)
    server.ask("update inbox set received_at = '2020-01-01 00:00:00'", database=name)
    with pytest.raises(PurgeRefused, match="has received no message within the window"):
        purge(connection, inbox, 14, [retained(now)])
    inbox.once(connection, newer, lambda: None)
    Inbox("mail", dialect=server.dialect).once(connection, old, lambda: None)
    long_ago = datetime(2019, 12, 31, tzinfo=UTC).timestamp()
    assert purge(connection, inbox, 14, [retained(long_ago)]).rows == 0  # its record may be in the topic
    with pytest.raises(PurgeRefused, match="no committed offset"):
        purge(connection, inbox, 14, [DeliverablePartition("orders", 0, 5, 9, None, now, now, None)])
    assert purge(connection, inbox, 14, [retained(now)]).rows == 1
    assert server.ask("select count(*) from inbox", database=name)[0][0] == 2


@pytest.fixture
def daily(server: Server, name: str, kit: Kit, written: Written) -> Iterator[psycopg.Connection]:
    """A connection to a database with an inbox that has a partition for each day."""
    written("inbox: {partitioned: true, window_days: 3}\n", writers="")
    kit("gen-ddl", "--inbox", "--apply")
    kit("gen-ddl", "--inbox", "--apply")
    with psycopg.connect(server.environment(name)["OUTBOX_KIT_DSN"], autocommit=True) as connection:
        yield connection


def message_of(ago: int) -> uuid.UUID:
    """A UUID of version 7 of some days ago."""
    milliseconds = int((datetime.now(UTC) - timedelta(days=ago)).timestamp() * 1000)
    return uuid.UUID(int=(milliseconds << 80) | (7 << 76) | (2 << 62) | uuid.uuid4().int % 2**62)


def partition_of(ago: int) -> str:
    return f"inbox_{datetime.now(UTC) - timedelta(days=ago):%Y%m%d}"


@POSTGRES
def test_a_partition_rejects_what_is_outside_of_the_window_before_and_after_it_is_dropped(
    daily: psycopg.Connection, kit: Kit
) -> None:
    inbox, three, two = Inbox("billing"), message_of(3), message_of(2)
    for message in (three, two, message_of(0)):
        assert [inbox.once(daily, message, lambda: None) for _ in range(2)] == [True, False]
    for message in (uuid.UUID(int=4 << 76), message_of(4), message_of(-16)):
        with pytest.raises(OutsideWindow, match="has no partition for a message id"):
            inbox.once(daily, message, lambda: None)
    with pytest.raises(UsageProblem, match="a partition for each day"):
        purge(daily, inbox, 3, [retained(time.time())])
    daily.execute(f"drop table {partition_of(3)}".encode())
    kit("gen-ddl", "--inbox", "--apply")  # does not create it again
    kit("cleanup", "--table", "inbox", "--by-age")
    with pytest.raises(OutsideWindow):
        inbox.once(daily, three, lambda: None)
    assert not inbox.once(daily, two, lambda: None)


@POSTGRES
def test_a_message_waits_for_the_partition_of_its_day_which_cleanup_creates(
    daily: psycopg.Connection, kit: Kit
) -> None:
    inbox, message = Inbox("billing"), message_of(-13)
    for ago in (-12, -13, -14):
        daily.execute(f"drop table {partition_of(ago)}".encode())
    with pytest.raises(PartitionMissing, match="no partition yet"):
        inbox.once(daily, message, lambda: None)
    with pytest.raises(OutsideWindow), daily.transaction():
        inbox.new(daily, [message])
    with pytest.raises(PartitionMissing):
        inbox.expect_days(session_of(daily), [InboxMessage.of_id(message)])

    async def once() -> None:
        async with await psycopg.AsyncConnection.connect(daily.info.dsn, password=PASSWORD) as connection:
            with pytest.raises(PartitionMissing):
                await inbox.once_async(connection, message, lambda: asyncio.sleep(0))

    asyncio.run(once())
    created = json.loads(kit("cleanup", "--table", "inbox", "--by-age", "--format", "json").stdout)["created"]
    assert created == [partition_of(ago) for ago in (-12, -13, -14)]
    assert [inbox.once(daily, message, lambda: None) for _ in range(2)] == [True, False]


@POSTGRES
def test_a_partition_of_the_inbox_is_dropped_when_none_of_its_ids_was_received_lately(
    daily: psycopg.Connection, kit: Kit
) -> None:
    old, message = partition_of(9), message_of(9)
    bounds = [f"{int(message) >> 80:012x}{fill * 20}" for fill in "0f"]
    daily.execute(f"create table {old} partition of inbox for values from ('{bounds[0]}') to ('{bounds[1]}')".encode())
    assert Inbox("billing").once(daily, message, lambda: None)

    def state() -> str:
        arguments = ["--table", "inbox", "--by-age", "--pause", "0", "--format", "json"]
        (partition,) = json.loads(kit("cleanup", *arguments).stdout)["partitions"]
        assert partition["name"] == old
        return str(partition["state"])

    assert state() == "kept"  # received a moment ago
    daily.execute("update inbox set received_at = now() - interval '4 days'")
    assert state() == "dropped"
    assert daily.execute("select count(*) from inbox").fetchone() == (0,)


@SERVERS
def test_sqlalchemy_commits_both_or_neither(server: Server, name: str, connect: Connect) -> None:
    inbox, message = Inbox("billing", dialect=server.dialect), uuid.uuid4()
    engine = create_engine(sqlalchemy_url(server, name))
    with Session(engine) as session, counted(server, name, 2):
        assert [inbox.once(session, message, lambda: session.execute(text(EFFECT))) for _ in range(2)] == [True, False]
        with session.begin():
            assert inbox.new(session, [message, uuid.uuid4(), uuid.uuid4()]) == [False, True, True]
            session.execute(text(EFFECT))
    with engine.connect() as connection:
        assert inbox.once(connection, uuid.uuid4(), lambda: None)
    with (
        engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection,
        counted(server, name, 0),
        pytest.raises(UsageProblem, match="autocommit mode"),
    ):
        inbox.once(connection, uuid.uuid4(), lambda: None)
    engine.dispose()


@POSTGRES
def test_asyncio_commits_both_or_neither(server: Server, name: str, connect: Connect) -> None:
    from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

    inbox, first, second = Inbox("billing"), uuid.uuid4(), uuid.uuid4()

    async def work() -> None:
        dsn = server.environment(name)["OUTBOX_KIT_DSN"]
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:

            async def handle() -> None:
                await connection.execute(EFFECT)

            async def hide() -> None:
                with pytest.raises(psycopg.Error):
                    await connection.execute("select 1 / 0")

            with pytest.raises(UsageProblem, match="the transaction has failed"):
                await inbox.once_async(connection, first, hide)
            assert [await inbox.once_async(connection, first, handle) for _ in range(2)] == [True, False]
            async with connection.transaction():
                assert await inbox.new_async(connection, [first, second]) == [False, True]
        engine = create_async_engine(sqlalchemy_url(server, name))
        async with AsyncSession(engine) as session:

            async def effect() -> None:
                await session.execute(text(EFFECT))

            assert not await inbox.once_async(session, second, effect)
            assert await inbox.once_async(session, uuid.uuid4(), effect)
        await engine.dispose()

    with counted(server, name, 2):
        asyncio.run(work())


@SERVERS
@pytest.mark.usefixtures("connect")
def test_the_role_alone_suffices(server: Server, name: str) -> None:
    """Of a user who may do nothing else but use the table of the effect."""
    role = f"{name}_inbox"
    grant_role(server, name, role, "effect")
    connection = connected(server, name, role)
    inbox, message = Inbox("billing", dialect=server.dialect), uuid.uuid4()
    with counted(server, name, 1):
        assert [inbox.once(connection, message, lambda: run(connection, EFFECT)) for _ in range(2)] == [True, False]
    connection.close()


DJANGO = """
import sys, uuid
import django
from django.conf import settings
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": sys.argv[1],
    "HOST": "127.0.0.1", "PORT": sys.argv[2], "USER": "postgres", "PASSWORD": sys.argv[3]}})
django.setup()
from django.db import connection, transaction
from outbox_kit.inbox import Inbox
inbox, message = Inbox("billing"), uuid.uuid4()
def handle():
    with connection.cursor() as cursor:
        cursor.execute("insert into effect (n) values (1)")
def fail():
    handle()
    raise RuntimeError("undone")
try:
    inbox.once("default", message, fail)
except RuntimeError:
    print([inbox.once("default", message, handle) for _ in range(2)])
with transaction.atomic():
    print(inbox.new("default", [message, uuid.uuid4()]))
"""


@POSTGRES
def test_django_commits_both_or_neither(server: Server, name: str, connect: Connect, tmp_path: Path) -> None:
    with counted(server, name, 1):
        command = [sys.executable, "-c", DJANGO, name, str(server.port), PASSWORD]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.splitlines() == ["[True, False]", "[False, True]"], done.stderr


@POSTGRES
def test_ids_of_text_are_stored_as_they_are(server: Server, name: str, kit: Kit, written: Written) -> None:
    written("table: {existing: true, ids: text}\n", writers="")
    kit("gen-ddl", "--inbox", "--apply")
    inbox = Inbox('it\'s "%s" :x', MessageIds(ids="text"))
    with psycopg.connect(server.environment(name)["OUTBOX_KIT_DSN"], autocommit=True) as connection:
        for message in ("4711", 'it\'s "%s" \\ :x é'):
            assert [inbox.once(connection, message, lambda: None) for _ in range(2)] == [True, False]


@POSTGRES
def test_a_pooler_that_shares_connections_changes_nothing(server: Server, name: str, connect: Connect) -> None:
    assert isinstance(server, Postgres)
    inbox, ids = Inbox("billing"), [uuid.uuid4() for _ in range(12)]
    with pgbouncer(server.port) as port, counted(server, name, len(ids)):
        address = server.dsn(name).replace(f"port={server.port}", f"port={port}")
        first, second = (psycopg.connect(address, autocommit=True, prepare_threshold=None) for _ in range(2))
        for message in ids:
            flags = [inbox.once(one, message, lambda one=one: run(one, EFFECT)) for one in (first, second)]  # type: ignore[misc]
            assert flags == [True, False]
        first.close()
        second.close()
