"""What speaks to MongoDB. Connecting needs the extra `mongodb`."""

from outbox_kit.databases.interface import Server
from outbox_kit.databases.mongodb import catalogue, probe
from outbox_kit.databases.mongodb.apply import apply
from outbox_kit.databases.mongodb.ledger import TableLedger
from outbox_kit.databases.mongodb.objects import examine
from outbox_kit.databases.mongodb.session import database_names, endpoint, has_password

SERVER = Server(
    endpoint=endpoint,
    has_password=has_password,
    database_names=database_names,
    apply=apply,
    probe=probe,
    catalogue=catalogue,
    ledger=TableLedger,
    examine=examine,
)
