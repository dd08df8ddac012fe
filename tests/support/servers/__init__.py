"""Real database servers of a test run, each as a `Server` that says what its database's words are."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from tests.support.servers.interface import PASSWORD, Server
from tests.support.servers.mysql import mariadb, mysql
from tests.support.servers.postgres import postgres

__all__ = ["PASSWORD", "SERVERS", "Server"]

SERVERS: dict[str, Callable[[], AbstractContextManager[Server]]] = {
    "postgres-18": lambda: postgres("18"),
    "postgres-16": lambda: postgres("16"),
    "mysql": mysql,
    "mariadb": mariadb,
}
