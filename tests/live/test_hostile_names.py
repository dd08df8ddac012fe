"""Scripts made of hostile names, run by the servers' own clients: they make what is meant, and remove it."""

import subprocess
import uuid
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbox_kit.databases.postgres import ledger, probe, rows
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.render import ddl, migration
from outbox_kit.schema.model import Outbox
from tests.live.conftest import Database
from tests.support import hostile, questions
from tests.support.servers.psql import PSQL

# what a script could leave behind, anywhere in the database or among the server's roles
OBJECTS = """
select 'relation', relname from pg_class where relnamespace > 16383 or relnamespace = 'public'::regnamespace
union all select 'schema', nspname from pg_namespace where oid > 16383 and nspname !~ '^pg_(toast_)?temp_'
union all select 'routine', proname from pg_proc where oid > 16383 and pronamespace::regnamespace::text !~ '^pg_temp'
union all select 'trigger', tgname from pg_trigger where not tgisinternal
union all select 'publication', pubname from pg_publication
union all select 'constraint', conname from pg_constraint where oid > 16383
union all select 'role', rolname from pg_roles where starts_with(rolname, current_database()) or rolname = 'pwned'
union all select 'publication of all', pubname from pg_publication where puballtables
"""
Found = set[tuple[str, str]]


def psql(dsn: str, folder: Path, *scripts: str) -> None:
    """Run scripts as a person would, one after the other; the first error ends it. What they touch is in the folder."""
    given = []
    for number, script in enumerate(scripts):
        path = folder / f"{number}.sql"
        path.write_text(script)
        given += ["-f", str(path)]
    done = subprocess.run(
        [PSQL, "-X", "-q", "-v", "ON_ERROR_STOP=1", *given, dsn], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for path in folder.glob("*.sql"):
        path.unlink()
    assert list(folder.iterdir()) == []


def objects(dsn: str) -> Found:
    with psycopg.connect(dsn) as connection:
        return set(connection.execute(OBJECTS).fetchall())


def is_meant(name: str, mark: str, outbox: Outbox) -> bool:
    """Whether an object's name is made of the schema file's: the server shortens those that it makes by itself."""
    return name.startswith((mark, outbox.service, "inbox")) or name == outbox.database.db_schema


def of_everybody_else(dsn: str, outbox: Outbox) -> None:
    """What must be there before: the table that feeds, and the application's role."""
    feed = outbox.table.source
    with psycopg.connect(dsn, autocommit=True) as connection:
        for writer in outbox.database.writers:
            connection.execute(f"create role {POSTGRES.quote_ident(writer)}")
        if feed:
            schema = POSTGRES.quote_ident(outbox.database.db_schema or "public")
            connection.execute(f"create schema if not exists {schema}")
            source, each = POSTGRES.quote_ident(feed.table), POSTGRES.quote_ident(feed.array_column or "e")
            connection.execute(f"create table {schema}.{source} ({each} json)")


def no_roles(dsn: str, found: Found, before: Found) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        for kind, name in found - before:
            if kind == "role":
                connection.execute(f"drop owned by {POSTGRES.quote_ident(name)}")
                connection.execute(f"drop role {POSTGRES.quote_ident(name)}")


@pytest.mark.parametrize(
    "more", [{}, {"retention": "partition"}, {"storage": "log"}], ids=["rows", "partitions", "log"]
)
def test_postgres_makes_and_removes_what_is_meant_and_nothing_else(
    database: Database, tmp_path: Path, more: dict[str, Any]
) -> None:
    before = objects(database.dsn)
    among = hostile.WORST if more else tuple(hostile.TEXTS)
    fields = tuple(one for one in hostile.FIELDS if one != "feed" or not more)
    try:
        for what, outbox in hostile.outboxes("postgres", database.name, fields, among, service=database.name, **more):
            of_everybody_else(database.dsn, outbox)
            psql(database.dsn, tmp_path, *[ddl.up(outbox)] * 2, *[ddl.up(outbox, ddl.INBOX)] * 2)
            made = objects(database.dsn) - before
            assert [one for one in made if not is_meant(one[1], database.name, outbox)] == [], what
            assert ("relation" if more.get("storage") != "log" else "routine", _made(outbox)) in made, what
            _canary(database.dsn, outbox)
            psql(database.dsn, tmp_path, ddl.down(outbox, ddl.INBOX), ddl.down(outbox))
            left = objects(database.dsn) - before
            assert {kind for kind, _ in left} <= {"schema", "role", "relation"}, (what, left)
            _sweep(database.dsn, outbox)
            assert objects(database.dsn) == before, what
    finally:
        no_roles(database.dsn, objects(database.dsn), before)


def _canary(dsn: str, outbox: Outbox) -> None:
    """A row by the same names, with values that a driver binds."""
    event_id = uuid.uuid4()
    probe.write_canary(dsn, outbox, event_id)
    if outbox.table.keeps_rows:
        found = {cell.name: cell.value for cell in rows.read_row(dsn, outbox, str(event_id))}
        assert found[outbox.table.columns.id] == str(event_id)
        questions.every(ledger.TableLedger(dsn, outbox), outbox, str(event_id))
    probe.remove_canary(dsn, outbox, event_id)


def _made(outbox: Outbox) -> str:
    return f"{outbox.table.name}_write" if outbox.table.storage == "log" else outbox.table.name


def _sweep(dsn: str, outbox: Outbox) -> None:
    """Take away what is not the script's to remove: the schema, the table that feeds, the application's role."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"drop schema if exists {POSTGRES.quote_ident(outbox.database.db_schema or 'x')} cascade")
        for writer in outbox.database.writers:
            connection.execute(f"drop owned by {POSTGRES.quote_ident(writer)}")
            connection.execute(f"drop role {POSTGRES.quote_ident(writer)}")


@pytest.mark.parametrize("more", [{}, {"retention": "partition"}], ids=["rows", "partitions"])
def test_a_migration_in_postgres_ends_with_the_new_names_alone(
    database: Database, tmp_path: Path, more: dict[str, Any]
) -> None:
    before = objects(database.dsn)
    try:
        for what, old, new in hostile.pairs("postgres", database.name, hostile.WORST, service=database.name, **more):
            of_everybody_else(database.dsn, old)
            of_everybody_else(database.dsn, new)
            psql(database.dsn, tmp_path, ddl.up(old), migration.script(old, new, destructive=True), ddl.up(new))
            made = {one for one in objects(database.dsn) - before if one[0] != "role"}
            assert [one for one in made if not is_meant(one[1], f"{database.name}h", new)] == [], what
            psql(database.dsn, tmp_path, ddl.down(new))
            _sweep(database.dsn, old)
            _sweep(database.dsn, new)
            assert {one for one in objects(database.dsn) - before if one[0] != "role"} == set(), what
    finally:
        no_roles(database.dsn, objects(database.dsn), before)
