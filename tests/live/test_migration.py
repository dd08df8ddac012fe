"""A migration while events are written, captured and verified: no event is lost."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg

from tests.live.conftest import Database, Kit
from tests.support.servers.psql import PSQL


def run(database: Database, script: str) -> None:
    """As a person would, with psql: each statement in a transaction of its own."""
    command = [PSQL, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database.dsn, "-f", "-"]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


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
    kit("deploy-connector", "--yes", "--stable-for", "0", "--allow-destructive")
    run(database, of(outbox, 10, "body, tenant", "'{}', 't'") + kit(*step, "contract").stdout)
    run(database, of(outbox, 10, "body, tenant", "'{}', 't'"))
    report = json.loads(kit("verify", "--format", "json", code=1).stdout)
    # of what was sent before there was a tenant, and is not as its row is now
    assert {one["id"] for one in report["findings"]} == {"HDR-01", "HDR-06"}
