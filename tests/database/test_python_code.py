"""What generated Python writes into PostgreSQL, with and without asyncio: commits, rollbacks, batches, examples."""

import asyncio
import importlib
import json
import re
import sys
import textwrap
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL, create_engine
from sqlalchemy.orm import Session

from tests.database.conftest import Kit
from tests.support import examples
from tests.support.servers import Server
from tests.support.toolchain import run

PAYLOAD = {
    "type": "object",
    "required": ["orderId", "at"],
    "properties": {
        "orderId": {"type": "string", "examples": ['it\'s \\ "4711"']},
        "at": {"type": "string", "format": "date-time"},
        "customer": {"type": "string", "format": "uuid"},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    },
}
SCHEMA = """
service: {name}
database: {{dialect: postgres, port: {port}}}
table:
  max_payload_bytes: 1000
  storage: {storage}
  extra: [{{name: region}}, {{name: origin, kind: uuid, required: false}}]
headers: [{{name: region, values: [eu, us]}}]
events:
  - {{type: OrderDeleted, aggregate: Order, tombstone: true}}
  - {{type: OrderPlaced, aggregate: Order, payload: {payload}}}
"""
ROWS = "select id::text, type, aggregateid, region, payload from outbox order by sequence"
PACKAGES = iter(range(1000))
pytestmark = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)

Rows = Callable[[], list[Any]]
Module = Callable[[str, str], Any]


@pytest.fixture
def rows(server: Server, name: str) -> Rows:
    """The rows that are committed."""
    return lambda: server.ask(ROWS, database=name)


@pytest.fixture
def storage(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "table"))


@pytest.fixture
def module(server: Server, name: str, kit: Kit, storage: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Module]:
    """A module of a stack's code, whose tables are there."""
    schema = SCHEMA.format(name=name, port=server.port, storage=storage, payload=json.dumps(PAYLOAD))
    Path("outbox.yaml").write_text(schema)
    kit("gen-ddl", "--apply")
    package = f"generated{next(PACKAGES)}"
    monkeypatch.syspath_prepend(str(Path.cwd()))

    def imported(stack: str, module_name: str) -> Any:
        if not Path(package).exists():
            kit("gen-code", stack, "--out", package)
            server.ask((Path(package) / "inbox.sql").read_text(), database=name)
        return importlib.import_module(f"{package}.{module_name}")

    yield imported
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


@pytest.fixture
def address(server: Server, name: str) -> str:
    return server.environment(name)["OUTBOX_KIT_DSN"]


@asynccontextmanager
async def connected(address: str, *, autocommit: bool = False) -> AsyncIterator[psycopg.AsyncConnection]:
    async with await psycopg.AsyncConnection.connect(address, autocommit=autocommit) as connection:
        yield connection


def placed(module: Module, stack: str, order: str = "7") -> Any:
    events = module(stack, "events")
    return events.OrderPlaced({"orderId": order, "at": events.datetime.fromisoformat("2026-01-02T03:04:05+00:00")})


STORED = {"orderId": "7", "at": "2026-01-02T03:04:05+00:00"}


def test_a_commit_publishes_and_a_rollback_does_not(module: Module, address: str, rows: Rows) -> None:
    outbox, event = module("python-psycopg", "outbox"), placed(module, "python-psycopg")
    with psycopg.connect(address) as connection:
        outbox.publish(connection, "7", event, region="eu")
        connection.rollback()
        assert rows() == []
        sent = outbox.publish(connection, "7", event, region="eu")
        connection.commit()
    assert rows() == [(str(sent), "OrderPlaced", "7", "eu", STORED)]


def test_a_commit_on_an_asyncio_connection_publishes_and_a_rollback_does_not(
    module: Module, address: str, rows: Rows
) -> None:
    outbox, event = module("python-psycopg", "outbox"), placed(module, "python-psycopg")
    deleted = module("python-psycopg", "events").OrderDeleted()

    async def work() -> list[uuid.UUID]:
        async with connected(address) as connection:
            await outbox.publish_async(connection, "7", event, region="eu")
            await connection.rollback()
            with pytest.raises(RuntimeError, match="undone"):
                async with connection.transaction():
                    await outbox.publish_async(connection, "7", event, region="eu")
                    raise RuntimeError("undone")
            await connection.commit()
            assert rows() == []
            sent = await outbox.publish_async(connection, "7", event, region="eu", origin=uuid.uuid4())
            await connection.commit()
            async with connection.transaction():
                return [sent, await outbox.publish_async(connection, "8", deleted, region="us")]

    first, second = asyncio.run(work())
    assert rows() == [
        (str(first), "OrderPlaced", "7", "eu", STORED),
        (str(second), "OrderDeleted", "8", "us", None),
    ]


def test_autocommit_mode_is_rejected_outside_of_a_transaction(module: Module, address: str, rows: Rows) -> None:
    outbox, event = module("python-psycopg", "outbox"), placed(module, "python-psycopg")
    row = outbox.OutboxRow("7", event, region="eu")
    rejected = pytest.raises(psycopg.ProgrammingError, match=r"within connection\.transaction\(\)")

    async def work() -> None:
        async with connected(address, autocommit=True) as connection:
            with rejected:
                await outbox.publish_async(connection, "7", event, region="eu")
            with rejected:
                await outbox.publish_many_async(connection, [row])
            assert rows() == []
            async with connection.transaction():
                await outbox.publish_async(connection, "7", event, region="eu")
            async with connection.pipeline(), connection.transaction():
                await outbox.publish_async(connection, "8", event, region="eu")

    with psycopg.connect(address, autocommit=True) as connection:
        with rejected:
            outbox.publish(connection, "7", event, region="eu")
        with rejected:
            outbox.publish_many(connection, [row])
        with connection.pipeline(), rejected:
            outbox.publish(connection, "7", event, region="eu")
        asyncio.run(work())
        with connection.transaction():
            outbox.publish(connection, "9", event, region="eu")
        with connection.pipeline(), connection.transaction():
            outbox.publish(connection, "10", event, region="eu")
    assert [key for _, _, key, _, _ in rows()] == ["7", "8", "9", "10"]


def syncs(trace: Path) -> int:
    """How often a client waited for the server, by libpq's trace."""
    return len(re.findall(r"\tF\t\d+\tSync$", trace.read_text(), re.MULTILINE))


def test_a_batch_is_published_in_its_order_in_one_round_trip(
    module: Module, address: str, rows: Rows, tmp_path: Path
) -> None:
    outbox = module("python-psycopg", "outbox")
    batch = [outbox.OutboxRow(str(n), placed(module, "python-psycopg"), region="eu") for n in range(20)]
    large = outbox.OutboxRow("7", placed(module, "python-psycopg", "7" * 1000), region="eu")
    with psycopg.connect(address) as connection:
        with pytest.raises(ValueError, match="1000 are allowed"):
            outbox.publish_many(connection, [*batch, large])
        connection.commit()
        assert rows() == []
        connection.execute("select 1")
        with (tmp_path / "trace").open("w") as trace:
            connection.pgconn.trace(trace.fileno())
            ids = outbox.publish_many(connection, iter(batch))
            connection.pgconn.untrace()
        assert outbox.publish_many(connection, []) == []
        connection.commit()
    assert syncs(tmp_path / "trace") == 1
    assert [(one, key) for one, _, key, _, _ in rows()] == [(str(one), str(n)) for n, one in enumerate(ids)]


def test_a_batch_on_an_asyncio_connection_is_published_or_rolled_back_as_a_whole(
    module: Module, address: str, rows: Rows
) -> None:
    outbox = module("python-psycopg", "outbox")
    first, second = (outbox.OutboxRow(key, placed(module, "python-psycopg"), region="eu") for key in "78")

    async def work() -> list[uuid.UUID]:
        async with connected(address) as connection:
            with pytest.raises(psycopg.errors.UniqueViolation):
                await outbox.publish_many_async(connection, [first, second, first])
            await connection.rollback()
            ids: list[uuid.UUID] = await outbox.publish_many_async(connection, [first, second])
            await connection.commit()
            return ids

    assert [row[0] for row in rows()] == []
    assert asyncio.run(work()) == [first.message_id, second.message_id]
    assert [row[0] for row in rows()] == [str(first.message_id), str(second.message_id)]


MESSAGES = """
select data from pg_logical_slot_peek_binary_changes(
    %s, null, null, 'proto_version', '1', 'publication_names', %s, 'messages', 'true'
)
"""


@pytest.mark.parametrize("storage", ["log"], indirect=True)
def test_a_batch_into_the_log_is_in_the_log(module: Module, server: Server, name: str, address: str) -> None:
    outbox = module("python-psycopg", "outbox")
    batch = [outbox.OutboxRow(f"key-{n}", placed(module, "python-psycopg"), region="eu") for n in range(3)]
    slot = f"{name}_slot"
    server.ask("select pg_create_logical_replication_slot(%s, 'pgoutput')", slot, database=name)
    try:
        with psycopg.connect(address) as connection:
            outbox.publish_many(connection, batch[:1])
            connection.rollback()
            outbox.publish_many(connection, batch)
        changes = [bytes(data) for (data,) in server.ask(MESSAGES, slot, f"{name}_outbox", database=name)]
    finally:
        server.ask("select pg_drop_replication_slot(%s)", slot, database=name)
    written = b"".join(change for change in changes if change[:1] == b"M")
    assert [written.count(str(row.message_id).encode()) for row in batch] == [1, 1, 1]


PROGRAM = """
import asyncio
from {package}.outbox import OutboxRow, publish_async, publish_many
{complete}
address = os.environ["DATABASE_URL"]

async def asynchronous() -> None:
{publish_async}
asyncio.run(asynchronous())
with psycopg.connect(address) as connection:
{publish_many}"""


def test_the_examples_of_the_docstrings_run(module: Module, address: str, rows: Rows) -> None:
    outbox = module("python-psycopg", "outbox")
    text, package = Path(outbox.__file__).read_text(), outbox.__package__
    calls = {name: textwrap.indent(code, "    ") for name, code in examples.of_functions(text).items()}
    Path("program.py").write_text(PROGRAM.format(package=package, complete=examples.complete(text, package), **calls))
    run(sys.executable, "program.py", folder=Path.cwd(), DATABASE_URL=address)
    published = [(kind, key, region, payload["orderId"]) for _, kind, key, region, payload in rows()]
    assert published == [("OrderPlaced", "1001", "eu", 'it\'s \\ "4711"')] * 3


def test_a_message_is_handled_once_on_an_asyncio_connection(module: Module, address: str) -> None:
    once = module("python-psycopg", "inbox").once_async
    message, other = uuid.uuid4(), uuid.uuid4()
    handled: list[str] = []

    async def handle() -> None:
        handled.append("handled")

    async def fail() -> None:
        raise RuntimeError("undone")

    async def work() -> list[bool]:
        async with connected(address, autocommit=True) as connection:
            with pytest.raises(RuntimeError, match="undone"):
                await once(connection, "billing", other, fail)
            return [await once(connection, "billing", one, handle) for one in (message, str(message), other)]

    assert asyncio.run(work()) == [True, False, True]
    assert len(handled) == 2


def url(address: str) -> URL:
    parts = conninfo_to_dict(address)
    place = {"host": str(parts["host"]), "port": int(str(parts["port"])), "database": str(parts["dbname"])}
    return URL.create("postgresql+psycopg", str(parts["user"]), str(parts["password"]), **place)


def test_sqlalchemy_publishes_from_sessions_of_both_kinds(module: Module, address: str, rows: Rows) -> None:
    from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

    outbox, once = module("python-sqlalchemy", "outbox"), module("python-sqlalchemy", "inbox").once_async
    event = placed(module, "python-sqlalchemy")
    batch = [outbox.OutboxRow(key, event, region="eu") for key in ("2", "3")]
    handled: list[str] = []

    async def handle() -> None:
        handled.append("handled")

    async def work() -> None:
        engine = create_async_engine(url(address))
        async with AsyncSession(engine) as session:
            await outbox.publish_async(session, "1", event, region="eu")
            await session.rollback()
            assert rows() == []
            await outbox.publish_async(session, "1", event, region="eu", origin=uuid.uuid4())
            assert await outbox.publish_many_async(session, []) == []
            await outbox.publish_many_async(session, batch)
            await session.commit()
            assert [await once(session, "billing", batch[0].message_id, handle) for _ in range(2)] == [True, False]
            await session.begin()
            assert [await once(session, "mail", batch[0].message_id, handle) for _ in range(2)] == [True, False]
            await session.rollback()
        async with engine.begin() as connection:
            await outbox.publish_async(connection, "4", event, region="eu")
        await engine.dispose()

    asyncio.run(work())
    assert [key for _, _, key, _, _ in rows()] == ["1", "2", "3", "4"]
    assert len(handled) == 2

    engine = create_engine(url(address))
    with Session(engine) as session:
        outbox.publish_many(session, [outbox.OutboxRow(key, event, region="us") for key in ("5", "6")])
        session.rollback()
        outbox.publish_many(session, [outbox.OutboxRow(key, event, region="us") for key in ("7", "8")])
        session.commit()
    engine.dispose()
    assert [(key, region) for _, _, key, region, _ in rows()][4:] == [("7", "us"), ("8", "us")]
