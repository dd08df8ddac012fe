"""`python -m tests.bench.table`: the numbers of a table's rows, computed by PostgreSQL in one pass.

The rows are made by the server. The baseline is a pass that reads the same columns and hashes nothing. The peak of
memory is this process's: the rows do not leave the server.
"""

import argparse
import resource
import time
import uuid

import psycopg

from outbox_kit.databases.postgres.ledger import TableLedger
from outbox_kit.wire.copies import copies
from tests.bench.pipeline import stack
from tests.support.losses import outbox_of

SECONDS = 4 * 3600.0
AT_ONCE = 5_000_000  # rows in one transaction
COLUMNS = "aggregatetype text, aggregateid text, type text, payload json, sequence bigint, written timestamptz"
ROWS = (
    "insert into {} select gen_random_uuid(), 'Order', (n % 100000)::text, 'OrderPlaced', "
    "json_build_object('n', n, 'note', repeat('x', 40)), n, now() from generate_series({}, {}) n"
)
BARE = "select count(*), sum(length(id::text) + length(aggregateid) + length(type) + length(payload::text)) from {}"


def fill(connection: psycopg.Connection[tuple[object, ...]], table: str, count: int) -> None:
    connection.execute(f"create unlogged table {table} (id uuid, {COLUMNS})".encode())  # no index is read
    for first in range(0, count, AT_ONCE):
        connection.execute(ROWS.format(table, first, min(first + AT_ONCE, count) - 1).encode())
    connection.execute(f"vacuum analyze {table}".encode())


def main() -> None:
    """Print the seconds of one pass of each kind, their ratio, and the peak of memory."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=10_000_000)
    rows, table = arguments.parse_args().rows, f"bench_{uuid.uuid4().hex[:6]}"
    with stack() as endpoints, psycopg.connect(endpoints.dsn("postgres"), autocommit=True) as connection:
        try:
            fill(connection, table, rows)
            outbox = outbox_of("postgres", "postgres", "random", table)
            ledger = TableLedger(endpoints.dsn("postgres"), outbox)
            held = ledger.comparable_parts(copies(outbox), SECONDS)
            began = time.perf_counter()
            connection.execute(BARE.format(table).encode()).fetchone()
            bare = time.perf_counter() - began
            before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
            snapshot = ledger.snapshot(held.digested, SECONDS)
            seconds, peak = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        finally:
            connection.execute(f"drop table if exists {table}".encode())
    assert snapshot.rows == rows
    print(
        f"{rows:,} rows: {seconds:.1f} s, {rows / seconds:,.0f}/s; {seconds / bare:.2f} of a pass that hashes nothing"
    )
    print(f"parts: {', '.join(part.name or part.place for part in held.digested)}", end="; ")
    print(f"{peak / 1024:.0f} MiB at the peak, {before / 1024:.0f} MiB before")


if __name__ == "__main__":
    main()
