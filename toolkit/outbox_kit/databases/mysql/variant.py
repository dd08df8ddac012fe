"""What the servers of MySQL and MariaDB say differently."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.schema.model import Outbox


@dataclass(frozen=True)
class Variant:
    """The words of one of them."""

    log_status: str
    """Asks for the end of the binary log."""
    time_limit: str
    """The variable that limits a statement's time."""
    units_per_second: int
    """Of that variable."""
    identified: str
    """How `alter user` takes a password."""
    encoded: Callable[[str], str]
    """The password as it is sent."""
    log_rights: tuple[str, ...]
    """The privileges with which a connector reads the log, and begins with a snapshot."""
    finds_gtids: bool = False
    """Whether the server has a function for the GTIDs before a position."""


def _hashed(password: str) -> str:
    inner = hashlib.sha1(password.encode()).digest()  # noqa: S324 - the server's own way
    return "*" + hashlib.sha1(inner).hexdigest().upper()  # noqa: S324


# MySQL hides a password from its own logs; MariaDB does not, and so gets the hash
VARIANTS = {
    MYSQL.name: Variant(
        "show binary log status",
        "max_execution_time",
        1000,
        "identified by",
        str,
        ("REPLICATION SLAVE", "REPLICATION CLIENT", "FLUSH_TABLES"),
    ),
    MARIADB.name: Variant(
        "show master status",
        "max_statement_time",
        1,
        "identified by password",
        _hashed,
        ("REPLICATION SLAVE", "BINLOG MONITOR", "RELOAD"),
        finds_gtids=True,
    ),
}


def variant_of(outbox: Outbox) -> Variant:
    """The variant of an outbox's server."""
    return VARIANTS[outbox.database.dialect]
