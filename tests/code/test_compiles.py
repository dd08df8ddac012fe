"""Each stack's own compiler or checker takes the code of every example; what no machine compiles is parsed."""

from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_c_sharp

from outbox_kit.render import code
from outbox_kit.render.code import targets
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.support import passed
from tests.support.toolchain import generated, go_module, javac, mypy, run, tsc, versions

EXAMPLES = Path(__file__).parents[1] / "examples"
OUTBOXES = [outbox for file in sorted(EXAMPLES.rglob("*.yaml")) for outbox in read(file).outboxes]
PRISMA = """
import type { PrismaPromise, Sql } from "@prisma/client/runtime/client";
import { once } from "./inbox.js";

interface Client {
  $executeRaw<T = unknown>(query: TemplateStringsArray | Sql, ...values: any[]): PrismaPromise<number>;
}
declare const prisma: Client & {
  $transaction<R>(work: (prisma: Client) => Promise<R>, options?: { timeout?: number }): Promise<R>;
};
await once(prisma, "me", "id", async (transaction) => {
  await transaction.$executeRaw`select 1`;
});
"""


def package(number: int, outbox: Outbox) -> str:
    return f"box{number}_{outbox.service.replace('-', '_')}"


def all_generated(target: str, folder: Path) -> list[Path]:
    return [
        generated(outbox, target, folder / package(n, outbox))
        for n, outbox in enumerate(OUTBOXES)
        if targets.get(target) in code.fitting(outbox)
    ]


@pytest.mark.parametrize("target", ["python-psycopg", "python-sqlalchemy", "python-django", "python-pymongo"])
def test_mypy_takes_the_python(target: str, tmp_path: Path) -> None:
    all_generated(target, tmp_path / "boxes")
    passed.once("mypy", lambda: mypy(tmp_path, "boxes"), versions("mypy"), tmp_path)


def test_go_vets_it_and_gofmt_has_nothing_to_change(tmp_path: Path) -> None:
    for target in ("go-pgx", "go-sql"):
        all_generated(target, tmp_path / target)

    def check() -> None:
        go_module(tmp_path)
        run("go", "vet", "./...", folder=tmp_path)
        root = run("go", "env", "GOROOT", folder=tmp_path).strip()
        assert run(f"{root}/bin/gofmt", "-d", ".", folder=tmp_path) == ""

    passed.once("go", check, versions("go"), tmp_path)


@pytest.mark.parametrize("target", ["node-pg", "node-mysql2", "node-prisma", "node-mongodb"])
def test_tsc_takes_the_typescript(target: str, tmp_path: Path) -> None:
    folders = all_generated(target, tmp_path)
    if target == "node-prisma":
        (folders[0] / "client.ts").write_text(PRISMA)
    passed.once("tsc", lambda: tsc(tmp_path, "--noEmit"), versions("tsc"), tmp_path)


def test_java_s_compiler_takes_the_java(tmp_path: Path) -> None:
    for folder in all_generated("java-spring", tmp_path):
        for file in folder.iterdir():
            file.write_text(file.read_text().replace("package outbox;", f"package {folder.name};"))
    passed.once("javac", lambda: javac(tmp_path), versions("javac"), tmp_path)


def test_the_c_sharp_parses(tmp_path: Path) -> None:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c_sharp.language()))
    for folder in all_generated("csharp-efcore", tmp_path):
        for file in folder.glob("*.cs"):
            assert not parser.parse(file.read_bytes()).root_node.has_error, file
