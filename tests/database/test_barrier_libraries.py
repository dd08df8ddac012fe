"""The barrier of two-phase messages through each library: the first of a transaction and a check-back decides."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

from outbox_kit.barrier import Barrier, OutcomeDecided
from tests.database.clients import POSTGRES, SERVERS, sqlalchemy_url
from tests.database.conftest import Kit, Written
from tests.support.servers import PASSWORD, Server

ORDER = "insert into orders (id) values ('{}')"


@pytest.fixture
def tables(server: Server, name: str, kit: Kit, written: Written) -> None:
    written()
    kit("gen-ddl", "--barrier", "--apply")
    server.ask("create table orders (id varchar(40) primary key)", database=name)


def orders(server: Server, name: str) -> list[str]:
    return sorted(order for (order,) in server.ask("select id from orders", database=name))


@SERVERS
@pytest.mark.usefixtures("tables")
def test_sqlalchemy(server: Server, name: str) -> None:
    barrier, engine = Barrier(server.dialect), create_engine(sqlalchemy_url(server, name))

    def place(session: Any, order: str) -> None:
        with barrier.transaction(session, order):
            session.execute(text(ORDER.format(order)))

    with Session(engine) as session, engine.connect() as checks:
        place(session, "m1")
        assert barrier.outcome(checks, "m1").outcome == "committed"
        assert barrier.outcome(checks, "m2").outcome == "rolled_back"
        with pytest.raises(OutcomeDecided):
            place(session, "m2")
        session.rollback()
        with session.begin(), pytest.raises(ZeroDivisionError), barrier.transaction(session, "m3"):
            raise ZeroDivisionError
        assert barrier.outcome(checks, "m3").outcome == "rolled_back"
    engine.dispose()
    assert orders(server, name) == ["m1"]


@POSTGRES
@pytest.mark.usefixtures("tables")
def test_asyncio(server: Server, name: str) -> None:
    from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

    barrier = Barrier()

    async def work() -> None:
        dsn = server.environment(name)["OUTBOX_KIT_DSN"]
        engine = create_async_engine(sqlalchemy_url(server, name))
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
            async with barrier.transaction_async(connection, "m1"):
                await connection.execute(ORDER.format("m1").encode())
            async with AsyncSession(engine) as session:
                assert (await barrier.outcome_async(session, "m1")).outcome == "committed"
                assert (await barrier.outcome_async(session, "m2")).outcome == "rolled_back"
                async with barrier.transaction_async(session, "m3"):
                    await session.execute(text(ORDER.format("m3")))
            with pytest.raises(OutcomeDecided):
                async with barrier.transaction_async(connection, "m2"):
                    await connection.execute(ORDER.format("m2").encode())
            assert (await barrier.outcome_async(connection, "m3")).outcome == "committed"
        await engine.dispose()

    asyncio.run(work())
    assert orders(server, name) == ["m1", "m3"]


DJANGO = """
import sys
import django
from django.conf import settings
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": sys.argv[1],
    "HOST": "127.0.0.1", "PORT": sys.argv[2], "USER": "postgres", "PASSWORD": sys.argv[3]}})
django.setup()
from django.db import connection
from outbox_kit.barrier import Barrier, OutcomeDecided
barrier = Barrier()
def place(order):
    with barrier.transaction("default", order), connection.cursor() as cursor:
        cursor.execute("insert into orders (id) values (%s)", [order])
place("m1")
print(barrier.outcome("default", "m1").outcome, barrier.outcome("default", "m2").outcome)
try:
    place("m2")
except OutcomeDecided:
    print("decided")
"""


@POSTGRES
@pytest.mark.usefixtures("tables")
def test_django(server: Server, name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DJANGO, name, str(server.port), PASSWORD]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.splitlines() == ["committed rolled_back", "decided"], done.stderr
    assert orders(server, name) == ["m1"]


@POSTGRES
@pytest.mark.usefixtures("tables")
def test_a_table_of_another_name_in_another_schema_is_the_only_one_that_is_asked(server: Server, name: str) -> None:
    server.ask("create schema other", database=name)
    server.ask("create table other.own_barrier (like two_phase_barrier including all)", database=name)
    barrier = Barrier(schema="other", name="own_barrier")
    with psycopg.connect(server.environment(name)["OUTBOX_KIT_DSN"], autocommit=True) as connection:
        with barrier.transaction(connection, "m1"):
            connection.execute(ORDER.format("m1").encode())
        assert barrier.outcome(connection, "m1").outcome == "committed"
        assert barrier.outcome(connection, "m2").outcome == "rolled_back"
        with pytest.raises(OutcomeDecided), barrier.transaction(connection, "m2"):
            raise AssertionError
    assert server.ask("select message_id from two_phase_barrier", database=name) == []
