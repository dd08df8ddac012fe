"""The trial: the new connector runs beside the former one and publishes to topics of its own, which are compared."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from outbox_kit.connect.deploy import Deployment, await_running
from outbox_kit.databases import canary
from outbox_kit.databases.interface import SlotCopies
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.offset_changes import store_offsets
from outbox_kit.delivery.debezium.stopped import await_stopped
from outbox_kit.delivery.handover.state import log_hand_over
from outbox_kit.delivery.replacement import messages
from outbox_kit.delivery.replacement.comparison import Compared, compare
from outbox_kit.delivery.replacement.trial_config import trial_names, trial_of
from outbox_kit.errors import ConnectorUnhealthy, DatabaseRefused, OutboxKitError, OutOfTime, UnsafeChange, UsageProblem
from outbox_kit.kafka import trial_topics
from outbox_kit.kafka.read import Cluster
from outbox_kit.printable import counted
from outbox_kit.waiting import waiting_for
from outbox_kit.wire.routes import Routes

Report = Callable[[str], None]
ACCEPT = "--accept-differences"


@dataclass(frozen=True)
class Trial:
    """A trial of the new connector."""

    former: Debezium
    """The connector that publishes."""
    new: Debezium
    """The connector that is to replace it."""
    cluster: Cluster
    """With the topics of both."""
    seconds: float
    """For how long the messages of both connectors are compared."""
    deadline: Callable[[], float]
    """By time.monotonic(): until then one wait must have ended."""
    report: Report
    """Takes a line for each thing that was done."""
    accept: bool = False
    """Whether messages may differ."""

    @property
    def copies(self) -> SlotCopies:
        """What the database needs. Raises UsageProblem if its connectors have no replication slot."""
        copies, dialect = self.new.server.slot_copies, self.new.outbox.dialect
        if copies is None:
            raise UsageProblem(
                f"'replace' does not support {dialect.title}: its connector has no replication slot to copy",
                fix="change the connector in place: outbox-kit deploy-connector; another name: outbox-kit rename",
            )
        return copies

    @property
    def running(self) -> Debezium:
        """The connector of the trial."""
        return trial_of(self.new)

    def run(self) -> None:
        """Run the trial and remove it. Raises UnsafeChange if the messages differ, and EnvironmentProblem."""
        try:
            compared = self._compared()
        except OutboxKitError as error:
            self._remove_after(error)
            raise
        except BaseException:
            self.remove()
            raise
        self.remove()
        self._judge(compared)

    def remove(self) -> None:
        """Remove what a trial has created: connector, stored offset, replication slot and topics. Can be repeated."""
        trial, workers = self.running, self.new.workers
        if workers.status(trial.name) is not None:
            workers.stop(trial.name)
            await_stopped(trial, self.deadline(), deleted=True)
            if workers.offsets(trial.name):
                workers.reset_offsets(trial.name)
            workers.delete(trial.name)
        if trial.slots is not None:
            trial.slots.drop_slot(trial.address, trial.outbox.names.slot)
        topics = trial_topics.delete(self.cluster, trial_names(self.new.outbox).topics)
        self.report(f"removed the trial: connector '{trial.name}', its slot and {counted(topics, 'topic')}")

    def _remove_after(self, error: OutboxKitError) -> None:
        try:
            self.remove()
        except OutboxKitError as problem:
            error.details = (*error.details, f"  left  the trial was not removed: {problem.what}")

    def _compared(self) -> Compared:
        """Compare what was committed while both connectors were running.

        A connector has published what was committed before a point when its stored offset has passed the point.
        """
        trial, cluster, prefix = self.running, self.cluster, trial_names(self.new.outbox).topics
        topics = self._topics()
        before = messages.ends(cluster, topics)
        self._start(trial, prefix, before)
        self._await_passed(self.former, trial)
        begun = messages.ends(cluster, topics)
        with self._canary():
            time.sleep(self.seconds)
            # what was published by now was committed by now
            former_until = messages.ends(cluster, self._topics())
            trial_until = messages.ends(cluster, self._trial_topics(prefix))
            self._await_passed(self.former, trial)
            former_last = messages.ends(cluster, self._topics())
            trial_last = messages.ends(cluster, self._trial_topics(prefix))
        deadline = self.deadline()
        of_former = messages.messages(cluster, messages.between(before, former_last), deadline)
        of_new = messages.messages(cluster, messages.between({}, trial_last), deadline, prefix=prefix)
        return compare(
            of_former,
            of_new,
            expected_of_new=messages.messages(cluster, messages.between(begun, former_until), deadline),
            expected_of_former=messages.messages(cluster, messages.between({}, trial_until), deadline),
            sized={topic for topic, _ in before},
        )

    def _judge(self, compared: Compared) -> None:
        lines = [f"  differs  {line}" for line in compared.lines()]
        if not compared.complete:
            raise UnsafeChange(
                f"connectors '{self.former.name}' and '{self.new.name}' do not publish the same events",
                fix="correct the configuration in the schema file, then run outbox-kit replace again",
                details=lines,
            )
        if not compared.messages:
            raise OutOfTime(
                "no event was published during the trial: nothing was compared",
                why="no canary row is inserted into an existing table",
                fix="run outbox-kit replace again while events are written, with a longer --trial",
            )
        if compared.differing and not self.accept:
            raise UnsafeChange(
                f"the messages of connector '{self.new.name}' differ from those of '{self.former.name}'",
                fix=f"correct the schema file, or accept them: outbox-kit replace {ACCEPT}",
                details=lines,
            )
        for line in compared.lines():
            self.report(f"accepted difference: {line}")
        equal = "" if compared.differing else " with equal topic, partition, key, headers and value"
        self.report(f"compared {counted(compared.messages, 'message')} of both connectors{equal}")

    def _topics(self) -> list[str]:
        """The topics of the former connector, also those that the schema file declares."""
        routes = Routes(self.former.outbox)
        declared = {*routes.topics, *Routes(self.new.outbox).topics, routes.canary}
        return sorted({*declared, *self.former.workers.topics(self.former.name)})

    def _trial_topics(self, prefix: str) -> list[str]:
        return sorted(topic for topic in self.cluster.topics() if topic.startswith(prefix))

    def _start(self, trial: Debezium, prefix: str, before: messages.Ranges) -> None:
        """Create the topics, the slot and the connector, which begins at the slot's position."""
        counts: dict[str, int] = {}
        for topic, number in before:
            counts[f"{prefix}{topic}"] = max(counts.get(f"{prefix}{topic}", 0), number + 1)
        config = trial.config or {}
        trial_topics.create(self.cluster, counts, config.get("topic.creation.default.max.message.bytes"))
        self.copies.create_slot(trial.address, trial.outbox.names.slot)
        slot = trial.slot()
        if slot is None:
            raise DatabaseRefused(f"replication slot '{trial.outbox.names.slot}' does not exist any more")
        trial.workers.create_stopped(trial.name, config)
        await_stopped(trial, self.deadline())
        offset = log_hand_over(trial).offset_at(slot.confirmed)
        entry = {"partition": {"server": config["topic.prefix"]}, "offset": offset}
        store_offsets(trial.workers, trial.name, [entry], self.deadline(), "see the worker's log")
        deployment = Deployment(trial.name, resumed=True, before=trial.status())
        trial.workers.resume(trial.name)
        await_running(trial.workers, deployment, config, self.deadline())
        self.report(f"connector '{trial.name}' runs beside '{self.former.name}', with topics '{prefix}*'")

    @contextmanager
    def _canary(self) -> Iterator[None]:
        """A canary row for the length of a block, in a table that may have one."""
        outbox, probe = self.new.outbox, self.new.probe
        allowed = not outbox.table.existing
        with canary.inserted(probe, self.new.address, outbox, uuid.uuid4()) if allowed else nullcontext():
            yield

    def _await_passed(self, *deliveries: Debezium) -> None:
        """Wait until the stored offsets of connectors have passed what is committed now."""
        point, deadline, beaten = self.new.point() or 0, self.deadline(), 0.0
        waiting = list(deliveries)
        with waiting_for("the stored offsets to pass what is committed now"):
            while waiting:
                if time.monotonic() - beaten > proof.BEAT_SECONDS:
                    beaten = time.monotonic()
                    self.new.probe.write_heartbeat(self.new.address, self.new.outbox)
                for delivery in waiting:
                    proof.refuse_failed(delivery)
                waiting = [each for each in waiting if (each.stored_position() or 0) < point]
                if waiting and time.monotonic() > deadline:
                    name = waiting[0].name
                    raise ConnectorUnhealthy(
                        f"the stored offset of connector '{name}' has not passed a new row in time",
                        where=waiting[0].workers.url,
                        fix="see the worker's log; increase --timeout above offset.flush.interval.ms of the worker",
                    )
                time.sleep(proof.POLL_SECONDS)
