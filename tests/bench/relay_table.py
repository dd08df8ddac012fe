"""`python -m tests.bench.relay_table`: a relay that reads the table, against the loop that tutorials show.

The loop selects 50 rows FOR UPDATE SKIP LOCKED, sends the message of each, waits for its acknowledgement and updates
the row's status, then commits. Both publish such rows to the same brokers; the loop publishes fewer of them, because it
is slow. The relay is measured by its transactions: nearly all of them are one statement, a read has three.
"""

import argparse
import time
import uuid
from typing import Any

import psycopg
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient

from outbox_kit.databases.postgres.apply import apply
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay import relays
from outbox_kit.relay.progress import RelayProgress
from outbox_kit.render import ddl
from outbox_kit.schema.model import Outbox
from tests.bench.pipeline import Endpoints, outbox_of, stack
from tests.support.waiting import create_topics

FILL = (
    "insert into {} (id, aggregatetype, aggregateid, type, payload{}) select gen_random_uuid(), 'Order', "
    "(n % 1000)::text, 'OrderPlaced', json_build_object('n', n, 'note', repeat('x', 100)){} "
    "from generate_series(1, {}) n"
)
TUTORIAL = """
create table tutorial (sequence bigint generated always as identity primary key, id uuid, aggregatetype text,
    aggregateid text, type text, payload json, status text not null);
create index on tutorial (status, sequence)
"""
CLAIM = "select sequence, aggregateid, payload::text from tutorial where status = 'pending' order by sequence limit 50 \
for update skip locked"
CHANGED = "select n_tup_upd + n_tup_del, n_dead_tup from pg_stat_user_tables where relname = %s"
LANES = "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = %s"
COMMITS = "select xact_commit from pg_stat_database where datname = current_database()"
Row = tuple[Any, ...]


def one_by_one(dsn: str, bootstrap: str, topic: str) -> tuple[int, int]:
    """Publish all rows of the tutorial's table; events and statements."""
    producer = Producer({"bootstrap.servers": bootstrap, "acks": "all", "enable.idempotence": True, "linger.ms": 0})
    events = statements = 0
    with psycopg.connect(dsn) as connection:
        while rows := connection.execute(CLAIM).fetchall():
            statements += 1
            for sequence, key, payload in rows:
                producer.produce(topic, payload, key)
                producer.flush()
                connection.execute("update tutorial set status = 'sent' where sequence = %s", (sequence,))
                events, statements = events + 1, statements + 1
            connection.commit()
            statements += 1
    return events, statements


def asked(dsn: str, query: str, *values: Any) -> Row:
    """A row of the server's statistics, when they are up to date."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        time.sleep(1.2)  # the sessions of before have reported by then
        row = connection.execute(query.encode(), values or None).fetchone()
    assert row is not None
    return row


def measured(record: str, rows: int, slow_rows: int, endpoints: Endpoints) -> None:
    """Print one comparison."""
    name = f"bench_{uuid.uuid4().hex[:6]}"
    outbox = outbox_of(name, endpoints)
    delivery = outbox.delivery.model_copy(update={"by": "relay", "source": "table", "record": record})
    outbox = Outbox.model_validate(outbox.model_copy(update={"delivery": delivery}).model_dump(by_alias=True))
    with psycopg.connect(endpoints.dsn("postgres"), autocommit=True) as boss:
        boss.execute(f"create database {name}".encode())
    dsn = endpoints.dsn(name)
    try:
        apply(dsn, outbox, ddl.body(outbox))
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute(TUTORIAL)
            connection.execute("alter table outbox set (autovacuum_enabled = off)")
            connection.execute("alter table tutorial set (autovacuum_enabled = off)")
            for table, columns, values, count in (
                ("outbox", "", "", rows),
                ("tutorial", ", status", ", 'pending'", slow_rows),
            ):
                connection.execute(FILL.format(table, columns, values, count).encode())
            connection.execute("vacuum analyze")
        admin = AdminClient({"bootstrap.servers": endpoints.bootstrap})
        create_topics(admin, f"{name}.tutorial", partitions=6)
        began = time.perf_counter()
        events, statements = one_by_one(dsn, endpoints.bootstrap, f"{name}.tutorial")
        slow = events / (time.perf_counter() - began)
        (commits,) = asked(dsn, COMMITS)
        progress = RelayProgress()
        relay = relays.of(outbox, dsn, Cluster(endpoints.bootstrap), progress, lambda _: None, lambda: False)
        began = time.perf_counter()
        relay.run(once=True)
        fast = progress.published / (time.perf_counter() - began)
        (after,), (changes, dead) = asked(dsn, COMMITS), asked(dsn, CHANGED, "outbox")
        lanes = asked(dsn, LANES, outbox.names.lane_table)
        print(
            f"{record}: {fast:,.0f}/s against {slow:,.0f}/s: {fast / slow:.1f} times, start and end included; "
            f"{(after - commits) / rows:.4f} transactions an event against {statements / events:.2f} statements; "
            f"{changes / rows:.2f} changes and {dead / rows:.2f} dead rows an event against "
            f"{asked(dsn, CHANGED, 'tutorial')[1] / events:.2f}; lanes: {lanes[0]} updates, {lanes[1]} of them HOT"
        )
        admin.delete_topics([f"{name}.tutorial", f"{name}.Order"])[f"{name}.tutorial"].result()
    finally:
        with psycopg.connect(endpoints.dsn("postgres"), autocommit=True) as boss:
            boss.execute(f"drop database {name} with (force)".encode())
            boss.execute(f"drop role if exists {outbox.names.role}".encode())


def main() -> None:
    """Print the comparisons."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=20_000)
    arguments.add_argument("--slow-rows", type=int, default=2000)
    arguments.add_argument("--records", nargs="*", default=["position", "delete"])
    chosen = arguments.parse_args()
    with stack() as endpoints:
        for record in chosen.records:
            measured(record, chosen.rows, chosen.slow_rows, endpoints)


if __name__ == "__main__":
    main()
