"""Each stack's own compiler or checker takes the code of every example; what no machine compiles is parsed."""

from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_c_sharp

from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.code.toolchain import generated, go_module, jars, mypy, run, tsc

EXAMPLES = Path(__file__).parents[1] / "examples"
OUTBOXES = [
    outbox
    for file in ("minimal.yaml", "orders/outbox.yaml", "every-choice.yaml", "shipments.yaml")
    for outbox in read(EXAMPLES / file).outboxes
]
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
    return [generated(outbox, target, folder / package(n, outbox)) for n, outbox in enumerate(OUTBOXES)]


@pytest.mark.parametrize("target", ["python-psycopg", "python-sqlalchemy", "python-django"])
def test_mypy_takes_the_python(target: str, tmp_path: Path) -> None:
    all_generated(target, tmp_path / "boxes")
    mypy(tmp_path, "boxes")


def test_go_vets_it_and_gofmt_has_nothing_to_change(tmp_path: Path) -> None:
    all_generated("go-pgx", tmp_path)
    go_module(tmp_path)
    run("go", "vet", "./...", folder=tmp_path)
    assert run("gofmt", "-d", ".", folder=tmp_path) == ""


@pytest.mark.parametrize("target", ["node-pg", "node-prisma"])
def test_tsc_takes_the_typescript(target: str, tmp_path: Path) -> None:
    folders = all_generated(target, tmp_path)
    if target == "node-prisma":
        (folders[0] / "client.ts").write_text(PRISMA)
    tsc(tmp_path, "--noEmit")


def test_javac_takes_the_java(tmp_path: Path) -> None:
    for folder in all_generated("java-spring", tmp_path):
        files = map(str, folder.glob("*.java"))
        run(
            "javac",
            "-Xlint:all,-processing,-classfile",
            "-proc:none",
            "-cp",
            jars(),
            "-d",
            folder,
            *files,
            folder=folder,
        )


def test_the_c_sharp_parses(tmp_path: Path) -> None:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c_sharp.language()))
    for folder in all_generated("csharp-efcore", tmp_path):
        for file in folder.glob("*.cs"):
            assert not parser.parse(file.read_bytes()).root_node.has_error, file
