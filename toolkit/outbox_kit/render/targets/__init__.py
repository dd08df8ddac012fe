"""What a connector's config is deployed with: a module for each target, whose function `document` writes its file.

A target's module is found by the target's name; `-` in a name is `_` in the module's.
"""

import importlib
import pkgutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outbox_kit.render.deployed import DeployedConnector

DEFAULT = "rest"


def names() -> Sequence[str]:
    """The targets, sorted."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def document(target: str, connector: "DeployedConnector") -> str:
    """The file of a target of `names`. Raises UsageProblem if the target cannot run this connector."""
    module = importlib.import_module(f"{__name__}.{target.replace('-', '_')}")
    text: str = module.document(connector)
    return text
