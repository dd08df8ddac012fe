"""What every database's `SERVER` promises, asked without a server: a stand-in remembers what is sent to it.

`tests/database` asks real servers for more; of those there is none of SQL Server, Oracle and MongoDB.
"""

import importlib
import json
import socket
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from outbox_kit import databases
from outbox_kit.databases import servers
from outbox_kit.databases.ddl import refuse_other_columns
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, TableDiffers, UsageProblem
from outbox_kit.schema.columns import columns
from tests.unit.databases.outboxes import outbox

ID = uuid.UUID("0189a5c2-0000-7000-8000-0000000000ff")
SCHEME = {name: name for name in databases.ALL} | {"postgres": "postgresql"}
STREAMED: Mapping[str, dict[str, Any]] = {
    "postgres": {"lsn": 5},
    "mysql": {"file": "binlog.000002", "pos": 4},
    "mariadb": {"file": "binlog.000002", "pos": 4},
    "sqlserver": {"commit_lsn": "00000027:00000758:0005"},
    "oracle": {"scn": "7", "commit_scn": "9:1"},
    "mongodb": {"sec": 3, "ord": 1},
}
SNAPSHOT: Mapping[str, dict[str, Any]] = {name: {**offset, "snapshot": True} for name, offset in STREAMED.items()}
SNAPSHOT = {**SNAPSHOT, "mongodb": {**STREAMED["mongodb"], "initsync": True}}


class StandIn:
    """A session, a cursor and a collection in one. sent: each statement or command with its values, as text."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.sent = list(answers), list[str]()

    def execute(self, statement: Any, values: Any = None) -> "StandIn":
        text = statement.decode() if isinstance(statement, bytes) else str(statement)
        given = values.values() if isinstance(values, dict) else values or ()
        self.sent.append(" ".join([text, *map(str, given)]))
        return self

    def fetchone(self) -> Any:
        return self.answers.pop(0) if self.answers else None

    def fetchall(self) -> list[Any]:
        return []

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __getitem__(self, name: str) -> "StandIn":
        self.name = name
        return self

    def insert_one(self, document: dict[str, Any]) -> None:
        self.sent.append(f"insert into {self.name} {json.dumps(document, default=str)}")

    def delete_one(self, condition: dict[str, Any]) -> None:
        self.sent.append(f"delete from {self.name} {json.dumps(condition)}")


@pytest.fixture(params=databases.ALL)
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def stand_in(dialect: str, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    own = StandIn()

    @contextmanager
    def session(*_: Any, **__: Any) -> Iterator[StandIn]:
        yield own

    monkeypatch.setattr(servers.get(dialect).probe, "session", session)
    return own


def dsn(dialect: str, rest: str = "db.internal/shop") -> str:
    return f"{SCHEME[dialect]}://{rest}"


def test_an_address_is_read_without_connecting(dialect: str) -> None:
    server, port = servers.get(dialect), databases.get(dialect).access.port
    assert server.endpoint(dsn(dialect, f"me@db.internal:{port + 1}/shop")) == ("db.internal", port + 1, "shop")
    assert server.endpoint("ftp://db.internal/shop") == (None, None, None)
    assert server.has_password(dsn(dialect, "me:secret@db.internal/shop"))
    assert not server.has_password(dsn(dialect, "me@db.internal/shop"))


def test_a_malformed_address_is_a_usage_problem_that_does_not_show_it(dialect: str) -> None:
    with pytest.raises(UsageProblem) as told:
        servers.get(dialect).probe.write_canary(dsn(dialect, "me:s3cret@db.internal:port/shop"), outbox(dialect), ID)
    assert "malformed" in told.value.what and "s3cret" not in "\n".join(told.value.lines())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_port_on_which_nothing_listens_is_unreachable_and_the_password_is_not_shown(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if dialect == "mongodb":
        sessions = importlib.import_module("outbox_kit.databases.mongodb.session")
        monkeypatch.setattr(sessions, "CONNECT_TIMEOUT_SECONDS", 0.5)  # it looks for a primary that long
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    address = dsn(dialect, f"me:s3cret@127.0.0.1:{port}/shop")
    with pytest.raises(DatabaseUnreachable) as told:
        servers.get(dialect).probe.write_canary(address, outbox(dialect), ID)
    assert str(port) in told.value.where and "s3cret" not in "\n".join(told.value.lines())


def test_a_position_is_that_of_a_stream_and_grows_with_it(dialect: str) -> None:
    probe = servers.get(dialect).probe
    assert probe.position({}) is None and probe.position(SNAPSHOT[dialect]) is None
    position = probe.position(STREAMED[dialect])
    assert position is not None and position > 0


@pytest.mark.parametrize("dialect", ["mysql", "mariadb", "sqlserver", "oracle"], indirect=True)
def test_a_log_without_an_end_is_no_position(dialect: str, stand_in: StandIn) -> None:
    """Any number would be one that a connector has passed. Other servers always have an answer."""
    assert stand_in.fetchone() is None
    try:
        assert servers.get(dialect).probe.log_position(dsn(dialect), outbox(dialect)) is None
    except DatabaseRefused:
        return


def test_the_canary_is_one_row_of_the_outbox_and_goes_by_its_id(dialect: str, stand_in: StandIn) -> None:
    probe, own = servers.get(dialect).probe, outbox(dialect)
    table = databases.get(dialect).fold_case("outbox")
    probe.write_canary(dsn(dialect), own, ID)
    (insert,) = stand_in.sent
    assert insert.startswith("insert into") and table in insert and str(ID) in insert
    probe.remove_canary(dsn(dialect), own, ID)
    (_, delete) = stand_in.sent
    assert delete.startswith("delete from") and table in delete and str(ID) in delete


def test_a_heartbeat_is_written_to_its_own_table_where_there_is_one(dialect: str, stand_in: StandIn) -> None:
    probe, facts = servers.get(dialect).probe, databases.get(dialect)
    probe.write_heartbeat(dsn(dialect), outbox(dialect))
    assert bool(stand_in.sent) is facts.capture.uses_heartbeat_table
    assert all(facts.derived_name("outbox", "heartbeat") in one for one in stand_in.sent)
    assert probe.heartbeat_age(dsn(dialect), outbox(dialect)) is None


def test_a_column_that_the_table_lacks_is_named_with_the_statement_that_adds_it(dialect: str) -> None:
    own, facts = outbox(dialect), databases.get(dialect)
    if dialect == "mongodb":  # collections have no columns
        return
    actual = {c.name: (facts.types[c.kind], c.required, False) for c in columns(own)}
    refuse_other_columns(own, actual)
    missing = next(column.name for column in columns(own) if column.required)
    del actual[missing]
    with pytest.raises(TableDiffers) as refused:
        refuse_other_columns(own, actual)
    [line] = refused.value.details
    table = facts.quote_ident(own.names.schema, own.table.name)
    assert f"'{missing}' is missing; add it: alter table {table} add " in line
    assert facts.quote_ident(missing) in line and line.endswith("not null (with a default, if the table has rows)")


def test_what_a_publication_lacks_is_named_with_its_schema(dialect: str, stand_in: StandIn) -> None:
    missing = servers.get(dialect).probe.missing_from_publication(dsn(dialect), outbox(dialect))
    assert bool(missing) is bool(stand_in.sent)  # a log that has all tables is not asked
    schema = databases.get(dialect).naming.schema
    assert missing in ([], [f"{schema}.outbox", f"{schema}.outbox_heartbeat"])
