"""MySQL and MariaDB: sessions, applying DDL, the canary, the ledger."""

from outbox_kit.source.mysql import catalogue, ledger, probe
from outbox_kit.source.mysql.apply import apply
from outbox_kit.source.mysql.rows import row
from outbox_kit.source.mysql.session import Session, called, server, session
from outbox_kit.source.url import has_password

__all__ = ["Session", "apply", "called", "catalogue", "has_password", "ledger", "probe", "row", "server", "session"]
