"""A broker that does not let us in, hides what we may not see, freezes, or dies: findings or one message, in time."""

import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result as Invocation
from confluent_kafka import Producer
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from outbox_kit.errors import KafkaRefused, KafkaUnreachable, UsageProblem
from outbox_kit.kafka import read
from outbox_kit.kafka.read import Cluster
from outbox_kit.relay.exactly_once.sink import TransactionalKafka
from outbox_kit.relay.interface import OutboxEvent, SendStatus
from outbox_kit.router import chain
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.reading import read_pass
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from outbox_kit.wire import connector
from outbox_kit.wire.connector_topics import connector_topics
from tests.live.broker import USERS, Broker, broker
from tests.live.reported import found
from tests.live.scratch import Message
from tests.support.cli import invoke
from tests.support.frozen import freeze
from tests.support.request import request_of
from tests.support.waiting import create_topics, until

OUTBOX = Outbox.model_validate(
    {
        "service": "shop",
        "database": {"dialect": "postgres"},
        "routing": {"topic": "{service}.{aggregate}"},
        "events": [{"type": "OrderPlaced", "aggregate": "Order"}, {"type": "CartOpened", "aggregate": "Cart"}],
    }
)
ORDERS, CARTS = "shop.Order", "shop.Cart"
EVENTS = 500


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with broker(tmp_path_factory.mktemp("guard")) as own:
        fill(own)
        yield own


def fill(own: Broker) -> None:
    admin = AdminClient({"bootstrap.servers": own.bootstrap})
    create_topics(admin, ORDERS, CARTS, partitions=3)
    producer = Producer(
        {
            "bootstrap.servers": own.bootstrap,
            "enable.idempotence": True,
            "partitioner": "murmur2_random",
            "compression.type": "lz4",
        }
    )
    for number in range(EVENTS):
        message = Message(key=str(number % 50).encode(), sequence=number)
        producer.produce(ORDERS, message.value, message.key, headers=message.wire())
    assert producer.flush(60) == 0


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "REQUEST_SECONDS", 5.0)
    monkeypatch.setattr(read_pass, "WORTH_A_PROCESS", 0)


def verified(log: Cluster, **changes: Any) -> Result:
    return Verification(request_of(OUTBOX, log, **({"timeout": 60, "settle": 1} | changes)), lambda _: None).run()


def allow(
    own: Broker,
    name: str,
    operation: AclOperation,
    user: str = "reader",
    kind: ResourceType = ResourceType.TOPIC,
) -> None:
    right = (ResourcePatternType.LITERAL, f"User:{user}", "*", operation, AclPermissionType.ALLOW)
    rule = AclBinding(kind, name, *right)
    admin = AdminClient({"bootstrap.servers": own.bootstrap})
    admin.create_acls([rule])[rule].result()


def test_a_right_that_is_missing_is_named_with_its_topic_and_one_by_one_they_are_given(guard: Broker) -> None:
    log = Cluster(guard.guarded, guard.access("reader"))
    hidden = found(verified(log))
    assert hidden.keys() == {("RUN-07", ORDERS), ("RUN-07", CARTS), ("RUN-06", "*")}
    assert "no right to DESCRIBE" in hidden["RUN-07", ORDERS]

    allow(guard, ORDERS, AclOperation.DESCRIBE)
    closed = verified(log)
    assert found(closed).keys() == {("RUN-01", ORDERS), ("RUN-07", ORDERS), ("RUN-07", CARTS), ("RUN-06", "*")}
    assert "no right to READ" in found(closed)["RUN-07", ORDERS]
    assert closed.notes == [f"topic settings were not read: DESCRIBE_CONFIGS is not granted on {ORDERS}"]
    assert {"CFG-04", "CFG-05"} <= closed.unchecked().keys()

    for topic in (ORDERS, CARTS):
        allow(guard, topic, AclOperation.READ)
        allow(guard, topic, AclOperation.DESCRIBE_CONFIGS)
    whole = verified(log)
    assert (whole.verdict, whole.events, whole.notes, found(whole)) == ("pass", EVENTS, [], {})


def kit(own: Broker, folder: Path, user: str, password: str, *arguments: str) -> Invocation:
    """The command line, as somebody whose password is in the environment."""
    file, config = folder / "outbox.yaml", folder / "client.properties"
    file.write_text(OUTBOX.model_dump_json(by_alias=True, exclude_unset=True))
    config.write_text("".join(f"{k}={v}\n" for k, v in own.access(user, "${env:SHOP_PASSWORD}").items()))
    environment = {"OUTBOX_KIT_KAFKA_CONFIG": str(config), "OUTBOX_KIT_FILE": str(file), "SHOP_PASSWORD": password}
    return invoke(*arguments, "-b", own.guarded, code=None, environment=environment)


def test_a_client_s_properties_let_every_command_in(guard: Broker, tmp_path: Path) -> None:
    report, ends = tmp_path / "report.json", tmp_path / "shard"
    for arguments in (
        ["verify", "--no-table", "--report", f"json={report}"],
        ["verify", "--no-table", "--workers", "2", "--report", f"json={report}"],
        ["verify", "shard", "--of", "1/1", "-o", str(ends)],
        ["verify", "merge", str(ends), "--no-table"],
        ["verify", "inspect", f"{ORDERS}-0@0"],
        ["verify", "selftest"],
    ):
        result = kit(guard, tmp_path, "owner", USERS["owner"], *arguments)
        assert result.exit_code == 0, result.output
    assert json.loads(report.read_text())["counts"]["events"] == EVENTS
    assert USERS["owner"] not in report.read_text()


def test_a_relay_that_publishes_exactly_once_needs_these_rights(guard: Broker) -> None:
    """A topic without the right to write is closed, and the messages of others are published."""
    outbox, reports = OUTBOX.model_copy(update={"delivery_guarantee": "exactly-once"}), list[str]()
    log = Cluster(guard.guarded, guard.access("connect"))
    sink = TransactionalKafka(outbox, connector.config(outbox), log, reports.append)
    sink.event = lambda _: OutboxEvent(None, (), (), None)  # type: ignore[arg-type]
    position, opened, closed = connector_topics(outbox).position, "opened", "closed"
    create_topics(AdminClient({"bootstrap.servers": guard.bootstrap}), opened, closed, partitions=1)
    with pytest.raises(KafkaRefused, match="no right to use the transactional id"):
        sink.open()
    allow(guard, position, AclOperation.WRITE, "connect", ResourceType.TRANSACTIONAL_ID)
    for operation in (AclOperation.CREATE, AclOperation.READ, AclOperation.WRITE):
        allow(guard, position, operation, "connect")
    allow(guard, opened, AclOperation.WRITE, "connect")
    allow(guard, closed, AclOperation.DESCRIBE, "connect")
    assert sink.open() is None
    assert reports == [f"the settings of topic '{position}' cannot be seen: its cleanup.policy must be compact"]
    sink.begin(None, None, None)
    messages = [chain.Message(topic, None, b"1", b"{}", (), None, True) for topic in (opened, closed, opened)]
    expected = [SendStatus.closed if message.topic == closed else SendStatus.delivered for message in messages]
    assert outcomes(sink, messages) == expected
    sink.close()


def outcomes(sink: TransactionalKafka, messages: list[chain.Message]) -> list[SendStatus]:
    """What becomes of messages, of which those that come back are sent again in their order."""
    final: dict[int, SendStatus] = {}
    deadline = time.monotonic() + 60
    while len(final) < len(messages) and time.monotonic() < deadline:
        unsent = [number for number in range(len(messages)) if number not in final]
        flying = {number for number in unsent if sink.send(messages[number], number)}
        while flying:
            for receipt, status, _ in sink.results(0.05):
                flying.remove(receipt)
                if status is not SendStatus.unsent:
                    final[receipt] = status
    return [final[number] for number in range(len(messages))]


@pytest.mark.usefixtures("impatient")
def test_a_password_that_is_wrong_is_one_message_that_does_not_show_it(guard: Broker, tmp_path: Path) -> None:
    result = kit(guard, tmp_path, "owner", "not that", "verify", "--no-table")
    assert (result.exit_code, "Invalid username or password" in result.stderr) == (4, True), result.output
    assert "not that" not in result.output and "Traceback" not in result.output
    with pytest.raises(KafkaUnreachable) as raised:  # nobody said who is there
        Cluster(guard.guarded).topics()
    assert "--kafka-config" in raised.value.fix
    with pytest.raises(KafkaRefused):  # and here nobody asked
        Cluster(guard.bootstrap, guard.access("owner")).topics()


def test_a_setting_that_no_client_has_is_named(guard: Broker) -> None:
    with pytest.raises(UsageProblem, match="invalid Kafka client properties") as raised:
        Cluster(guard.guarded, {"sasl.mechansim": "PLAIN"}).topics()
    assert "sasl.mechansim" in raised.value.why


@dataclass(frozen=True)
class Struck(Cluster):
    """A cluster whose broker gets a signal when the longest of some partitions has been read."""

    pid: int = 0
    signal: int = signal.SIGSTOP

    def read(self, reading: read.Reading, deadline: float) -> Iterator[tuple[str, int, list[Any]]]:
        longest, *rest = sorted(reading.ranges, key=lambda r: r.start - r.end)
        first, others = read.Reading([longest]), read.Reading(rest)
        yield from super().read(first, deadline)
        if self.signal == signal.SIGSTOP:
            freeze(self.pid)
        else:
            os.kill(self.pid, self.signal)
        yield from super().read(others, deadline)
        reading.progress = first.progress | others.progress


SILENT, LATE = "no Kafka broker answers", "the time is up"


def half_read(report: Result, *reasons: str) -> None:
    """Some of it was read; what was not, and why, is said."""
    assert report.verdict == "inconclusive"
    assert 0 < report.events < EVENTS, report.notes
    assert found(report).keys() == {("RUN-01", ORDERS), ("RUN-01", "*")}
    assert any(reason in report.notes[0] for reason in reasons), report.notes


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("changes", [{"engine": "memory"}, {"engine": "disk"}, {"workers": 2}])
def test_a_broker_that_freezes_half_way_ends_it_in_time(guard: Broker, changes: dict[str, Any]) -> None:
    try:
        half_read(verified(Struck(guard.bootstrap, pid=guard.process.pid), timeout=5, **changes), SILENT, LATE)
    finally:
        os.kill(guard.process.pid, signal.SIGCONT)
    until(lambda: whole(guard))


@pytest.mark.usefixtures("impatient")
def test_a_broker_that_freezes_half_way_is_named_where_there_is_time(
    guard: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "IDLE_SECONDS", 2.0)
    try:
        half_read(verified(Struck(guard.bootstrap, pid=guard.process.pid)), SILENT)
    finally:
        os.kill(guard.process.pid, signal.SIGCONT)
    until(lambda: whole(guard))


def whole(own: Broker) -> bool:
    """Whether all can be read: a broker that was frozen for long has to find its way back."""
    try:
        return verified(Cluster(own.bootstrap)).events == EVENTS
    except KafkaUnreachable:
        return False


@pytest.mark.usefixtures("impatient")
def test_a_broker_that_dies_half_way_leaves_a_report_of_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "IDLE_SECONDS", 2.0)
    with broker(tmp_path) as own:
        fill(own)
        report = verified(Struck(own.bootstrap, pid=own.process.pid, signal=signal.SIGKILL))
        half_read(report, SILENT)
        assert ": " in found(report)["RUN-01", ORDERS]  # and the client's words
        with pytest.raises(KafkaUnreachable):
            verified(Cluster(own.bootstrap))
