"""What speaks to SQL Server."""

from outbox_kit.databases.interface import Server
from outbox_kit.databases.sqlserver import catalogue, probe
from outbox_kit.databases.sqlserver.apply import apply
from outbox_kit.databases.sqlserver.dead import SqlServerDesk
from outbox_kit.databases.sqlserver.failures import SqlServerFailures
from outbox_kit.databases.sqlserver.ledger import TableLedger
from outbox_kit.databases.sqlserver.objects import examine
from outbox_kit.databases.sqlserver.polling import outbox_table
from outbox_kit.databases.sqlserver.session import database_names, endpoint

SERVER = Server(
    endpoint=endpoint,
    database_names=database_names,
    apply=apply,
    probe=probe,
    catalogue=catalogue,
    ledger=TableLedger,
    examine=examine,
    failures=SqlServerFailures,
    failure_desk=SqlServerDesk,
    polled=outbox_table,
)
