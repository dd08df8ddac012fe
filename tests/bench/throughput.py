"""`python -m tests.bench.throughput`: a backlog of rows through both configs, on a warm worker."""

import argparse
import statistics
import time

from tests.bench.pipeline import Pipeline, connect, consumer, running, stack, states, write
from tests.support.waiting import until


def rate(pipeline: Pipeline, rows: int) -> float:
    """Events a second, from the first that arrives to the last, of a backlog written while it was stopped."""
    endpoints, name = pipeline.endpoints, pipeline.connector
    connect(endpoints, "PUT", f"{name}/stop")
    until(lambda: "STOPPED" in states(endpoints, name), "the connector is stopped", 60)
    write(pipeline.dsn, rows)
    with consumer(pipeline) as reader:
        until(lambda: reader.poll(0.1) is not None, "the first event of all", 30)
        connect(endpoints, "PUT", f"{name}/resume")
        seen, first, deadline = 0, 0.0, time.monotonic() + 300
        while seen < rows and time.monotonic() < deadline:
            batch = reader.consume(5000, 0.2)
            first = first or (time.perf_counter() if batch else 0.0)
            seen += sum(not message.error() for message in batch)
        if seen < rows:
            raise TimeoutError(f"{seen} of {rows} events arrived")
        return seen / (time.perf_counter() - first)


def main() -> None:
    """Print the figures of both configs, in turn and each first every other round, and their ratio."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--rounds", type=int, default=4)
    arguments.add_argument("--set", action="append", default=[], help="KEY=VALUE: change the generated config")
    given = arguments.parse_args()
    changes = dict(pair.split("=", 1) for pair in given.set)
    found: dict[str, list[float]] = {"tutorial": [], "generated": []}
    with stack() as endpoints:
        for number in range(given.rounds):
            for kind in sorted(found, reverse=number % 2 == 0):
                with running(endpoints, kind, changes if kind == "generated" else None) as pipeline:
                    found[kind].append(rate(pipeline, given.rows))
                    print(f"{kind:<10} {found[kind][-1]:9,.0f} events/s", flush=True)
    pairs = [ours / theirs for ours, theirs in zip(found["generated"], found["tutorial"], strict=True)]
    best = max(found["generated"]) / max(found["tutorial"])
    print(f"throughput: {statistics.median(pairs):.2f} times higher, the median of pairs; {best:.2f}, the best of each")


if __name__ == "__main__":
    main()
