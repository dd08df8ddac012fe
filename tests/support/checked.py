"""What compilers and checkers take of the code below a folder; a check that passed before is not made again."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import tree_sitter
import tree_sitter_c_sharp

from tests.support import passed, toolchain


def expect_go(folder: Path) -> None:
    """Go vets it, and gofmt has nothing to change."""

    def check() -> None:
        toolchain.go_module(folder)
        toolchain.run("go", "vet", "./...", folder=folder)
        root = toolchain.run("go", "env", "GOROOT", folder=folder).strip()
        assert toolchain.run(f"{root}/bin/gofmt", "-d", ".", folder=folder) == ""

    passed.once("go", check, toolchain.versions("go"), folder)


def expect_typescript(folder: Path) -> None:
    """The compiler of TypeScript takes it."""
    passed.once("tsc", lambda: toolchain.tsc(folder, "--noEmit"), toolchain.versions("tsc"), folder)


def expect_java(folder: Path) -> None:
    """The compiler of Java takes it."""
    passed.once("javac", lambda: toolchain.javac(folder), toolchain.versions("javac"), folder)


def expect_c_sharp(texts: Iterable[str]) -> None:
    """A parser takes each text of C#, which no machine here compiles."""
    for text in texts:
        assert not _c_sharp().parse(text.encode()).root_node.has_error, text


@cache
def _c_sharp() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_c_sharp.language()))
