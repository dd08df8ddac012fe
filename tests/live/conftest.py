"""The real stack, started once for the whole run, or the running one that OUTBOX_KIT_STACK names."""

import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from outbox_kit.stack import Stack

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("live")


@dataclass(frozen=True)
class Database:
    """A database of a test's own. dsn: the superuser's."""

    name: str
    dsn: str


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    if name := os.environ.get("OUTBOX_KIT_STACK"):
        yield Stack.attach(name)
        return
    with Stack.running() as own:
        yield own


@pytest.fixture
def database(stack: Stack) -> Iterator[Database]:
    name = f"t{uuid.uuid4().hex[:8]}"
    with psycopg.connect(stack.postgres_dsn, autocommit=True) as admin:
        admin.execute(f"create database {name}")
        yield Database(name, stack.environment(name)["OUTBOX_KIT_DSN"])
        admin.execute(
            "select pg_terminate_backend(active_pid) from pg_replication_slots where database = %s and active", (name,)
        )
        admin.execute(f"drop database {name} with (force)") if not _slots(admin, name) else None


def _slots(admin: psycopg.Connection, database: str) -> bool:
    """Whether a slot is left that keeps the database from being dropped; the test's own clean-up is at fault then."""
    return bool(admin.execute("select 1 from pg_replication_slots where database = %s", (database,)).fetchone())
