"""A server, a database of a test's own on it, the command line, and a schema file."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from typer.testing import Result

from tests.support.cli import invoke
from tests.support.coordinators import CheckedService, Coordinator, Shop, checked_service, coordinator, shop_of
from tests.support.servers import PASSWORD, SERVERS, Server

HERE = Path(__file__).parent
Kit = Callable[..., Result]
Written = Callable[..., None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("live")


@pytest.fixture(scope="session")
def started() -> Iterator[Callable[[str], Server]]:
    """Starts each server once, when a test first asks for it."""
    with ExitStack() as stack:
        running: dict[str, Server] = {}

        def start(name: str) -> Server:
            if name not in running:
                running[name] = stack.enter_context(SERVERS[name]())
            return running[name]

        yield start


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest, started: Callable[[str], Server]) -> Server:
    return started(request.param)


@pytest.fixture
def name(server: Server) -> Iterator[str]:
    """A database of the test's own."""
    own = f"t{uuid.uuid4().hex[:8]}"
    server.create(own)
    yield own
    server.drop(own)


@pytest.fixture
def kit(server: Server, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The command line in an empty folder, as the user who may do everything; `user` is another one."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int | None = 0, user: str = "") -> Result:
        environment = {**server.environment(name, user), "OUTBOX_DB_PASSWORD": PASSWORD}
        return invoke(*arguments, code=code, environment=environment)

    return run


@pytest.fixture
def written(server: Server, name: str, kit: Kit) -> Written:
    """Writes the schema file, with more of it."""

    def write(more: str = "", writers: str = "application", events: str = "") -> None:
        Path("outbox.yaml").write_text(
            f"""
service: {name}
database: {{dialect: {server.dialect}, port: {server.port}, writers: [{writers}]}}
events:
  - {{type: OrderPlaced, aggregate: Order}}
  - {{type: "It's \\\\ gone", aggregate: Order, tombstone: true}}
{events}
{more}
"""
        )

    return write


@pytest.fixture(scope="module")
def shop(started: Callable[[str], Server], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """A database for a coordinator, of a module's tests."""
    with shop_of(started("postgres-18"), tmp_path_factory.mktemp("shop")) as shop:
        yield shop


@pytest.fixture(scope="module")
def coordinating(shop: Shop) -> Iterator[Coordinator]:
    """A coordinator of a module's tests, which leave it as it is."""
    with coordinator(shop, "--check-timeout", "1") as running:
        yield running


@pytest.fixture
def key() -> str:
    """The begin of a test's own ids."""
    return uuid.uuid4().hex[:8]


@pytest.fixture
def service() -> Iterator[CheckedService]:
    """A service that a coordinator checks back with."""
    with checked_service() as running:
        yield running
