"""The source database: applying DDL, probing, reading the ledger. The only speaker of database drivers.

One package for each kind of server, all with the same names; `named` finds it.
"""

import importlib
from types import ModuleType

LONG_WEEKEND_HOURS = 96  # that a log is to be kept for, where it waits for no connector

# which package speaks to a dialect's server
PACKAGES = {
    "postgres": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "sqlserver": "sqlserver",
    "mongodb": "mongodb",
    "oracle": "oracle",
}


def named(dialect: str) -> ModuleType:
    """The package that speaks to a dialect's server."""
    return importlib.import_module(f"outbox_kit.source.{PACKAGES[dialect]}")


def speaking(dsn: str) -> str:
    """The dialect of a database's address, by its scheme; PostgreSQL's may have none, or be nothing but variables."""
    scheme = dsn.partition("://")[0]
    return scheme if scheme in PACKAGES else "postgres"
