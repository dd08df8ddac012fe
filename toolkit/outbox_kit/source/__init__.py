"""The source database: applying DDL, probing, reading the ledger. The only speaker of database drivers.

One package a dialect, all with the same names; `named` finds it.
"""

import importlib
from types import ModuleType

# the dialects whose server this kit can talk to; a new one is a package beside `postgres`
DIALECTS = ("postgres",)


def named(dialect: str) -> ModuleType:
    """The package that speaks to a dialect's server."""
    if dialect not in DIALECTS:
        raise LookupError(dialect)
    return importlib.import_module(f"outbox_kit.source.{dialect}")
