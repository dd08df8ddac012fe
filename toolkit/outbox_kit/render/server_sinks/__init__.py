"""What Debezium Server publishes to: a module for each sink with its options as `SINK`, found by the sink's name.

`-` in a name is `_` in the module's.
"""

import importlib
import pkgutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outbox_kit.render.server_sink import ServerSink


def names() -> Sequence[str]:
    """The sinks, sorted."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def get(name: str) -> "ServerSink":
    """A sink of `names`."""
    sink: ServerSink = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").SINK
    return sink
