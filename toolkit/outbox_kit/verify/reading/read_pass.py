"""What was read of a log so far: by this process, by several, or earlier on other machines."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from outbox_kit import deadline as whole
from outbox_kit.databases.ledger import ComparableParts
from outbox_kit.errors import SpoolFailed
from outbox_kit.findings.finding import WHOLE_RUN
from outbox_kit.kafka.read import Progress, Range, Reading
from outbox_kit.verify.checks import run
from outbox_kit.verify.contract import Contract, contract
from outbox_kit.verify.reading import plan, workers
from outbox_kit.verify.reading.scan import Examination, examine
from outbox_kit.verify.reading.shard import Shard, write
from outbox_kit.verify.request import Request
from outbox_kit.verify.state.choice import engine
from outbox_kit.verify.state.engine import Engine, RangeReader
from outbox_kit.verify.state.memory import Memory
from outbox_kit.verify.state.tally import PartitionId, Tally, tally
from outbox_kit.waiting import waiting_for
from outbox_kit.wire.copies import copies

WORTH_A_PROCESS = 100_000  # records; fewer are read before a process has started


@dataclass
class ReadPass:
    """The pass over a log's records."""

    request: Request
    contract: Contract
    folder: Path
    """Where a spool writes."""
    say: Callable[[str], None]
    engine: Engine = field(default_factory=Memory)
    ranges: dict[PartitionId, Range] = field(default_factory=dict)
    """Of each partition what was read, from its start."""
    complete: bool = False
    """Whether everything was that there was at the last look."""

    def __post_init__(self) -> None:
        self.tally = Tally(self.request.findings())
        self._begun = False
        for shard in self.request.shards:
            self.tally.merge(tally(shard.tally, self.request.findings()))
            self.ranges |= {(r.topic, r.partition): r for r in shard.ranges}
        self.settled = self.request.prior_windows.ranges if self.request.prior_windows else {}
        self.ranges |= self.settled

    def judged(self) -> dict[PartitionId, Range]:
        """The ranges without what was judged in earlier windows."""
        return {
            topic_partition: replace(
                r, start=self.settled[topic_partition].end if topic_partition in self.settled else r.start
            )
            for topic_partition, r in self.ranges.items()
        }

    def extend(self, pinned: Sequence[Range], counts: dict[str, int], deadline: float) -> list[Progress]:
        """Examine what lies between the end of the last look and these ends; how far that went.

        counts: the partitions of each topic. deadline: by time.monotonic().
        """
        fresh = [replace(r, start=max(r.start, self._end(r))) for r in pinned]
        total = sum(r.end - r.start for r in fresh)
        if not self._begun:
            self.engine, self._begun = engine(self.request, self.contract, total, self.folder), True
        progress = self._read(fresh, total, counts, deadline)
        for partition_progress in progress:
            topic_partition = partition_progress.planned.topic, partition_progress.planned.partition
            start = self.ranges.get(topic_partition, partition_progress.planned).start
            self.ranges[topic_partition] = replace(
                partition_progress.planned, start=start, end=partition_progress.position
            )
        self.complete = all(partition_progress.done for partition_progress in progress)
        return progress

    def _read(self, fresh: Sequence[Range], total: int, counts: dict[str, int], deadline: float) -> list[Progress]:
        request = self.request
        if isinstance(self.engine, RangeReader):
            with waiting_for(f"Spark to read about {total:,} messages"):
                return self.engine.examine(request, fresh, counts, self.tally)
        if request.resources.workers > 1 and total > WORTH_A_PROCESS:
            return workers.run(request, fresh, counts, self.folder, deadline, self.tally, self.say)
        reading = Reading(fresh)
        examination = Examination(self.contract, self.tally, self.engine, counts, self.request.comparable_parts)
        batches = request.log.read(reading, deadline)
        examine(batches, examination, lambda n: self.say(f"{n:,} of about {total:,} messages read"))
        return list(reading.progress.values())

    def _end(self, r: Range) -> int:
        topic_partition = r.topic, r.partition
        return self.ranges[topic_partition].end if topic_partition in self.ranges else r.start


@contextmanager
def folder(parent: Path | None) -> Iterator[Path]:
    """A folder for the length of a block. parent: where, or the system's place for such. Raises SpoolFailed."""
    try:
        created = Path(tempfile.mkdtemp(prefix="outbox-kit-verify-", dir=parent))
    except OSError as cause:
        fix = "name a folder that can be written to: --temp-dir"
        raise SpoolFailed(
            "cannot create a temporary folder", where=str(parent or ""), why=str(cause), fix=fix
        ) from cause
    try:
        yield created
    finally:
        shutil.rmtree(created, ignore_errors=True)


def shard(request: Request, number: int, of: int, folder: Path, say: Callable[[str], None]) -> Shard:
    """Read one of several parts of a log into a folder, and write down there what was found.

    number: from 1 to `of`. What could not be read in time, `verify merge` reads. Raises EnvironmentProblems.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as cause:
        raise SpoolFailed("cannot create the folder of the shard", where=str(folder), why=str(cause)) from cause
    deadline, findings = time.monotonic() + request.waits.timeout, request.findings()
    expected = contract(request.outbox, request.registry)
    # the ledger is read when the shards are judged
    request = replace(request, comparable_parts=ComparableParts(copies(request.outbox)))
    with whole.within(request.waits.timeout):
        partitions = plan.partitions(request, expected.routes, findings)
        counts = plan.counts(partitions)
        pinned = plan.pinned(request, expected.routes, partitions[number - 1 :: of], deadline, findings)
        part = ReadPass(request, expected, folder, say)
        if request.outbox.table.registry and not request.registry:
            part.tally.findings.add(
                run.REGISTRY_SILENT, WHOLE_RUN, "a Schema Registry", "none: --registry was not given"
            )
        part.extend(pinned, counts, deadline)
    part.engine.flush()
    part.engine.close()
    digested = request.comparable_parts.digested if request.comparable_parts else ()
    result = Shard(folder, list(part.ranges.values()), counts, part.tally.document(), digested)
    write(result, request.outbox)
    return result
