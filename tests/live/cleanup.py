"""A cleanup job beside writers and readers: rows are deleted by their age in batches, or their partitions dropped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Event, Thread
from typing import Any

import psycopg

OLD = timedelta(days=2)  # the age of rows that no schema file of the tests keeps
EVERY_SECONDS = 0.05
BATCH = 20
BY_AGE = f"""delete from outbox where ctid = any(array(
    select ctid from outbox where created_at < clock_timestamp() - interval '1 day' limit {BATCH}))"""
PARTITION = "outbox_of_old"


def day_of_old() -> tuple[str, str]:
    """The day that old rows are of, as the bounds of its partition in UTC."""
    day = (datetime.now(UTC) - OLD).date()
    return f"{day - timedelta(days=1)} 00:00:00+00", f"{day + timedelta(days=1)} 00:00:00+00"


@contextmanager
def running(job: Callable[[], None]) -> Iterator[None]:
    """Run a job again and again, for the length of a block and once after it; what it raises is raised."""
    over, failures = Event(), list[Exception]()

    def work() -> None:
        try:
            while not over.wait(EVERY_SECONDS):
                job()
            job()
        except Exception as cause:
            failures.append(cause)

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        assert not failures, failures


def by_age(dsn: str) -> Callable[[], None]:
    """A batch of PostgreSQL's rows that are older than a day."""

    def job() -> None:
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute(BY_AGE.encode())

    return job


def by_partition(dsn: str) -> Callable[[], None]:
    """PostgreSQL's partition of old rows, dropped as soon as nobody keeps it locked, and made again for the next."""
    make_old_partition(dsn)

    def job() -> None:
        with psycopg.connect(dsn) as connection:
            connection.execute("set local lock_timeout = '200ms'")
            try:
                connection.execute(f"drop table {PARTITION}".encode())
            except psycopg.errors.LockNotAvailable:
                return
            _make(connection)

    return job


def make_old_partition(dsn: str) -> None:
    """Make the partition of old rows."""
    with psycopg.connect(dsn) as connection:
        _make(connection)


def _make(connection: psycopg.Connection[Any]) -> None:
    lower, upper = day_of_old()
    bounds = f"for values from ('{lower}') to ('{upper}')"
    connection.execute(f"create table {PARTITION} partition of outbox {bounds}".encode())


JOBS = {"delete": by_age, "partition": by_partition}
