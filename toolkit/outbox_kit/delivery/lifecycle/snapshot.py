"""Signals to a running connector about incremental snapshots, through the topic that its configuration names."""

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from outbox_kit.connect.client import Config
from outbox_kit.databases import servers
from outbox_kit.databases.resent import RowSelection
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.step import Report, Step
from outbox_kit.delivery.lifecycle.plan import OperationPlan
from outbox_kit.delivery.lifecycle.registered import registered
from outbox_kit.errors import ConnectorUnhealthy, KafkaRefused, UsageProblem
from outbox_kit.kafka import scratch
from outbox_kit.kafka.read import Cluster
from outbox_kit.printable import counted
from outbox_kit.wire.effective import router_columns

TYPES: Mapping[str, str] = {
    "start": "execute-snapshot",
    "stop": "stop-snapshot",
    "pause": "pause-snapshot",
    "resume": "resume-snapshot",
}
"""The commands, and Debezium's types of signals."""
SEEN = (
    "with the same event ids, keys, headers and values, in the order of the primary key: events of one key may come "
    "in another order than before, and after newer events; a consumer without an inbox processes them again"
)


@dataclass(frozen=True)
class SnapshotSignal:
    """A signal to the connector of one outbox."""

    delivery: Debezium
    """The connector, its workers and its database."""
    cluster: Cluster
    """Kafka, with the signal topic."""
    report: Report
    """Takes a line for each thing that was done."""

    def plan(self, command: str, selection: RowSelection) -> OperationPlan:
        """The plan. command: a key of `TYPES`. selection: the rows of `start`, by key and time.

        Raises UsageProblem if the connector reads no signals, ConnectorUnhealthy if it does not run, KafkaRefused.
        """
        before = registered(self.delivery)
        topic = self._topic(before.config)
        if not before.status.running:
            raise ConnectorUnhealthy(f"'{before.name}' does not read signals: {before.status}", fix="outbox-kit status")
        count = self.cluster.topics().get(topic)
        if count != 1:
            what = "does not exist" if count is None else f"has {count} partitions"
            raise KafkaRefused(
                f"signal topic '{topic}' {what}; nothing was changed",
                where=self.cluster.bootstrap,
                why="the connector reads one partition, and creates no topic",
                fix=f"create it with 1 partition: kafka-topics.sh --create --topic {topic} --partitions 1",
            )
        text = f"send the signal {TYPES[command]} to topic '{topic}'"
        document = {"id": str(uuid.uuid4()), "type": TYPES[command], "data": self._data(command, selection)}
        step = Step("send-signal", text, lambda: self._send(topic, before.config["topic.prefix"], document))
        facts = [*before.facts(), ("signal", json.dumps(document["data"]))]
        effects = [*self._effects(selection)] if command == "start" else []
        return OperationPlan(
            f"snapshot {command}", before.name, facts, [step], effects, following=("outbox-kit verify",)
        )

    def _topic(self, config: Config) -> str:
        """The signal topic. Raises UsageProblem."""
        channels = [channel.strip() for channel in config.get("signal.enabled.channels", "").split(",")]
        topic = config.get("signal.kafka.topic", "").strip()
        watermarks = config.get("read.only") == "true" or bool(config.get("signal.data.collection"))
        if "kafka" in channels and topic and watermarks:
            return topic
        name = f"{self.delivery.name}.signals"
        raise UsageProblem(
            f"connector '{self.delivery.name}' reads no signals from Kafka; nothing was changed",
            why="it needs signal.enabled.channels: kafka, signal.kafka.topic, and read.only: true or "
            "signal.data.collection",
            fix="publish rows again without signals: outbox-kit resend; or set connect.config: "
            f"{{signal.enabled.channels: kafka, signal.kafka.topic: {name}, signal.kafka.groupId: {name}, "
            'signal.kafka.bootstrap.servers: HOST:PORT, read.only: "true"}, then outbox-kit deploy-connector',
        )

    def _data(self, command: str, selection: RowSelection) -> Mapping[str, Any]:
        outbox = self.delivery.outbox
        form, names = outbox.dialect.capture.table_list_format, outbox.names
        table = form.format(database=names.database, schema=names.schema, table=outbox.table.name)
        data: dict[str, Any] = {"data-collections": [table], "type": "INCREMENTAL"}
        if command == "start" and (conditions := [*self._conditions(selection)]):
            data["additional-conditions"] = [{"data-collection": table, "filter": " AND ".join(conditions)}]
        return data

    def _conditions(self, selection: RowSelection) -> Iterator[str]:
        """The conditions in SQL, every value as a quoted literal."""
        outbox = self.delivery.outbox
        dialect, created = outbox.dialect, outbox.table.columns.created_at
        if selection.key is not None:
            yield f"{dialect.quote_ident(router_columns(outbox).key)} = {dialect.quote_literal(selection.key)}"
        for sign, moment in ((">=", selection.since), ("<", selection.until)):
            if moment is not None and created is not None:
                text = moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
                zone = "+00:00" if self.delivery.slots is not None else ""
                yield f"{dialect.quote_ident(created)} {sign} {dialect.quote_literal(text + zone)}"

    def _effects(self, selection: RowSelection) -> Iterator[str]:
        outbox, rows = self.delivery.outbox, servers.get(self.delivery.outbox.database.dialect).resendable
        if self.delivery.dsn is None or rows is None or not outbox.table.keeps_rows:
            yield f"the chosen rows (not counted) are published again, {SEEN}"
            return
        chosen = rows.choose(self.delivery.dsn, outbox, selection, 1)
        yield f"{counted(chosen.total, 'row')} published again, {SEEN}"

    def _send(self, topic: str, prefix: str, document: Mapping[str, Any]) -> None:
        message = scratch.Written(topic, 0, prefix.encode(), json.dumps(document).encode(), [])
        scratch.write(self.cluster, [message])
        self.report(
            f"sent the signal {document['type']} with id {document['id']}; the connector reads it in some seconds"
        )
