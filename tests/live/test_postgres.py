"""PostgreSQL 18 and 16 on real servers: the DDL, the rights of each role, and the verdict."""

import json
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.dialects.postgres import POSTGRES
from outbox_kit.stack import Stack, processes, services
from tests.live.conftest import Kit
from tests.waiting import until

PASSWORD = "of-a-test"  # noqa: S105 - the server lives as long as the test


@dataclass(frozen=True)
class Server:
    """A server. dsn: its superuser's, without a database."""

    version: str
    host: str
    port: int
    dsn: str

    def ask(self, statement: str, *values: Any, database: str = "postgres", user: str = "") -> list[Any]:
        dsn = f"host={self.host} port={self.port} user={user} password={PASSWORD}" if user else self.dsn
        with psycopg.connect(f"{dsn} dbname={database}", autocommit=True) as connection:
            done = connection.execute(statement, values or None)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []


@pytest.fixture(scope="module", params=["18", "16"])
def server(request: pytest.FixtureRequest, stack: Stack) -> Iterator[Server]:
    """The stack's own, and one of the older release beside it."""
    manifest = services.manifest()
    if request.param == manifest.postgres:
        yield Server(
            request.param, stack.postgres_host, stack.postgres_port, stack.postgres_dsn.replace("dbname=postgres", "")
        )
        return
    data = Path(tempfile.mkdtemp(prefix="outbox-kit-", dir=stack.place.data.parent))
    data.chmod(0o755)
    (port,) = processes.free_ports(1)
    place = replace(stack.place, folder=data, data=data, postgres_port=port)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(services, "manifest", lambda: replace(manifest, postgres=request.param))
        service, log = services.SERVICES["postgres"], place.log("postgres")
        service.set_up(place)
        process = processes.start(service.command(place), log, owned=True, account=service.account())
        try:
            processes.wait_until(lambda: service.ready(place), process, log, "PostgreSQL")
            password = place.postgres_password
            yield Server(
                request.param, "127.0.0.1", port, f"host=127.0.0.1 port={port} user=postgres password={password}"
            )
        finally:
            process.terminate()
            shutil.rmtree(data)


@pytest.fixture
def name(server: Server) -> Iterator[str]:
    """A database of the test's own, and its application's role of that name."""
    own = f"t{uuid.uuid4().hex[:8]}"
    server.ask(f"create database {own}")
    server.ask(f"create role {own} login password '{PASSWORD}'")
    yield own
    server.ask(f"drop database {own} with (force)")
    server.ask(f"drop role {own}")


@pytest.fixture
def kit(stack: Stack, server: Server, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The command line in an empty folder, as the superuser; `user` is another one."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int | None = 0, user: str = "") -> Any:
        dsn = f"host={server.host} port={server.port} user={user} password={PASSWORD}" if user else server.dsn
        environment = {**stack.environment(name), "OUTBOX_KIT_DSN": f"{dsn} dbname={name}"}
        result = CliRunner(env=environment).invoke(app, list(arguments))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert code in (result.exit_code, None), result.stdout + result.stderr
        return result

    return run


@pytest.fixture
def written(server: Server, name: str, kit: Kit) -> Callable[..., None]:
    """Writes the schema file, with more of it."""

    def write(more: str = "", database: str = f"writers: [{name}]", *, tombstone: bool = False) -> None:
        gone = ", {type: OrderGone, aggregate: Order, tombstone: true}" if tombstone else ""
        Path("outbox.yaml").write_text(
            f"""
service: {name}
database: {{dialect: postgres, host: "{server.host}", port: {server.port}, {database}}}
routing: {{topic: "{{service}}.{{aggregate}}"}}
events: [{{type: OrderPlaced, aggregate: Order}}{gone}]
connect: {{heartbeat_ms: 500}}
{more}"""
        )

    return write


COLUMNS = "id, aggregatetype, aggregateid, type, payload"
VALUES = "'Order', '1', 'OrderPlaced', '{\"ä\": 1.0 }'"
TAKEN_OUT = "delete from outbox where id = (select id from outbox limit 1)"


def insert(server: Server, name: str, count: int) -> None:
    """Write events as the application, which may do nothing else."""
    row = f"insert into outbox ({COLUMNS}) select gen_random_uuid(), {VALUES} from generate_series(1, %s)"
    server.ask(row, count, database=name, user=name)
    for more in ("select payload from outbox", "update outbox set payload = '1'", TAKEN_OUT):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            server.ask(more, database=name, user=name)


@pytest.mark.usefixtures("soon_quiet")
@pytest.mark.parametrize("retention", ["delete", "partition"])
@pytest.mark.parametrize("payload", ["json", "text", "bytes"])
def test_the_application_writes_and_the_connector_reads_each_by_its_own_rights(
    server: Server, name: str, kit: Kit, written: Callable[..., None], payload: str, retention: str
) -> None:
    written(f"table: {{payload: {payload}, retention: {retention}}}\n")
    assert f"to {name}" in kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD").stdout
    again = kit("gen-ddl", "--apply")
    assert again.stdout == "" and "nothing to change" in again.stderr
    columns = "pg_attribute where attrelid = 'outbox'::regclass and attnum > 0"
    assert all(why for (why,) in server.ask(f"select col_description(attrelid, attnum) from {columns}", database=name))
    insert(server, name, 20)  # the first read takes these, the log the others
    kit("deploy-connector", "--settle", "0")
    insert(server, name, 30)
    report = json.loads(kit("verify", "--fence", "canary", "--format", "json").stdout)
    assert (report["verdict"], report["findings"], report["counts"]["distinct"]) == ("pass", [], 50)
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    left = (
        "select relname from pg_class where relname like 'outbox%%' union select rolname from pg_roles where rolname ="
    )
    assert server.ask(left + " %s", f"{name}_outbox", database=name) == []


@pytest.mark.parametrize(
    ("table", "column"), [("t" * POSTGRES.limits.table, "i" * POSTGRES.limits.name), ('user"s', "Order %")]
)
def test_names_at_the_limit_and_names_that_must_be_quoted_are_taken(
    server: Server, name: str, kit: Kit, written: Callable[..., None], table: str, column: str
) -> None:
    written(f"table: {{name: {table!r}, columns: {{id: {column!r}}}, retention: partition}}", tombstone=True)
    assert "+ table" in kit("gen-ddl", "--apply").stdout
    assert "nothing to change" in kit("gen-ddl", "--apply").stderr
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.ask("select 1 from pg_class where relname = %s", table, database=name) == []


def test_an_application_whose_rows_go_at_once_may_take_them_out_again(
    server: Server, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    written("table: {retention: immediate}")
    kit("gen-ddl", "--apply")
    server.ask(f"insert into outbox ({COLUMNS}) select gen_random_uuid(), {VALUES}", database=name, user=name)
    server.ask(TAKEN_OUT, database=name, user=name)
    assert server.ask("select * from outbox", database=name) == []
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


def test_an_outbox_in_the_log_is_written_by_the_named_application_alone(
    server: Server, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    written("table: {storage: log}")
    kit("gen-ddl", "--apply")
    assert "nothing to change" in kit("gen-ddl", "--apply").stderr
    call = f"call outbox_write(gen_random_uuid(), {VALUES})"
    server.ask(call, database=name, user=name)
    stranger = f"{name}_stranger"
    server.ask(f"create role {stranger} login password '{PASSWORD}'")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        server.ask(call, database=name, user=stranger)
    server.ask(f"drop role {stranger}")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


def test_a_slot_that_is_soon_lost_is_warned_of(
    server: Server, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    written()
    for value, warned in (("900MB", True), ("-1", False)):
        server.ask(f"alter system set max_slot_wal_keep_size = '{value}'")
        server.ask("select pg_reload_conf()")
        until(lambda v=value: server.ask("show max_slot_wal_keep_size") == [(v,)], "the setting holds")
        told = kit("gen-ddl", "--apply").stderr
        assert ("warning: a connector that is 900 MB of log behind loses its slot" in told) is warned
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


def test_everything_that_is_missing_is_said_at_once_and_nothing_is_changed(
    server: Server, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    written(database=f"schema: {name}, writers: [{name}, ghost]")
    server.ask(f"revoke connect, temporary on database {name} from public")
    server.ask(f"grant connect on database {name} to {name}")
    told = kit("gen-ddl", "--apply", code=4, user=name).stderr
    for what in ("CREATE", "TEMPORARY", "CONNECT with grant option"):
        assert f"  {name} has no {what} on database {name}\n" in told
    assert f"  {name} has no CREATEROLE\n" in told and "  there is no role ghost" in told
    assert ("REPLICATION" if int(server.version) >= 16 else "SUPERUSER") in told
    inbox = kit("gen-ddl", "--inbox", "--apply", code=4, user=name).stderr
    lacking = [line.strip() for line in inbox.splitlines() if "has no" in line]
    assert lacking == [f"{name} has no CREATE on database {name}", f"{name} has no CREATEROLE"]
    assert server.ask("select 1 from pg_namespace where nspname = %s", name, database=name) == []


def test_who_has_what_is_asked_for_can_do_it_all_and_a_stranger_to_the_table_cannot(
    server: Server, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    written()
    told = kit("gen-ddl", "--apply", code=4, user=name).stderr
    assert "has no CREATE on schema public" in told
    server.ask(f"alter role {name} createrole replication")
    server.ask(f"grant create on database {name} to {name}")
    server.ask(f"grant create on schema public to {name}", database=name)
    kit("gen-ddl", "--apply", user=name)
    assert "nothing to change" in kit("gen-ddl", "--apply", user=name).stderr
    kit("gen-ddl", "--down", "--apply", "--allow-destructive", user=name)
    server.ask(f"revoke create on database {name} from {name}")
    kit("gen-ddl", "--inbox", "--apply", user=name)
    assert "nothing to change" in kit("gen-ddl", "--inbox", "--apply", user=name).stderr
    kit("gen-ddl", "--inbox", "--down", "--apply", "--allow-destructive", user=name)
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    for more in ((), ("--down", "--allow-destructive")):
        told = kit("gen-ddl", "--apply", *more, code=4, user=name).stderr
        for what in ("table outbox", "table outbox_heartbeat", f"publication {name}_outbox"):
            assert f"has no ownership of {what}" in told
    told = kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD", code=4, user=name).stderr
    assert f"has no ADMIN option on role {name}_outbox" in told
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("table outbox (id int primary key, more int not null)", "'id' is integer not null, not uuid not null"),
        ("view outbox as select 1 as id", "exists with other columns"),
    ],
)
def test_what_is_there_and_is_something_else_is_refused(
    server: Server, name: str, kit: Kit, written: Callable[..., None], made: str, said: str
) -> None:
    written()
    server.ask(f"create {made}", database=name)
    assert said in kit("gen-ddl", "--apply", code=2).stderr


def test_rows_that_break_a_new_rule_leave_all_as_it_was(
    server: Server, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    written()
    kit("gen-ddl", "--apply")
    insert(server, name, 1)
    rules = "select conname, pg_get_constraintdef(oid) from pg_constraint where contype = 'c' order by 1"
    before = server.ask(rules, database=name)
    written("table: {max_payload_bytes: 3, extra: []}")
    path = Path("outbox.yaml")
    path.write_text(path.read_text().replace("events: [", "events: [{type: OrderPaid, aggregate: Order}, "))
    told = kit("gen-ddl", "--apply", code=4).stderr
    assert "outbox_payload_fits" in told and "nothing was changed" in told
    assert server.ask(rules, database=name) == before
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
