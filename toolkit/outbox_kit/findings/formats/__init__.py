"""Report formats, one module each: a function `render`, and `CLEAN`, which makes texts of others safe for it."""

import importlib
import pkgutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outbox_kit.findings.report import Report


def names() -> Sequence[str]:
    """The formats, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def render(format: str, report: "Report") -> str:
    """A report in a format of `names`."""
    from outbox_kit.findings.report import cleaned  # not above: help lists the names

    module = importlib.import_module(f"{__name__}.{format}")
    text: str = module.render(cleaned(report, module.CLEAN))
    return text
