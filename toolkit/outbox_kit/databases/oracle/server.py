"""What speaks to Oracle. Connecting needs the extra `oracle`."""

from outbox_kit.databases.interface import Server
from outbox_kit.databases.oracle import catalogue, probe
from outbox_kit.databases.oracle.apply import apply
from outbox_kit.databases.oracle.dead import OracleDesk
from outbox_kit.databases.oracle.failures import OracleFailures
from outbox_kit.databases.oracle.ledger import TableLedger
from outbox_kit.databases.oracle.objects import examine
from outbox_kit.databases.oracle.polling import outbox_table
from outbox_kit.databases.oracle.session import database_names, endpoint

SERVER = Server(
    endpoint=endpoint,
    database_names=database_names,
    apply=apply,
    probe=probe,
    catalogue=catalogue,
    ledger=TableLedger,
    examine=examine,
    failures=OracleFailures,
    failure_desk=OracleDesk,
    polled=outbox_table,
)
