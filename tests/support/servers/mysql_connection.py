"""A session with MySQL or MariaDB that is used as one of psycopg is, so that a test is written once for all servers."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import pymysql
from pymysql.cursors import Cursor


class MySqlConnection:
    """A transaction until `commit` or the end of the block; an exception in it rolls back."""

    def __init__(self, **place: Any) -> None:
        self._connection = pymysql.connect(**place)
        self._depth = 0
        self.execute("set session transaction isolation level read committed")

    def __enter__(self) -> "MySqlConnection":
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.rollback() if kind else self.commit()
        self._connection.close()

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Cursor:
        cursor = self._connection.cursor()
        cursor.execute(statement, tuple(str(x) if isinstance(x, uuid.UUID) else x for x in values) or None)
        return cursor

    def cursor(self) -> Cursor:
        return self._connection.cursor()

    def commit(self) -> None:
        self._connection.commit()

    def rollback(self) -> None:
        self._connection.rollback()

    @contextmanager
    def transaction(self, *, force_rollback: bool = False) -> Iterator[None]:
        """A savepoint, which is rolled back after an exception, or if a test wants it."""
        self._depth += 1
        name = f"s{self._depth}"
        self.execute(f"savepoint {name}")
        try:
            yield
        except BaseException:
            self.execute(f"rollback to savepoint {name}")
            raise
        else:
            if force_rollback:
                self.execute(f"rollback to savepoint {name}")
        finally:
            self._depth -= 1
