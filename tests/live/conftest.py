"""A database of a test's own on the real stack, the command line, and a deployed outbox."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest
from confluent_kafka.admin import AdminClient
from typer.testing import Result

from outbox_kit.databases import servers
from outbox_kit.databases.postgres import probe
from outbox_kit.delivery.debezium import proof
from outbox_kit.kafka import scratch as scratch_topics
from outbox_kit.kafka.read import Cluster
from outbox_kit.render import ddl
from outbox_kit.schema.model import Outbox
from outbox_kit.stack import Stack
from outbox_kit.verify import scenarios, selftest
from outbox_kit.verify.request import Request
from outbox_kit.verify.table import completeness
from outbox_kit.wire.routes import Routes
from tests.live.scratch import Scratch, make
from tests.live.shop import Shop
from tests.support.cli import invoke
from tests.support.request import request_of

HERE = Path(__file__).parent

# an idle connector takes a fifth of a core at the 5 ms that are generated
CONNECT = 'connect: {heartbeat_ms: 500, config: {poll.interval.ms: "100"}}\n'

Kit = Callable[..., Result]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("live")


@dataclass(frozen=True)
class Database:
    """A database of a test's own. dsn: the superuser's."""

    name: str
    dsn: str


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pauses between two questions to a stack on this machine, whose connectors send heartbeats all the time."""
    monkeypatch.setattr(proof, "BEAT_SECONDS", 0.5)
    monkeypatch.setattr(proof, "POLL_SECONDS", 0.1)


@pytest.fixture
def soon_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a canary nothing comes for long here: all brokers are one."""
    monkeypatch.setattr(completeness, "QUIET_SECONDS", 2)


@pytest.fixture
def database(stack: Stack) -> Iterator[Database]:
    name = f"t{uuid.uuid4().hex[:8]}"
    with psycopg.connect(stack.postgres_dsn, autocommit=True) as admin:
        admin.execute(f"create database {name} strategy file_copy")  # half the time of the default
    yield Database(name, stack.environment(name)["OUTBOX_KIT_DSN"])
    with psycopg.connect(stack.postgres_dsn, autocommit=True) as admin:
        slots = "select 1 from pg_replication_slots where database = %s"
        if not admin.execute(slots, (name,)).fetchone():  # a slot that a test has left keeps its database
            admin.execute(f"drop database {name} with (force)")


@pytest.fixture
def kit(stack: Stack, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The command line, in an empty folder, with the stack's and the test's own database in the environment."""
    monkeypatch.chdir(tmp_path)
    environment = stack.environment(database.name)

    def run(*arguments: str, code: int | None = 0) -> Result:
        return invoke(*arguments, code=code, environment=environment, patient=True)

    return run


@contextmanager
def made(stack: Stack, database: Database, kit: Kit, more: str = "") -> Iterator[str]:
    """The tables of an outbox of the events OrderPlaced and OrderPaid; its service. more: of its schema file."""
    service = database.name
    address = ("--host", stack.postgres_host, "--port", str(stack.postgres_port))
    kit("init", "--service", service, *address, "-e", "OrderPlaced:Order", "-e", "OrderPaid:Order")
    path = Path("outbox.yaml")
    chosen = f'routing: {{topic: "{{service}}.{{aggregate}}"}}\n{CONNECT}'
    path.write_text(path.read_text() + chosen + more)
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    yield service
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


@pytest.fixture
def tables(stack: Stack, database: Database, kit: Kit) -> Iterator[str]:
    """The tables of an outbox without a connector; its service."""
    with made(stack, database, kit) as service:
        yield service


@pytest.fixture
def outbox(request: pytest.FixtureRequest, stack: Stack, database: Database, kit: Kit) -> Iterator[str]:
    """A deployed outbox, removed again with all it made; its service. A parameter is more of its schema file."""
    with made(stack, database, kit, getattr(request, "param", "")) as service:
        kit("deploy-connector", "--yes", "--probe", "--stable-for", "0")
        yield service
        kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")


@pytest.fixture
def rows(database: Database) -> Iterator[psycopg.Connection]:
    """A connection to the test's database, in which each statement is committed."""
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        yield connection


@pytest.fixture
def admin(stack: Stack) -> AdminClient:
    return AdminClient({"bootstrap.servers": stack.bootstrap})


@pytest.fixture
def scratch(stack: Stack, admin: AdminClient) -> Iterator[Scratch]:
    service = f"v{uuid.uuid4().hex[:8]}"
    outbox = Outbox.model_validate(
        {
            "service": service,
            "database": {"dialect": "postgres"},
            "routing": {"topic": "{service}.{aggregate}"},
            "events": [
                {
                    "type": "OrderPlaced",
                    "aggregate": "Order",
                    "payload": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}},
                },
                {"type": "OrderGone", "aggregate": "Order", "tombstone": True},
            ],
        }
    )
    topic = Routes(outbox).topics[0]
    make(admin, topic)
    yield Scratch(stack, outbox, topic)
    mine = [name for name in admin.list_topics(timeout=60).topics if name.startswith(service)]
    for done in admin.delete_topics(mine).values():
        done.result()


@pytest.fixture
def shop(scratch: Scratch, database: Database) -> Iterator[Shop]:
    there = scratch.outbox.database.model_copy(update={"name": database.name})
    scratch = replace(scratch, outbox=scratch.outbox.model_copy(update={"database": there}))
    own = Shop(scratch, database.dsn)
    script = ddl.body(scratch.outbox, remove=False)
    servers.get("postgres").apply(own.dsn, scratch.outbox, script, keep_table=True, password=None)
    with psycopg.connect(own.dsn, autocommit=True) as connection:
        connection.execute("select pg_create_logical_replication_slot(%s, 'pgoutput')", (own.slot,))
    yield own
    probe.drop_slot(own.dsn, own.slot)
    gone = ddl.body(scratch.outbox, remove=True)
    servers.get("postgres").apply(own.dsn, scratch.outbox, gone, keep_table=False, password=None)


@pytest.fixture(scope="module")
def faulty(stack: Stack) -> Iterator[Request]:
    """Every anomaly that the selftest knows, in topics of their own."""
    own = selftest.outbox(f"engines-{uuid.uuid4().hex[:8]}")
    log = Cluster(stack.bootstrap)
    with scratch_topics.topics(log, Routes(own).topics, scenarios.PARTITIONS):
        scratch_topics.write(log, list(selftest.messages(own)))
        yield request_of(own, log, timeout=120, settle=1)
