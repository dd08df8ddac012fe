"""Oracle: sessions, applying DDL, the canary, the ledger. A session needs the extra `oracle`."""

from outbox_kit.source.ddl import Change
from outbox_kit.source.oracle import ledger, probe
from outbox_kit.source.oracle.apply import apply
from outbox_kit.source.oracle.session import Session, has_password, server, session

__all__ = ["Change", "Session", "apply", "has_password", "ledger", "probe", "server", "session"]
