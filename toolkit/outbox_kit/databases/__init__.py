"""The databases: a folder for each, with its facts and what speaks to its server."""

import importlib
import pkgutil
from collections.abc import Iterator

from outbox_kit.databases.facts import Dialect
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.errors import UnknownName


def _dialects() -> Iterator[Dialect]:
    """The facts of each folder: of `x/facts.py` the value `X`."""
    for folder in pkgutil.iter_modules(__path__):
        if folder.ispkg and folder.name != "facts":
            yield getattr(importlib.import_module(f"{__name__}.{folder.name}.facts"), folder.name.upper())


ALL = {dialect.name: dialect for dialect in sorted(_dialects(), key=lambda dialect: (dialect.rank, dialect.name))}


def facts_of(name: str) -> Dialect:
    """The facts of a database by its name in a schema file. Raises UnknownName."""
    if name not in ALL:
        raise UnknownName(f"invalid dialect '{name}': expected one of {', '.join(ALL)}")
    return ALL[name]


DEFAULT = POSTGRES.name  # where an outbox is created without a database in mind: a starter, a self-test


def get(name: str) -> Dialect:
    """The facts of a schema file's database. The model has checked the name."""
    return ALL[name]
