"""PostgreSQL of several releases, from the wheel of the local stack, without the stack."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbox_kit.stack import processes, services
from tests.support.servers.interface import PASSWORD, Session, Words
from tests.support.servers.psql import PSQL
from tests.support.stacks import SCRAM_ITERATIONS
from tests.support.waiting import until

SHORT_LOG = (
    "alter system set max_slot_wal_keep_size = '900MB'",
    "alter system set max_slot_wal_keep_size = '-1'",
    "warning: a connector with a lag of 900 MB loses its slot",
)
LEFTOVERS = """
select nspname from pg_namespace where nspname ~ '_(next|before)$'
union all select tgname from pg_trigger where not tgisinternal and tgname !~ '_wake$'
union all select grantee from information_schema.column_privileges
where grantee = 'pg_read_all_stats' and table_schema !~ '^pg_|_before$'
"""
UNCOMMENTED = """
select attname from pg_attribute
where attrelid = 'outbox'::regclass and attnum > 0 and col_description(attrelid, attnum) is null
"""
TABLES = "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')"
PENDING = """
select count(*) from pg_settings join pg_file_settings using (name)
where name = 'max_slot_wal_keep_size' and current_setting(name) <> pg_file_settings.setting
"""
CHECKS = "select conname, pg_get_constraintdef(oid) from pg_constraint where contype = 'c' order by 1"


@dataclass(frozen=True)
class Postgres:
    """A server; the boss is its superuser."""

    version: str
    port: int
    dialect: str = "postgres"

    @property
    def words(self) -> Words:
        needed = "REPLICATION" if int(self.version) >= 16 else "SUPERUSER"
        what = ("CREATE", "TEMPORARY", "CONNECT with grant option")
        missing = (*(f"  nobody has no {one} on database {{name}}\n" for one in what), f"nobody has no {needed}")
        return Words("integer", "permission denied", (*missing, "  nobody has no CREATEROLE\n"), SHORT_LOG)

    def dsn(self, database: str, user: str = "") -> str:
        return f"host=127.0.0.1 port={self.port} user={user or 'postgres'} password={PASSWORD} dbname={database}"

    def ask(self, statement: str, *values: Any, database: str | None = None) -> list[Any]:
        with psycopg.connect(self.dsn(database or "postgres"), autocommit=True) as connection:
            done = connection.execute(statement, values or None)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def reload(self) -> None:
        self.ask("select pg_reload_conf()")
        until(lambda: self.ask(PENDING) == [(0,)], "the changed settings hold")

    @contextmanager
    def session(self, user: str, database: str) -> Iterator[Session]:
        with psycopg.connect(self.dsn(database, user), autocommit=True) as connection:

            def run(statement: str, *values: Any) -> list[Any]:
                done = connection.execute(statement, values or None)  # type: ignore[call-overload]
                return done.fetchall() if done.description else []

            yield run

    def denied(self) -> Any:
        return pytest.raises(psycopg.errors.InsufficientPrivilege)

    def create(self, name: str) -> None:
        self.ask(f"create database {name} strategy file_copy")  # half the time of the default
        self.ask(f"revoke connect, temporary on database {name} from public")
        self.ask(f"grant connect on database {name} to application, nobody")

    def drop(self, name: str) -> None:
        self.ask(f"drop database {name} with (force)")

    def drop_slots(self, name: str) -> None:
        """Drop the slots of a database, when the sessions that hold them have ended."""
        held = "select 1 from pg_replication_slots where database = %s and active"
        until(lambda: not self.ask(held, name), "no session holds a slot")
        self.ask("select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = %s", name)

    def environment(self, database: str, user: str = "") -> dict[str, str]:
        return {"OUTBOX_KIT_DSN": self.dsn(database, user)}

    def script(self, database: str, text: str) -> None:
        command = [PSQL, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.dsn(database), "-f", "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr

    def tables(self, name: str) -> list[Any]:
        return self.ask(TABLES, database=name)

    def roles(self, name: str) -> list[Any]:
        return self.ask("select rolname from pg_roles where rolname ~ %s", f"^{name}")

    def uncommented(self, name: str) -> list[Any]:
        return self.ask(UNCOMMENTED, database=name)

    def checks(self, name: str) -> list[Any]:
        return self.ask(CHECKS, database=name)

    def leftovers(self, name: str) -> list[Any]:
        return self.ask(LEFTOVERS, database=name)


@contextmanager
def postgres(version: str) -> Iterator[Postgres]:
    """A server of a release of the stack's wheel."""
    folder = Path(tempfile.mkdtemp(prefix="outbox-kit-"))
    folder.chmod(0o755)  # the server runs as another user
    (port,) = processes.free_ports(1)
    place = services.StackPlace(folder, folder, port, 0, 0, 0, PASSWORD, PASSWORD)
    service, log = services.SERVICES["postgres"], place.log("postgres")
    manifest = services.manifest()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(services, "manifest", lambda: replace(manifest, postgres=version))
        patched.setattr(services, "SCRAM_ITERATIONS", SCRAM_ITERATIONS)
        service.set_up(place)
        process = processes.start(service.command(place), log, owned=True, account=service.account())
        try:
            processes.wait_until(lambda: service.ready(place), process, log, "PostgreSQL")
        except BaseException:
            process.terminate()
            raise
    try:
        server = Postgres(version, port)
        for user in ("application", "nobody"):
            server.ask(f"create role {user} login password '{PASSWORD}'")
        yield server
    finally:
        process.terminate()
        shutil.rmtree(folder)
