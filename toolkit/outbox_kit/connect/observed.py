"""What `doctor` observes of a Kafka Connect cluster for one connector. Values only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from outbox_kit.connect.plan import ConfigChange
from outbox_kit.connect.status import ConnectorStatus


@dataclass(frozen=True)
class ObservedConnect:
    """A Connect cluster and one connector. None: the question was not answered."""

    worker: Mapping[str, Any]
    """Version and Kafka cluster of the worker that answers."""
    plugins: Sequence[Mapping[str, Any]] | None = None
    """Its plugins, with class and version."""
    status: ConnectorStatus | None = None
    drift: Sequence[ConfigChange] | None = None
    """What a deployment would change in the connector's config."""
    peers: Mapping[str, Mapping[str, str]] | None = None
    """The configs of the other connectors."""
    complaints: Mapping[str, Sequence[str]] | None = None
    """What the worker says against the connector's config, by option: it also connects to the database."""
    offsets: Sequence[Mapping[str, Any]] | None = None
    """The stored offsets."""
    stored: int | None = None
    """The position in them; None if they have none."""
    topics: Sequence[str] = field(default_factory=tuple)
    """The topics that the connector has written."""

    @property
    def registered(self) -> bool:
        """Whether the connector exists."""
        return self.status is not None and self.status.connector != "UNKNOWN"
