"""The connections of psycopg, SQLAlchemy, Django and other DB-API drivers, as an inbox uses them.

A connection is recognised by the package of its class, so no library is imported that the program does not use.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from outbox_kit.errors import UsageProblem
from outbox_kit.inbox.modes import Steps
from outbox_kit.inbox.statements import Query, StatementResult

Result = TypeVar("Result")
IDLE, FAILED = 0, 3  # libpq's transaction status


class Session(Protocol):
    """A connection of a library without asyncio."""

    def transaction(self) -> AbstractContextManager[Any]:
        """A transaction for the length of a block; a savepoint if a transaction is open."""

    def execute(self, query: Query) -> StatementResult:
        """Run a statement."""

    def in_transaction(self) -> bool:
        """Whether what is executed now is committed or rolled back with what follows."""

    def close(self) -> None:
        """Close the connection."""


class AsyncSession(Protocol):
    """A connection of a library with asyncio."""

    def transaction(self) -> AbstractAsyncContextManager[Any]:
        """See Session."""

    async def execute(self, query: Query) -> StatementResult:
        """See Session."""

    def in_transaction(self) -> bool:
        """See Session."""


def completed(steps: Steps[Result], execute: Callable[[Query], StatementResult]) -> Result:
    """Run the statements of a mode; its result."""
    try:
        query = next(steps)
        while True:
            query = steps.send(execute(query))
    except StopIteration as end:
        result: Result = end.value
        return result


async def completed_async(steps: Steps[Result], session: AsyncSession) -> Result:
    """Run the statements of a mode; its result."""
    try:
        query = next(steps)
        while True:
            query = steps.send(await session.execute(query))
    except StopIteration as end:
        result: Result = end.value
        return result


@dataclass(frozen=True)
class PsycopgSession:
    """A `psycopg.Connection`, in autocommit mode or not."""

    connection: Any

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See Session. Raises UsageProblem if the transaction has failed without an error at its end."""
        with self.connection.transaction():
            yield
            _reject_failed(self.connection)

    def execute(self, query: Query) -> StatementResult:
        """See Session."""
        return _answer(self.connection.execute(query.percent(), query.values))

    def in_transaction(self) -> bool:
        """See Session."""
        return not self.connection.autocommit or self.connection.info.transaction_status != IDLE

    def close(self) -> None:
        """See Session."""
        self.connection.close()


@dataclass(frozen=True)
class AsyncPsycopgSession:
    """A `psycopg.AsyncConnection`."""

    connection: Any

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """See Session. Raises UsageProblem if the transaction has failed without an error at its end."""
        async with self.connection.transaction():
            yield
            _reject_failed(self.connection)

    async def execute(self, query: Query) -> StatementResult:
        """See Session."""
        cursor = await self.connection.execute(query.percent(), query.values)
        return StatementResult(cursor.rowcount, await cursor.fetchall() if cursor.description else ())

    def in_transaction(self) -> bool:
        """See Session."""
        return not self.connection.autocommit or self.connection.info.transaction_status != IDLE


@dataclass(frozen=True)
class SqlAlchemySession:
    """A `sqlalchemy.orm.Session` or a `sqlalchemy.Connection`."""

    session: Any

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See Session. Raises UsageProblem for a connection in autocommit mode."""
        with self.session.begin_nested() if self.session.in_transaction() else self.session.begin():
            raw = self._connection().connection.dbapi_connection
            _reject_autocommit(raw)
            yield
            _reject_failed(raw)

    def execute(self, query: Query) -> StatementResult:
        """See Session."""
        from sqlalchemy import text

        statement, values = query.by_name()
        result = self._connection().execute(text(statement), values)
        return StatementResult(result.rowcount, [tuple(row) for row in result] if result.returns_rows else ())

    def in_transaction(self) -> bool:
        """See Session."""
        return bool(self.session.in_transaction())

    def close(self) -> None:
        """See Session."""
        self.session.close()

    def _connection(self) -> Any:
        return self.session.connection() if callable(getattr(self.session, "connection", None)) else self.session


@dataclass(frozen=True)
class AsyncSqlAlchemySession:
    """A `sqlalchemy.ext.asyncio.AsyncSession` or `AsyncConnection`."""

    session: Any

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """See Session. Raises UsageProblem for a connection in autocommit mode."""
        block = self.session.begin_nested() if self.session.in_transaction() else self.session.begin()
        async with block:
            raw = await (await self._connection()).get_raw_connection()
            _reject_autocommit(raw.driver_connection)
            yield
            _reject_failed(raw.driver_connection)

    async def execute(self, query: Query) -> StatementResult:
        """See Session."""
        from sqlalchemy import text

        statement, values = query.by_name()
        result = await (await self._connection()).execute(text(statement), values)
        return StatementResult(result.rowcount, [tuple(row) for row in result] if result.returns_rows else ())

    def in_transaction(self) -> bool:
        """See Session."""
        return bool(self.session.in_transaction())

    async def _connection(self) -> Any:
        if hasattr(self.session, "get_raw_connection"):
            return self.session
        return await self.session.connection()


@dataclass(frozen=True)
class DjangoSession:
    """A database of Django, by its alias. In asynchronous code: within `sync_to_async`."""

    using: str = "default"

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See Session. Raises UsageProblem if the transaction has failed without an error at its end."""
        from django.db import connections, transaction

        with transaction.atomic(using=self.using):
            yield
            _reject_failed(connections[self.using].connection)

    def execute(self, query: Query) -> StatementResult:
        """See Session."""
        from django.db import connections

        with connections[self.using].cursor() as cursor:
            cursor.execute(query.percent(), list(query.values))
            return _answer(cursor)

    def in_transaction(self) -> bool:
        """See Session."""
        from django.db import connections

        return bool(connections[self.using].in_atomic_block)

    def close(self) -> None:
        """See Session."""
        from django.db import connections

        connections[self.using].close()


@dataclass
class DbapiSession:
    """A connection of another DB-API driver with the placeholder %s, such as PyMySQL."""

    connection: Any
    depth: int = 0
    """Open blocks of `transaction`."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See Session. The first block begins and ends the transaction."""
        if self.depth:
            raise UsageProblem("a transaction of this connection is open", fix="call once() outside of it")
        if hasattr(self.connection, "begin"):
            self.connection.begin()
        self.depth += 1
        try:
            yield
            self.connection.commit()
        except BaseException:
            self.connection.rollback()
            raise
        finally:
            self.depth -= 1

    def execute(self, query: Query) -> StatementResult:
        """See Session."""
        cursor = self.connection.cursor()
        try:
            cursor.execute(query.percent(), query.values)
            return _answer(cursor)
        finally:
            cursor.close()

    def in_transaction(self) -> bool:
        """See Session."""
        return bool(self.depth) or not _is_autocommit(self.connection)

    def close(self) -> None:
        """See Session."""
        self.connection.close()


def _answer(cursor: Any) -> StatementResult:
    return StatementResult(cursor.rowcount, cursor.fetchall() if cursor.description else ())


def _is_autocommit(connection: Any) -> bool:
    setting = getattr(connection, "get_autocommit", None) or getattr(connection, "autocommit", False)
    return (setting() if callable(setting) else setting) is True


def _reject_autocommit(connection: Any) -> None:
    if _is_autocommit(connection):
        raise UsageProblem(
            "the connection is in autocommit mode: the inbox and the effects would be committed one by one",
            fix="create the engine without isolation_level='AUTOCOMMIT'",
        )


def _reject_failed(connection: Any) -> None:
    """PostgreSQL answers a commit of a failed transaction with a rollback, and the driver reports no error."""
    if getattr(getattr(connection, "info", None), "transaction_status", IDLE) == FAILED:
        raise UsageProblem(
            "the transaction has failed and nothing of it can be committed",
            why="the handler has caught the error of a statement",
            fix="raise the error, or use a savepoint for statements that may fail",
        )


def session_of(connection: Any) -> Session:
    """A connection as a Session: of psycopg, SQLAlchemy or another driver; a text is a database of Django.

    Raises UsageProblem for a connection of asyncio.
    """
    if isinstance(connection, str):
        return DjangoSession(connection)
    classes = [f"{kind.__module__}.{kind.__name__}" for kind in type(connection).__mro__]
    if any(name.rpartition(".")[2].startswith("Async") for name in classes):
        raise UsageProblem("a connection of asyncio was given", fix="use the asynchronous functions of Inbox")
    libraries = {name.partition(".")[0] for name in classes}
    if "psycopg" in libraries:
        return PsycopgSession(connection)
    if "sqlalchemy" in libraries:
        return SqlAlchemySession(connection)
    return DbapiSession(connection)


def async_session_of(connection: Any) -> AsyncSession:
    """A connection of asyncio as an AsyncSession: of psycopg or SQLAlchemy. Raises UsageProblem for any other."""
    names = [(kind.__module__.partition(".")[0], kind.__name__) for kind in type(connection).__mro__]
    libraries = {library for library, name in names if name.startswith("Async")}
    if "psycopg" in libraries:
        return AsyncPsycopgSession(connection)
    if "sqlalchemy" in libraries:
        return AsyncSqlAlchemySession(connection)
    raise UsageProblem("not a connection of psycopg or SQLAlchemy with asyncio", fix="use the synchronous functions")
