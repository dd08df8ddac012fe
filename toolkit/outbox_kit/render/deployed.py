"""A connector as a target's file describes it, and how the secrets of its config are referred to. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from outbox_kit import secret
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.connector import config
from outbox_kit.wire.shape import Config

IN_ENVIRONMENT = lazy_pattern(r"\$\{env:(\w+)\}")
NOT_IN_A_VARIABLE = lazy_pattern(r"\W")


@dataclass(frozen=True)
class DeployedConnector:
    """What the file of a target is made of."""

    name: str
    """The connector's name."""
    config: Config
    """Its options, as Kafka Connect's REST API takes them."""
    json_payloads: bool = True
    """Whether each payload is a JSON document."""
    connect_cluster: str = "connect"
    """The resource of the Kafka Connect cluster, for a target that names it."""
    sink: str = ""
    """What the events are published to, for a target that is not Kafka Connect; empty: not chosen."""

    def referring(self, reference: Callable[[str, str], str]) -> Config:
        """The config with a reference in place of each secret.

        reference: of an option and its value, which may be the secret itself.
        """
        return {
            name: reference(name, value) if value and options.holds_secret(self.config, name) else value
            for name, value in self.config.items()
        }

    @property
    def by_reference(self) -> Config:
        """The config for a Kafka Connect worker: references as they are, and no secret."""
        return self.referring(
            lambda name, value: value if secret.refers(value) else f"${{env:{variable(name, value)}}}"
        )


def deployed(outbox: Outbox, *, connect_cluster: str = "connect", sink: str = "") -> DeployedConnector:
    """The connector of an outbox."""
    is_json = outbox.table.payload == "json"
    return DeployedConnector(outbox.names.connector, config(outbox), is_json, connect_cluster, sink)


def variable(name: str, value: str) -> str:
    """The environment variable with the secret of an option: the one that its value refers to, else by its name."""
    match = IN_ENVIRONMENT.fullmatch(value)
    return match[1] if match else NOT_IN_A_VARIABLE.sub("_", name).upper()
