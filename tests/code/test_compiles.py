"""Each stack's own compiler or checker takes the code of every example; what no machine compiles is parsed."""

import textwrap
from pathlib import Path

import pytest

from outbox_kit.render import code
from outbox_kit.render.code import targets
from outbox_kit.schema.model import Outbox
from tests.support import checked, example_files, examples, pages, passed
from tests.support.inbox_modes import with_mode
from tests.support.toolchain import generated, mypy, versions

OUTBOXES = example_files.all_outboxes() + [
    with_mode(outbox, mode, dense=dense)
    for outbox in example_files.all_outboxes()
    if (outbox.service, outbox.dialect.name) in {("every-choice", "postgres"), ("odd", "mysql")}
    for mode, dense in (("high-water", True), ("high-water", False), ("offsets", False))
]
PRISMA = """
import type { PrismaPromise, Sql } from "@prisma/client/runtime/client";
import { once } from "./inbox.js";

interface Client {
  $executeRaw<T = unknown>(query: TemplateStringsArray | Sql, ...values: any[]): PrismaPromise<number>;
  $executeRawUnsafe<T = unknown>(query: string, ...values: any[]): PrismaPromise<number>;
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


def on_page(language: str, target: str, folder: Path, name: str) -> None:
    """The examples of the documentation in a language, with the code of a target that they use."""
    outboxes = example_files.all_outboxes()
    outbox = next(outbox for outbox in outboxes if outbox.service == "orders" and not outbox.table.extra)
    generated(outbox, target, folder / "messaging")
    for n, block in enumerate(block for block in pages.all_blocks() if block.language == language):
        place = folder / f"page{n}" / name
        place.parent.mkdir()
        place.write_text(block.text.replace('"./messaging/', '"../messaging/'))


# what the examples in the functions' docstrings take as given
ASYNC = {
    "python-psycopg": ("", "address: str"),
    "python-sqlalchemy": ("from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession\n", "engine: AsyncEngine"),
}


def python_example(folder: Path, target: str) -> str:
    """A module with every example of a folder's docstrings."""
    package = f"boxes.{folder.name}"
    module = (folder / "outbox.py").read_text()
    calls = {name: textwrap.indent(text, "    ") for name, text in examples.of_functions(module).items()}
    imports = f"from {package}.outbox import OutboxRow, {', '.join(calls)}\n"
    functions = f"\n\ndef several() -> None:\n{calls['publish_many']}"
    if target in ASYNC:
        imports, parameter = imports + ASYNC[target][0], ASYNC[target][1]
        functions += f"\n\nasync def asynchronous({parameter}) -> None:\n{calls['publish_async']}"
    return imports + examples.complete(module, package) + functions


@pytest.mark.parametrize("target", ["python-psycopg", "python-sqlalchemy", "python-django", "python-pymongo"])
def test_mypy_takes_the_python_and_its_examples(target: str, tmp_path: Path) -> None:
    for folder in all_generated(target, tmp_path / "boxes"):
        (folder / "example.py").write_text(python_example(folder, target))
    passed.once("mypy", lambda: mypy(tmp_path, "boxes"), versions("mypy"), tmp_path)


# a line without its error would fail too: an ignore that nothing needs is an error of mypy --strict
CALLS = """
from {library} import {sync}
from {async_library} import {asynchronous}

from .events import OrderDeleted, OrderPlaced
from .outbox import OutboxRow, publish, publish_async, publish_many, publish_many_async

event = OrderPlaced({{"orderId": "1001"}})


async def right(sync: {sync}, connection: {asynchronous}) -> None:
    publish(sync, "1001", event, tenant="a")
    publish_many(sync, [OutboxRow("1001", event, tenant="a"), OutboxRow("1001", OrderDeleted(), tenant="a")])
    await publish_async(connection, "1001", OrderDeleted(), tenant="a", note="b")
    await publish_many_async(connection, [OutboxRow("1001", event, tenant="a", note="b")])


async def wrong(sync: {sync}, connection: {asynchronous}) -> None:
    await publish_async(connection, "1", OrderPlaced({{"orderId": 1001}}), tenant="a")  # type: ignore[typeddict-item]
    await publish_async(connection, "1001", OrderPlaced({{}}), tenant="a")  # type: ignore[typeddict-item]
    await publish_async(connection, "1001", OrderDeleted({{}}), tenant="a")  # type: ignore[arg-type]
    await publish_async(connection, "1001", {{"orderId": "1001"}}, tenant="a")  # type: ignore[arg-type]
    await publish_async(connection, "1001", event)  # type: ignore[call-arg]
    await publish_async(sync, "1001", event, tenant="a")  # type: ignore[arg-type]
    publish_async(connection, "1001", event, tenant="a")  # type: ignore[unused-coroutine]
    publish(connection, "1001", event, tenant="a")  # type: ignore[arg-type]
    OutboxRow("1001", event)  # type: ignore[call-arg]
    publish_many(sync, [event])  # type: ignore[list-item]
    await publish_many_async(sync, [])  # type: ignore[arg-type]
"""


@pytest.mark.parametrize(
    ("target", "library", "sync", "async_library", "asynchronous"),
    [
        ("python-psycopg", "psycopg", "Connection", "psycopg", "AsyncConnection"),
        ("python-sqlalchemy", "sqlalchemy.orm", "Session", "sqlalchemy.ext.asyncio", "AsyncSession"),
    ],
)
def test_mypy_rejects_wrong_payloads_columns_and_connections(
    target: str, library: str, sync: str, async_library: str, asynchronous: str, tmp_path: Path
) -> None:
    (orders,) = [outbox for outbox in OUTBOXES if outbox.service == "orders" and outbox.table.name == "order_events"]
    folder = generated(orders, target, tmp_path / "box")
    names = {"library": library, "sync": sync, "async_library": async_library, "asynchronous": asynchronous}
    (folder / "calls.py").write_text(CALLS.format(**names))
    passed.once("mypy", lambda: mypy(tmp_path, "box"), versions("mypy"), tmp_path)


def test_go_vets_it_and_gofmt_has_nothing_to_change(tmp_path: Path) -> None:
    for target in ("go-pgx", "go-sql"):
        all_generated(target, tmp_path / target)
    on_page("go", "go-pgx", tmp_path, "main.go")
    checked.expect_go(tmp_path)


@pytest.mark.parametrize("target", ["node-pg", "node-mysql2", "node-prisma", "node-mongodb"])
def test_tsc_takes_the_typescript(target: str, tmp_path: Path) -> None:
    folders = all_generated(target, tmp_path)
    if target == "node-prisma":
        (folders[0] / "client.ts").write_text(PRISMA)
    if target == "node-pg":
        on_page("typescript", target, tmp_path, "main.ts")
    checked.expect_typescript(tmp_path)


def test_java_s_compiler_takes_the_java(tmp_path: Path) -> None:
    for folder in all_generated("java-spring", tmp_path):
        for file in folder.iterdir():
            file.write_text(file.read_text().replace("package outbox;", f"package {folder.name};"))
    on_page("java", "java-spring", tmp_path, "Billing.java")
    checked.expect_java(tmp_path)


def test_the_c_sharp_parses(tmp_path: Path) -> None:
    for folder in all_generated("csharp-efcore", tmp_path):
        checked.expect_c_sharp(file.read_text() for file in folder.glob("*.cs"))
    checked.expect_c_sharp(block.text for block in pages.all_blocks() if block.language == "csharp")
