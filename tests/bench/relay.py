"""`python -m tests.bench.relay`: the relay and the generated connector on the same rows, each with its own slot.

The relay publishes at least once, and exactly once to topics of its own.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import psycopg

from tests.bench.pipeline import Pipeline, connect, consumer, running, stack, states, write
from tests.support.waiting import until

SCHEMA = """
service: {service}
database: {{dialect: postgres, name: {service}}}
routing: {{topic: "{kind}.{{service}}.{{aggregate}}"}}
connect: {{slot: {slot}}}
delivery: {{by: relay}}
delivery_guarantee: {guarantee}
events: [{{type: OrderPlaced, aggregate: Order}}]
"""
TABLES = """
create table outbox_failure (number bigint generated always as identity primary key, lane text, event_id text,
  topic text, row_text text, cause text, attempts int, dead boolean, failed_at timestamptz default now(),
  tried_at timestamptz,
  send_at timestamptz);
create table outbox_relay (slot text primary key, position bigint, starts int, started_at timestamptz default now())
"""
INSERT = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
values (gen_random_uuid(), 'Order', %s, 'OrderPlaced', '{"orderId": 1}')"""


GUARANTEES = {"relay": "at-least-once", "once": "exactly-once"}


@dataclass(frozen=True)
class Figures:
    rate: float
    """Events a second, from the first that arrives to the last."""
    cpu: float
    """Seconds of one core for 100,000 events."""
    megabytes: float
    """Resident memory afterwards."""


def worker(pipeline: Pipeline) -> psutil.Process:
    port = int(pipeline.endpoints.connect_url.rsplit(":", 1)[1])
    listening = (
        c.pid for c in psutil.net_connections("tcp") if c.status == "LISTEN" and c.laddr.port == port and c.pid
    )
    return psutil.Process(next(listening))


def seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def relay(pipeline: Pipeline, folder: Path, kind: str = "relay") -> Iterator[psutil.Process]:
    """A relay's process, which reads a slot of its own. kind: of GUARANTEES."""
    environment = {**os.environ, "OUTBOX_KIT_DSN": pipeline.dsn, "OUTBOX_KIT_BOOTSTRAP": pipeline.endpoints.bootstrap}
    file = folder / "outbox.yaml"
    slot, guarantee = relay_slot(pipeline, kind), GUARANTEES[kind]
    file.write_text(SCHEMA.format(service=pipeline.outbox.service, slot=slot, kind=kind, guarantee=guarantee))
    command = [sys.executable, "-m", "outbox_kit", "relay", "-f", str(file), "-q"]
    process = subprocess.Popen(command, env=environment, stderr=(folder / "log").open("w"))
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(30)


def relay_slot(pipeline: Pipeline, kind: str = "relay") -> str:
    return f"{pipeline.outbox.names.slot}_{kind}"[-60:]


def latencies(pipelines: Sequence[Pipeline], rows: int) -> list[list[float]]:
    """Milliseconds from the commit's return to a consumer of each pipeline, of the same rows at 100 a second."""
    arrived: list[dict[str, float]] = [{} for _ in pipelines]
    committed: dict[str, float] = {}
    done = threading.Event()

    def read(pipeline: Pipeline, times: dict[str, float]) -> None:
        with consumer(pipeline, "latest") as reader:
            while not done.is_set():
                message = reader.poll(0.2)
                if message is not None and not message.error():
                    times.setdefault(message.key().decode(), time.perf_counter())

    pairs = zip(pipelines, arrived, strict=True)
    threads = [threading.Thread(target=read, args=(pipeline, times)) for pipeline, times in pairs]
    for thread in threads:
        thread.start()
    with psycopg.connect(pipelines[0].dsn, autocommit=True) as connection:
        warm_up = time.monotonic()
        while not all(arrived) and time.monotonic() - warm_up < 60:
            connection.execute(INSERT, ("warm-up",))
            time.sleep(0.2)
        for row in range(rows):
            due = time.perf_counter() + 0.01
            connection.execute(INSERT, (f"l{row}",))
            committed[f"l{row}"] = time.perf_counter()
            time.sleep(max(0.0, due - time.perf_counter()))
        until(lambda: all(len(times) > rows for times in arrived), "all events", 60)
    done.set()
    for thread in threads:
        thread.join()
    return [sorted((times[key] - at) * 1000 for key, at in committed.items()) for times in arrived]


def idle(processes: Sequence[psutil.Process], length: float) -> list[float]:
    """Percent of a core that each process takes while no row is written."""
    before = [seconds(process) for process in processes]
    time.sleep(length)
    return [100 * (seconds(process) - used) / length for process, used in zip(processes, before, strict=True)]


def main() -> None:
    """Print the figures of both, and their ratios."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--samples", type=int, default=1500)
    arguments.add_argument("--idle-seconds", type=float, default=15)
    options = arguments.parse_args()
    with stack() as endpoints, tempfile.TemporaryDirectory() as folder, running(endpoints, "generated") as pipeline:
        relayed = replace(pipeline, topic=f"relay.{pipeline.topic}")
        rounds = []
        with psycopg.connect(pipeline.dsn, autocommit=True) as connection:
            connection.execute(TABLES)
            for kind in GUARANTEES:
                slot = relay_slot(pipeline, kind)
                connection.execute("select pg_create_logical_replication_slot(%s, 'pgoutput')", (slot,))
        total = 0
        for number in range(options.rounds):
            rounds.append(compared(pipeline, options.rows, total, Path(folder)))
            total += options.rows
            print(f"round {number + 1}", flush=True)
            for name, each in rounds[-1].items():
                print(
                    f"  {name:<9} {each.rate:9,.0f} events/s {each.cpu:6.2f} s/100,000 {each.megabytes:5.0f} MB",
                    flush=True,
                )
        for ours, theirs in (("relay", "connector"), ("once", "relay")):
            for name in ("rate", "cpu", "megabytes"):
                ratio = statistics.median(getattr(each[ours], name) / getattr(each[theirs], name) for each in rounds)
                print(f"{ours}, {name}: {ratio:.2f} of {theirs}, the median of {options.rounds} rounds", flush=True)
        with relay(relayed, Path(folder)) as process:
            ours_ms, theirs_ms = latencies((relayed, pipeline), options.samples)
            for name, times in (("relay", ours_ms), ("connector", theirs_ms)):
                print(f"{name:<9} p50 {statistics.median(times):6.1f} ms  p99 {times[int(len(times) * 0.99)]:6.1f} ms")
            quiet = idle((process, worker(pipeline)), options.idle_seconds)
            print(f"at rest: relay {quiet[0]:.1f} %, connector {quiet[1]:.1f} % of a core")
        with psycopg.connect(pipeline.dsn, autocommit=True) as connection:
            for kind in GUARANTEES:
                connection.execute("select pg_drop_replication_slot(%s)", (relay_slot(pipeline, kind),))


def compared(pipeline: Pipeline, rows: int, before: int, folder: Path) -> dict[str, Figures]:
    """The relays' figures and the connector's, of the same backlog. before: rows that each topic has already."""
    name = pipeline.connector
    connect(pipeline.endpoints, "PUT", f"{name}/stop")
    until(lambda: "STOPPED" in states(pipeline.endpoints, name), "the connector is stopped", 60)
    write(pipeline.dsn, rows)
    figures = {}
    for kind in GUARANTEES:
        relayed = replace(pipeline, topic=f"{kind}.{pipeline.topic}")
        with relay(relayed, folder, kind) as process:
            figures[kind] = after(relayed, process, rows, before, 0.0)
    machine = worker(pipeline)
    start = seconds(machine)
    connect(pipeline.endpoints, "PUT", f"{name}/resume")
    return {**figures, "connector": after(pipeline, machine, rows, before + 1, start)}


def after(pipeline: Pipeline, process: psutil.Process, rows: int, before: int, start: float) -> Figures:
    """The figures of the rows behind those that were there before."""
    with consumer(pipeline) as reader:
        seen, deadline, first, begun = 0, time.monotonic() + 300, 0.0, before
        while seen < rows + before and time.monotonic() < deadline:
            batch = [message for message in reader.consume(5000, 0.2) if not message.error()]
            if batch and seen + len(batch) > before and not first:
                first, begun = time.perf_counter(), seen + len(batch)
            seen += len(batch)
        if seen < rows + before:
            raise TimeoutError(f"{seen} of {rows + before} events arrived")
        took = time.perf_counter() - first
    counted = rows + before - begun
    return Figures(counted / took, (seconds(process) - start) * 100_000 / rows, process.memory_info().rss / 1e6)


if __name__ == "__main__":
    main()
