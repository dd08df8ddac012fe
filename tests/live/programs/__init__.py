"""A program for each stack of `gen-code`: it publishes an event, and handles messages with the inbox."""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.code import toolchain

HERE = Path(__file__).parent
WORK = "create table work (consumer varchar(40) not null, message_id char(36) not null)"
PAYLOAD = {
    "type": "object",
    "required": ["orderId", "at", "lines"],
    "additionalProperties": False,
    "properties": {
        "orderId": {"type": "string"},
        "at": {"type": "string", "format": "date-time"},
        "note": {"type": ["string", "null"]},
        "lines": {
            "type": "array",
            "items": {"type": "object", "required": ["sku"], "properties": {"sku": {"type": "string"}}},
        },
    },
}
EXTRA = "table: {extra: [{name: tenant, as: tenantId}, {name: traceparent, required: false}]}\n"


@dataclass(frozen=True)
class Place:
    """A database, as a program is told of it. kind: of which kind its drivers are."""

    dialect: str
    host: str
    port: int
    user: str
    password: str
    database: str

    def address(self, target: str) -> str:
        """As the libraries of a stack are told of it."""
        kind = "postgres" if self.dialect == "postgres" else "mysql"
        return ADDRESSES.get((target, kind), lambda _: "")(self)


ADDRESSES: dict[tuple[str, str], Callable[[Place], str]] = {
    ("python-psycopg", "postgres"): lambda p: conninfo(p),
    ("python-sqlalchemy", "postgres"): lambda p: f"postgresql+psycopg://{_url(p)}",
    ("python-sqlalchemy", "mysql"): lambda p: f"mysql+pymysql://{_url(p)}",
    ("python-django", "postgres"): lambda p: _django(p, "postgresql"),
    ("python-django", "mysql"): lambda p: _django(p, "mysql"),
    ("go-pgx", "postgres"): lambda p: conninfo(p),
    ("go-sql", "postgres"): lambda p: conninfo(p),
    ("go-sql", "mysql"): lambda p: f"{p.user}:{p.password}@tcp({p.host}:{p.port})/{p.database}",
    ("java-spring", "postgres"): lambda p: f"jdbc:postgresql://{p.host}:{p.port}/{p.database}",
    ("java-spring", "mysql"): lambda p: f"jdbc:{p.dialect}://{p.host}:{p.port}/{p.database}",
}


def conninfo(place: Place) -> str:
    """As libpq is told of it."""
    names = {"host": place.host, "port": place.port, "user": place.user, "password": place.password}
    return " ".join(f"{name}={value}" for name, value in {**names, "dbname": place.database}.items())


def _url(place: Place) -> str:
    return f"{place.user}:{place.password}@{place.host}:{place.port}/{place.database}"


def _django(place: Place, engine: str) -> str:
    known = {"HOST": place.host, "PORT": place.port, "USER": place.user, "PASSWORD": place.password}
    return json.dumps({"ENGINE": f"django.db.backends.{engine}", "NAME": place.database, **known})


def run(target: str, folder: Path, place: Place, traceparent: str) -> dict[str, Any]:
    """What the program of a stack has done with the code in `folder/box`, within a span."""
    language = target.partition("-")[0]
    for file in (HERE / target).iterdir():
        shutil.copy(file, folder)
    for shop in HERE.glob(f"shop.{SUFFIXES[language]}"):
        shutil.copy(shop, folder)
    environment = {
        "ADDRESS": place.address(target),
        "DIALECT": place.dialect,
        "HOST": place.host,
        "PORT": str(place.port),
        "LOGIN": place.user,
        "PASSWORD": place.password,
        "DATABASE": place.database,
        "TRACEPARENT": traceparent,
    }
    said = RUNNERS[language](folder, environment)
    return dict(json.loads(said))


def _python(folder: Path, environment: dict[str, str]) -> str:
    return toolchain.run(sys.executable, "main.py", folder=folder, **environment)


def _node(folder: Path, environment: dict[str, str]) -> str:
    schema = folder / "schema.prisma"
    if schema.exists():
        provider = {"postgres": "postgresql"}.get(environment["DIALECT"], "mysql")
        schema.write_text(schema.read_text().replace('"postgresql"', f'"{provider}"'))
        toolchain.prisma(folder)
    toolchain.tsc(folder)
    return toolchain.run("node", "main.js", folder=folder, **environment)


def _go(folder: Path, environment: dict[str, str]) -> str:
    toolchain.go_module(folder)
    return toolchain.run("go", "run", ".", folder=folder, **environment)


def _java(folder: Path, environment: dict[str, str]) -> str:
    toolchain.javac(folder)
    return toolchain.java("Main", folder, **environment)


SUFFIXES = {"python": "py", "node": "ts", "go": "go", "java": "java"}
RUNNERS = {"python": _python, "node": _node, "go": _go, "java": _java}
