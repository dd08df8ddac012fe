"""`python -m tests.bench.verify`: every check on, against bare `consume()` with the fields read, on one topic."""

import argparse
import resource
import time
import uuid

import orjson
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from outbox_kit.finding import Findings
from outbox_kit.kafka import read
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.catalogue import severities
from outbox_kit.verify.contract import contract
from outbox_kit.verify.engine.memory import Memory
from outbox_kit.verify.examine import Examination
from outbox_kit.verify.tally import Tally
from tests.bench.pipeline import stack

PARTITIONS = 6
KEYS = 50_000
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
    admin = AdminClient({"bootstrap.servers": bootstrap})
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result()
    producer = Producer(
        {
            "bootstrap.servers": bootstrap,
            "partitioner": "murmur2_random",
            "linger.ms": 20,
            "compression.type": "lz4",
            "queue.buffering.max.messages": 200_000,
        }
    )
    for number in range(messages):
        payload = orjson.dumps({"orderId": str(number), "total": "12.50", "items": 3, "note": "x" * 80})
        headers = [
            ("id", str(uuid.UUID(int=number * 0x9E3779B97F4A7C15 % 2**128)).encode()),
            ("eventType", b"OrderPlaced"),
            ("aggregateType", b"Order"),
            ("sequence", str(number + 1).encode()),
        ]
        while True:
            try:
                producer.produce(topic, payload, str(number % KEYS).encode(), headers=headers)
                break
            except BufferError:
                producer.poll(0.1)
        if number % 1000 == 0:
            producer.poll(0)
    producer.flush(60)


def bare(bootstrap: str, topic: str, messages: int, at_once: int) -> float:
    """Messages a second with key, value, headers and offset read, and nothing done with them."""
    consumer = Consumer(read._tuned(bootstrap))
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


def checked(bootstrap: str, topic: str, outbox: Outbox) -> float:
    """Messages a second with every check on."""
    findings = Findings(severities(exactly_once=False), 32)
    meant = contract(outbox)
    examination = Examination(meant, Tally(findings), Memory(), {topic: PARTITIONS})
    reading = read.Reading(read.pin(bootstrap, [(topic, partition) for partition in range(PARTITIONS)]))
    began = 0.0
    for group in read.read(bootstrap, reading, time.monotonic() + 600):
        began = began or time.perf_counter()
        examination.take(*group)
    seconds = time.perf_counter() - began
    if list(findings) or not reading.complete:
        raise AssertionError([(finding.check, finding.count) for finding in findings])
    return examination.tally.events[topic] / seconds


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
            rates = {"checked": checked(endpoints.bootstrap, topic, outbox_of(topic))}
            peak = peak or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            rates |= {
                "consume(1000)": bare(endpoints.bootstrap, topic, given.messages, 1000),
                f"consume({read.BATCH})": bare(endpoints.bootstrap, topic, given.messages, read.BATCH),
            }
            best = {name: max(best.get(name, 0.0), rate) for name, rate in rates.items()}
            print("   ".join(f"{name} {rate:9,.0f} messages/s" for name, rate in rates.items()), flush=True)
        admin = AdminClient({"bootstrap.servers": endpoints.bootstrap})
        admin.delete_topics([topic])[topic].result()
    for name in best.keys() - {"checked"}:
        print(f"verify: {best['checked'] / best[name]:.2f} of bare {name} with the fields read")
    print(f"memory: {peak / 1024:.0f} MB at its peak, {before / 1024:.0f} MB before reading; {KEYS:,} keys")


if __name__ == "__main__":
    main()
