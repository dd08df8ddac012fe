"""The barrier of two-phase messages: a row in the service's own database decides the outcome of a transaction.

A business transaction first inserts a row `committed`, a check-back a row `rolled_back`, with one key. The database
takes one of them. So a check-back that comes before the transaction makes it fail, one that comes while it is open
waits and then answers that it is open, and one that comes after it sees what was committed. No clock is involved.
"""

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

from outbox_kit import databases
from outbox_kit.databases.facts import Dialect
from outbox_kit.errors import EnvironmentProblem, UsageProblem
from outbox_kit.inbox.modes import Steps
from outbox_kit.inbox.problems import is_outage
from outbox_kit.inbox.sessions import (
    IDLE,
    AsyncPsycopgSession,
    AsyncSession,
    AsyncSqlAlchemySession,
    PsycopgSession,
    Session,
    SqlAlchemySession,
    async_session_of,
    completed,
    completed_async,
    session_of,
)
from outbox_kit.inbox.statements import Query, query
from outbox_kit.schema.names import BARRIER

COMMITTED: Literal["committed"] = "committed"
ROLLED_BACK: Literal["rolled_back"] = "rolled_back"
UNKNOWN: Literal["unknown"] = "unknown"
LONGEST_ID = 128
OPEN = "the business transaction is open, or the database does not answer"


class OutcomeDecided(EnvironmentProblem):
    """The outcome of a message was decided before this transaction, which must not commit."""


@dataclass(frozen=True)
class BarrierOutcome:
    """The answer to a check-back."""

    outcome: Literal["committed", "rolled_back", "unknown"]
    reason: str = ""
    """Why it is unknown."""

    def document(self) -> dict[str, str]:
        """The answer as JSON: a service sends it with status 200."""
        return {"outcome": self.outcome, "reason": self.reason}


@dataclass(frozen=True)
class Barrier:
    """The barrier in a service's database, of `gen-ddl --barrier`."""

    dialect: str = databases.DEFAULT
    """The database system, as in the schema file."""
    schema: str = ""
    """The schema of the table; empty if the connection finds it."""
    name: str = ""
    """The name of the table; empty for the one of `gen-ddl`."""

    def __post_init__(self) -> None:
        """Raises UnknownName, or UsageProblem for a database for which there is no barrier."""
        if not self.facts.two_phase.insert:
            supported = ", ".join(name for name, facts in databases.ALL.items() if facts.two_phase.insert)
            raise UsageProblem(f"there is no barrier for {self.facts.title}", fix=f"it is for {supported}")

    @property
    def facts(self) -> Dialect:
        """The facts of the database."""
        return databases.facts_of(self.dialect)

    @property
    def table(self) -> tuple[str, ...]:
        """The table's name."""
        name = self.name or self.facts.derived_name(*BARRIER)
        return (self.schema, name) if self.schema else (name,)

    @contextmanager
    def transaction(self, connection: Any, message_id: str) -> Iterator[None]:
        """A business transaction that commits only if no check-back has come before it.

        connection: of psycopg, SQLAlchemy (Session or Connection) or another DB-API driver, or the alias of a database
        of Django. If it has an open transaction, a savepoint is used in it. Submit the message when the outermost
        transaction has committed. Raises OutcomeDecided, UsageProblem, and the errors of the driver.
        """
        session = session_of(connection)
        with session.transaction():
            completed(self._decided(message_id), session.execute)
            yield

    @asynccontextmanager
    async def transaction_async(self, connection: Any, message_id: str) -> AsyncIterator[None]:
        """`transaction` on a connection of asyncio: of psycopg, or an AsyncSession or AsyncConnection of SQLAlchemy."""
        session = async_session_of(connection)
        async with session.transaction():
            await completed_async(self._decided(message_id), session)
            yield

    def outcome(self, connection: Any, message_id: str) -> BarrierOutcome:
        """The answer to a check-back: from now on, a transaction that has not begun cannot commit.

        connection: as of `transaction`, without an open transaction: an answer is given after its commit. Of Django, a
        transaction around a whole request is fine. Raises UsageProblem, and errors of the driver that are not about the
        connection or a lock: let them become status 500, which is no outcome.
        """
        session = session_of(connection)
        _expect_none_open(connection, session)
        try:
            with _bounded(session, self.facts), session.transaction():
                return completed(self._outcome_of(message_id), session.execute)
        except Exception as error:
            return _unknown(error)

    async def outcome_async(self, connection: Any, message_id: str) -> BarrierOutcome:
        """`outcome` on a connection of asyncio."""
        session = async_session_of(connection)
        _expect_none_open(connection, session)
        facts = self.facts.two_phase
        try:
            async with session.transaction():
                return await completed_async(self._outcome_of(message_id), session)
        except Exception as error:
            return _unknown(error)
        finally:
            with suppress(Exception):
                for statement in facts.restored:
                    async with session.transaction():
                        await session.execute(Query(statement))

    def _decided(self, message_id: str) -> Steps[None]:
        """Insert the row of a business transaction. Raises OutcomeDecided if there is one."""
        outcome, is_new = yield from self._row(message_id, COMMITTED)
        if not is_new:
            what = "has rolled it back" if outcome == ROLLED_BACK else "has committed with this id"
            raise OutcomeDecided(
                f"the transaction of the message '{message_id}' must not commit",
                where=".".join(self.table),
                why=f"{'a check-back' if outcome == ROLLED_BACK else 'another transaction'} {what} before",
                fix="prepare a new message, and begin its transaction within the time to the first check-back"
                if outcome == ROLLED_BACK
                else "use a new message id for each business transaction",
            )

    def _outcome_of(self, message_id: str) -> Steps[BarrierOutcome]:
        """Insert the row of a check-back unless there is one; the outcome."""
        for statement in self.facts.two_phase.bounded:
            yield Query(statement)
        outcome, _ = yield from self._row(message_id, ROLLED_BACK)
        return BarrierOutcome(COMMITTED if outcome == COMMITTED else ROLLED_BACK)

    def _row(self, message_id: str, outcome: str) -> Steps[tuple[str, bool]]:
        """Insert a row unless there is one; the outcome in the table, and whether it is of this call."""
        _expect_id(message_id)
        facts, writer = self.facts.two_phase, str(uuid.uuid4())
        values = {"message": message_id, "outcome": outcome, "writer": writer}
        yield query(facts.insert, self.facts, self.table, values)
        read = [line.replace("{columns}", "outcome, writer") for line in facts.read]
        answer = yield query(read, self.facts, self.table, values)
        if not answer.rows:
            raise EnvironmentProblem(
                f"the row of the message '{message_id}' is not visible",
                where=".".join(self.table),
                why="it was deleted in this moment, or the isolation of the transaction hides it",
                fix="repeat the transaction",
            )
        stored, owner = answer.rows[0]
        return str(stored), str(owner) == writer


@contextmanager
def _bounded(session: Session, dialect: Dialect) -> Iterator[None]:
    """Restore the session's settings after a block that has bounded its waits."""
    try:
        yield
    finally:
        with suppress(Exception):  # of a connection that is lost
            for statement in dialect.two_phase.restored:
                with session.transaction():
                    session.execute(Query(statement))


def _unknown(error: Exception) -> BarrierOutcome:
    """What an error means to a check-back. Raises it if it is not about the connection or a lock."""
    if is_outage(error) or type(error) is EnvironmentProblem:
        return BarrierOutcome(UNKNOWN, f"{OPEN}: {type(error).__name__}")
    raise error


def _expect_id(message_id: Any) -> None:
    if not isinstance(message_id, str) or not 1 <= len(message_id) <= LONGEST_ID or "\0" in message_id:
        raise UsageProblem(f"invalid message id: expected a text of 1 to {LONGEST_ID} characters")


def _expect_none_open(connection: Any, session: Session | AsyncSession) -> None:
    """Raise UsageProblem for a connection whose transaction is open: the answer would be given before its commit."""
    if isinstance(session, PsycopgSession | AsyncPsycopgSession):
        is_open = connection.info.transaction_status != IDLE
    else:
        is_open = isinstance(session, SqlAlchemySession | AsyncSqlAlchemySession) and session.in_transaction()
    if is_open:
        raise UsageProblem(
            "a transaction of this connection is open: the outcome would be answered before it is committed",
            fix="use a connection without an open transaction",
        )
