"""Random pipelines on the real stack: writers, a connector that is disturbed, events lost, invented and cleaned up.

`--fuzz-runs 20` makes it as many rounds for each kind of table, `--fuzz-seed` chooses others.
"""

import contextlib
import random
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import requests
from confluent_kafka import Consumer, Producer, TopicPartition, murmur2

from outbox_kit.errors import KafkaUnreachable
from outbox_kit.findings.rule import Severity
from outbox_kit.kafka.read import Cluster
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from tests.live.conftest import Database
from tests.support.fuzz.seeds import first_seed, left_out
from tests.support.fuzz.transactions import end_or_mark
from tests.support.fuzz.truth import differences
from tests.support.fuzz.values import DAY, Case, Draw, Message, Row, Step
from tests.support.fuzz.writers import written
from tests.support.request import request_of
from tests.support.waiting import PATIENT_SECONDS, until

PARTITIONS = 6
AGED = 8 * DAY  # older than the rows are kept
LATEST = 1.0  # seconds before the start whose messages may come after it
FROZEN_SECONDS = 3.0
HARMLESS = ("task restarted", "connector paused", "nothing")
HARMFUL = ("worker killed", "broker killed", "worker frozen", "broker frozen", "database frozen")
SERVICES = {"worker": "connect", "broker": "kafka", "database": "postgres"}
KEEP, CLEANED = "table: {retention: forever}\n", "table: {retention: delete, keep_days: 7}\n"
ROUTING = {"topic": "{service}.{aggregate}", "key": "aggregate_id"}
INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at) "
    "values (%s, %s, %s, %s, %s, to_timestamp(%s)) returning sequence"
)


@dataclass
class Pipeline:
    """A deployed outbox, and all that its writers know. at: of rows, in seconds since 1970."""

    stack: Stack
    database: Database
    service: str
    retention: str
    rows: list[Row] = field(default_factory=list)
    changed: dict[str, str] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    lost: int = 0
    invented: int = 0

    def document(self) -> dict[str, Any]:
        """What of the schema file says which events there are."""
        return {
            "table": {"payload": "json", "retention": self.retention, "keep_days": 7},
            "routing": ROUTING,
            "ordering": {"sequence": "sequence", "assigned_by": "database"},
            "events": [{"type": one, "aggregate": "Order"} for one in ("OrderPlaced", "OrderPaid")],
            "connect": {"topics": {"partitions": PARTITIONS}, "snapshot": "initial"},
        }

    def write(self, rows: Sequence[Row], steps: Sequence[Step], *, age: float = 0.0) -> list[Row]:
        """Let transactions run as their steps say. age: seconds, of the rows. Returns the rows as they are now."""
        own = list(rows)
        opened: dict[int, psycopg.Connection[Any]] = {}
        with ExitStack() as all_:
            for step in steps:
                if step.transaction not in opened:
                    connection = all_.enter_context(psycopg.connect(self.database.dsn))
                    opened[step.transaction] = connection
                connection = opened[step.transaction]
                if step.what == "insert":
                    row, at = own[step.row], time.time() - age
                    text = (row.payload or b"{}").decode()
                    values = (row.event_id, row.aggregate, row.key, row.type, text, at)
                    found = connection.execute(INSERT, values).fetchone()
                    own[step.row] = replace(row, sequence=found[0] if found else None, written=at)
                elif end_or_mark(connection, step.what):
                    now = time.time()
                    own = [replace(row, ends=now) if row.transaction == step.transaction else row for row in own]
        first = len(self.rows)
        numbers = max((row.transaction for row in self.rows), default=0)
        own = [
            replace(row, number=first + n, transaction=numbers + row.transaction, part=f"{first}.{row.part}")
            for n, row in enumerate(own)
        ]
        self.rows += own
        return own

    def some(self, draw: Draw, count: int, *, age: float = 0.0) -> list[Row]:
        """A transaction of a few rows."""
        rows, _ = drawn(draw)
        while len([row for row in rows if row.committed]) < count:
            draw = replace(draw, seed=draw.seed + 10**9)
            rows, _ = drawn(draw)
        chosen = [row for row in rows if row.committed][:count]
        own = [replace(row, number=n, transaction=1, part="1") for n, row in enumerate(chosen)]
        inserts = [Step(0.0, 1, "insert", n) for n in range(count)]
        return self.write(own, [*inserts, Step(0.0, 1, "commit")], age=age)

    def execute(self, query: str, values: Sequence[Any] = ()) -> None:
        """A statement of the database's owner."""
        with psycopg.connect(self.database.dsn, autocommit=True) as connection:
            connection.execute(query.encode(), values)

    def lose(self, draw: Draw, count: int) -> None:
        """Rows that the connector is not given."""
        self.execute(f"alter publication {self.service}_outbox drop table outbox")
        self.some(draw, count)
        self.execute(f"alter publication {self.service}_outbox add table outbox")
        self.lost += count
        self.done.append(f"{count} lost")

    def invent(self, chance: random.Random, count: int) -> None:
        """Messages that have no row."""
        producer = Producer({"bootstrap.servers": self.stack.bootstrap})
        for n in range(count):
            key, event_id = f"ghost-{chance.getrandbits(60)}", f"{chance.getrandbits(32):08x}-0000-4000-8000-{n:012x}"
            headers = {"id": event_id, "eventType": "OrderPaid", "aggregateType": "Order", "sequence": "1"}
            home = int(murmur2(key.encode(), PARTITIONS))
            listed: list[tuple[str, str | bytes | None]] = [(name, value.encode()) for name, value in headers.items()]
            producer.produce(f"{self.service}.Order", b"{}", key.encode(), home, headers=listed)
        producer.flush(30)
        self.invented += count
        self.done.append(f"{count} phantoms")

    def change(self, chance: random.Random) -> None:
        """A row that is changed when its message is there."""
        row = chance.choice([row for row in self.rows if row.committed and row.event_id not in self.changed])
        self.changed[row.event_id] = kind = chance.choice(("key", "type", "payload"))
        column = {"key": "aggregateid", "type": "type", "payload": "payload"}[kind]
        value = {"key": "another", "type": "OrderPaid" if row.type == "OrderPlaced" else "OrderPlaced"}.get(kind, "[]")
        self.execute(f"update outbox set {column} = %s where id = %s", (value, row.event_id))
        self.done.append(f"{kind} changed")

    def clean_up(self, rows: Sequence[Row], at: float) -> None:
        """Delete rows. at: when, against the start of the verification."""
        self.execute("delete from outbox where id = any(%s::uuid[])", ([row.event_id for row in rows],))
        for row in rows:
            self.rows[row.number] = replace(self.rows[row.number], deleted=at)
        self.done.append(f"{len(rows)} cleaned up {'before' if at < 0 else 'meanwhile'}")

    def messages(self) -> list[Message]:
        """Everything on the topic, when all has come, by a consumer that knows nothing of the kit."""
        topic, until = f"{self.service}.Order", time.monotonic() + PATIENT_SECONDS
        wanted = sum(row.committed for row in self.rows) - self.lost + self.invented
        numbers = {row.event_id: row.number for row in self.rows}
        consumer = Consumer({"bootstrap.servers": self.stack.bootstrap, "group.id": "none"})
        consumer.assign([TopicPartition(topic, n, 0) for n in range(PARTITIONS)])
        found: list[Message] = []
        quiet = 0
        while time.monotonic() < until and (quiet < 3 or len({m.event_id for m in found}) < wanted):
            several = [one for one in consumer.consume(1000, 0.5) if not one.error()]
            quiet = 0 if several else quiet + 1
            found += [message(one, numbers) for one in several]
        consumer.close()
        return sorted(found, key=lambda m: (m.partition, m.offset))

    def verify(self) -> Result:
        """The product's report."""
        outbox = read(Path("outbox.yaml")).outbox(None)
        cluster = Cluster(self.stack.bootstrap)
        request = request_of(outbox, cluster, self.database.dsn, catch_up=120, max_samples=100_000)
        return Verification(request, lambda _: None).run()

    def case(self, seed: int, before: Sequence[Message], messages: Sequence[Message], start: float) -> Case:
        """All this as a case whose verification began at a time. before: the messages that were seen to be there."""
        rows = [replace(row, written=row.written - start, ends=row.ends - start) for row in self.rows]
        there = {m.place for m in before}
        sent = [
            replace(
                m,
                at=min(m.at - start, 0.0) if m.place in there else m.at - start + LATEST,
                fault=self.changed.get(m.event_id or "", ""),
            )
            for m in messages
        ]
        counts = {f"{self.service}.Order": PARTITIONS}
        ids = "pipeline"
        return Case(seed, "table", ids, self.document(), (), tuple(rows), tuple(sent), counts, {})


def drawn(draw: Draw) -> tuple[list[Row], list[Step]]:
    """Interleaved transactions."""
    own = {
        "table": {"payload": "json"},
        "routing": ROUTING,
        "ordering": {"sequence": "sequence", "assigned_by": "database"},
    }
    events = [{"type": one, "aggregate": "Order"} for one in ("OrderPlaced", "OrderPaid")]
    kind = draw.of("kind").choice(("v4", "v1", "v6", "v7", "counter"))
    steps, rows = written(draw, {**own, "events": events}, 60.0, kind)
    return rows, steps


def message(one: Any, numbers: dict[str, int]) -> Message:
    """A record of the client's."""
    headers = tuple((name, value) for name, value in one.headers() or () if value is not None)
    event_id = next(value.decode() for name, value in headers if name == "id")
    row, at = numbers.get(event_id, -1), one.timestamp()[1] / 1000
    return Message(one.topic(), one.key().decode(), one.value(), headers, at, row, "", one.partition(), one.offset())


def disturb(stack: Stack, connector: str, kind: str) -> None:
    """One thing that happens to pipelines, and their being well again."""
    service = SERVICES.get(kind.split()[0], "")
    match kind.split()[1:]:
        case ["killed"]:
            stack.kill(service)
            stack.start(service)
            until(lambda: answers(stack), "an answer of the broker", 120)
        case ["frozen"]:
            whole = psutil.Process(stack.processes[service].pid)
            every = [whole, *whole.children(recursive=True)]
            for act, seconds in ((psutil.Process.suspend, FROZEN_SECONDS), (psutil.Process.resume, 0.0)):
                for one in every:
                    with contextlib.suppress(psutil.NoSuchProcess):  # a backend's session may be over
                        act(one)
                time.sleep(seconds)
        case ["restarted"]:
            requests.post(f"{stack.connect_url}/connectors/{connector}/tasks/0/restart", timeout=120)
        case ["paused"]:
            requests.put(f"{stack.connect_url}/connectors/{connector}/pause", timeout=120)
            time.sleep(0.5)
            requests.put(f"{stack.connect_url}/connectors/{connector}/resume", timeout=120)


def answers(stack: Stack) -> bool:
    """Whether the broker answers: one that was killed recovers its log first."""
    try:
        return bool(Cluster(stack.bootstrap).topics())
    except KafkaUnreachable:
        return False


def played(pipeline: Pipeline, seed: int, without: frozenset[str], aged: Sequence[Row]) -> tuple[Case, Result]:
    """One round: writers, and whatever happens to their events meanwhile. aged: old rows that it may clean up."""
    draw = Draw(seed, "pipeline", without | {"large"})
    chance = draw.of("round")
    kind = chance.choice(HARMLESS + HARMFUL)
    pipeline.done.append(kind)
    rows, steps = drawn(draw)
    writers = threading.Thread(target=pipeline.write, args=(rows, steps))
    writers.start()
    time.sleep(chance.random() * 0.2)
    disturb(pipeline.stack, f"{pipeline.service}-outbox", kind)  # here: a service dies with the thread that started it
    writers.join()
    if "lost" not in without and chance.random() < 0.5:
        pipeline.lose(replace(draw, seed=seed + 2 * 10**8), len(aged))
    if "phantoms" not in without and chance.random() < 0.5:
        pipeline.invent(chance, chance.randint(1, 4))
    before, meanwhile = [], None
    if chance.random() < 0.7:  # otherwise it may be under way
        before = pipeline.messages()
    if pipeline.retention == "delete" and before:
        if chance.random() < 0.5:
            pipeline.clean_up(aged, -1.0)
        else:
            meanwhile = threading.Timer(chance.uniform(0.0, 0.6), pipeline.clean_up, (aged, 1.0))
    elif before and "faults" not in without and chance.random() < 0.5:
        pipeline.change(chance)
    start = time.time()
    if meanwhile:
        meanwhile.start()
    report = pipeline.verify()
    if meanwhile:
        meanwhile.join()
    return pipeline.case(seed, before, pipeline.messages(), start), report


@pytest.mark.parametrize("outbox", [KEEP, CLEANED], indirect=True, ids=["kept", "cleaned up"])
def test_the_verdict_on_a_random_pipeline_is_right(
    stack: Stack, database: Database, outbox: str, pytestconfig: pytest.Config, request: pytest.FixtureRequest
) -> None:
    kept = "kept" in request.node.name
    for schema in Path("schemas").iterdir():
        schema.write_text("{}")  # payloads may be any JSON
    pipeline = Pipeline(stack, database, outbox, "forever" if kept else "delete")
    seed = first_seed(pytestconfig)
    seeds, without = range(seed, seed + pytestconfig.getoption("--fuzz-runs")), left_out(pytestconfig)
    # the oldest rows are written first, as always: a cleanup takes them in the order in which they were numbered
    draws = [Draw(one + 10**8, "pipeline", without | {"large"}) for one in seeds]
    aged = [pipeline.some(draw, draw.of("aged").randint(1, 6), age=AGED) for draw in draws]
    for number, own in enumerate(aged):
        one, report = played(pipeline, seed + number, without, own)
        found = differences(one, report)
        open_questions = [finding for finding in report.findings if finding.severity is Severity.inconclusive]
        told = f"round {number} of --fuzz-seed {seed}: {pipeline.done}\n{one.describe()}\n{found[:10]}"
        assert not found, f"{told}\n{open_questions}"
