"""An outbox without a table: events in PostgreSQL's log alone, by the generated procedure, on the real connector."""

import json
import sys
import uuid
from pathlib import Path

import psycopg
import pytest
import requests

from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.support.toolchain import run
from tests.support.waiting import until

LOG = """
table: {storage: log, extra: [{name: tenant, required: false}, {name: shard, kind: integer, to: partition}]}
cloudevents: {}
"""
WRITE = "call outbox_write(%s, 'Order', %s, %s, %s, %s, %s)"  # id, aggregate's id, type, payload, shard, tenant
PROGRAM = """
import os
import psycopg
from box import events, outbox

with psycopg.connect(os.environ["DSN"]) as connection:
    outbox.publish(connection, "7", events.OrderPaid({}), shard=3)
"""


@pytest.mark.parametrize("outbox", [LOG], indirect=True)
def test_what_commits_arrives_and_what_rolls_back_never_was(
    stack: Stack, database: Database, kit: Kit, outbox: str, tmp_path: Path
) -> None:
    def event(n: int) -> tuple[object, ...]:
        return uuid.uuid4(), str(n % 7), "OrderPlaced", f'{{"n":  {n}, "ü": "\\u2603"}}', n % 7 % 6, "eu"

    with psycopg.connect(database.dsn) as connection:
        for n in range(300):
            connection.execute(WRITE, event(n))
            if n % 10 == 0:
                with connection.transaction(force_rollback=True):
                    connection.execute(WRITE, event(n))
            if n % 20 == 0:
                connection.commit()
            if n == 150:
                restart = f"{stack.connect_url}/connectors/{outbox}-outbox/restart?includeTasks=true"
                assert requests.post(restart, timeout=120).ok
        connection.commit()
        connection.execute(WRITE, event(1))
        connection.rollback()
        for bad, complaint in (("Typo", "event_is_declared"), (None, "'type' of an event is null")):
            with pytest.raises(psycopg.errors.IntegrityError, match=complaint), connection.transaction():
                connection.execute(WRITE, (uuid.uuid4(), "7", bad, "{}", 0, None))
    kit("gen-code", "python-psycopg", "--out", "box")
    (tmp_path / "program.py").write_text(PROGRAM)
    run(sys.executable, "program.py", folder=tmp_path, DSN=database.dsn)

    report = json.loads(kit("verify", "--format", "json").stdout)
    assert report["verdict"] == "pass"
    assert {finding["id"] for finding in report["findings"]} <= {
        "RUN-11",
        "DUP-01",
        "DUP-02",
    }  # a restart may send again
    assert sum(topic["messages"] for topic in report["topics"]) >= 301
    assert kit("gen-ddl", "--apply").stdout == ""


@pytest.mark.parametrize("outbox", ["table: {storage: log}\n"], indirect=True)
def test_a_changed_contract_is_a_changed_procedure_and_what_is_under_way_is_waited_for(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    file = Path("outbox.yaml")
    file.write_text(file.read_text().replace("storage: log", "storage: log, extra: [{name: tenant}]"))
    changed = kit("gen-ddl", "--apply").stdout
    assert "- procedure outbox_write" in changed
    assert "+ procedure outbox_write" in changed
    kit("deploy-connector", "--yes", "--stable-for", "0", "--allow-destructive")
    connector = f"{stack.connect_url}/connectors/{outbox}-outbox"
    assert requests.put(f"{connector}/pause", timeout=120).ok
    until(
        lambda: {one["state"] for one in requests.get(f"{connector}/status", timeout=120).json()["tasks"]} == {"PAUSED"}
    )
    with psycopg.connect(database.dsn) as connection:
        connection.execute(
            "call outbox_write(id => %s, aggregatetype => 'Order', aggregateid => '7', type => 'OrderPaid', "
            "payload => '{}', tenant => 'eu')",
            (uuid.uuid4(),),
        )
    late = json.loads(kit("verify", "--format", "json", "--catch-up-timeout", "1", "--connect", "", code=3).stdout)
    assert {finding["id"] for finding in late["findings"]} == {"RUN-06", "RUN-08", "RUN-10", "RUN-11"}
    assert f"replication slot '{outbox}_outbox' has " in late["notes"][0]
    assert requests.put(f"{connector}/resume", timeout=120).ok
    report = json.loads(kit("verify", "--format", "json").stdout)
    assert (report["verdict"], report["counts"]["events"]) == ("pass", 1)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ("table: {storage: log, payload: bytes}", "a log-only outbox stores JSON"),
        ("table: {storage: log}\nconnect: {debezium: '3.5'}", "before Debezium 3.6"),
        ("table: {storage: log}\ndatabase: {dialect: mysql}", "MySQL has no logical decoding messages"),
    ],
)
def test_what_the_log_cannot_hold(kit: Kit, more: str, complaint: str) -> None:
    base = "service: x\nevents: [{type: A, aggregate: B}]\n"
    known = "" if "database:" in more else "database: {dialect: postgres}\n"
    Path("outbox.yaml").write_text(base + known + more)
    assert complaint in kit("check", code=2).stderr
