"""Replication slots of PostgreSQL that are created and copied for another connector; see `interface.SlotCopies`."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from outbox_kit.databases.ledger import LONGEST_SECONDS
from outbox_kit.databases.postgres.hand_over import CONFIRMED
from outbox_kit.databases.postgres.published import published_rows
from outbox_kit.databases.postgres.session import session
from outbox_kit.databases.postgres.slot_rows import flush, logged_rows
from outbox_kit.databases.postgres.table_hand_over import left_by_connector
from outbox_kit.errors import DatabaseRefused
from outbox_kit.schema.model import Outbox

CREATE = "select pg_create_logical_replication_slot(%s, 'pgoutput')"
COPY = "select pg_copy_logical_replication_slot(%s, %s, false)"


def create_slot(dsn: str, name: str) -> None:
    """See `SlotCopies`."""
    with session(dsn, seconds=LONGEST_SECONDS) as connection:
        connection.execute(CREATE, (name,))


def copy_slot(dsn: str, source: str, copy: str) -> None:
    """See `SlotCopies`."""
    with session(dsn, seconds=LONGEST_SECONDS) as connection:
        connection.execute(COPY, (source, copy))


def unpublished_ids(
    dsn: str, outbox: Outbox, offset: Mapping[str, Any], column: str, most: int
) -> Sequence[str] | None:
    """See `SlotCopies`."""
    if outbox.table.storage == "log":
        return None
    with session(dsn) as connection:
        row = connection.execute(CONFIRMED, (outbox.names.slot,)).fetchone()
    if row is None:
        raise DatabaseRefused(f"replication slot '{outbox.names.slot}' does not exist any more")
    end = offset.get("lsn_commit")
    confirmed = max(int(row[0] or 0), end if isinstance(end, int) else 0)
    flush(dsn)
    behind = (each for each in logged_rows(dsn, outbox, column) if each.end > confirmed)
    transactions = [*islice(behind, most + 1)]
    left, _ = left_by_connector(transactions, published_rows(offset, confirmed), whole=False)
    ids = [row.key for each in left for row in each.rows]
    return None if len(transactions) > most or len(ids) > most else ids
