"""How many random cases, from which seed on; and a database on the real stack for those with a table."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import psycopg
import pytest

from outbox_kit.stack import Stack
from tests.fuzz.simulation import Server
from tests.support.fuzz.seeds import first_seed, left_out

WRITERS = 5  # connections: three transactions at a time, those that ended just now, and the observer's


def pytest_report_header(config: pytest.Config) -> str:
    return f"random verdicts: --fuzz-seed {first_seed(config)}"


@dataclass(frozen=True)
class Cases:
    """Which cases. number: None where the test says how many. without: features that none has."""

    first: int
    number: int | None
    without: frozenset[str]

    def seeds(self, usually: int) -> range:
        """The seeds of so many cases, unless another number was asked for."""
        return range(self.first, self.first + (usually if self.number is None else self.number))


@pytest.fixture
def cases(pytestconfig: pytest.Config) -> Cases:
    return Cases(first_seed(pytestconfig), pytestconfig.getoption("--fuzz-cases"), left_out(pytestconfig))


@pytest.fixture(scope="module")  # other tests may end the stack's database later
def server(stack: Stack) -> Iterator[Server]:
    name = f"f{uuid.uuid4().hex[:8]}"
    with psycopg.connect(stack.postgres_dsn, autocommit=True) as admin:
        admin.execute(f"create database {name} strategy file_copy")  # half the time of the default
        dsn = stack.environment(name)["OUTBOX_KIT_DSN"]
        with ExitStack() as open_:
            writers = [open_.enter_context(psycopg.connect(dsn, prepare_threshold=None)) for _ in range(WRITERS - 1)]
            writers.append(open_.enter_context(psycopg.connect(dsn, autocommit=True, prepare_threshold=None)))
            writers[-1].execute("select pg_create_logical_replication_slot(%s, 'pgoutput')", (name,))
            try:
                yield Server(dsn, name, writers)
            finally:
                writers[-1].execute("select pg_drop_replication_slot(%s)", (name,))
        admin.execute(f"drop database {name} with (force)")
