"""What a relay publishes to: a module for each sink, whose function `sink` makes a `relay.interface.Sink`.

A sink's module is found by the sink's name in the schema file; its library comes with an extra of that name.
"""

import importlib
import os
import pkgutil
from collections.abc import Sequence

from outbox_kit.errors import UsageProblem
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay.interface import Sink
from outbox_kit.schema.model import Outbox
from outbox_kit.secret import readable, remember_address
from outbox_kit.wire.shape import Config

VARIABLE = "OUTBOX_KIT_SINK_URL"


def names() -> Sequence[str]:
    """The sinks, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def of(outbox: Outbox, config: Config, cluster: Cluster) -> Sink:
    """The sink of an outbox. Raises UsageProblem if its library is not installed, or its address is missing.

    config: the connector's that the schema file generates. cluster: of Kafka, for the sink of that name.
    """
    name = outbox.delivery.sink
    try:
        module = importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as cause:
        raise UsageProblem(
            f"the library for the sink '{name}' is not installed",
            why=str(cause),
            fix=f"pip install 'outbox-kit[{name}]'",
        ) from cause
    answer: Sink = module.sink(outbox, config, cluster)
    return answer


def address(form: str) -> str:
    """The sink's address from the environment, which is a secret from here on. Raises UsageProblem.

    form: an example of a valid address.
    """
    text = readable(os.environ.get(VARIABLE, ""), VARIABLE)
    if not text:
        raise UsageProblem("the sink's address is missing", fix=_next_step(form))
    remember_address(text)
    return text


def malformed(form: str, why: str) -> UsageProblem:
    """The error for a malformed address, which is not shown: any part could be the password.

    form: an example of a valid address.
    """
    return UsageProblem(f"invalid {VARIABLE}: expected {form}", why=why, fix=_next_step(form))


def _next_step(form: str) -> str:
    return f'export {VARIABLE}="{form}"'
