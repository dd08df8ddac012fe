"""A program for each stack of `gen-code --barrier` that a machine runs: transactions and check-backs of messages."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.support import toolchain

HERE = Path(__file__).parent
STEPS = ["committed", "rolled_back", "decided", "decided", "undone", "rolled_back", "unknown", "committed"]
"""What the programs print: see `steps`, in each language."""
ORDERS = ["m1", "m4"]
"""The messages whose transaction has committed."""


def result(stack: str, folder: Path, environment: Mapping[str, str]) -> list[str]:
    """What the program of a stack prints, with the code in `folder/barrier`. environment: the database's parts."""
    language = stack.partition("-")[0]
    for file in (*(HERE / stack).iterdir(), *HERE.glob(f"steps.{SUFFIXES[language]}")):
        shutil.copy(file, folder)
    return list(json.loads(RUNNERS[language](folder, environment)))


def _go(folder: Path, environment: Mapping[str, str]) -> str:
    toolchain.go_module(folder)
    return toolchain.run("go", "run", ".", folder=folder, **environment)


def _node(folder: Path, environment: Mapping[str, str]) -> str:
    schema = folder / "schema.prisma"
    if schema.exists():
        provider = "postgresql" if environment["SHOP_DIALECT"] == "postgres" else "mysql"
        schema.write_text(schema.read_text().replace('"postgresql"', f'"{provider}"'))
        toolchain.prisma(folder)
    toolchain.tsc(folder)
    return toolchain.run("node", "main.js", folder=folder, **environment)


def _java(folder: Path, environment: Mapping[str, str]) -> str:
    toolchain.javac(folder)
    return toolchain.java("Main", folder, **environment)


SUFFIXES = {"go": "go", "node": "ts", "java": "java"}
RUNNERS = {"go": _go, "node": _node, "java": _java}
