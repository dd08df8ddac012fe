"""MongoDB: sessions, applying commands, the canary, the ledger."""

from outbox_kit.source.mongodb import ledger, probe
from outbox_kit.source.mongodb.apply import apply
from outbox_kit.source.mongodb.session import Session, has_password, server, session

__all__ = ["Session", "apply", "has_password", "ledger", "probe", "server", "session"]
