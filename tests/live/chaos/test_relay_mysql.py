"""Relays of MySQL or MariaDB are killed and frozen; the broker is frozen, the database is frozen and killed.

The seed of the random cases chooses the database and how a published row is recorded.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pymysql
import pytest

from outbox_kit.stack import Stack
from tests.live.chaos.written import LONG_RELAYS, LONG_WRITERS, PAUSE_SECONDS, WRITERS, transaction
from tests.support.cli import invoke
from tests.support.frozen import freeze
from tests.support.servers import SERVERS
from tests.support.servers.mysql import MySql
from tests.support.threads import beside
from tests.support.waiting import PATIENT_SECONDS, until

SECONDS, RELAYS = 7, 2
FILE = """
service: {name}
database: {{dialect: {dialect}, port: {port}}}
routing: {{topic: "{{service}}.{{aggregate}}"}}
delivery: {{by: relay, record: {record}}}
events:
  - {{type: OrderPlaced, aggregate: Order}}
"""
OWN = "select id from information_schema.processlist where db = %s and user = 'boss' and id <> connection_id()"
EXPIRE = "update outbox_member set lease_until = utc_timestamp(6)"  # of the relays, which have all been killed
SCRIPT = """
create table aggregate (id int primary key, version int not null);
insert into aggregate with recursive n as (select 0 as id union all select id + 1 from n where id < 39)
select id, 0 from n;
"""
KEPT = """
create table written like outbox;
create trigger keep after insert on outbox for each row insert into written values (
    new.id, new.aggregatetype, new.aggregateid, new.type, new.payload, new.sequence, new.created_at);
"""


def chosen(seed: int) -> tuple[str, str]:
    """The database, and how a published row is recorded."""
    chance = random.Random(seed)
    return chance.choice(("mariadb", "mysql")), chance.choice(("delete", "mark"))


@pytest.fixture(scope="module")
def server(pytestconfig: pytest.Config) -> Iterator[MySql]:
    with SERVERS[chosen(pytestconfig.getoption("--case-seed"))[0]]() as own:
        assert isinstance(own, MySql)
        yield own


def writer(server: MySql, name: str, seed: int, ended: threading.Event) -> None:
    """Transactions that lock their aggregates before they write: late commits, rollbacks, savepoints."""
    chance = random.Random(seed)
    while not ended.is_set():
        with suppress(pymysql.Error), server.connection("application", name) as connection:
            while not ended.is_set():
                transaction(connection, chance)
                time.sleep(chance.uniform(0, PAUSE_SECONDS))


@contextmanager
def relay(environment: Mapping[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A relay's process."""
    with log.open("a") as output:
        command = [sys.executable, "-m", "outbox_kit", "relay"]
        process = subprocess.Popen(command, env={**os.environ, **environment}, stderr=output)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
            process.wait(PATIENT_SECONDS)


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    freeze(pid)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def disturb(
    stack: Stack,
    server: MySql,
    name: str,
    environment: Mapping[str, str],
    chance: random.Random,
    log: Path,
    seconds: int | None,
) -> None:
    """Kill, freeze and stop relays, freeze the broker and the database, and kill the database, for a while."""
    count = RELAYS if seconds is None else LONG_RELAYS
    with ExitStack() as block:
        start = lambda: block.enter_context(relay(environment, log))  # noqa: E731
        relays, began = [start() for _ in range(count)], time.monotonic()
        until_end, crash_at = began + (seconds or SECONDS), began + (seconds or SECONDS) / 2
        while time.monotonic() < until_end:
            if time.monotonic() > crash_at:
                server.crash()
                crash_at = until_end
            pids = {"kafka": stack.processes["kafka"].pid, "database": server.pid}
            time.sleep(chance.uniform(0.5, 1.5))
            victim, kind = (
                chance.randrange(count),
                chance.choice(("kill", "stop", "freeze", "kafka", "database", "end")),
            )
            if kind in ("kill", "stop"):
                relays[victim].kill() if kind == "kill" else relays[victim].terminate()
                relays[victim] = start()
            elif kind == "end":  # the database ends the relays' connections
                for (number,) in server.ask(OWN, name):
                    with suppress(pymysql.Error):
                        server.ask(f"kill {number}")
            else:
                with frozen(pids.get(kind, relays[victim].pid)):
                    time.sleep(chance.uniform(0.2, 2.0))


@pytest.mark.random
def test_nothing_is_lost_and_the_order_holds(
    stack: Stack, server: MySql, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.chdir(tmp_path)
    seed, name = pytestconfig.getoption("--case-seed"), f"t{uuid.uuid4().hex[:8]}"
    record = chosen(seed)[1]
    environment = {**stack.environment("postgres"), **server.environment(name)}
    chance = random.Random(seed)

    def kit(*arguments: str, code: int | None = 0) -> Any:
        return invoke(*arguments, code=code, environment=environment, patient=True)

    server.survive_crashes()
    server.create(name)
    Path("outbox.yaml").write_text(FILE.format(name=name, dialect=server.dialect, port=server.port, record=record))
    kit("gen-ddl", "--apply")
    server.ask(SCRIPT + (KEPT if record == "delete" else ""), database=name)
    server.ask(f"grant all on {name}.* to application")
    seconds = pytestconfig.getoption("--chaos")
    count = WRITERS if seconds is None else LONG_WRITERS
    with beside(lambda number, ended: writer(server, name, seed + number, ended), count):
        disturb(stack, server, name, environment, chance, tmp_path / "relay.log", seconds)
    server.ask(EXPIRE, database=name)
    until(lambda: kit("relay", "--once", code=None).exit_code == 0, "nothing waits")
    unpublished = "" if record == "delete" else " where published_at is null"
    assert server.ask(f"select count(*) from {name}.outbox{unpublished}") == [(0,)]
    assert server.ask(f"select count(*) from {name}.outbox_failure") == [(0,)]
    assert "deadlock" not in (tmp_path / "relay.log").read_text().lower()
    copies = {"DUP-01", "DUP-02", "ORD-04"}  # those of a frozen relay have the times when it had read them
    if record == "delete":
        deleted = json.loads(kit("verify", "--format", "json", code=None).stdout)
        assert {finding["id"] for finding in deleted["findings"]} <= {*copies, "RUN-11"}
        server.ask(f"drop trigger {name}.keep; insert into {name}.outbox select * from {name}.written")
    verdict = json.loads(kit("verify", "--format", "json", "--catch-up-timeout", "10", code=None).stdout)
    findings = {finding["id"]: finding for finding in verdict["findings"]}
    assert findings.keys() <= {*copies, "RUN-10"}, findings
    assert verdict["counts"]["distinct"] == verdict["counts"]["outbox_rows"] > 200
    server.drop(name)
