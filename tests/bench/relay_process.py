"""A relay's process on an outbox of its own, and what has arrived of it, for the benches."""

import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient

from outbox_kit.databases.postgres.apply import apply
from outbox_kit.render import ddl
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.bench.pipeline import Endpoints
from tests.support.waiting import create_topics

SCHEMA = """
service: {name}
database: {{dialect: postgres, name: {name}}}
routing: {{topic: "{{service}}.{{aggregate}}"}}
delivery: {{by: relay, source: table, record: {record}}}
events: [{{type: OrderPlaced, aggregate: Order}}]
"""
FILL = """
insert into outbox (id, aggregatetype, aggregateid, type, payload)
select gen_random_uuid(), 'Order', (n % {keys})::text, 'OrderPlaced',
    json_build_object('n', n, 'note', repeat('x', 100))
from generate_series(1, {rows}) n
"""
PARTITIONS = 6


@dataclass(frozen=True)
class Publishing:
    """How a backlog was published."""

    rate: float
    """Events a second between the first and the last tenth, without the process's start."""
    cpu: float
    """Seconds of a core for 100,000 events, with the process's start."""
    megabytes: float
    """Resident memory afterwards."""


class Bench:
    """An outbox with a database and a topic of its own."""

    def __init__(self, endpoints: Endpoints, folder: Path, outbox: Outbox) -> None:
        self.outbox, self.endpoints, self._folder = outbox, endpoints, folder
        self.dsn = endpoints.dsn(outbox.service)
        self.topic = f"{outbox.service}.Order"
        self._reader = Consumer({"bootstrap.servers": endpoints.bootstrap, "group.id": outbox.service})

    def fill(self, rows: int, keys: int = 1000) -> None:
        """Insert rows, and let the server count them."""
        self.run(FILL.format(rows=rows, keys=keys))
        self.run("vacuum analyze")

    def run(self, statement: str) -> Any:
        """A statement's first row, if it has one."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            done = connection.execute(statement.encode())
            return done.fetchone() if done.description else None

    def arrived(self) -> int:
        """Messages of the topic."""
        places = (TopicPartition(self.topic, partition) for partition in range(PARTITIONS))
        return sum(self._reader.get_watermark_offsets(place, timeout=10)[1] for place in places)

    @contextmanager
    def relay(self) -> Iterator[psutil.Process]:
        """A relay's process."""
        environment = {**os.environ, "OUTBOX_KIT_DSN": self.dsn, "OUTBOX_KIT_BOOTSTRAP": self.endpoints.bootstrap}
        command = [sys.executable, "-m", "outbox_kit", "relay"]
        process = subprocess.Popen(command, cwd=self._folder, env=environment, stderr=subprocess.DEVNULL)
        try:
            yield psutil.Process(process.pid)
        finally:
            process.terminate()
            process.wait(60)

    def published(self, rows: int) -> Publishing:
        """Publish so many rows that are in the table."""
        before, samples = self.arrived(), list[tuple[float, int]]()
        with self.relay() as process:
            while not samples or samples[-1][1] < rows:
                time.sleep(0.02)
                samples.append((time.perf_counter(), self.arrived() - before))
            times = process.cpu_times()
            megabytes = process.memory_info().rss / 1e6
        first = next(sample for sample in samples if sample[1] >= rows * 0.1)
        last = next(sample for sample in samples if sample[1] >= rows * 0.9)
        rate = (last[1] - first[1]) / max(last[0] - first[0], 0.001)
        return Publishing(rate, (times.user + times.system) * 100_000 / rows, megabytes)


@contextmanager
def bench(endpoints: Endpoints, record: str = "position") -> Iterator[Bench]:
    """An outbox that relays read from its table. record: as in the schema file."""
    name = f"bench_{uuid.uuid4().hex[:6]}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "outbox.yaml"
        file.write_text(SCHEMA.format(name=name, record=record))
        outbox = read(file).outboxes[0]
        with psycopg.connect(endpoints.dsn("postgres"), autocommit=True) as boss:
            boss.execute(f"create database {name}".encode())
        admin = AdminClient({"bootstrap.servers": endpoints.bootstrap})
        try:
            apply(endpoints.dsn(name), outbox, ddl.body(outbox))
            create_topics(admin, f"{name}.Order", partitions=PARTITIONS)
            yield Bench(endpoints, Path(folder), outbox)
        finally:
            with psycopg.connect(endpoints.dsn("postgres"), autocommit=True) as boss:
                boss.execute(f"drop database {name} with (force)".encode())
                boss.execute(f"drop role if exists {outbox.names.role}".encode())
            admin.delete_topics([f"{name}.Order"])[f"{name}.Order"].result()
