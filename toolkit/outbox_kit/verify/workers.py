"""One process for each group of partitions: each reads and examines its own, and hands its tally back.

A worker that dies takes only its own partitions along, and they are said not to have been read.
"""

import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from outbox_kit.errors import EnvironmentProblem
from outbox_kit.finding import Findings, Severity
from outbox_kit.kafka.read import Progress, Range, Reading
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.contract import contract
from outbox_kit.verify.engine.spool import Spool
from outbox_kit.verify.examine import Examination
from outbox_kit.verify.part import PROGRESS_SECONDS, examine
from outbox_kit.verify.result import Log
from outbox_kit.verify.tally import Tally, tally

PROCESSES = get_context("spawn")  # a forked client would share its parent's threads and sockets
GRACE_SECONDS = 20.0  # for workers to hand over what they have, after the time is up or the run was interrupted


@dataclass(frozen=True)
class Work:
    """What a worker is given. seconds: until it must be done. memory: in bytes."""

    outbox: Outbox
    log: Log
    ranges: Sequence[Range]
    partitions: dict[str, int]
    severities: dict[str, Severity]
    most: int
    folder: Path
    memory: int
    seconds: float


@dataclass
class Worker:
    """A process at work. done: records that it has examined so far."""

    work: Work
    process: Any
    pipe: Connection
    done: int = 0


def groups(ranges: Sequence[Range], count: int) -> list[list[Range]]:
    """The ranges in so many groups of about the same length, the longest first."""
    found: list[list[Range]] = [[] for _ in range(min(count, len(ranges)))]
    lengths = [0] * len(found)
    for r in sorted(ranges, key=lambda r: (r.start - r.end, r.topic, r.partition)):
        least = lengths.index(min(lengths))
        found[least].append(r)
        lengths[least] += r.end - r.start
    return found


def run(works: Sequence[Work], own: Tally, say: Callable[[str], None]) -> list[Progress]:
    """Let each work be done by a process of its own and add their tallies to one; how far each partition was read.

    Raises KeyboardInterrupt, when the workers have handed over what they had by then.
    """
    workers = [_started(work) for work in works]
    progress: list[Progress] = []
    interruption = None
    try:
        _collect(workers, own, progress, say, time.monotonic() + works[0].seconds + GRACE_SECONDS)
    except KeyboardInterrupt as cause:
        interruption = cause
        for worker in workers:
            os.kill(worker.process.pid, signal.SIGINT)
        _collect(workers, own, progress, say, time.monotonic() + GRACE_SECONDS)
    finally:
        for worker in workers:
            if worker.process.is_alive():
                worker.process.kill()
            worker.process.join()
    if interruption is not None:
        raise interruption
    told = {(one.planned.topic, one.planned.partition) for one in progress}
    silent = [r for work in works for r in work.ranges if (r.topic, r.partition) not in told]
    return [*progress, *(Progress(r, r.start, error="its worker ended") for r in silent)]


def _collect(
    workers: list[Worker], own: Tally, progress: list[Progress], say: Callable[[str], None], deadline: float
) -> None:
    """Take what the workers say until all have ended; those that have are taken off the list."""
    said, total = time.monotonic(), sum(r.end - r.start for worker in workers for r in worker.work.ranges)
    waiting = {worker.pipe: worker for worker in workers if not worker.pipe.closed}
    while waiting and (left := deadline - time.monotonic()) > 0:
        for pipe in wait(list(waiting), min(left, 1.0)):
            worker = waiting[pipe]  # type: ignore[index]
            try:
                told = worker.pipe.recv()
            except (EOFError, OSError):
                waiting.pop(worker.pipe).pipe.close()
                continue
            if isinstance(told, int):
                worker.done = told
                continue
            document, ranges = told
            own.merge(tally(document, Findings(worker.work.severities, worker.work.most)))
            progress += [Progress(Range(*planned), *rest) for planned, *rest in ranges]
        if time.monotonic() - said > PROGRESS_SECONDS:
            said = time.monotonic()
            say(f"{sum(worker.done for worker in workers):,} of about {total:,} records")


def _started(work: Work) -> Worker:
    here, there = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=_work, args=(work, there), daemon=True)
    process.start()
    there.close()
    return Worker(work, process, here)


def _work(work: Work, pipe: Connection) -> None:
    """A worker's life."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    found = Tally(Findings(work.severities, work.most))
    spool, reading = Spool(work.folder, work.memory), Reading(work.ranges)
    error = ""
    try:
        examination = Examination(contract(work.outbox), found, spool, work.partitions)
        examine(work.log, examination, reading, time.monotonic() + work.seconds, pipe.send)
    except KeyboardInterrupt:
        error = "interrupted"  # what was examined so far is handed over all the same
    except EnvironmentProblem as problem:
        error = ": ".join(filter(None, (problem.what, problem.why)))
    spool.flush()
    spool.close()
    there = [reading.progress.get((r.topic, r.partition)) or Progress(r, r.start) for r in work.ranges]
    pipe.send(
        (found.document(), [(astuple(p.planned), p.position, p.visible, p.done, p.error or error) for p in there])
    )
    pipe.close()
