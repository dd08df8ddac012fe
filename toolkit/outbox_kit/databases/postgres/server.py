"""What speaks to a PostgreSQL server."""

from outbox_kit.databases.interface import Server
from outbox_kit.databases.postgres import catalogue, probe
from outbox_kit.databases.postgres.apply import apply, dry_run
from outbox_kit.databases.postgres.dead import PostgresFailureDesk
from outbox_kit.databases.postgres.defects import defects
from outbox_kit.databases.postgres.failures import PostgresFailureTable
from outbox_kit.databases.postgres.ledger import TableLedger
from outbox_kit.databases.postgres.log import SlotLog
from outbox_kit.databases.postgres.observe import observe
from outbox_kit.databases.postgres.polling import outbox_table
from outbox_kit.databases.postgres.rows import read_row
from outbox_kit.databases.postgres.session import database_names, endpoint, has_password

SERVER = Server(
    endpoint=endpoint,
    has_password=has_password,
    database_names=database_names,
    apply=apply,
    dry_run=dry_run,
    probe=probe,
    catalogue=catalogue,
    ledger=TableLedger,
    marked_ledger=TableLedger,
    read_row=read_row,
    defects=defects,
    log=SlotLog,
    failures=PostgresFailureTable,
    failure_desk=PostgresFailureDesk,
    polled=outbox_table,
    slots=probe,
    observe=observe,
)
