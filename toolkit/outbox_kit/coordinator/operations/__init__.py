"""The operations of the HTTP interface, a module for each group with a value `OPERATIONS`."""

import importlib
import pkgutil
from collections.abc import Sequence

from outbox_kit.coordinator.operation import HttpOperation


def all_operations() -> Sequence[HttpOperation]:
    """The operations of all groups."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return [operation for module in modules for operation in module.OPERATIONS]
