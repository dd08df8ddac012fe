"""`python -m tests.bench.scale`: ten million events read under a memory cap, and a hundred million rows judged.

The rows are made as the spool writes them. Each measured part runs in a process of its own, so that its peak of memory
is its own too; the bare queries have the same memory, threads and files.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import duckdb
from confluent_kafka.admin import AdminClient

from outbox_kit.verify.state.scratch import THREADS
from outbox_kit.verify.state.spool import Spool
from tests.bench.pipeline import stack
from tests.bench.verify import whole
from tests.support.load import outbox_of, produce

MIB = 1 << 20
PARTITIONS = 12
KIND = 1 << 16 | 1  # the first event of the first aggregate
BARE = {
    "order": "select count(*) from (select seq, lag(seq) over (partition by key_hash order by pos) as before from {}) "
    "where seq <= before",
    "gaps": "select count(*) from (select 1 from {} group by key_hash having count(*) <> max(seq) - min(seq) + 1)",
    "duplicates": "select count(*) from (select 1 from {} group by id_hash having count(*) > 1)",
}


def make(folder: Path, rows: int) -> None:
    """Rows of a clean topic, twenty to a key."""
    keys = rows // 20 // PARTITIONS * PARTITIONS  # so that each has its partition
    for partition in range(PARTITIONS):
        own = folder / "made" / str(partition)
        own.mkdir(parents=True)
        duckdb.sql(
            f"copy (select i // {PARTITIONS} as pos, hash(i % {keys}) as key_hash, hash(i * 7919 + 1) as id_hash, "
            f"i // {keys} + 1 as seq, {KIND} as kind from range({partition}, {rows}, {PARTITIONS}) made(i)) "
            f"to '{own}/0.parquet'"
        )


def judged(folder: Path, memory: int) -> None:
    """The spool's own way."""
    spool = Spool(folder, memory)
    assert not list(spool.suspects(gaps=True, split=False))
    spool.close()


def bare(folder: Path, memory: int) -> None:
    """The three questions, asked without anything around them."""
    with tempfile.TemporaryDirectory(dir=folder) as spill:
        limit = {"memory_limit": f"{memory // 2 // MIB}MB", "temp_directory": spill, "threads": THREADS}
        connection = duckdb.connect(config={**limit, "preserve_insertion_order": "false"})
        for question in BARE.values():
            assert connection.execute(question.format(f"'{folder}/made/*/*.parquet'")).fetchone() == (0,)


def read(bootstrap: str, topic: str, memory: int) -> None:
    """A whole run over a topic."""
    whole(bootstrap, outbox_of(topic), memory=memory)


def apart(name: str, *arguments: object) -> tuple[float, float]:
    """Seconds, and MiB at the peak, of a function here in a process of its own."""
    text = json.dumps([str(one) if isinstance(one, Path) else one for one in arguments])
    command = [sys.executable, "-m", "tests.bench.scale", "--only", name, text]
    seconds, peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-2:]
    return float(seconds), float(peak)


def only(name: str, arguments: str) -> None:
    """What `apart` starts."""
    given = json.loads(arguments)
    began = time.perf_counter()
    if name == "read":
        read(*given)
    else:
        (judged if name == "judged" else bare)(Path(given[0]), given[1])
    print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Print times, peaks and the ratio."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=100_000_000)
    arguments.add_argument("--events", type=int, default=10_000_000)
    arguments.add_argument("--only", nargs=2)
    given = arguments.parse_args()
    if given.only:
        only(*given.only)
        return
    with tempfile.TemporaryDirectory(prefix="outbox-kit-bench-") as folder:
        make(Path(folder), given.rows)
        ours, own_peak = apart("judged", Path(folder), 1024 * MIB)
        theirs, bare_peak = apart("bare", Path(folder), 1024 * MIB)
    print(f"{given.rows:,} rows: judged in {ours:.1f} s, {own_peak:.0f} MiB at the peak", end="; ")
    print(f"bare queries {theirs:.1f} s, {bare_peak:.0f} MiB; {ours / theirs:.2f} of the bare queries' time")
    topic = f"bench-scale-{uuid.uuid4().hex[:6]}"
    with stack() as endpoints:
        produce(endpoints.bootstrap, topic, given.events)
        seconds, peak = apart("read", endpoints.bootstrap, topic, 512 * MIB)
        admin = AdminClient({"bootstrap.servers": endpoints.bootstrap})
        admin.delete_topics([topic])[topic].result()
    print(f"{given.events:,} events: read and judged in {seconds:.1f} s ({given.events / seconds:,.0f}/s)", end="; ")
    print(f"{peak:.0f} MiB at the peak")


if __name__ == "__main__":
    main()
