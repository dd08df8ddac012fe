"""Finds what speaks to a database's server: the value `SERVER` of its folder.

A folder's modules, and with them a driver, are imported when they are asked for.
"""

import importlib

from outbox_kit import databases
from outbox_kit.databases.interface import Server
from outbox_kit.databases.postgres.facts import POSTGRES


def get(dialect: str) -> Server:
    """What speaks to the server of a database of the schema file."""
    server: Server = importlib.import_module(f"outbox_kit.databases.{dialect}.server").SERVER
    return server


def dialect_of(dsn: str) -> str:
    """The database of an address, by its scheme; PostgreSQL's may have none, or be nothing but variables."""
    scheme = dsn.partition("://")[0]
    return scheme if scheme in databases.ALL else POSTGRES.name
