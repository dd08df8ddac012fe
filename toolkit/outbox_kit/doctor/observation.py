"""Everything that was observed of one outbox: each part as a value, or why it was not observed. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from outbox_kit.connect.observed import ObservedConnect
from outbox_kit.databases.failures import WaitingLane
from outbox_kit.databases.interface import FirstRead
from outbox_kit.databases.observed import ObservedCapture, ObservedDatabase, ObservedObjects, ReplicationLog
from outbox_kit.delivery.canary import SentCanary
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.kafka.acls import AclEntry
from outbox_kit.kafka.describe import ObservedKafka
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector
from outbox_kit.wire.connector_topics import ConnectorTopics, connector_topics
from outbox_kit.wire.routes import Routes

INTERNAL_TOPICS = ("offset.storage.topic", "config.storage.topic", "status.storage.topic")
"""The settings that name a worker's own topics."""


class SystemPart(StrEnum):
    """A part of the system; the value is its name in prose."""

    database = "the database"
    connect = "Kafka Connect"
    kafka = "Kafka"


class Question(StrEnum):
    """A question that can be left unanswered although its part answers; the value names the answer."""

    database = "the state of the database"
    worker = "the Kafka Connect worker"
    plugins = "the plugins of the worker"
    status = "the state of the connector"
    drift = "the running configuration"
    peers = "the other connectors"
    complaints = "the validation of the configuration"
    offsets = "the stored offsets"
    topics = "the topics of the connector"
    kafka = "the state of Kafka's topics"
    capture = "what the server captures"
    objects = "the outbox and the connector's user"
    acls = "the ACLs of the Kafka user"
    relay = "the state of the relay"
    canary = "the message of the canary row"


@dataclass(frozen=True)
class ObservedRelay:
    """The relay of an outbox, as the database shows it."""

    running: bool
    started: bool
    """Whether one was ever started."""
    dead: int
    """Dead letters."""
    last_cause: str
    """Why one of them is dead."""
    waiting: int
    """Lanes whose events wait."""
    oldest: WaitingLane | None
    """Of these lanes."""
    first_read: FirstRead | None = None
    """Of a relay whose slot does not exist yet."""


@dataclass(frozen=True)
class SystemObservation:
    """What was observed of one outbox. A part is None if it was not asked, or has not answered."""

    outbox: Outbox
    addressed: frozenset[SystemPart]
    """The parts whose addresses were given."""
    answered: frozenset[Question]
    database: ObservedDatabase | None = None
    connect: ObservedConnect | None = None
    kafka: ObservedKafka | None = None
    relay: ObservedRelay | None = None
    capture: ObservedCapture | None = None
    """How the server captures rows; None if that is part of `database`, or nothing was observed."""
    objects: ObservedObjects | None = None
    """The outbox and the connector's user; None likewise."""
    worker_settings: Mapping[str, str] | None = None
    """The worker's own settings; None if their file was not named."""
    principal: str | None = None
    """The Kafka user of the worker or relay, as User:connect; None if it was not named."""
    acls: Sequence[AclEntry] | None = None
    """Its ACLs; None if the brokers have no authorizer, or they are not known."""
    probed: bool = False
    """Whether a canary row was asked for."""
    canary: SentCanary | None = None
    """The canary row; None if none was sent."""
    unanswered: Mapping[SystemPart, Sequence[EnvironmentProblem]] = field(default_factory=dict)
    """The problems of the parts that were asked."""

    @property
    def routes(self) -> Routes:
        """The topics of the events."""
        return Routes(self.outbox)

    @property
    def topics(self) -> ConnectorTopics:
        """The other topics of the connector."""
        return connector_topics(self.outbox)

    @property
    def config(self) -> Mapping[str, str]:
        """The connector's config, as it is generated."""
        return connector.config(self.outbox)

    @property
    def log(self) -> ReplicationLog | None:
        """The log with slots; None if it was not observed, or there is none."""
        return self.database.slot_log if self.database else None

    @property
    def registered(self) -> bool | None:
        """Whether the connector exists; None if that is not known."""
        if self.connect is None or Question.status not in self.answered:
            return None
        return self.connect.registered

    @property
    def publishing(self) -> bool | None:
        """Whether a connector or relay runs; None if that is not known."""
        if self.by_relay:
            return self.relay.running if self.relay else None
        status = self.connect.status if self.connect else None
        return status.running if status else None

    @property
    def by_relay(self) -> bool:
        """Whether a relay publishes the events."""
        return self.outbox.delivery.by == "relay"
