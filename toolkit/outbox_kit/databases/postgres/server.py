"""What speaks to a PostgreSQL server."""

from outbox_kit.databases.interface import Server
from outbox_kit.databases.postgres import catalogue, hand_over, offsets, probe, slot_copies, table_hand_over
from outbox_kit.databases.postgres.apply import apply, dry_run
from outbox_kit.databases.postgres.cleanup import PostgresCleanup
from outbox_kit.databases.postgres.dead import PostgresFailureDesk
from outbox_kit.databases.postgres.defects import defects
from outbox_kit.databases.postgres.failures import PostgresFailureTable, fenced_failures
from outbox_kit.databases.postgres.figures import open_figures
from outbox_kit.databases.postgres.ledger import TableLedger
from outbox_kit.databases.postgres.log import SlotLog
from outbox_kit.databases.postgres.observe import observe
from outbox_kit.databases.postgres.polling import backlog, outbox_table
from outbox_kit.databases.postgres.resent import PostgresResendableRows
from outbox_kit.databases.postgres.rows import read_row
from outbox_kit.databases.postgres.session import database_names, endpoint, has_password
from outbox_kit.databases.postgres.two_phase import PostgresMessages

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
    identified_log=SlotLog,
    failures=PostgresFailureTable,
    fenced_failures=fenced_failures,
    failure_desk=PostgresFailureDesk,
    polled=outbox_table,
    backlog=backlog,
    slots=probe,
    hand_over=hand_over,
    slot_copies=slot_copies,
    slot_table_hand_over=table_hand_over,
    observe=observe,
    figures=open_figures,
    stored_offsets=offsets,
    resendable=PostgresResendableRows(),
    cleanup=PostgresCleanup,
    two_phase=PostgresMessages,
)
