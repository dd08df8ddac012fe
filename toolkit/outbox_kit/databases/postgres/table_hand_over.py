"""A hand-over between a connector and relays that read the table in PostgreSQL; see `interface.SlotTableHandOver`.

What a connector has not published is behind the position of its slot. So the transactions there are compared with what
a snapshot sees, and no wait is needed: a transaction that commits late is in both or in none.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from outbox_kit.databases.hand_over import RecordedRows, SettledSlot, TableRelays
from outbox_kit.databases.ledger import LONGEST_SECONDS
from outbox_kit.databases.postgres.defects import exists
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.failures import PostgresFailureTable
from outbox_kit.databases.postgres.hand_over import ADVANCE
from outbox_kit.databases.postgres.lanes import with_names
from outbox_kit.databases.postgres.polling import row_table
from outbox_kit.databases.postgres.published import PublishedRows, published_rows
from outbox_kit.databases.postgres.session import Session, session
from outbox_kit.databases.postgres.slot_rows import LoggedRow, LoggedTransaction, flush, logged_rows
from outbox_kit.databases.postgres.snapshots import TransactionSnapshot
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox

RUNNING = "select m.place from {members} as m where {live} order by m.place"
READS_LOG = """
select r.rolreplication or r.rolsuper
    or exists (select from pg_roles as m where m.rolname = any(%s) and pg_has_role(r.oid, m.oid, 'member'))
from pg_roles as r where r.rolname = %s
"""
CREATE = "select pg_create_logical_replication_slot(%s, 'pgoutput')"
CONFIRMED = "select pg_wal_lsn_diff(confirmed_flush_lsn, '0/0')::bigint from pg_replication_slots where slot_name = %s"
SEES_ONCE = "set transaction isolation level repeatable read"
SNAPSHOT = "select pg_current_snapshot()::text"
MOST_TRANSACTIONS = 200_000
"""Behind the slot: relays compare each row with them."""


def running_relays(dsn: str, outbox: Outbox) -> Sequence[str]:
    """See `SlotTableHandOver`."""
    names = outbox.names
    with session(dsn) as connection:
        if not exists(connection, names.schema, names.member_table):
            return ()
        return _running(connection, outbox)


def table_relays(dsn: str, outbox: Outbox) -> TableRelays:
    """See `SlotTableHandOver`."""
    names = outbox.names
    with session(dsn) as connection:
        present = {
            table: exists(connection, names.schema, table)
            for table in (names.lane_table, names.member_table, names.failure_table)
        }
        running = _running(connection, outbox) if present[names.member_table] else ()
    failures = PostgresFailureTable(dsn, outbox).counts() if present[names.failure_table] else None
    return TableRelays(present[names.lane_table] and present[names.member_table], running, failures)


def _running(connection: Session, outbox: Outbox) -> Sequence[str]:
    """The places of the relays whose leases have not ended."""
    return [place for (place,) in connection.execute(with_names(outbox, RUNNING), ())]


def record_published(dsn: str, outbox: Outbox, offset: Mapping[str, Any] | None, *, trusted: bool) -> RecordedRows:
    """See `SlotTableHandOver`.

    The last position that a connector confirms is lost if its connection is closed while the server sends.
    """
    table = row_table(dsn, outbox)
    with table.examined(), session(dsn, seconds=LONGEST_SECONDS) as connection:
        connection.execute(SEES_ONCE)
        snapshot = _snapshot(connection)
        confirmed = _confirmed(connection, outbox)
        flush(dsn)
        if trusted and offset is not None and isinstance(end := offset.get("lsn_commit"), int):
            confirmed = max(confirmed, end)
        behind = [each for each in logged_rows(dsn, outbox, table.key) if each.end > confirmed]
        if len(behind) > MOST_TRANSACTIONS:
            raise DatabaseRefused(
                f"{len(behind):,} transactions are behind replication slot '{outbox.names.slot}', more than "
                f"{MOST_TRANSACTIONS:,}: the connector is late",
                fix="resume the connector, wait until outbox-kit status shows no lag, then run outbox-kit hand-over "
                "again",
            )
        unpublished, doubled = left_by_connector(behind, published_rows(offset, confirmed), whole=table.keeps_rows)
        changed = table.record(connection, snapshot, unpublished)
        left = sum(len(each.rows) for each in unpublished if snapshot.contains(each.number))
    return RecordedRows(changed, left, doubled)


def left_by_connector(
    transactions: Iterable[LoggedTransaction], published: PublishedRows[LoggedRow] | None, *, whole: bool
) -> tuple[Sequence[LoggedTransaction], int]:
    """What a connector has not published of the transactions behind its position; and how many rows it may have. Pure.

    whole: whether a transaction of which rows are unpublished is left with all of its rows.
    """
    left, doubled = [], 0
    for transaction in transactions:
        rows = transaction.rows
        if published is not None:
            published.begin(transaction.number)
            rows = [row for each in rows for row in published.unpublished(each.position, each)]
        if whole and rows:
            doubled += len(transaction.rows) - len(rows)
            rows = transaction.rows
        if rows:
            left.append(transaction._replace(rows=rows))
    return left, doubled


def may_read_log(dsn: str, outbox: Outbox) -> bool:
    """See `SlotTableHandOver`."""
    with session(dsn) as connection:
        row = connection.execute(READS_LOG, ([*POSTGRES.ddl.log_roles], outbox.names.role)).fetchone()
    return row is not None and bool(row[0])


def create_slot(dsn: str, outbox: Outbox) -> None:
    """See `SlotTableHandOver`."""
    with session(dsn, seconds=LONGEST_SECONDS) as connection:
        connection.execute(CREATE, (outbox.names.slot,))


def published_mark(dsn: str, outbox: Outbox) -> str:
    """See `SlotTableHandOver`."""
    with row_table(dsn, outbox).examined() as table:
        return table.mark()


def is_published(dsn: str, outbox: Outbox, mark: str) -> bool:
    """See `SlotTableHandOver`."""
    with row_table(dsn, outbox).examined() as table:
        return table.passed(mark)


def settle_slot(dsn: str, outbox: Outbox) -> SettledSlot:
    """See `SlotTableHandOver`."""
    table = row_table(dsn, outbox)
    with table.examined(), session(dsn, seconds=LONGEST_SECONDS) as connection:
        connection.execute(SEES_ONCE)
        snapshot = _snapshot(connection)
        confirmed = _confirmed(connection, outbox)
        unpublished = table.unrecorded_rows(connection)
    flush(dsn)
    settled = settled_slot(logged_rows(dsn, outbox, table.key), confirmed, snapshot, unpublished)
    if settled.position is not None:
        with session(dsn, seconds=LONGEST_SECONDS) as connection:
            end = f"{settled.position >> 32:X}/{settled.position & 0xFFFFFFFF:X}"
            connection.execute(ADVANCE, {"slot": outbox.names.slot, "end": end})
    return settled


def settled_slot(
    transactions: Iterable[LoggedTransaction],
    confirmed: int,
    snapshot: TransactionSnapshot,
    unpublished: Collection[str],
) -> SettledSlot:
    """Where a slot goes that is behind what relays have published. Pure.

    transactions: behind its position, in the order of their commits. confirmed: the position. unpublished: the keys of
    the rows that no relay has published, as the snapshot sees them.
    """
    stray, end, is_passed, left, doubled = {*unpublished}, confirmed, True, 0, 0
    for transaction in transactions:
        keys = [row.key for row in transaction.rows]
        open_rows = len(keys) if not snapshot.contains(transaction.number) else sum(key in unpublished for key in keys)
        stray.difference_update(keys)
        is_passed = is_passed and not open_rows
        if is_passed:
            end = max(end, transaction.end)
            continue
        left += open_rows
        doubled += len(keys) - open_rows
    moves = end > confirmed and not stray
    return SettledSlot(end if moves else None, len(stray), left, doubled)


def _snapshot(connection: Session) -> TransactionSnapshot:
    row = connection.execute(SNAPSHOT).fetchone()
    assert row is not None  # noqa: S101 - a select without from has one row
    return TransactionSnapshot.of(row[0])


def _confirmed(connection: Session, outbox: Outbox) -> int:
    """The slot's position. Raises DatabaseRefused."""
    row = connection.execute(CONFIRMED, (outbox.names.slot,)).fetchone()
    if row is None:
        raise DatabaseRefused(f"replication slot '{outbox.names.slot}' does not exist any more")
    return int(row[0] or 0)
