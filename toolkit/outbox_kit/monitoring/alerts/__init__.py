"""The alerts, a module each with a function `alert`: None for an outbox that does not have what the alert is about.

`RANK` orders them: the ones that are true in most faults come first.
"""

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache
from types import ModuleType

from outbox_kit.monitoring.alert import Alert
from outbox_kit.schema.model import Outbox


@cache
def modules() -> tuple[ModuleType, ...]:
    """The module of each alert, in order."""
    names = (entry.name for entry in pkgutil.iter_modules(__path__))
    loaded = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return tuple(sorted(loaded, key=lambda module: (module.RANK, module.__name__)))


def alerts(outbox: Outbox) -> Sequence[Alert]:
    """The alerts of an outbox, the most important first."""
    return [alert for module in modules() if (alert := module.alert(outbox)) is not None]
