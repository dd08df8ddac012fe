"""`python -m tests.bench.relay_load`: what a relay that reads the table costs the database, and what slows it down.

Four comparisons, each with its baseline in the same run: claiming and reading a long and a short backlog; 2,000 rows a
second while a REPEATABLE READ transaction is open, beside a SKIP LOCKED loop; commits with and without wake-ups; the
latency with wake-ups, and a process at rest.
"""

import argparse
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from typing import Any

import psycopg
from confluent_kafka import Consumer

from outbox_kit.databases import servers
from outbox_kit.databases.polling import Lane, Position
from tests.bench.pipeline import Endpoints, stack
from tests.bench.relay_process import Bench, bench

INSERT = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
values (gen_random_uuid(), 'Order', %s, 'OrderPlaced', '{"orderId": 1}')"""
SOME = """insert into {} (id, aggregatetype, aggregateid, type, payload)
select gen_random_uuid(), 'Order', n::text, 'OrderPlaced', '{{"orderId": 1}}' from generate_series(1, 20) n"""
LOOP = """
create table queue (sequence bigint generated always as identity primary key, id uuid, aggregatetype text,
    aggregateid text, type text, payload json, status text not null default 'pending');
create index on queue (status, sequence)
"""
CLAIM = "select sequence from queue where status = 'pending' order by sequence limit 500 for update skip locked"
DEAD = "select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables where relname = any (%s)"
COMMITS = "select xact_commit from pg_stat_database where datname = current_database()"
CONNECTIONS = 4
TURN_SECONDS = 0.2
ROLES = b"set session_replication_role = replica", b"reset session_replication_role"
"""Triggers are off, and on."""


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def backlogs(endpoints: Endpoints, rows: int, keys: int) -> None:
    """Claim all lanes and read a batch of 1,000 pending rows, and of many."""
    seconds = {}
    for count, different in ((1000, 100), (rows, keys)):
        with bench(endpoints) as own:
            own.fill(count, different)
            polled = servers.get("postgres").polled
            assert polled is not None
            claims, reads = [], []
            for _ in range(5):
                table = polled(own.dsn, own.outbox)
                table.open(60)
                taken: list[tuple[Lane, Position]] = []
                claims.append(timed(lambda: taken.extend(table.claim(16))))  # noqa: B023
                lanes = [lane for lane, _ in taken]
                reads.append(timed(lambda: table.read(lanes, taken[0][1], 1000)))  # noqa: B023
                reads.append(timed(lambda: table.read(lanes[:8], taken[0][1], 1000)))  # noqa: B023
                table.close()
            seconds[count] = statistics.median(claims) + statistics.median(reads)
    print(
        f"backlog: to claim lanes and read 1,000 rows of {rows:,} with {keys:,} keys takes "
        f"{seconds[rows] / seconds[1000]:.2f} times as long as of 1,000 ({seconds[1000] * 1000:.0f} ms)",
        flush=True,
    )


@contextmanager
def written(dsn: str, table: str) -> Iterator[None]:
    """2,000 rows a second, 20 in each transaction, for the length of a block."""
    ended = threading.Event()

    def write() -> None:
        with psycopg.connect(dsn, autocommit=True) as connection:
            due = time.perf_counter()
            while not ended.is_set():
                connection.execute(SOME.format(table).encode())
                due += 0.01
                time.sleep(max(0.0, due - time.perf_counter()))

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def looping(dsn: str, done: list[int]) -> Iterator[None]:
    """A loop that claims, publishes nothing and marks 500 rows at once."""
    ended = threading.Event()

    def loop() -> None:
        with psycopg.connect(dsn) as connection:
            while not ended.is_set():
                rows = [sequence for (sequence,) in connection.execute(CLAIM)]
                connection.execute("update queue set status = 'sent' where sequence = any (%s)", (rows,))
                connection.commit()
                done.append(len(rows))
                time.sleep(0 if rows else 0.01)

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def held(dsn: str) -> Iterator[None]:
    """An open transaction that has read, so that no row that dies afterwards can be removed."""
    with psycopg.connect(dsn) as connection:
        connection.execute("set transaction isolation level repeatable read")
        connection.execute("select count(*) from outbox")
        yield


def progress(own: Bench, kind: str, seconds: float, *, is_held: bool) -> tuple[float, int]:
    """Events a second of the relay or of the loop while rows are written, and the dead rows of its tables."""
    tables = {"relay": ["outbox", own.outbox.names.lane_table], "loop": ["queue"]}[kind]
    done: list[int] = []
    count: Callable[[], int] = own.arrived if kind == "relay" else lambda: sum(done)
    with ExitStack() as block:
        connection = block.enter_context(psycopg.connect(own.dsn, autocommit=True))
        block.enter_context(written(own.dsn, tables[0]))
        block.enter_context(own.relay() if kind == "relay" else looping(own.dsn, done))
        time.sleep(4)
        if is_held:
            block.enter_context(held(own.dsn))
        before, began = count(), time.perf_counter()
        time.sleep(seconds)
        rate = (count() - before) / (time.perf_counter() - began)
        time.sleep(1.2)
        (dead,) = connection.execute(DEAD, (tables,)).fetchone() or (0,)
    return rate, dead


def pinned(endpoints: Endpoints, seconds: float) -> None:
    """2,000 rows a second, without and with an open transaction, for the relay and for the loop."""
    words = []
    with bench(endpoints) as own:
        own.run(LOOP)
        for kind in ("relay", "loop"):
            free, _ = progress(own, kind, seconds / 4, is_held=False)
            rate, dead = progress(own, kind, seconds, is_held=True)
            words.append(f"{kind} {rate / free:.2f} of its rate and {dead:,} dead rows")
    print(f"a REPEATABLE READ transaction open for {seconds:.0f} s at 2,000 rows/s: {'; '.join(words)}", flush=True)


def commits(endpoints: Endpoints, seconds: float) -> None:
    """1,000 single commits a second, a relay running: the trigger that wakes relays is on and off by turns.

    The turns are short, so that what else the machine does concerns both.
    """
    with bench(endpoints) as own, own.relay(), psycopg.connect(own.dsn, autocommit=True) as listener:
        listener.execute(f"listen {own.outbox.names.lane_table}".encode())
        with get_context("spawn").Pool(CONNECTIONS) as pool:
            parts = pool.starmap(commit, [(own.dsn, time.time() + 2, seconds)] * CONNECTIONS)
        notified = len([*listener.notifies(timeout=1)])
        (count,) = own.run("select count(*) from outbox")
    turns: dict[int, list[float]] = {}
    for turn, took in (each for part in parts for each in part):
        turns.setdefault(turn, []).append(took)
    medians = [statistics.median(turns[turn]) for turn in sorted(turns)]
    ratios = [on / off for off, on in zip(medians[::2], medians[1::2], strict=False)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    print(
        f"a commit with wake-ups takes {middle:.2f} times one without (quartiles of {len(ratios)} turns: {low:.2f} and "
        f"{high:.2f}; {statistics.median(medians[::2]) * 1e6:.0f} us); {notified} of {count // 2:,} notified",
        flush=True,
    )


def commit(dsn: str, begin: float, seconds: float) -> list[tuple[int, float]]:
    """Insert rows one by one, 250 a second: the turn of each, odd if the trigger is on, and how long it took."""
    times = []
    with psycopg.connect(dsn, autocommit=True) as connection:
        due, was = begin, -1
        while due < begin + seconds:
            time.sleep(max(0.0, due - time.time()))
            turn = int((time.time() - begin) / TURN_SECONDS)
            if turn != was:
                connection.execute(ROLES[turn % 2])
            due, was = max(due, time.time() - 0.1) + 0.004, turn
            times.append((turn, timed(lambda: connection.execute(INSERT, (str(len(times)),)))))
    return times


def latency(endpoints: Endpoints, rows: int, rest: float) -> None:
    """From a commit to the consumer at 100 rows a second; then the process at rest."""
    with bench(endpoints) as own, own.relay() as process:
        times = arrivals(own, rows)
        print(f"commit to consumer: p50 {statistics.median(times):.1f} ms, p99 {times[int(len(times) * 0.99)]:.1f} ms")
        time.sleep(8)  # until the pauses are at their longest
        used, (before,) = sum(process.cpu_times()[:2]), own.run(COMMITS)
        time.sleep(rest)
        share, (after,) = (sum(process.cpu_times()[:2]) - used) / rest, own.run(COMMITS)
        print(f"at rest: {(after - before) * 60 / rest:.0f} statements a minute, {share:.2%} of a core", flush=True)


def arrivals(own: Bench, rows: int) -> Sequence[float]:
    """Milliseconds from each commit to a consumer, sorted."""
    settings = {"bootstrap.servers": own.endpoints.bootstrap, "group.id": f"{own.topic}.l", "fetch.wait.max.ms": 10}
    reader = Consumer({**settings, "auto.offset.reset": "earliest"})
    reader.subscribe([own.topic])
    times: dict[str, float] = {}
    committed: dict[str, float] = {}
    with psycopg.connect(own.dsn, autocommit=True) as connection:
        until = time.perf_counter() + 60
        while "warm" not in times and time.perf_counter() < until:
            connection.execute(INSERT, ("warm",))
            note(reader.consume(100, 0.2), times)
        for row in range(rows):
            connection.execute(INSERT, (f"l{row}",))
            committed[f"l{row}"] = time.perf_counter()
            while time.perf_counter() < committed[f"l{row}"] + 0.01:
                note(reader.consume(1, 0.002), times)
        while not committed.keys() <= times.keys():
            note(reader.consume(100, 0.2), times)
    reader.close()
    return sorted((times[key] - at) * 1000 for key, at in committed.items())


def note(messages: Sequence[Any], times: dict[str, float]) -> None:
    now = time.perf_counter()
    for message in messages:
        if not message.error():
            times.setdefault(message.key().decode(), now)


def main() -> None:
    """Print the comparisons."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pending", type=int, default=1_000_000)
    arguments.add_argument("--keys", type=int, default=100_000)
    arguments.add_argument("--held-seconds", type=float, default=60)
    arguments.add_argument("--commit-seconds", type=float, default=60)
    arguments.add_argument("--rest-seconds", type=float, default=30)
    chosen = arguments.parse_args()
    with stack() as endpoints:
        latency(endpoints, 1000, chosen.rest_seconds)
        backlogs(endpoints, chosen.pending, chosen.keys)
        commits(endpoints, chosen.commit_seconds)
        pinned(endpoints, chosen.held_seconds)


if __name__ == "__main__":
    main()
