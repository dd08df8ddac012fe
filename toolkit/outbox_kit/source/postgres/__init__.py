"""PostgreSQL: sessions, applying DDL, slots, the canary, the ledger."""

from outbox_kit.source.postgres import catalogue, ledger, probe
from outbox_kit.source.postgres.apply import apply
from outbox_kit.source.postgres.rows import row
from outbox_kit.source.postgres.session import Session, called, has_password, server, session

__all__ = ["Session", "apply", "called", "catalogue", "has_password", "ledger", "probe", "row", "server", "session"]
