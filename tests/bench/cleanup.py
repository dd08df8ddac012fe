"""`python -m tests.bench.cleanup`: partitions that are dropped, against rows that are deleted in batches.

Both tables have the same rows, of which a replication slot proves that they are published. Writers insert one event in
each transaction, before and during the cleanup. The command is measured as a process, with the proof of every row.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.support.cli import invoke
from tests.support.servers.postgres import Postgres, postgres

SCHEMA = """
service: {name}
database: {{dialect: postgres, port: {port}}}
events: [{{type: OrderPlaced, aggregate: Order}}]
delivery: {{by: relay}}
table: {{retention: {retention}}}
"""
INSERT = """
insert into outbox (id, aggregatetype, aggregateid, type, payload)
values (gen_random_uuid(), 'Order', '1', 'OrderPlaced', '{}')
"""
FILL = """
insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at)
select gen_random_uuid(), 'Order', (n %% 1000)::text, 'OrderPlaced',
       json_build_object('n', n, 'note', repeat('x', 100)),
       date_trunc('day', now() at time zone 'utc') at time zone 'utc' - make_interval(days => %s) + interval '1 hour'
from generate_series(1, %s) n
"""
DAYS = 5
PAUSE_SECONDS = 0.002


@dataclass(frozen=True)
class Cleaned:
    """One cleanup beside writers."""

    seconds: float
    before: float
    """Of the writers, the 99th percentile of an insert in ms."""
    during: float
    wal: int
    dead: int


@contextmanager
def writers(dsn: str, count: int) -> Iterator[list[tuple[float, float]]]:
    """Inserts of several sessions: when each began, and its seconds."""
    ended, inserts = threading.Event(), list[tuple[float, float]]()

    def write() -> None:
        with psycopg.connect(dsn, autocommit=True) as connection:
            while not ended.is_set():
                began = time.perf_counter()
                connection.execute(INSERT.encode())
                inserts.append((began, time.perf_counter() - began))
                time.sleep(PAUSE_SECONDS)

    threads = [threading.Thread(target=write) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield inserts
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def filled(server: Postgres, name: str, retention: str, rows: int) -> dict[str, str]:
    """An outbox with old rows that are published; the environment of a command in the present folder."""
    server.create(name)
    environment = {**server.environment(name), "OUTBOX_DB_PASSWORD": "of-a-bench"}
    Path("outbox.yaml").write_text(SCHEMA.format(name=name, port=server.port, retention=retention))
    invoke("gen-ddl", "--apply", environment=environment)

    def ask(statement: str, *values: Any) -> list[Any]:
        return server.ask(statement, *values, database=name)

    for ago in range(10, 10 + DAYS):
        if retention == "partition":
            ((day, following),) = ask("select current_date - %s, current_date - %s", ago, ago - 1)
            bounds = f"from ('{day} 00:00+00') to ('{following} 00:00+00')"
            ask(f"create table outbox_{day:%Y%m%d} partition of outbox for values {bounds}")
        ask(FILL, ago, rows // DAYS)
    ask("select pg_create_logical_replication_slot(%s, 'pgoutput')", f"{name}_outbox")
    for _ in range(4):
        ask("select pg_logical_emit_message(true, 'bench', '')")
        ask("select pg_log_standby_snapshot()")
        ask("select pg_replication_slot_advance(%s, pg_current_wal_insert_lsn())", f"{name}_outbox")
    ask("vacuum analyze outbox")
    ask("checkpoint")
    return environment


def cleaned(server: Postgres, retention: str, rows: int, count: int, pause: float) -> Cleaned:
    """Fill a table, let writers write, and run the command beside them."""
    name = f"bench_{retention}"
    environment = filled(server, name, retention, rows)
    command = [sys.executable, "-m", "outbox_kit", "cleanup", "--pause", str(pause), "--format", "json"]
    wal = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
    with writers(environment["OUTBOX_KIT_DSN"], count) as inserts:
        time.sleep(10)
        inserts_before = [seconds for _, seconds in inserts[len(inserts) // 5 :]]
        ((wal_before,),) = server.ask(wal)
        began = time.perf_counter()
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - began
        ((wal_after,),) = server.ask(wal)
        during = [taken for start, taken in inserts if start > began]
    result = json.loads(done.stdout)
    dropped = sum(each["state"] == "dropped" for each in result["partitions"])
    assert result["deleted"] == (rows if retention == "delete" else 0) and dropped in (0, DAYS), result
    return Cleaned(seconds, p99(inserts_before), p99(during), wal_after - wal_before, result["after"]["dead_rows"])


def p99(seconds: list[float]) -> float:
    """The 99th percentile in ms."""
    return statistics.quantiles(seconds, n=100)[-1] * 1000


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--pause", type=float, default=0.1)
    arguments = parser.parse_args()
    with postgres("18") as server, tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        results = {
            retention: cleaned(server, retention, arguments.rows, arguments.writers, arguments.pause)
            for retention in ("delete", "partition")
        }
    for retention, result in results.items():
        rows = arguments.rows
        print(
            f"{retention}: {rows:,} rows in {result.seconds:.1f} s ({rows / result.seconds:,.0f} a second), "
            f"{result.wal / rows:.0f} bytes of WAL a row, {result.dead:,} dead rows; p99 of writers "
            f"{result.before:.1f} ms before, {result.during:.1f} ms beside it, "
            f"{result.during / result.before:.2f} times as long"
        )
    ratio = results["delete"].seconds / results["partition"].seconds
    print(f"partitions are dropped {ratio:.0f} times as fast as their rows are deleted in batches")


if __name__ == "__main__":
    main()
