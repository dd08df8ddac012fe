"""`python -m tests.bench.latency`: commit to consumer, one row at a time, and what waiting costs in CPU when idle."""

import argparse
import random
import statistics
import threading
import time

import psutil
import psycopg

from tests.bench.pipeline import Endpoints, Pipeline, consumer, running, stack

INSERT = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
values (gen_random_uuid(), 'Order', %s, 'OrderPlaced', '{"orderId": 1}')"""


def latencies(pipeline: Pipeline, samples: int) -> list[float]:
    """Milliseconds from the commit's return to the consumer's hands, one for each row."""
    arrived: dict[str, float] = {}
    committed: dict[str, float] = {}
    done = threading.Event()

    def read() -> None:
        with consumer(pipeline, "latest") as reader:
            while not done.is_set():
                message = reader.poll(0.2)
                if message is not None and not message.error():
                    arrived[message.key().decode()] = time.perf_counter()

    thread = threading.Thread(target=read)
    thread.start()
    chance = random.Random(7)
    with psycopg.connect(pipeline.dsn, autocommit=True) as connection:
        warm_up = time.perf_counter()
        while not arrived and time.perf_counter() - warm_up < 60:
            connection.execute(INSERT, ("warm-up",))
            time.sleep(0.3)
        for sample in range(samples):
            connection.execute(INSERT, (str(sample),))
            committed[str(sample)] = time.perf_counter()
            time.sleep(chance.uniform(0.02, 0.12))  # out of step with any polling
        deadline = time.monotonic() + 30
        while len(arrived) < samples + 1 and time.monotonic() < deadline:
            time.sleep(0.05)
    done.set()
    thread.join()
    return sorted((arrived[key] - at) * 1000 for key, at in committed.items() if key in arrived)


def idle_cpu(endpoints: Endpoints, seconds: float) -> float:
    """The Connect worker's use of one core, in percent, while no row is written."""
    port = int(endpoints.connect_url.rsplit(":", 1)[1])
    worker = psutil.Process(
        next(c.pid for c in psutil.net_connections("tcp") if c.status == "LISTEN" and c.laddr.port == port and c.pid)
    )
    before = worker.cpu_times()
    time.sleep(seconds)
    after = worker.cpu_times()
    return 100 * (after.user + after.system - before.user - before.system) / seconds


def main() -> None:
    """Print the figures of both configs and their ratio."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=300)
    arguments.add_argument("--idle-seconds", type=float, default=15)
    arguments.add_argument("--set", action="append", default=[], help="KEY=VALUE: change the generated config")
    given = arguments.parse_args()
    changes = dict(pair.split("=", 1) for pair in given.set)
    found = {}
    with stack() as endpoints:
        for kind in ("tutorial", "generated"):
            with running(endpoints, kind, changes if kind == "generated" else None) as pipeline:
                times = latencies(pipeline, given.samples)
                found[kind] = statistics.median(times)
                print(
                    f"{kind:<10} p50 {found[kind]:7.1f} ms   p99 {times[int(len(times) * 0.99)]:7.1f} ms   "
                    f"idle CPU {idle_cpu(endpoints, given.idle_seconds):4.1f} % of a core   ({len(times)} events)",
                    flush=True,
                )
    print(f"p50: {found['tutorial'] / found['generated']:.0f} times lower")


if __name__ == "__main__":
    main()
