"""What speaks to a server of MySQL or MariaDB."""

from outbox_kit.databases.interface import Server
from outbox_kit.databases.mysql import catalogue, offsets, probe, table_hand_over
from outbox_kit.databases.mysql.apply import apply
from outbox_kit.databases.mysql.cleanup import MySqlCleanup
from outbox_kit.databases.mysql.dead import MySqlDesk
from outbox_kit.databases.mysql.defects import defects
from outbox_kit.databases.mysql.failures import MySqlFailures
from outbox_kit.databases.mysql.figures import open_figures
from outbox_kit.databases.mysql.ledger import TableLedger
from outbox_kit.databases.mysql.observe import observe
from outbox_kit.databases.mysql.polling import outbox_table
from outbox_kit.databases.mysql.resent import MySqlResendableRows
from outbox_kit.databases.mysql.rows import read_row
from outbox_kit.databases.mysql.session import database_names, endpoint
from outbox_kit.databases.mysql.two_phase import MySqlMessages

SERVER = Server(
    endpoint=endpoint,
    database_names=database_names,
    apply=apply,
    probe=probe,
    catalogue=catalogue,
    ledger=TableLedger,
    marked_ledger=TableLedger,
    read_row=read_row,
    defects=defects,
    observe=observe,
    figures=open_figures,
    stored_offsets=offsets,
    resendable=MySqlResendableRows(),
    failures=MySqlFailures,
    failure_desk=MySqlDesk,
    polled=outbox_table,
    offset_table_hand_over=table_hand_over,
    cleanup=MySqlCleanup,
    two_phase=MySqlMessages,
)
