"""Ask the database, Kafka Connect and Kafka everything that rules are about; a part that is silent stops no other."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from outbox_kit.connect import plan
from outbox_kit.connect.client import Connect
from outbox_kit.connect.observed import ObservedConnect
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.failures import Selection
from outbox_kit.databases.observed import CheckText, ObservedCapture, ObservedDatabase, ObservedObjects
from outbox_kit.delivery import canary, deliveries
from outbox_kit.delivery.canary import SentCanary
from outbox_kit.delivery.interface import Delivery
from outbox_kit.delivery.questions import SECONDS, Questions
from outbox_kit.delivery.relay import RelayDelivery
from outbox_kit.doctor.observation import INTERNAL_TOPICS, ObservedRelay, Question, SystemObservation, SystemPart
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.kafka import acls
from outbox_kit.kafka.describe import describe
from outbox_kit.kafka.read import Cluster
from outbox_kit.render.constraints import constraints
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire import connector
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.routes import Routes

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class SystemAccess:
    """The ways to the parts of the system; None for one that is not asked."""

    dsn: str | None
    connect: Connect | None
    cluster: Cluster | None
    worker_settings: Mapping[str, str] | None = None
    """The worker's own settings."""
    principal: str | None = None
    """The Kafka user of the worker or relay, as User:connect."""


class PartQuestions:
    """Questions to the parts, whose problems are kept by part."""

    def __init__(self) -> None:
        self._questions = Questions()
        self.unanswered: dict[SystemPart, list[EnvironmentProblem]] = {}

    @property
    def answers(self) -> Mapping[str, Any]:
        """The answers by question."""
        return self._questions.answers

    @property
    def answered(self) -> frozenset[Question]:
        """The questions that have an answer."""
        return frozenset(Question(name) for name in self.answers)

    def ask(self, part: SystemPart, question: Question, ask: Any, seconds: float = SECONDS) -> Any:
        """The answer; None if there is none. seconds: how long it may take."""
        before = len(self._questions.unanswered)
        answer = self._questions.ask(part, question, ask, seconds)
        if problems := self._questions.unanswered[before:]:
            self.unanswered.setdefault(part, []).extend(problems)
        return answer


def observe(outbox: Outbox, access: SystemAccess, probe_seconds: float | None = None) -> SystemObservation:
    """Everything that is seen of an outbox. Raises WrongDatabase, UsageProblem.

    probe_seconds: how long the message of a canary row may take; None if none is to be inserted.
    The database is asked before Kafka Connect: a position that the connector stores in between is a later one.
    """
    questions = PartQuestions()
    delivery = deliveries.of(outbox, access.connect, access.dsn, access.cluster)
    database = _database(outbox, access.dsn, questions) if access.dsn is not None else None
    capture = _capture(outbox, access.dsn, questions) if access.dsn is not None else None
    objects = _objects(outbox, access.dsn, questions) if access.dsn is not None else None
    relay = None
    if access.dsn is not None and outbox.delivery.by == "relay" and database is not None and not database.absent_tables:
        relay = _relay(outbox, access.dsn, delivery, database, questions)
    connect = None
    if access.connect is not None and outbox.delivery.by == "connector":
        connect = _connect(outbox, access.connect, delivery, questions)
    kafka = entries = None
    if access.cluster is not None and outbox.delivery.sink == "kafka":
        cluster, names = access.cluster, [*_topics(outbox), *_internal_topics(access)]
        kafka = questions.ask(SystemPart.kafka, Question.kafka, lambda: describe(cluster, names))
        if principal := access.principal:
            entries = questions.ask(SystemPart.kafka, Question.acls, lambda: acls.read(cluster, principal))
    ways = {
        SystemPart.database: access.dsn,
        SystemPart.connect: access.connect,
        SystemPart.kafka: access.cluster,
    }
    system = SystemObservation(
        outbox,
        frozenset(part for part, way in ways.items() if way is not None),
        questions.answered,
        database,
        connect,
        kafka,
        relay,
        unanswered=questions.unanswered,
        capture=capture,
        objects=objects,
        worker_settings=access.worker_settings,
        principal=access.principal,
        acls=entries,
    )
    return system if probe_seconds is None else _probed(system, access, questions, probe_seconds)


def _probed(
    system: SystemObservation, access: SystemAccess, questions: PartQuestions, seconds: float
) -> SystemObservation:
    """The observation, with that of a canary row if the outbox exists and is published."""
    database, dsn, cluster = system.database, access.dsn, access.cluster
    ready = database is not None and database.created and system.publishing is not False
    if not ready or dsn is None or cluster is None:
        return replace(system, probed=True)
    probe = servers.get(system.outbox.database.dialect).probe

    def sent() -> SentCanary:
        return canary.send(system.outbox, probe, dsn, cluster, seconds, lambda: None)

    answer = questions.ask(SystemPart.database, Question.canary, sent, seconds + SECONDS)
    return replace(system, probed=True, canary=answer, answered=questions.answered, unanswered=questions.unanswered)


def _database(outbox: Outbox, dsn: str, questions: PartQuestions) -> ObservedDatabase | None:
    ask = servers.get(outbox.database.dialect).observe
    if ask is None:
        return None
    checks = {c.name: CheckText(c.expression, c.digest) for c in constraints(outbox, outbox.dialect)}
    return _answer(outbox, dsn, questions, Question.database, lambda: ask(dsn, outbox, checks))


def _answer(
    outbox: Outbox, dsn: str, questions: PartQuestions, question: Question, ask: Callable[[], Answer]
) -> Answer | None:
    """An answer of the database that has the outbox; None if there is none."""

    def answer() -> Answer:
        whereabouts.expect(dsn, outbox)
        return ask()

    reply: Answer | None = questions.ask(SystemPart.database, question, answer)
    return reply


def _capture(outbox: Outbox, dsn: str, questions: PartQuestions) -> ObservedCapture | None:
    """How the server captures rows, where the kit has no other queries for it."""
    server = servers.get(outbox.database.dialect)
    if server.observe is not None or outbox.delivery.by == "relay":
        return None

    def capture() -> ObservedCapture:
        missing = server.probe.missing_from_publication(dsn, outbox)
        risks = server.probe.risks(dsn)
        return ObservedCapture(missing, risks, None if missing else server.probe.heartbeat_age(dsn, outbox))

    return _answer(outbox, dsn, questions, Question.capture, capture)


def _objects(outbox: Outbox, dsn: str, questions: PartQuestions) -> ObservedObjects | None:
    """The outbox and the connector's user, where the kit has no other queries for them."""
    examine = servers.get(outbox.database.dialect).examine
    if examine is None or outbox.delivery.by == "relay":
        return None
    return _answer(outbox, dsn, questions, Question.objects, lambda: examine(dsn, outbox))


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
            first_read=delivery.first_read() if isinstance(delivery, RelayDelivery) else None,
            started=database.relay_started,
            dead=letters.total,
            last_cause=letters.letters[0].failure.cause if letters.letters else "",
            waiting=lanes.total,
            oldest=lanes.waiting[0] if lanes.waiting else None,
        )

    relay: ObservedRelay | None = questions.ask(SystemPart.database, Question.relay, answer)
    return relay


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


def _internal_topics(access: SystemAccess) -> list[str]:
    """The worker's own topics, as far as they are known."""
    settings = access.worker_settings or {}
    return [settings[name] for name in INTERNAL_TOPICS if settings.get(name)]


def _topics(outbox: Outbox) -> list[str]:
    """The topics of events, and those of the connector."""
    others = connector_topics(outbox)
    by_connector = outbox.delivery.by == "connector"
    beside = [others.rows, others.heartbeat, others.history] if by_connector else []
    return [*Routes(outbox).topics, *beside]
