"""`python -m tests.bench.verify`: every check on, against bare `consume()` with the fields read, on one topic."""

import argparse
import resource
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from outbox_kit.finding import Findings
from outbox_kit.kafka import read
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.catalogue import severities
from outbox_kit.verify.contract import contract
from outbox_kit.verify.engine import Engine
from outbox_kit.verify.engine.memory import Memory
from outbox_kit.verify.engine.spool import Spool
from outbox_kit.verify.examine import Examination
from outbox_kit.verify.result import Request
from outbox_kit.verify.run import Verification
from outbox_kit.verify.tally import Tally
from outbox_kit.verify.verdict import Verdict
from tests.bench.pipeline import stack
from tests.waiting import create_topics

PARTITIONS = 6
KEYS = 50_000
MEMORY = 512 << 20
Event = tuple[bytes, bytes, list[tuple[str, bytes | None]], int]  # key, value, headers, timestamp in ms or 0 for now
SCHEMA = {
    "type": "object",
    "required": ["orderId", "total", "items"],
    "properties": {
        "orderId": {"type": "string"},
        "total": {"type": "string", "pattern": r"^\d+\.\d\d$"},
        "items": {"type": "integer", "minimum": 1},
        "note": {"type": "string", "maxLength": 200},
    },
    "additionalProperties": False,
}


def outbox_of(topic: str) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "bench",
            "database": {"dialect": "postgres"},
            "routing": {"topic": topic},
            "events": [{"type": "OrderPlaced", "aggregate": "Order", "payload": SCHEMA}],
        }
    )


def produce(bootstrap: str, topic: str, messages: int) -> None:
    """Events as the generated connector writes them, in the order of their sequence."""

    def events() -> Iterator[Event]:
        for number in range(messages):
            payload = orjson.dumps({"orderId": str(number), "total": "12.50", "items": 3, "note": "x" * 80})
            headers: list[tuple[str, bytes | None]] = [
                ("id", str(uuid.UUID(int=number * 0x9E3779B97F4A7C15 % 2**128)).encode()),
                ("eventType", b"OrderPlaced"),
                ("aggregateType", b"Order"),
                ("sequence", str(number + 1).encode()),
            ]
            yield str(number % KEYS).encode(), payload, headers, 0

    send(bootstrap, topic, events())


def send(bootstrap: str, topic: str, events: Iterable[Event]) -> None:
    """Create a topic and fill it, as fast as the client can."""
    admin = AdminClient({"bootstrap.servers": bootstrap})
    create_topics(admin, topic, partitions=PARTITIONS)
    producer = Producer(
        {
            "bootstrap.servers": bootstrap,
            "partitioner": "murmur2_random",
            "linger.ms": 20,
            "compression.type": "lz4",
            "queue.buffering.max.messages": 200_000,
        }
    )
    for number, (key, payload, headers, timestamp) in enumerate(events):
        while True:
            try:
                producer.produce(topic, payload, key, headers=headers, timestamp=timestamp)
                break
            except BufferError:
                producer.poll(0.1)
        if number % 1000 == 0:
            producer.poll(0)
    if left := producer.flush(120):
        raise TimeoutError(f"{left} messages were not acknowledged")


def bare(bootstrap: str, topic: str, messages: int, at_once: int) -> float:
    """Messages a second with key, value, headers and offset read, and nothing done with them."""
    consumer = Consumer({"bootstrap.servers": bootstrap, **read._tuned()})
    consumer.assign([TopicPartition(topic, partition, 0) for partition in range(PARTITIONS)])
    seen, began = 0, 0.0
    while seen < messages:
        batch = consumer.consume(at_once, 0.2)
        began = began or time.perf_counter()
        for message in batch:
            if message.error() is None:
                message.key(), message.value(), message.headers(), message.offset()
                seen += 1
    consumer.close()
    return seen / (time.perf_counter() - began)


def checked(bootstrap: str, topic: str, outbox: Outbox, remembers: Engine) -> float:
    """Messages a second with every check on, in one process."""
    findings = Findings(severities(exactly_once=False), 32)
    examination = Examination(contract(outbox), Tally(findings), remembers, {topic: PARTITIONS})
    log = read.Cluster(bootstrap)
    reading = read.Reading(log.pin([(topic, partition) for partition in range(PARTITIONS)]))
    began = 0.0
    for group in log.read(reading, time.monotonic() + 600):
        began = began or time.perf_counter()
        examination.take(*group)
    if list(findings) or not reading.complete or list(remembers.doubts(gaps=False, split=False)):
        raise AssertionError([(finding.check, finding.count) for finding in findings])
    return examination.tally.events[topic] / (time.perf_counter() - began)


def whole(bootstrap: str, outbox: Outbox, **choices: Any) -> float:
    """Messages a second of a whole run, its processes' start and its verdict included."""
    began = time.perf_counter()
    report = Verification(Request(outbox, read.Cluster(bootstrap), None, **choices), lambda _: None).run()
    if report.verdict is not Verdict.passed:
        raise AssertionError([(finding.check, finding.count) for finding in report.findings])
    return report.events / (time.perf_counter() - began)


def kcat(bootstrap: str, topic: str, messages: int) -> float:
    """Messages a second that kcat prints, each with its key, headers and offset."""
    began = time.perf_counter()
    command = ["kcat", "-C", "-b", bootstrap, "-t", topic, "-e", "-q", "-f", "%k %h %o\n"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=600)
    return messages / (time.perf_counter() - began)


def main() -> None:
    """Print both rates of each round, and the best ones' ratio."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--messages", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    topic = f"bench-verify-{uuid.uuid4().hex[:6]}"
    best: dict[str, float] = {}
    with stack() as endpoints:
        produce(endpoints.bootstrap, topic, given.messages)
        before, peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 0
        for _ in range(given.rounds):
            outbox, where = outbox_of(topic), endpoints.bootstrap
            rates = {"checked": checked(where, topic, outbox, Memory())}
            peak = peak or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            with tempfile.TemporaryDirectory() as folder:
                spool = Spool(Path(folder), MEMORY)
                rates["spooled"] = checked(where, topic, outbox, spool)
                spool.close()
            rates |= {
                "one process": whole(where, outbox, engine="memory"),
                "two workers": whole(where, outbox, workers=2),
                "consume(1000)": bare(where, topic, given.messages, 1000),
                "consume(200)": bare(where, topic, given.messages, 200),
            }
            if shutil.which("kcat"):
                rates["kcat"] = kcat(where, topic, given.messages)
            best = {name: max(best.get(name, 0.0), rate) for name, rate in rates.items()}
            print("   ".join(f"{name} {rate:,.0f}" for name, rate in rates.items()), "messages/s", flush=True)
        admin = AdminClient({"bootstrap.servers": endpoints.bootstrap})
        admin.delete_topics([topic])[topic].result()
    for name, base in (
        ("checked", "consume(1000)"),
        ("checked", "consume(200)"),
        ("spooled", "checked"),
        ("two workers", "one process"),
        ("two workers", "kcat"),
    ):
        if base in best:
            print(f"verify, {name}: {best[name] / best[base]:.2f} of {base}")
    print(f"memory: {peak / 1024:.0f} MB at its peak, {before / 1024:.0f} MB before reading; {KEYS:,} keys")


if __name__ == "__main__":
    main()
