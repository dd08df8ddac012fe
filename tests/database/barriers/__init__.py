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
    for file in (*(HERE / stack).iterdir(), *HERE.glob(f"steps.{toolchain.SUFFIXES[language]}")):
        shutil.copy(file, folder)
    command = toolchain.program(language, folder, environment["SHOP_DIALECT"])
    return list(json.loads(toolchain.run(*command, folder=folder, **environment)))
