"""A program for each stack of `gen-code`: it publishes an event, and handles messages with the inbox of each mode."""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from outbox_kit.render import code, ddl
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.live.conftest import Kit
from tests.live.programs import inboxes
from tests.support import toolchain

Ask = Callable[[str], list[Any]]
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
EXTRA = """
table:
  extra:
    - {name: tenant, as: tenantId}
    - {name: origin, kind: uuid, required: false}
    - {name: traceparent, required: false}
"""
LIBPQ = "host={host} port={port} dbname={database} user={user} password={password}"
MYSQL = {
    "python-sqlalchemy": "mysql+pymysql://{user}:{password}@{host}:{port}/{database}",
    "go-sql": "{user}:{password}@tcp({host}:{port})/{database}",
    "java-spring": "jdbc:{dialect}://{host}:{port}/{database}",
}
ADDRESSES = {
    "postgres": {
        "python-psycopg": LIBPQ,
        "python-sqlalchemy": "postgresql+psycopg://{user}:{password}@{host}:{port}/{database}",
        "go-pgx": LIBPQ,
        "go-sql": LIBPQ,
        "java-spring": "jdbc:postgresql://{host}:{port}/{database}",
    },
    "mysql": MYSQL,
    "mariadb": MYSQL,
}  # where a library takes them in one; the other programs take the parts


@dataclass(frozen=True)
class Place:
    """A database, as a program is told of it."""

    dialect: str
    host: str
    port: int
    user: str
    password: str
    database: str


def written(place: Place, folder: Path, kit: Kit, ask: Ask) -> dict[str, str]:
    """Run the program of every stack that speaks to a database: the traceparent of each event by its id.

    Each message's work has been done once, and what was undone has left nothing. ask: runs a statement there.
    """
    ask(WORK)
    outbox = read(Path("outbox.yaml")).outboxes[0]
    for of_mode in inboxes.MODES.values():
        ask(ddl.up(of_mode(outbox), ddl.INBOX))
    with inboxes.connected(asdict(place)) as connection:
        expected = inboxes.expected(place.dialect, connection)
    sent, parents = {}, {}
    for target in (one.name for one in code.fitting(outbox)):
        if not (HERE / target).exists():
            continue  # one that no machine compiles
        kit("gen-code", target, "--out", str(folder / target / "box"))
        kit("gen-code", target, "--out", str(folder / target / "box"), "--check")
        ask((folder / target / "box" / "inbox.sql").read_text())
        add_modes(outbox, target, folder / target)
        parent = f"00-{'c0ffee' * 5}00-{len(sent) + 1:016x}-01"
        told = run(target, folder / target, place, parent)
        assert told["handled"] == [True, False, "undone"], target
        if not target.startswith("python"):
            assert told["answers"] == expected, target
        sent[target] = told["sent"]
        parents[told["sent"]] = parent
    for table in ("work", "inbox"):
        rows = [(target, str(event)) for target, event in ask(f"select consumer, message_id from {table}")]
        assert sorted(rows) == sorted(sent.items()), table
    programs = {target for target in sent if not target.startswith("python")}
    for query in inboxes.STORED:
        rows_of = dict[str, list[Any]]()
        for consumer, *row in ask(query):
            rows_of.setdefault(consumer, []).append([str(value) for value in row])
        assert rows_of.keys() == {inboxes.LIBRARY, *programs}
        assert {json.dumps(rows) for rows in rows_of.values()} == {json.dumps(rows_of[inboxes.LIBRARY])}, query
    return parents


def add_modes(outbox: Outbox, target: str, folder: Path) -> None:
    """Generate the inboxes of the other modes beside the box; the packages of Java are named after their folders."""
    if target.startswith("python"):
        return
    for name, of_mode in inboxes.MODES.items():
        place = toolchain.generated(of_mode(outbox), target, folder / name, consumer=False)
        for file in place.glob("*.java"):
            file.write_text(file.read_text().replace("package outbox;", f"package {name};"))


def run(target: str, folder: Path, place: Place, traceparent: str) -> dict[str, Any]:
    """What the program of a stack says of the code in `folder/box`, run within a span."""
    language = target.partition("-")[0]
    for file in (*(HERE / target).iterdir(), *HERE.glob(f"shop.{toolchain.SUFFIXES[language]}")):
        if file.is_file():
            shutil.copy(file, folder)
    parts = {name: str(value) for name, value in asdict(place).items()}
    address = ADDRESSES[place.dialect].get(target, "").format(**parts)
    environment = {f"SHOP_{name.upper()}": value for name, value in {**parts, "address": address}.items()}
    environment |= {"SHOP_STEPS": json.dumps(inboxes.STEPS), "TRACEPARENT": traceparent}
    command = toolchain.program(language, folder, place.dialect)
    return dict(json.loads(toolchain.run(*command, folder=folder, **environment)))
