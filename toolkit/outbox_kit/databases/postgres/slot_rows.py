"""The transactions behind the position of a replication slot that no process reads, with the rows of the outbox."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from psycopg import sql

from outbox_kit.databases.ledger import LONGEST_SECONDS
from outbox_kit.databases.postgres import pgoutput
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.replication import TEXT_FORMS
from outbox_kit.databases.postgres.session import session
from outbox_kit.schema.model import Outbox

FLUSH = "select pg_logical_emit_message(true, 'outbox-kit', '')"
PEEK = """
select pg_wal_lsn_diff(lsn, '0/0')::bigint, data from pg_logical_slot_peek_binary_changes(
    {slot}, null, null, 'proto_version', '1', 'publication_names', {publication})
"""
AT_ONCE = 1000


class LoggedRow(NamedTuple):
    """A row that was inserted into the outbox."""

    position: int
    """In the log."""
    key: str
    """The text of the column by which it is found."""


class LoggedTransaction(NamedTuple):
    """A committed transaction with rows of the outbox."""

    number: int
    """Without the epoch."""
    end: int
    """The position behind it."""
    rows: list[LoggedRow]


def flush(dsn: str) -> None:
    """Wait until the log of everything that is committed now is on the disk: only that is decoded."""
    with session(dsn) as connection:
        connection.execute("set local synchronous_commit = on")
        connection.execute(FLUSH)


def logged_rows(dsn: str, outbox: Outbox, key: str) -> Iterator[LoggedTransaction]:
    """The transactions behind the slot's position, in the order of their commits; the slot stays where it is.

    key: the column by which rows are found. Raises EnvironmentProblem.
    """
    names = outbox.names
    query = sql.SQL(PEEK).format(
        slot=sql.Literal(names.slot), publication=sql.Literal(POSTGRES.quote_ident(names.publication))
    )
    with session(dsn, seconds=LONGEST_SECONDS) as connection:
        for setting, value in TEXT_FORMS.items():
            connection.execute("select set_config(%s, %s, true)", (setting, value))
        with connection.cursor(name="outbox_kit_log") as cursor:
            cursor.itersize = AT_ONCE
            cursor.execute(query)
            yield from transactions(cursor, (names.schema, outbox.table.name), key)


def transactions(changes: Any, table: tuple[str, str], key: str) -> Iterator[LoggedTransaction]:
    """The transactions of messages of `pgoutput` with their positions. table: its schema and name. Pure."""
    places: dict[int, int] = {}
    number, rows = 0, list[LoggedRow]()
    for position, data in changes:
        kind = data[0]
        if kind == pgoutput.BEGIN:
            number, rows = pgoutput.begun(data).number, []
        elif kind == pgoutput.RELATION:
            head = pgoutput.relation(data)
            if (head.schema, head.name) == table:
                places[head.oid] = [column.name for column in head.columns].index(key)
        elif kind == pgoutput.INSERT and (place := places.get(pgoutput.relation_of(data))) is not None:
            rows.append(LoggedRow(position, (pgoutput.inserted(data)[place] or b"").decode()))
        elif kind == pgoutput.COMMIT and rows:
            yield LoggedTransaction(number, pgoutput.commit_end(data), rows)
            rows = []
