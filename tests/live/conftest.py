"""A database of a test's own on the real stack, the command line, and a deployed outbox."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner, Result

from outbox_kit.cli import app
from outbox_kit.stack import Stack
from outbox_kit.verify import completeness

HERE = Path(__file__).parent

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


@pytest.fixture
def soon_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a canary nothing comes for long here: all brokers are one."""
    monkeypatch.setattr(completeness, "QUIET_SECONDS", 2)


@pytest.fixture
def database(stack: Stack) -> Iterator[Database]:
    name = f"t{uuid.uuid4().hex[:8]}"
    with psycopg.connect(stack.postgres_dsn, autocommit=True) as admin:
        admin.execute(f"create database {name}")
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
        result = CliRunner(env=environment).invoke(app, list(arguments))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert code is None or result.exit_code == code, result.stdout + result.stderr
        return result

    return run


@pytest.fixture
def outbox(request: pytest.FixtureRequest, stack: Stack, database: Database, kit: Kit) -> Iterator[str]:
    """A deployed outbox of the events OrderPlaced and OrderPaid, removed again with all it made; its service.

    A parameter is more of its schema file.
    """
    service = database.name
    address = ("--host", stack.postgres_host, "--port", str(stack.postgres_port))
    kit("init", "--service", service, *address, "-e", "OrderPlaced:Order", "-e", "OrderPaid:Order")
    path = Path("outbox.yaml")
    chosen = 'routing: {topic: "{service}.{aggregate}"}\nconnect: {heartbeat_ms: 500}\n'
    path.write_text(path.read_text() + chosen + getattr(request, "param", ""))
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    kit("deploy-connector", "--probe", "--settle", "0")
    yield service
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
