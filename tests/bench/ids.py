"""`python -m tests.bench.ids`: rows and messages of each kind of id, with lost, made-up and cleaned-up ones among them.

Each kind runs in a process of its own, so that its time and its peak of memory are its own. Printed: seconds against
those of random ids, the peak of memory, and whether all findings are exact. --dsn names another database than the
stack's PostgreSQL: mysql://user@host:port/name, its password in MYSQL_PWD.
"""

import argparse
import itertools
import json
import resource
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
from confluent_kafka.admin import AdminClient

from outbox_kit.databases.mysql.session import session
from outbox_kit.kafka.read import Cluster
from outbox_kit.verify.run import Verification
from tests.bench.pipeline import stack
from tests.support.deliveries import StandIn
from tests.support.ids import KINDS
from tests.support.load import KEYS, Event, send
from tests.support.losses import KEPT_S, headers, outbox_of
from tests.support.request import request_of

COLUMN = {
    "postgres": {"uuid": "uuid", "bigint": "bigint", "text": "text"},
    "mysql": {"uuid": "char(36)", "bigint": "bigint", "text": "char(26)"},
}
Row = tuple[str, str, str, int, int]  # id, key, payload, sequence, and how many seconds ago it was written


def in_postgres(dsn: str, table: str, column: str, rows: Iterator[Row]) -> None:
    columns = "aggregatetype text, aggregateid text, type text, payload json, sequence bigint, written timestamptz"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"create table {table} (id {column} primary key, {columns})".encode())
        connection.execute("set timezone = 'UTC'")
        now = int(time.time())
        with connection.cursor().copy(f"copy {table} from stdin".encode()) as copy:
            for event_id, key, payload, sequence, ago in rows:
                at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now - ago))
                copy.write_row((event_id, "Order", key, "OrderPlaced", payload, sequence, at))
        connection.execute(f"analyze {table}".encode())


def in_mysql(dsn: str, table: str, column: str, rows: Iterator[Row]) -> None:
    columns = "aggregatetype varchar(50), aggregateid varchar(50), type varchar(50), payload longtext"
    with session(dsn, seconds=600) as cursor:
        cursor.execute(
            f"create table {table} (id {column} primary key, {columns}, sequence bigint, written datetime(6))"
        )
        written = "utc_timestamp(6) - interval %s second"
        insert = f"insert into {table} values (%s, 'Order', %s, 'OrderPlaced', %s, %s, {written})"
        while batch := list(itertools.islice(rows, 5000)):
            cursor.executemany(insert, batch)
            cursor.connection.commit()


def events(rows: Iterator[Row]) -> Iterator[Event]:
    """The messages of rows."""
    now = int(time.time() * 1000)
    for event_id, key, payload, sequence, ago in rows:
        yield key.encode(), payload.encode(), headers(event_id, sequence), now - ago * 1000


def one(kind: str, given: argparse.Namespace) -> dict[str, Any]:
    """Write, publish and verify rows with ids of a kind; what came of it."""
    each, count = given.rows // 1000, given.rows
    name = f"bench_{uuid.uuid4().hex[:6]}"
    dialect = given.dsn.partition(":")[0] if "://" in given.dsn else "postgres"
    outbox = outbox_of(dialect, given.dsn.rpartition("/")[2] if "://" in given.dsn else "postgres", kind, name)
    column = COLUMN["postgres" if dialect == "postgres" else "mysql"][outbox.table.ids]
    column = "text" if dialect == "postgres" and kind == "upper case" else column

    def rows() -> Iterator[Row]:
        for n, event_id in enumerate(itertools.islice(KINDS[kind](), count + each)):
            there = n < count
            ago = KEPT_S - KEPT_S * n // count if there else 0
            yield event_id.decode(), str(n % KEYS), f'{{"n": {n}}}', n if there else n - each, ago

    put = in_postgres if dialect == "postgres" else in_mysql
    put(given.dsn, name, column, itertools.islice(rows(), each, count))
    lost = range(2 * each, 3 * each)
    send(given.bootstrap, name, events(row for n, row in enumerate(rows()) if n not in lost))
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    request = request_of(
        outbox, Cluster(given.bootstrap), given.dsn, timeout=3600, max_samples=10 * each, delivery=StandIn()
    )
    report = Verification(request, lambda _: None).run()
    seconds, peak = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts = {one.id: one.count for one in report.findings if one.id in ("LOS-01", "LOS-03", "LOS-07", "PAY-12")}
    exact = counts == {"LOS-01": each, "LOS-03": each, "LOS-07": each}
    admin = AdminClient({"bootstrap.servers": given.bootstrap})
    admin.delete_topics([name])[name].result()
    return {"seconds": seconds, "before": before, "peak": peak, "exact": exact, "counts": counts}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--dsn", default="")
    parser.add_argument("--bootstrap", default="")
    parser.add_argument("--one", default="")
    given = parser.parse_args(arguments)
    if given.one:
        print(json.dumps(one(given.one, given)))
        return
    with stack() as endpoints:
        dsn, base = given.dsn or endpoints.dsn("postgres"), 0.0
        for kind in given.kinds.split(","):
            told = ["--rows", str(given.rows), "--dsn", dsn, "--bootstrap", endpoints.bootstrap, "--one", kind]
            done = subprocess.run([sys.executable, "-m", "tests.bench.ids", *told], stdout=subprocess.PIPE, check=True)
            found = json.loads(done.stdout)
            base = base or found["seconds"]
            print(
                f"{kind:<12} {found['seconds']:6.1f} s, {found['seconds'] / base:.2f} of the first; "
                f"{found['peak'] / 1024:.0f} MiB at the peak, {found['before'] / 1024:.0f} before; "
                f"{'exact' if found['exact'] else found['counts']}",
                flush=True,
            )


if __name__ == "__main__":
    main()
