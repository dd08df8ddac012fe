"""The barrier that `gen-code --barrier` writes, run by each stack's own runtime on real servers."""

from pathlib import Path

import pytest

from outbox_kit import databases
from outbox_kit.render.code import barrier, targets
from tests.database import barriers
from tests.database.conftest import Kit, Written
from tests.support import passed
from tests.support.servers import PASSWORD, Server
from tests.support.toolchain import versions

TOOLS = {"go": "go", "node": "tsc", "java": "javac"}
CASES = [
    (server, stack)
    for server in ("postgres-18", "mysql", "mariadb")
    for stack, target in targets.ALL.items()
    if target.barrier and stack.partition("-")[0] in TOOLS
    if (code := databases.facts_of(server.partition("-")[0]).code) and stack in code.stacks
]


@pytest.mark.parametrize(("server", "stack"), CASES, indirect=["server"])
def test_the_first_of_a_transaction_and_a_check_back_decides(
    server: Server, name: str, kit: Kit, written: Written, stack: str, tmp_path: Path
) -> None:
    written()
    kit("gen-code", stack, "--barrier", "--out", "barrier")

    def check() -> None:
        kit("gen-ddl", "--barrier", "--apply")
        server.ask("create table orders (id varchar(40) primary key)", database=name)
        user = "postgres" if server.dialect == "postgres" else "boss"
        place = {"HOST": "127.0.0.1", "PORT": str(server.port), "USER": user, "PASSWORD": PASSWORD, "DATABASE": name}
        environment = {f"SHOP_{part}": value for part, value in {"DIALECT": server.dialect, **place}.items()}
        assert barriers.result(stack, tmp_path, environment) == barriers.STEPS
        orders = server.ask("select id from orders order by id", database=name)
        assert [order for (order,) in orders] == barriers.ORDERS

    (path,) = targets.get(stack).barrier
    code = (tmp_path / "barrier" / path).read_text().replace(name, "shop")
    script = (tmp_path / "barrier" / barrier.SCRIPT).read_text().replace(name, "shop")
    passed.once("barrier", check, versions(TOOLS[stack.partition("-")[0]]), barriers.HERE, server.dialect, code, script)
