"""A DuckDB database for data that a verification cannot hold in memory. Every failure of it is a SpoolFailed."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from outbox_kit.errors import SpoolFailed
from outbox_kit.signals import deferred

LEAST = 64 << 20  # bytes, with which DuckDB still works
THREADS = 2
MEMORY = ":memory:"
Values = Mapping[str, Any]
Columns = Mapping[str, "np.ndarray[Any, Any]"]


class ScratchDatabase:
    """A database for the length of a run. Methods raise SpoolFailed."""

    def __init__(self, folder: Path, memory: int, problem: str, space: str, *, file: str = MEMORY) -> None:
        """folder: for what does not fit into memory. memory: in bytes. file: the database's file in the folder, if any.

        problem, space: texts of a failure: what could not be done, and the space on disk that it takes.
        """
        self._folder, self._problem, self._space = folder, problem, space
        config: dict[str, Any] = {"memory_limit": f"{max(memory, LEAST) >> 20}MB", "threads": THREADS}
        with deferred(), self._working():
            self._spill = tempfile.mkdtemp(prefix="spill-", dir=folder)
            config |= {"temp_directory": self._spill, "preserve_insertion_order": "false"}
            self._connection = duckdb.connect(file if file == MEMORY else str(folder / file), config=config)

    def close(self) -> None:
        """End the connection, and remove what was spilled."""
        self._connection.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def execute(self, statement: str, values: Values | None = None) -> list[tuple[Any, ...]]:
        """Execute a statement; the rows of its result."""
        with self._call():
            return self._connection.execute(statement, values).fetchall()

    def number(self, query: str, values: Values | None = None) -> int:
        """The only value of a query's only row."""
        return int(self.execute(query, values)[0][0])

    def batches(self, query: str, values: Values, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query, at most `size` at a time."""
        with self._working():
            cursor = self._connection.cursor()
            with deferred(cursor.interrupt):
                cursor.execute(query, values)
            while rows := self._fetched_rows(cursor, size):
                yield rows

    @staticmethod
    def _fetched_rows(cursor: duckdb.DuckDBPyConnection, size: int) -> list[tuple[Any, ...]]:
        with deferred(cursor.interrupt):
            return cursor.fetchmany(size)

    def register(self, name: str, columns: Columns) -> None:
        """Columns as a table, until the database is closed. They are not copied."""
        with self._call():
            self._connection.register(name, columns)

    def insert(self, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Rows into a table."""
        if not rows:
            return
        columns = {}
        for number, values in enumerate(zip(*rows, strict=True)):
            column = np.empty(len(values), object)
            column[:] = values
            columns[f"c{number}"] = column
        with self._waiting(columns):
            self.execute(f"insert into {table} select * from waiting")  # noqa: S608 - internal names

    def write_columns(self, file: Path, columns: Columns) -> None:
        """Columns into a Parquet file."""
        with self._waiting(columns):
            self.write(file, "select * from waiting")

    def write(self, file: Path, query: str, values: Values | None = None) -> None:
        """The result of a query into a Parquet file, whose folder is made."""
        with self._call():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._connection.sql(query, params=values).write_parquet(str(file))

    @contextmanager
    def _waiting(self, columns: Columns) -> Iterator[None]:
        """Columns as a table `waiting` for the length of a block."""
        self.register("waiting", columns)
        yield
        with self._call():
            self._connection.unregister("waiting")

    @contextmanager
    def _call(self) -> Iterator[None]:
        """One call of DuckDB, which an interruption ends early.

        DuckDB makes a RuntimeError or an error of its own of the exception of a signal handler: the interruption would
        look like a failure of the database, and a run of many windows would continue.
        """
        with deferred(self._connection.interrupt), self._working():
            yield

    @contextmanager
    def _working(self) -> Iterator[None]:
        try:
            yield
        except (duckdb.Error, OSError) as cause:
            raise SpoolFailed(
                self._problem,
                where=str(self._folder),
                why=str(cause).partition("\n")[0],
                fix=f"allow more memory (--memory), or use a disk with more space (--temp-dir): {self._space}",
            ) from cause
