"""PostgreSQL: sessions, applying DDL, slots, the ledger."""

from outbox_kit.source.postgres.apply import Change, apply
from outbox_kit.source.postgres.session import Session, session

__all__ = ["Change", "Session", "apply", "session"]
