"""`python -m tests.bench.relay_faststream`: a relay that reads the table, against faststream-outbox on such rows.

faststream-outbox is installed into a virtual environment for the run, and set as its documentation says for throughput:
several workers, and fetching and deleting in batches. It publishes to the same brokers, acknowledged by all.
"""

import argparse
import statistics
import subprocess
import tempfile
import venv
from pathlib import Path

import psycopg

from tests.bench.pipeline import Endpoints, stack
from tests.bench.relay_process import bench

PACKAGES = ("faststream-outbox", "faststream[kafka]", "sqlalchemy", "asyncpg")
PROGRAM = """
import asyncio, logging, sys, time
from faststream.kafka import KafkaBroker
from faststream_outbox import OutboxBroker, make_outbox_table
from sqlalchemy import MetaData, func, select
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine

logging.disable(logging.INFO)  # a line for each message
address, bootstrap, topic, rows = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
metadata = MetaData()
table = make_outbox_table(metadata, table_name="faststream_outbox")
engine = create_async_engine(address)
outbox = OutboxBroker(engine, outbox_table=table)
kafka = KafkaBroker(bootstrap, acks="all", enable_idempotence=True, linger_ms=1)

@kafka.publisher(topic)
@outbox.subscriber(
    "events", max_workers=4, fetch_batch_size=100, terminal_flush_batch_size=100, min_fetch_interval=0.01
)
async def relay(body: dict) -> dict:
    return body

async def main():
    async with engine.begin() as connection:
        await connection.run_sync(metadata.create_all)
    async with async_sessionmaker(engine)() as session, session.begin():
        for number in range(rows):
            await outbox.publish({"n": number, "note": "x" * 100}, queue="events", session=session)
    await kafka.connect()
    await outbox.start()
    first = last = None
    while last is None:
        await asyncio.sleep(0.02)
        async with engine.connect() as connection:
            left = (await connection.execute(select(func.count()).select_from(table))).scalar_one()
        if first is None and left <= rows * 0.9:
            first = time.perf_counter(), left
        if left <= rows * 0.1:
            last = time.perf_counter(), left
    print("events a second:", (first[1] - last[1]) / (last[0] - first[0]))
    await outbox.stop()

asyncio.run(main())
"""


def installed(folder: Path) -> Path:
    """A Python that has the packages."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def theirs(python: Path, dsn: str, bootstrap: str, topic: str, rows: int) -> float:
    """Events a second of faststream-outbox, between the first and the last tenth."""
    parts = psycopg.conninfo.conninfo_to_dict(dsn)
    place = f"{parts['user']}:{parts['password']}@{parts['host']}:{parts['port']}/{parts['dbname']}"
    address = f"postgresql+asyncpg://{place}"
    done = subprocess.run(
        [python, "-c", PROGRAM, address, bootstrap, topic, str(rows)],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return float(done.stdout.partition("events a second: ")[2].split()[0])


def compared(endpoints: Endpoints, python: Path, rows: int, slow_rows: int) -> tuple[float, float]:
    """Events a second of both, of rows of the same payload."""
    with bench(endpoints) as own:
        slow = theirs(python, own.dsn, endpoints.bootstrap, own.topic, slow_rows)
        own.fill(rows)
        return own.published(rows).rate, slow


def main() -> None:
    """Print the comparison."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--slow-rows", type=int, default=5000)
    arguments.add_argument("--rounds", type=int, default=3)
    chosen = arguments.parse_args()
    with stack() as endpoints, tempfile.TemporaryDirectory() as folder:
        python = installed(Path(folder))
        rounds = [compared(endpoints, python, chosen.rows, chosen.slow_rows) for _ in range(chosen.rounds)]
    ratio = statistics.median(fast / slow for fast, slow in rounds)
    fast, slow = (statistics.median(each) for each in zip(*rounds, strict=True))
    print(f"{ratio:.1f} times the events a second of faststream-outbox ({fast:,.0f} against {slow:,.0f})")


if __name__ == "__main__":
    main()
