"""PostgreSQL of both releases with a connector: it reads by its own rights alone, and all events arrive."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.stack import Stack
from tests.live.conftest import Kit
from tests.support.cli import invoke
from tests.support.servers import SERVERS
from tests.support.servers.postgres import Postgres

COLUMNS = "id, aggregatetype, aggregateid, type, payload"
VALUES = "'Order', '1', 'OrderPlaced', '{\"ä\": 1.0 }'"


@pytest.fixture(scope="module", params=["postgres-18", "postgres-16"])
def server(request: pytest.FixtureRequest) -> Iterator[Postgres]:
    with SERVERS[request.param]() as own:
        assert isinstance(own, Postgres)
        yield own


@pytest.fixture
def name(server: Postgres) -> Iterator[str]:
    """A database of the test's own."""
    own = f"t{uuid.uuid4().hex[:8]}"
    server.create(own)
    yield own
    server.drop(own)


@pytest.fixture
def kit(stack: Stack, server: Postgres, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The command line in an empty folder, as the superuser."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int | None = 0) -> Any:
        environment = {**stack.environment(name), **server.environment(name)}
        return invoke(*arguments, code=code, environment=environment, patient=True)

    return run


def insert(server: Postgres, name: str, count: int) -> None:
    """Write events as the application."""
    row = f"insert into outbox ({COLUMNS}) select gen_random_uuid(), {VALUES} from generate_series(1, %s)"
    with server.session("application", name) as application:
        application(row, count)


@pytest.mark.usefixtures("soon_quiet")
@pytest.mark.parametrize("retention", ["delete", "partition"])
@pytest.mark.parametrize("payload", ["json", "text", "bytes"])
def test_the_application_writes_and_the_connector_reads_each_by_its_own_rights(
    server: Postgres, name: str, kit: Kit, payload: str, retention: str
) -> None:
    Path("outbox.yaml").write_text(
        f"""
service: {name}
database: {{dialect: postgres, host: 127.0.0.1, port: {server.port}, writers: [application]}}
table: {{payload: {payload}, retention: {retention}}}
routing: {{topic: "{{service}}.{{aggregate}}"}}
events: [{{type: OrderPlaced, aggregate: Order}}]
connect: {{heartbeat_ms: 500}}
"""
    )
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    insert(server, name, 20)  # the snapshot has these, the log the others
    kit("deploy-connector", "--yes", "--stable-for", "0")
    insert(server, name, 30)
    report = json.loads(kit("verify", "--catch-up-method", "canary", "--format", "json").stdout)
    assert (report["verdict"], report["findings"], report["counts"]["distinct"]) == ("pass", [], 50)
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.tables(name) == [] and server.roles(name) == []
