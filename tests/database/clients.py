"""Connections of services, with the libraries that they use."""

from typing import Any

import psycopg
import pymysql
import pytest
from sqlalchemy import URL

from tests.support.servers import PASSWORD, Server

SERVERS = pytest.mark.parametrize("server", ["postgres-18", "mysql", "mariadb"], indirect=True)
POSTGRES = pytest.mark.parametrize("server", ["postgres-18"], indirect=True)


def sqlalchemy_url(server: Server, name: str) -> URL:
    """Of a database, for an engine of SQLAlchemy."""
    driver, user = ("postgresql+psycopg", "postgres") if server.dialect == "postgres" else ("mysql+pymysql", "boss")
    return URL.create(driver, user, PASSWORD, host="127.0.0.1", port=server.port, database=name)


def grant_role(server: Server, name: str, role: str, table: str) -> None:
    """Give the user `application` a role, and rights on a table of its own."""
    if server.dialect == "postgres":
        server.ask(f"grant {role} to application", database=name)
        server.ask(f"grant select, insert on {table} to application", database=name)
    else:
        server.script(name, f"grant {role} to application;")  # by the user who has created the role
        server.ask(f"grant select, insert on {name}.{table} to application", database=name)


def connected(server: Server, name: str, role: str, *, autocommit: bool = True) -> Any:
    """A connection of the user `application` in its role, of psycopg or PyMySQL."""
    if server.dialect == "postgres":
        return psycopg.connect(server.dsn(name, "application"), autocommit=autocommit)  # type: ignore[attr-defined]
    place: Any = {"host": "127.0.0.1", "port": server.port, "user": "application", "password": PASSWORD}
    connection = pymysql.connect(**place, database=name, autocommit=autocommit, ssl_disabled=True)
    with connection.cursor() as cursor:
        cursor.execute(f"set role '{role}'")
    return connection
