"""SQL Server: sessions, applying DDL, the canary, the ledger."""

from outbox_kit.source.sqlserver import catalogue, ledger, probe
from outbox_kit.source.sqlserver.apply import apply
from outbox_kit.source.sqlserver.session import Session, called, server, session
from outbox_kit.source.url import has_password

__all__ = ["Session", "apply", "called", "catalogue", "has_password", "ledger", "probe", "server", "session"]
