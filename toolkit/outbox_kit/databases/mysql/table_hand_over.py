"""A hand-over between a connector and relays that delete rows, in MySQL and MariaDB; see `OffsetTableHandOver`."""

from collections.abc import Sequence

from outbox_kit.databases.hand_over import TableRelays
from outbox_kit.databases.mysql.defects import beside, missing_tables
from outbox_kit.databases.mysql.failures import MySqlFailures
from outbox_kit.databases.mysql.polling import MySqlTable
from outbox_kit.databases.mysql.scripts import SCRIPTING
from outbox_kit.databases.mysql.session import session
from outbox_kit.schema.model import Outbox

RUNNING = "select m.place from {members} as m where {live} order by m.place"


def running_relays(dsn: str, outbox: Outbox) -> Sequence[str]:
    """See `OffsetTableHandOver`."""
    if missing_tables(dsn, [outbox.names.member_table]):
        return ()
    return _running(dsn, outbox)


def table_relays(dsn: str, outbox: Outbox) -> TableRelays:
    """See `OffsetTableHandOver`."""
    if missing_tables(dsn, beside(outbox)):
        return TableRelays(present=False, running=(), failures=None)
    return TableRelays(True, _running(dsn, outbox), MySqlFailures(dsn, outbox).counts())


def _running(dsn: str, outbox: Outbox) -> Sequence[str]:
    """The places of the relays whose leases have not ended."""
    with session(dsn) as cursor:
        cursor.execute(RUNNING.format(**SCRIPTING.names(outbox)), ())
        return [str(place) for (place,) in cursor]


def committed_rows(dsn: str, outbox: Outbox) -> Sequence[str]:
    """See `OffsetTableHandOver`."""
    with MySqlTable(dsn, outbox).examined() as table:
        return table.keys()


def delete_rows(dsn: str, outbox: Outbox, rows: Sequence[str]) -> None:
    """See `OffsetTableHandOver`."""
    with MySqlTable(dsn, outbox).examined() as table:
        table.delete(rows)
