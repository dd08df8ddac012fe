"""Ask the database, Kafka Connect and Kafka everything that rules are about; a part that is silent stops no other."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from outbox_kit.connect import plan
from outbox_kit.connect.client import Connect
from outbox_kit.connect.observed import ObservedConnect
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.failures import Selection
from outbox_kit.databases.observed import CheckText, ObservedDatabase
from outbox_kit.delivery import deliveries
from outbox_kit.delivery.interface import Delivery
from outbox_kit.delivery.questions import Questions
from outbox_kit.doctor.observation import ObservedRelay, Question, SystemObservation, SystemPart
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.kafka.describe import describe
from outbox_kit.kafka.read import Cluster
from outbox_kit.render.constraints import constraints
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire import connector
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.routes import Routes


@dataclass(frozen=True)
class SystemAccess:
    """The ways to the parts of the system; None for one that is not asked."""

    dsn: str | None
    connect: Connect | None
    cluster: Cluster | None


class PartQuestions:
    """Questions to the parts, whose problems are kept by part."""

    def __init__(self) -> None:
        self._questions = Questions()
        self.unanswered: dict[SystemPart, list[EnvironmentProblem]] = {}

    @property
    def answers(self) -> Mapping[str, Any]:
        """The answers by question."""
        return self._questions.answers

    def ask(self, part: SystemPart, question: Question, ask: Any) -> Any:
        """The answer; None if there is none."""
        before = len(self._questions.unanswered)
        answer = self._questions.ask(part, question, ask)
        if problems := self._questions.unanswered[before:]:
            self.unanswered.setdefault(part, []).extend(problems)
        return answer


def observe(outbox: Outbox, access: SystemAccess) -> SystemObservation:
    """Everything that is seen of an outbox. Raises WrongDatabase, UsageProblem.

    The database is asked before Kafka Connect: a position that the connector stores in between is a later one.
    """
    questions = PartQuestions()
    delivery = deliveries.of(outbox, access.connect, access.dsn, access.cluster)
    database = _database(outbox, access.dsn, questions) if access.dsn is not None else None
    relay = None
    if access.dsn is not None and outbox.delivery.by == "relay" and database is not None and not database.absent_tables:
        relay = _relay(outbox, access.dsn, delivery, database, questions)
    connect = None
    if access.connect is not None and outbox.delivery.by == "connector":
        connect = _connect(outbox, access.connect, delivery, questions)
    kafka = None
    if access.cluster is not None and outbox.delivery.sink == "kafka":
        cluster, names = access.cluster, _topics(outbox)
        kafka = questions.ask(SystemPart.kafka, Question.kafka, lambda: describe(cluster, names))
    ways = {
        SystemPart.database: access.dsn,
        SystemPart.connect: access.connect,
        SystemPart.kafka: access.cluster,
    }
    return SystemObservation(
        outbox,
        frozenset(part for part, way in ways.items() if way is not None),
        frozenset(Question(name) for name in questions.answers),
        database,
        connect,
        kafka,
        relay,
        questions.unanswered,
    )


def _database(outbox: Outbox, dsn: str, questions: PartQuestions) -> ObservedDatabase | None:
    ask = servers.get(outbox.database.dialect).observe
    if ask is None:
        return None
    checks = {c.name: CheckText(c.expression, c.digest) for c in constraints(outbox, outbox.dialect)}

    def answer() -> ObservedDatabase:
        whereabouts.expect(dsn, outbox)
        return ask(dsn, outbox, checks)

    seen: ObservedDatabase | None = questions.ask(SystemPart.database, Question.database, answer)
    return seen


def _relay(
    outbox: Outbox, dsn: str, delivery: Delivery, database: ObservedDatabase, questions: PartQuestions
) -> ObservedRelay | None:
    ask = servers.get(outbox.database.dialect).failure_desk
    if ask is None:
        return None

    def answer() -> ObservedRelay:
        desk = ask(dsn, outbox)
        letters, lanes = desk.dead(Selection(), 1), desk.waiting(1)
        return ObservedRelay(
            running=delivery.status().running,
            started=database.relay_started,
            dead=letters.total,
            last_cause=letters.letters[0].failure.cause if letters.letters else "",
            waiting=lanes.total,
            oldest=lanes.waiting[0] if lanes.waiting else None,
        )

    seen: ObservedRelay | None = questions.ask(SystemPart.database, Question.relay, answer)
    return seen


def _connect(outbox: Outbox, connect: Connect, delivery: Delivery, questions: PartQuestions) -> ObservedConnect | None:
    name, config = outbox.names.connector, connector.config(outbox)
    release = Version.of(outbox.connect.debezium)

    def ask(question: Question, answer: Any) -> Any:
        return questions.ask(SystemPart.connect, question, answer)

    worker = ask(Question.worker, connect.worker)
    if worker is None:
        return None
    status: ConnectorStatus | None = ask(Question.status, delivery.status)
    registered = status is not None and status.connector != "UNKNOWN"
    plugins = ask(Question.plugins, connect.plugins)
    installed = {plugin["class"] for plugin in plugins or ()}
    if config["connector.class"] in installed:  # a worker cannot validate for a class that it does not have
        ask(Question.complaints, lambda: connect.validate(config, name))
    peers = ask(Question.peers, connect.connectors)
    if registered:
        live = (peers or {}).get(name)
        ask(Question.drift, lambda: plan.between(live or connect.config(name) or {}, config, release))
        ask(Question.offsets, lambda: connect.offsets(name))
        ask(Question.topics, lambda: connect.topics(name))
    answers = questions.answers
    return ObservedConnect(
        worker=worker,
        plugins=plugins,
        status=status,
        drift=answers.get(Question.drift),
        peers=None if peers is None else {peer: its for peer, its in peers.items() if peer != name},
        complaints=answers.get(Question.complaints),
        offsets=answers.get(Question.offsets),
        stored=_stored(outbox, answers.get(Question.offsets) or ()),
        topics=answers.get(Question.topics) or (),
    )


def _stored(outbox: Outbox, offsets: Any) -> int | None:
    """The position in stored offsets; None if there is none that this database's connector would understand."""
    probe, positions = servers.get(outbox.database.dialect).probe, []
    for entry in offsets:
        with suppress(ValueError, TypeError, LookupError, AttributeError):
            positions.append(probe.position(entry["offset"]) if entry["offset"] else None)
    return max((position for position in positions if position is not None), default=None)


def _topics(outbox: Outbox) -> list[str]:
    """The topics of events, and those of the connector."""
    others = connector_topics(outbox)
    by_connector = outbox.delivery.by == "connector"
    beside = [others.rows, others.heartbeat, others.history] if by_connector else []
    return [*Routes(outbox).topics, *beside]
