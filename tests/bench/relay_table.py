"""`python -m tests.bench.relay_table`: a relay that reads the table, against the loop that tutorials show.

The loop selects 50 rows FOR UPDATE SKIP LOCKED, sends the message of each, waits for its acknowledgement and updates
the row's status, then commits. Both publish such rows to the same brokers, in turn, and the median of some rounds
counts. The relay's process is measured from its first tenth to its last; its statements are the server's transactions,
because each of them is one.
"""

import argparse
import statistics
import time
from collections.abc import Sequence
from typing import Any

import psycopg
from confluent_kafka import Producer

from tests.bench.pipeline import Endpoints, stack
from tests.bench.relay_process import Bench, bench

TUTORIAL = """
create table tutorial (sequence bigint generated always as identity primary key, id uuid, aggregatetype text,
    aggregateid text, type text, payload json, status text not null);
create index on tutorial (status, sequence)
"""
FILL = """
insert into tutorial (id, aggregatetype, aggregateid, type, payload, status)
select gen_random_uuid(), 'Order', (n %% 1000)::text, 'OrderPlaced',
    json_build_object('n', n, 'note', repeat('x', 100)), 'pending' from generate_series(1, %s) n
"""
CLAIM = "select sequence, aggregateid, payload::text from tutorial where status = 'pending' order by sequence limit 50 \
for update skip locked"
CHANGED = "select n_tup_upd + n_tup_del, n_dead_tup from pg_stat_user_tables where relname = '{}'"
LANES = "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = '{}'"
COMMITS = "select xact_commit from pg_stat_database where datname = current_database()"


def one_by_one(dsn: str, bootstrap: str, topic: str) -> float:
    """Publish all rows of the tutorial's table; events a second."""
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all", "enable.idempotence": True, "linger.ms": 0})
    events, began = 0, time.perf_counter()
    with psycopg.connect(dsn) as connection:
        while rows := connection.execute(CLAIM).fetchall():
            for sequence, key, payload in rows:
                producer.produce(topic, payload, key)
                producer.flush()
                connection.execute("update tutorial set status = 'sent' where sequence = %s", (sequence,))
                events += 1
            connection.commit()
    return events / (time.perf_counter() - began)


def asked(own: Bench, query: str) -> Any:
    """A row of the server's statistics, when they are up to date."""
    time.sleep(1.2)  # the sessions of before have reported by then
    return own.run(query)


def measured(record: str, rows: int, slow_rows: int, rounds: int, endpoints: Endpoints) -> None:
    """Print one comparison."""
    with bench(endpoints, record) as own, psycopg.connect(own.dsn, autocommit=True) as connection:
        connection.execute(TUTORIAL)
        for table in ("outbox", "tutorial"):
            connection.execute(f"alter table {table} set (autovacuum_enabled = off)".encode())
        loops, relays, commits = [], [], 0
        for _ in range(rounds):
            connection.execute(FILL, (slow_rows,))
            own.fill(rows)
            loops.append(one_by_one(own.dsn, endpoints.bootstrap, own.topic))
            (before,) = asked(own, COMMITS)
            relays.append(own.published(rows))
            (after,) = asked(own, COMMITS)
            commits += after - before
        changes, dead = asked(own, CHANGED.format("outbox"))
        lanes = asked(own, LANES.format(own.outbox.names.lane_table))
        total = rows * rounds
        print(
            f"{record}: {median([relay.rate / loop for relay, loop in zip(relays, loops, strict=True)]):.1f} times the "
            f"loop's events a second ({median([relay.rate for relay in relays]):,.0f} against {median(loops):,.0f}); "
            f"{commits / total:.4f} statements, {changes / total:.2f} changes and {dead / total:.2f} dead rows an "
            f"event; {median([relay.cpu for relay in relays]):.2f} s of a core for 100,000 events, its start included, "
            f"{median([relay.megabytes for relay in relays]):.0f} MB; "
            f"lanes: {lanes[0]} updates, {lanes[1]} of them HOT",
            flush=True,
        )


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def main() -> None:
    """Print the comparisons."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--slow-rows", type=int, default=2000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--records", nargs="*", default=["position", "delete"])
    chosen = arguments.parse_args()
    with stack() as endpoints:
        for record in chosen.records:
            measured(record, chosen.rows, chosen.slow_rows, chosen.rounds, endpoints)


if __name__ == "__main__":
    main()
