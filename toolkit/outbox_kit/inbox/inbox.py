"""The inbox of a consumer: a message, or several, in the transaction of their effects."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from outbox_kit import databases
from outbox_kit.databases.facts import Dialect
from outbox_kit.errors import UsageProblem
from outbox_kit.inbox.message import InboxMessage
from outbox_kit.inbox.modes import InboxMode, MessageIds, Steps
from outbox_kit.inbox.problems import OutsideWindow, PartitionMissing, sqlstate
from outbox_kit.inbox.sessions import Session, async_session_of, completed, completed_async, session_of
from outbox_kit.inbox.statements import Query, query
from outbox_kit.inbox.window import awaits_partition

Given = InboxMessage | UUID | str
MOST_IDS = 3
"""In an error."""


@dataclass(frozen=True)
class Inbox:
    """A consumer's messages, of which each one has its effects once."""

    consumer: str
    """The consumer's name: consumers with different names process the same message independently."""
    mode: InboxMode = field(default_factory=MessageIds)
    """What is stored: MessageIds, HighWater or PartitionOffsets."""
    dialect: str = databases.DEFAULT
    """The database system, as in the schema file."""
    schema: str = ""
    """The schema of the table; empty if the connection finds it."""

    def __post_init__(self) -> None:
        """Raises UnknownName for an unknown database system."""
        databases.facts_of(self.dialect)

    @property
    def facts(self) -> Dialect:
        """The facts of the database."""
        return databases.ALL[self.dialect]

    @property
    def table(self) -> tuple[str, ...]:
        """The table's name."""
        name = self.facts.derived_name(*self.mode.table.split("_"))
        return (self.schema, name) if self.schema else (name,)

    def claim(self, messages: Sequence[InboxMessage], generation: int = 0) -> Steps[list[bool]]:
        """The statements that store messages; whether each one is new. See `modes.InboxMode`."""
        return self.mode.claim(self.facts, self.table, self.consumer, messages, generation)

    def once(self, connection: Any, message: Given, handle: Callable[[], object]) -> bool:
        """Process a message in one transaction with its row in the inbox; False if it was processed before.

        connection: of psycopg, SQLAlchemy (Session or Connection) or another DB-API driver, or the alias of a database
        of Django. If it has an open transaction, a savepoint is used in it. message: a InboxMessage, or its id.
        If handle raises an error, both are rolled back and the message can be processed again.
        Raises InvalidMessage, OutsideWindow, PartitionMissing, SequenceGap, UsageProblem, and the errors of the driver.
        """
        session, messages = session_of(connection), [_message(message)]
        try:
            with session.transaction():
                (is_new,) = self._stored(session, messages)
                if is_new:
                    handle()
                return is_new
        except OutsideWindow:
            self.expect_days(session, messages)
            raise

    async def once_async(self, connection: Any, message: Given, handle: Callable[[], Awaitable[object]]) -> bool:
        """`once` on a connection of asyncio: of psycopg, or an AsyncSession or AsyncConnection of SQLAlchemy."""
        session, messages = async_session_of(connection), [_message(message)]
        try:
            async with session.transaction():
                (is_new,) = await self._stored_async(session, messages)
                if is_new:
                    await handle()
                return is_new
        except OutsideWindow:
            async with session.transaction():
                await completed_async(self._days(messages), session)
            raise

    def new(self, connection: Any, messages: Sequence[Given]) -> list[bool]:
        """Store several messages in the caller's transaction; whether each one is new.

        The ids of 1000 messages take one round trip. The caller processes the new ones and commits.
        connection: as of `once`, within a transaction. Raises UsageProblem outside of one, and what `once` raises; but
        OutsideWindow for a PartitionMissing too, which `expect_days` raises after the transaction was rolled back.
        """
        session = session_of(connection)
        _expect_transaction(session.in_transaction())
        return self._stored(session, [_message(message) for message in messages])

    async def new_async(self, connection: Any, messages: Sequence[Given]) -> list[bool]:
        """`new` on a connection of asyncio."""
        session = async_session_of(connection)
        _expect_transaction(session.in_transaction())
        return await self._stored_async(session, [_message(message) for message in messages])

    def _stored(self, session: Session, messages: Sequence[InboxMessage]) -> list[bool]:
        try:
            return completed(self.claim(messages), session.execute)
        except Exception as error:
            self.expect_partition(error, messages)
            raise

    async def _stored_async(self, session: Any, messages: Sequence[InboxMessage]) -> list[bool]:
        try:
            return await completed_async(self.claim(messages), session)
        except Exception as error:
            self.expect_partition(error, messages)
            raise

    def expect_partition(self, error: Exception, messages: Sequence[InboxMessage]) -> None:
        """Raises OutsideWindow if an error means that the inbox has no partition for a message id."""
        code = self.facts.inbox.no_partition
        if code and sqlstate(error) == code:
            ids = ", ".join(message.id for message in messages[:MOST_IDS])
            raise OutsideWindow(
                f"the inbox has no partition for a message id: {ids}",
                where=".".join(self.table),
                why="the message is older than the inbox's window, or its id is not a UUID of version 7",
                fix="it can be processed without the inbox only",
            ) from error

    def expect_days(self, session: Session, messages: Sequence[InboxMessage]) -> None:
        """Raises PartitionMissing if messages wait for the partitions of their days, which were not created.

        session: without a failed transaction.
        """
        with session.transaction():
            completed(self._days(messages), session.execute)

    def _days(self, messages: Sequence[InboxMessage]) -> Steps[None]:
        """See `expect_days`."""
        facts, mode = self.facts.inbox, self.mode
        if not facts.listing or not isinstance(mode, MessageIds):
            return
        parent = {"parent": self.facts.quote_ident(*self.table)}
        listing = yield query((facts.listing,), self.facts, self.table, parent)
        clock = yield Query(facts.clock)
        existing = {datetime.strptime(str(row[0])[-8:], "%Y%m%d").date() for row in listing.rows}
        now = float(clock.rows[0][0])
        ids = [message.header(mode.header) for message in messages]
        if waiting := [each for each in ids if awaits_partition(each, existing, now)]:
            raise PartitionMissing(
                f"the inbox has no partition yet for the day of a message id: {', '.join(waiting[:MOST_IDS])}",
                where=".".join(self.table),
                why=f"the newest partition is of {max(existing)}" if existing else "it has no partition at all",
                fix="create the partitions: outbox-kit cleanup --table inbox, or outbox-kit gen-ddl --inbox --apply",
            )


def _message(message: Given) -> InboxMessage:
    return message if isinstance(message, InboxMessage) else InboxMessage.of_id(message)


def _expect_transaction(is_open: bool) -> None:
    if not is_open:
        raise UsageProblem(
            "no transaction is open: the inbox would be committed without the effects",
            fix="call new() within a transaction, or use once()",
        )
