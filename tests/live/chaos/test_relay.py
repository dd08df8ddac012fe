"""Relays that are killed and frozen while a broker and a database are frozen too: nothing is lost, the order holds."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest

from outbox_kit.stack import Stack
from tests.live.chaos.written import LONG_RELAYS, LONG_WRITERS, PAUSE_SECONDS, WRITERS, transaction
from tests.live.conftest import Database, Kit, made
from tests.support import slots
from tests.support.threads import beside
from tests.support.waiting import PATIENT_SECONDS, until

END = (
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'outbox-kit%%' and datname = %s"
)
EXPIRE = "update outbox_member set lease_until = clock_timestamp()"  # of the relays, which have all been killed
RECORDS = ("position", "delete", "mark")
DELIVERIES = {
    "log": "delivery: {by: relay}\n",
    **{record: f"delivery: {{by: relay, source: table, record: {record}}}\n" for record in RECORDS},
    "exactly-once": "delivery: {by: relay}\ndelivery_guarantee: exactly-once\n",
}
SECONDS, RELAYS = 10, 2


def writer(database: Database, number: int, seed: int, ended: threading.Event) -> None:
    """Transactions that lock their aggregates before they write: late commits, rollbacks, savepoints."""
    chance = random.Random(seed + number)
    while not ended.is_set():
        try:
            with psycopg.connect(database.dsn, connect_timeout=5) as connection:
                while not ended.is_set():
                    transaction(connection, chance)
                    time.sleep(chance.uniform(0, PAUSE_SECONDS))
        except psycopg.OperationalError:
            time.sleep(0.1)


@contextmanager
def relay(stack: Stack, database: Database, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A relay's process."""
    environment = {**os.environ, **stack.environment(database.name)}
    with log.open("a") as output:
        command = [sys.executable, "-m", "outbox_kit", "relay"]
        process = subprocess.Popen(command, env=environment, stderr=output)
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
            process.wait(PATIENT_SECONDS)


def disturb(stack: Stack, database: Database, chance: random.Random, folder: Path, seconds: int | None) -> None:
    """Kill and freeze relays, and freeze the broker and the database, for a while."""
    count = RELAYS if seconds is None else LONG_RELAYS
    with ExitStack() as block:
        start = lambda: block.enter_context(relay(stack, database, folder / "relay.log"))  # noqa: E731
        relays, until_end = [start() for _ in range(count)], time.monotonic() + (seconds or SECONDS)
        while time.monotonic() < until_end:
            time.sleep(chance.uniform(0.5, 1.5))
            victim, kind = chance.randrange(count), chance.choice(("kill", "freeze", "kafka", "postgres", "stop"))
            if kind == "kill":
                relays[victim].kill()
                relays[victim] = start()
            elif kind == "stop":
                relays[victim].terminate()
                relays[victim] = start()
            elif kind == "freeze":
                relays[victim].send_signal(signal.SIGSTOP)
                time.sleep(chance.uniform(0.2, 2.0))
                relays[victim].send_signal(signal.SIGCONT)
            elif kind == "kafka":
                os.kill(stack.processes["kafka"].pid, signal.SIGSTOP)
                time.sleep(chance.uniform(0.2, 2.0))
                os.kill(stack.processes["kafka"].pid, signal.SIGCONT)
            else:  # the database ends the relays' connections
                with psycopg.connect(database.dsn, autocommit=True) as connection:
                    connection.execute(END, (database.name,))


@pytest.mark.random
@pytest.mark.parametrize("kind", DELIVERIES)
def test_nothing_is_lost_and_the_order_holds(
    stack: Stack, database: Database, kit: Kit, tmp_path: Path, kind: str, pytestconfig: pytest.Config
) -> None:
    seed = pytestconfig.getoption("--case-seed")
    chance = random.Random(seed)
    with (
        made(stack, database, kit, DELIVERIES[kind]) as service,
        psycopg.connect(database.dsn, autocommit=True) as rows,
    ):
        rows.execute("create table aggregate (id int primary key, version int not null)")
        rows.execute("insert into aggregate select n, 0 from generate_series(0, 39) n")
        if kind == "delete":  # what is published is gone: the rows that were committed are kept elsewhere
            rows.execute("create table written (like outbox)")
            rows.execute(
                "create function keep() returns trigger language plpgsql as "
                "$$ begin insert into written select new.*; return null; end $$"
            )
            rows.execute("create trigger keep after insert on outbox for each row execute function keep()")
        if kind == "exactly-once":  # the first read of a table is repeated if it is interrupted
            kit("relay", "--once")
        seconds = pytestconfig.getoption("--chaos")
        count = WRITERS if seconds is None else LONG_WRITERS
        with beside(lambda number, ended: writer(database, number, seed, ended), count):
            disturb(stack, database, chance, tmp_path, seconds)
        if kind in RECORDS:
            rows.execute(EXPIRE)
        # what failed while the broker was frozen is sent after a pause
        until(lambda: kit("relay", "--once", code=None).exit_code == 0, "nothing waits", 120)
        judge(kit, rows, kind)
        slots.drop(rows, f"{service}_outbox")


def judge(kit: Kit, rows: psycopg.Connection, kind: str) -> None:
    assert rows.execute("select count(*) from outbox_failure").fetchone() == (0,)
    if kind == "delete":
        assert rows.execute("select count(*) from outbox").fetchone() == (0,)
        rows.execute("insert into outbox overriding system value select * from written")
    verdict = json.loads(kit("verify", "--format", "json", "--catch-up-timeout", "10", code=None).stdout)
    findings = {finding["id"]: finding for finding in verdict["findings"]}
    copies = {"DUP-01", "DUP-02", "ORD-04", "RUN-10"}  # those of a frozen relay have the times when it had read them
    expected = {"RUN-05", "RUN-10"} if kind == "exactly-once" else copies
    assert findings.keys() <= expected, findings
    assert verdict["counts"]["distinct"] == verdict["counts"]["outbox_rows"] > 200
