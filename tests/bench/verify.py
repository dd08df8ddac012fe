"""`python -m tests.bench.verify`: every check on, against bare `consume()` with the fields read, on one topic."""

import argparse
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient

from outbox_kit.findings.finding import Collector
from outbox_kit.findings.verdict import Verdict
from outbox_kit.kafka import read
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS
from outbox_kit.verify.contract import contract
from outbox_kit.verify.reading.scan import Examination
from outbox_kit.verify.run import Verification
from outbox_kit.verify.state.engine import Engine
from outbox_kit.verify.state.memory import Memory
from outbox_kit.verify.state.spool import Spool
from outbox_kit.verify.state.tally import Tally
from tests.bench.pipeline import stack
from tests.support.load import KEYS, PARTITIONS, outbox_of, produce
from tests.support.request import request_of

MEMORY = 512 << 20


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
    findings = Collector(32, CHECKS.get)
    examination = Examination(contract(outbox), Tally(findings), remembers, {topic: PARTITIONS})
    log = read.Cluster(bootstrap)
    reading = read.Reading(log.pin([(topic, partition) for partition in range(PARTITIONS)]))
    began = 0.0
    for group in log.read(reading, time.monotonic() + 600):
        began = began or time.perf_counter()
        examination.take(*group)
    if list(findings) or not reading.complete or list(remembers.suspects(gaps=False, split=False)):
        raise AssertionError([(finding.id, finding.count) for finding in findings])
    return examination.tally.events[topic] / (time.perf_counter() - began)


def whole(bootstrap: str, outbox: Outbox, **choices: Any) -> float:
    """Messages a second of a whole run, its processes' start and its verdict included."""
    began = time.perf_counter()
    report = Verification(request_of(outbox, read.Cluster(bootstrap), **choices), lambda _: None).run()
    if report.verdict is not Verdict.passed:
        raise AssertionError([(finding.id, finding.count) for finding in report.findings])
    return report.events / (time.perf_counter() - began)


def kcat(bootstrap: str, topic: str, messages: int) -> float:
    """Messages a second that kcat prints, each with its key, headers and offset."""
    began = time.perf_counter()
    command = ["kcat", "-C", "-b", bootstrap, "-t", topic, "-e", "-q", "-f", "%k %h %o\n"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=600)
    return messages / (time.perf_counter() - began)


# each measure and its baseline; runs of one pair stand beside one another
PAIRS = (
    ("checked", "consume(1000)"),
    ("checked", "consume(200)"),
    ("spooled", "checked"),
    ("two workers", "one process"),
    ("two workers", "kcat"),
)


def spooled(bootstrap: str, topic: str, outbox: Outbox) -> float:
    """Messages a second with every check on, the events remembered on disk."""
    with tempfile.TemporaryDirectory() as folder:
        spool = Spool(Path(folder), MEMORY)
        rate = checked(bootstrap, topic, outbox, spool)
        spool.close()
    return rate


def measures(bootstrap: str, topic: str, messages: int) -> dict[str, Callable[[], float]]:
    """Each measure by its name, in messages a second."""
    outbox = outbox_of(topic)
    found: dict[str, Callable[[], float]] = {
        "consume(1000)": lambda: bare(bootstrap, topic, messages, 1000),
        "checked": lambda: checked(bootstrap, topic, outbox, Memory()),
        "consume(200)": lambda: bare(bootstrap, topic, messages, 200),
        "spooled": lambda: spooled(bootstrap, topic, outbox),
        "one process": lambda: whole(bootstrap, outbox, engine="memory"),
        "two workers": lambda: whole(bootstrap, outbox, workers=2),
    }
    return found | ({"kcat": lambda: kcat(bootstrap, topic, messages)} if shutil.which("kcat") else {})


def in_turns(measured: Mapping[str, Callable[[], float]], rounds: int) -> list[dict[str, float]]:
    """The rates of each round. Every second round goes backwards: a machine that slows down favours no measure."""
    rates = []
    for number in range(rounds):
        order = list(measured) if number % 2 == 0 else list(reversed(measured))
        rates.append({name: measured[name]() for name in order})
        print("   ".join(f"{name} {rates[-1][name]:,.0f}" for name in measured), "messages/s", flush=True)
    return rates


def ratios(rates: Sequence[Mapping[str, float]], name: str, baseline: str) -> list[float]:
    """A measure's rate against its baseline's, of each round, the lowest first."""
    return sorted(one[name] / one[baseline] for one in rates)


def main() -> None:
    """Print the rates of each round, and of each measure the median of its ratios to its baseline."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--messages", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=5)
    given = arguments.parse_args()
    topic = f"bench-verify-{uuid.uuid4().hex[:6]}"
    with stack() as endpoints:
        produce(endpoints.bootstrap, topic, given.messages)
        before = peak_mb()
        measured = measures(endpoints.bootstrap, topic, given.messages)
        measured["checked"]()
        peak = peak_mb()
        rates = in_turns(measured, given.rounds)
        admin = AdminClient({"bootstrap.servers": endpoints.bootstrap})
        admin.delete_topics([topic])[topic].result()
    for name, baseline in PAIRS:
        if baseline in measured:
            found = ratios(rates, name, baseline)
            spread = f"{found[0]:.2f} to {found[-1]:.2f} in {len(found)} rounds"
            print(f"verify, {name}: {statistics.median(found):.2f} of {baseline} ({spread})")
    print(f"memory: {peak:.0f} MB at its peak, {before:.0f} MB before reading; {KEYS:,} keys")


def peak_mb() -> float:
    """The most memory that this process had at once."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
