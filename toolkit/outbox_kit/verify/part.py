"""What was read of a log so far: by this process, by several, or earlier on other machines."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from outbox_kit import deadline as whole
from outbox_kit.errors import SpoolFailed
from outbox_kit.finding import Place
from outbox_kit.kafka.read import Progress, Range, Reading
from outbox_kit.preview.parts import parts
from outbox_kit.source.ledger import Held
from outbox_kit.verify import plan, workers
from outbox_kit.verify.contract import Contract, contract
from outbox_kit.verify.engine import Engine, Reader
from outbox_kit.verify.engine.choice import engine
from outbox_kit.verify.engine.memory import Memory
from outbox_kit.verify.examine import Examination, examine
from outbox_kit.verify.result import Request
from outbox_kit.verify.shard import Shard, write
from outbox_kit.verify.tally import Here, Tally, tally

WORTH_A_PROCESS = 100_000  # records; fewer are read before a process has started


@dataclass
class Part:
    """The pass over a log's records.

    folder: where a spool writes. ranges: of each partition what was read, from its start. complete: whether everything
    was that there was at the last look.
    """

    request: Request
    contract: Contract
    folder: Path
    say: Callable[[str], None]
    engine: Engine = field(default_factory=Memory)
    ranges: dict[Here, Range] = field(default_factory=dict)
    complete: bool = False

    def __post_init__(self) -> None:
        self.tally = Tally(self.request.findings())
        self._begun = False
        for shard in self.request.shards:
            self.tally.merge(tally(shard.tally, self.request.findings()))
            self.ranges |= {(r.topic, r.partition): r for r in shard.ranges}
        self.settled = self.request.remembered.ranges if self.request.remembered else {}
        self.ranges |= self.settled

    def judged(self) -> dict[Here, Range]:
        """The ranges without what was judged in earlier windows."""
        return {
            here: replace(r, start=self.settled[here].end if here in self.settled else r.start)
            for here, r in self.ranges.items()
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
        for one in progress:
            here = one.planned.topic, one.planned.partition
            start = self.ranges.get(here, one.planned).start
            self.ranges[here] = replace(one.planned, start=start, end=one.position)
        self.complete = all(one.done for one in progress)
        return progress

    def _read(self, fresh: Sequence[Range], total: int, counts: dict[str, int], deadline: float) -> list[Progress]:
        request = self.request
        if isinstance(self.engine, Reader):
            return self.engine.examine(request, fresh, counts, self.tally)
        if request.workers > 1 and total > WORTH_A_PROCESS:
            return workers.run(request, fresh, counts, self.folder, deadline, self.tally, self.say)
        reading = Reading(fresh)
        examination = Examination(self.contract, self.tally, self.engine, counts, self.request.held)
        batches = request.log.read(reading, deadline)
        examine(batches, examination, lambda n: self.say(f"{n:,} of about {total:,} records"))
        return list(reading.progress.values())

    def _end(self, r: Range) -> int:
        here = r.topic, r.partition
        return self.ranges[here].end if here in self.ranges else r.start


@contextmanager
def folder(parent: Path | None) -> Iterator[Path]:
    """A folder for the length of a block. parent: where, or the system's place for such. Raises SpoolFailed."""
    try:
        made = Path(tempfile.mkdtemp(prefix="outbox-kit-verify-", dir=parent))
    except OSError as cause:
        fix = "name a folder that can be written to: --spool-dir"
        raise SpoolFailed("there is no place to write to", where=str(parent or ""), why=str(cause), fix=fix) from cause
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def shard(request: Request, number: int, of: int, folder: Path, say: Callable[[str], None]) -> Shard:
    """Read one of several parts of a log into a folder, and write down there what was found.

    number: from 1 to `of`. What could not be read in time, `verify merge` reads. Raises EnvironmentProblems.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as cause:
        raise SpoolFailed("the shard's folder cannot be made", where=str(folder), why=str(cause)) from cause
    deadline, findings = time.monotonic() + request.timeout, request.findings()
    wanted = contract(request.outbox, request.registry)
    request = replace(request, held=Held(parts(request.outbox)))  # the ledger is asked by whoever judges the shards
    with whole.within(request.timeout):
        partitions = plan.partitions(request, wanted.routes, findings)
        counts = plan.counts(partitions)
        pinned = plan.pinned(request, partitions[number - 1 :: of], deadline, findings)
        part = Part(request, wanted, folder, say)
        if request.outbox.table.registry and not request.registry:
            part.tally.findings.add("RUN-12", Place("*"), "a registry", "none was named")
        part.extend(pinned, counts, deadline)
    part.engine.flush()
    part.engine.close()
    digested = request.held.digested if request.held else ()
    found = Shard(folder, list(part.ranges.values()), counts, part.tally.document(), digested)
    write(found, request.outbox)
    return found
