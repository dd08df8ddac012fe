"""Oracle: sessions, applying DDL, the canary, the ledger. A session needs the extra `oracle`."""

from outbox_kit.source.oracle import catalogue, ledger, probe
from outbox_kit.source.oracle.apply import apply
from outbox_kit.source.oracle.session import Session, called, server, session
from outbox_kit.source.url import has_password

__all__ = ["Session", "apply", "called", "catalogue", "has_password", "ledger", "probe", "server", "session"]
