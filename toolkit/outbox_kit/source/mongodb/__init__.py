"""MongoDB: sessions, applying commands, the catalogue, the canary, the ledger."""

from outbox_kit.source.mongodb import catalogue, ledger, probe
from outbox_kit.source.mongodb.apply import apply
from outbox_kit.source.mongodb.session import Session, called, has_password, server, session

__all__ = ["Session", "apply", "called", "catalogue", "has_password", "ledger", "probe", "server", "session"]
