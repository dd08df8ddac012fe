"""The connector of one outbox, with the slot that it reads, as a `Delivery`."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from outbox_kit.connect.client import Config, Connect
from outbox_kit.connect.plan import between
from outbox_kit.connect.status import ConnectorStatus, connector_status
from outbox_kit.databases import servers, whereabouts
from outbox_kit.databases.interface import Probe, Server, Slot, Slots
from outbox_kit.delivery.debezium.health import Observation
from outbox_kit.delivery.interface import Health, RowEvidence
from outbox_kit.delivery.questions import Questions
from outbox_kit.delivery.slots import LOST
from outbox_kit.errors import ConnectRefused, EnvironmentProblem, NotProven, PositionLost, UsageProblem
from outbox_kit.kafka.read import Cluster
from outbox_kit.render.cleanup import RowProof
from outbox_kit.render.constraints import constraints
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire import connector

UNREAD = "without its stored offset nothing shows up to where it has published"
REPAIR = "repair the connector by the chapter of the runbook: outbox-kit gen-runbook"
OTHERWISE = "or allow rows to be deleted by their age alone: --by-age"


@dataclass(frozen=True)
class Debezium:
    """See `Delivery`."""

    outbox: Outbox
    """The outbox."""
    connect: Connect | None = None
    """The workers that run its connector; None if they cannot be asked."""
    dsn: str | None = None
    """The database; None if it cannot be asked."""
    config: Config | None = None
    """The connector's config, whose secrets are masked in what is shown."""
    cluster: Cluster | None = None
    """Kafka; None if it cannot be asked."""
    _expected: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    """The address, after its server has answered that it leads to the outbox's database."""

    @property
    def name(self) -> str:
        """The connector's name."""
        return self.outbox.names.connector

    @property
    def server(self) -> Server:
        """What the database's server can be asked and told."""
        return servers.get(self.outbox.database.dialect)

    @property
    def probe(self) -> Probe:
        """The questions that the database can be asked."""
        return self.server.probe

    @property
    def slots(self) -> Slots | None:
        """The database's replication slots; None if it has none."""
        return self.server.slots

    def expect_database(self) -> None:
        """Raise WrongDatabase if the address leads to another database than the schema file names.

        The server is asked once; never if no address was given.
        """
        if self.dsn is not None and not self._expected:
            whereabouts.expect(self.dsn, self.outbox)
            self._expected.append(self.dsn)

    @property
    def workers(self) -> Connect:
        """The workers that run the connector. Raises UsageProblem where they were not named."""
        if self.connect is None:
            raise UsageProblem("no address of Kafka Connect", fix="set OUTBOX_KIT_CONNECT, or --connect URL")
        return self.connect

    @property
    def address(self) -> str:
        """The database's address. Raises UsageProblem where it was not given."""
        if self.dsn is None:
            raise UsageProblem("no address of the database", fix="set OUTBOX_KIT_DSN, or --dsn DSN")
        return self.dsn

    @property
    def reports_position(self) -> bool:
        """See `Delivery`: the heartbeat moves a slot on; a stored offset may not advance while the database is idle."""
        return self.dsn is not None and self.slots is not None

    def point(self) -> int | None:
        """See `Delivery`."""
        return self.probe.log_position(self.address, self.outbox)

    def position(self) -> int | None:
        """See `Delivery`: what the slot has confirmed, or what the connector has stored if there are no slots."""
        if self.slots is None:
            return self.stored_position()
        slot = self.slot()
        return slot.confirmed if slot else None

    def lag_reason(self, point: int) -> str:
        """See `Delivery`."""
        position = self.position()
        if position is not None and position >= point:
            return ""
        if self.slots is None:
            return f"the stored offset of '{self.name}' is {position}; the last row is before {point}"
        slot = self.outbox.names.slot
        unread = "" if position is None else f"replication slot '{slot}' has {point - position} bytes of lag"
        return unread or f"replication slot '{slot}' does not exist"

    def obstacles(self) -> Sequence[str]:
        """See `Delivery`: the slot, and the tables that the connector is sent."""
        obstacles, names = [], self.outbox.names
        slot = self.slot()
        if self.slots and slot is None:
            obstacles.append(f"replication slot '{names.slot}' does not exist")
        elif slot and slot.wal_status in LOST:
            obstacles.append(f"replication slot '{names.slot}' is lost (wal_status={slot.wal_status})")
        if missing := self.unpublished():
            obstacles.append(missing)
        return obstacles

    def status(self) -> ConnectorStatus:
        """See `Delivery`."""
        return connector_status(self.workers.status(self.name), self.config)

    def health(self) -> Health:
        """See `Delivery`. Raises WrongDatabase."""
        return observed(self).health()

    def slot(self) -> Slot | None:
        """The connector's slot; None if there is none, or the database has no slots."""
        return self.slots.slot(self.address, self.outbox.names.slot) if self.slots else None

    def unpublished(self) -> str:
        """Which tables of the outbox the server does not pass on to the connector, as a sentence; empty if none."""
        missing = self.probe.missing_from_publication(self.address, self.outbox)
        if not missing:
            return ""
        publication = f"publication '{self.outbox.names.publication}'" if self.slots else "change data capture"
        if self.slots and not self.slots.publication_exists(self.address, self.outbox.names.publication):
            return f"{publication} does not exist in database '{self.outbox.names.database}'"
        return f"{publication} does not contain {' and '.join(missing)}"

    def stored_position(self) -> int | None:
        """The log position that the connector itself has stored while streaming, or None if it has not.

        A slot that another connector reads advances as well. The initial snapshot stores a position too, which needs
        no slot and is left out. Raises ConnectRefused for the offset of another kind of connector.
        """
        probe, offsets = self.probe, self.workers.offsets(self.name)
        try:
            stored = [probe.position(entry["offset"]) for entry in offsets if entry["offset"]]
        except (ValueError, TypeError, LookupError, AttributeError) as cause:
            what, url = f"the stored offset of '{self.name}' cannot be read", self.workers.url
            why = f"{type(cause).__name__}: it is not the offset of a connector of this database"
            raise ConnectRefused(what, where=url, why=why) from None
        return max((position for position in stored if position is not None), default=None)

    def evidence(self, *, by_age: bool) -> RowEvidence:
        """See `Delivery`: the slot, or the stored offset if there are no slots."""
        slot = self.slot()
        if slot is not None and slot.wal_status in LOST:
            raise PositionLost(
                f"replication slot '{self.outbox.names.slot}' is lost (wal_status={slot.wal_status})",
                why="events behind its position may not be published: the rows are needed to publish them",
                fix=REPAIR,
            )
        try:
            notes = self._streaming()
        except EnvironmentProblem as problem:
            if not by_age or isinstance(problem, PositionLost):
                raise
            notes = [f"not asked of Kafka Connect: {problem.what}"]
            if slot is None:
                return RowEvidence(
                    RowProof.age, [*notes, "rows are deleted by age: nothing proves that they are published"]
                )
        if self.slots is None:
            return RowEvidence(RowProof.point, notes)
        if slot is None and not by_age:
            raise NotProven(
                f"replication slot '{self.outbox.names.slot}' does not exist",
                why="nothing shows up to where the connector has published",
                fix="outbox-kit status shows the connector and its slot",
            )
        return RowEvidence(RowProof.age if slot is None else RowProof.slot, notes)

    def _streaming(self) -> list[str]:
        """What to note of a connector that has completed its initial snapshot. Raises NotProven if it has not."""
        status = self.status()
        if status.connector == "UNKNOWN":
            what, fix = f"connector '{self.name}' is not registered", "outbox-kit deploy-connector"
            raise NotProven(what, where=self.workers.url, why=UNREAD, fix=f"{fix}, {OTHERWISE}")
        if self.stored_position() is None:
            what = f"connector '{self.name}' has stored no position of the log"
            raise NotProven(what, why="its initial snapshot has not completed", fix=f"wait for it, {OTHERWISE}")
        stored = self.server.stored_offsets if self.slots is None else None
        offsets = [entry["offset"] for entry in self.workers.offsets(self.name) if entry["offset"]] if stored else []
        for offset in offsets:
            if stored and (reason := stored.missing(self.address, self.outbox, offset)):
                what = f"the log of the database does not have the stored offset of '{self.name}'"
                raise PositionLost(what, why=reason, fix=REPAIR)
        return [] if status.running else [f"'{self.name}' does not run ({status}): its position does not move"]


def observed(delivery: Debezium) -> Observation:
    """Everything that can be observed of a connector. Raises WrongDatabase."""
    questions = Questions()
    _ask_connect(delivery, questions)
    if delivery.dsn is not None:
        _ask_database(delivery, delivery.dsn, questions)
    if delivery.cluster is not None:
        _ask_kafka(delivery.cluster, questions)
    answers = {name: answer for name, answer in questions.answers.items() if name != "database"}
    answered = frozenset({*questions.answers, *(("database",) if delivery.dsn is not None else ())})
    return Observation(delivery.outbox, **answers, answered=answered, unanswered=tuple(questions.unanswered))


def _ask_connect(delivery: Debezium, questions: Questions) -> None:
    name, workers, config = delivery.name, delivery.workers, connector.config(delivery.outbox)
    release = Version.of(delivery.outbox.connect.debezium)
    status = questions.ask("connect", "status", delivery.status)
    if status is None or status.connector == "UNKNOWN":
        return
    questions.ask("connect", "drift", lambda: between(workers.config(name) or {}, config, release))
    questions.ask("connect", "topics", lambda: workers.topics(name))
    questions.ask("connect", "stored", delivery.stored_position)


def _ask_kafka(cluster: Cluster, questions: Questions) -> None:
    visible = questions.ask("kafka", "partitions", cluster.topics)
    if visible is not None:
        others = [topic for topic in questions.answers.get("topics") or () if topic not in visible]
        questions.ask("kafka", "hidden", lambda: cluster.hidden(others))


def _ask_database(delivery: Debezium, dsn: str, questions: Questions) -> None:
    probe, outbox = delivery.probe, delivery.outbox
    questions.ask("database", "database", delivery.expect_database)
    if delivery.slots is not None:
        questions.ask("database", "slot", delivery.slot)
    checks, examine = {c.name: c.digest for c in constraints(outbox, outbox.dialect)}, delivery.server.defects

    def defects() -> list[str]:
        missing = delivery.unpublished()
        return [*([missing] if missing else []), *(examine(dsn, outbox, checks) if examine else ())]

    missing = questions.ask("database", "defects", defects)
    if not any(outbox.names.heartbeat_table in defect for defect in missing or ()):
        questions.ask("database", "heartbeat_seconds", lambda: probe.heartbeat_age(dsn, outbox))
