"""One process for each group of partitions: each reads and examines its own, and hands its tally back.

If a worker dies, only its own partitions are lost, and are reported as not read.
"""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from outbox_kit import deadline as whole
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.kafka.read import Progress, Range, Reading
from outbox_kit.verify.contract import contract
from outbox_kit.verify.reading.scan import PROGRESS_SECONDS, Batch, Examination, examine
from outbox_kit.verify.request import Request
from outbox_kit.verify.state.spool import Spool
from outbox_kit.verify.state.tally import Tally, tally

PROCESSES = get_context("spawn")  # a forked client would share its parent's threads and sockets
GRACE_SECONDS = 20.0  # for workers to hand over what they have, after the time is up or the run was interrupted


@dataclass(frozen=True)
class Work:
    """What a worker is given."""

    request: Request
    ranges: Sequence[Range]
    counts: dict[str, int]
    """Partitions by topic."""
    folder: Path
    memory: int
    """In bytes."""
    seconds: float
    """Until it must be done."""


@dataclass
class Worker:
    """A process at work."""

    work: Work
    process: Any
    pipe: Connection
    done: int = 0
    """Records that it has examined so far."""

    def stop(self) -> None:
        """Tell it to hand over what it has."""
        with suppress(OSError):
            self.pipe.send("stop")


def groups(ranges: Sequence[Range], count: int) -> list[list[Range]]:
    """The ranges in so many groups of about the same length, the longest first."""
    shares: list[list[Range]] = [[] for _ in range(min(count, len(ranges)))]
    lengths = [0] * len(shares)
    for r in sorted(ranges, key=lambda r: (r.start - r.end, r.topic, r.partition)):
        least = lengths.index(min(lengths))
        shares[least].append(r)
        lengths[least] += r.end - r.start
    return shares


def run(
    request: Request,
    ranges: Sequence[Range],
    counts: dict[str, int],
    folder: Path,
    deadline: float,
    tally: Tally,
    say: Callable[[str], None],
) -> list[Progress]:
    """Let processes examine some ranges and add their tallies to one; how far each range was read.

    counts: partitions by topic. folder: where they spool. deadline: by time.monotonic(). Raises KeyboardInterrupt, when
    the workers have handed over what they had by then.
    """
    resources = request.resources
    share = resources.memory // (resources.workers + 1)  # one for the process that judges
    range_groups, seconds = groups(ranges, resources.workers), deadline - time.monotonic()
    workers: list[Worker] = []
    progress: list[Progress] = []
    try:
        for group in range_groups:
            workers.append(_started(Work(request.bare(), group, counts, folder, share, seconds)))
        _collect(workers, tally, progress, say, deadline + GRACE_SECONDS)
    except KeyboardInterrupt:
        for worker in workers:
            worker.stop()
        _collect(workers, tally, progress, say, time.monotonic() + GRACE_SECONDS)
        raise
    finally:
        for worker in workers:
            if worker.process.is_alive():
                worker.process.kill()
            worker.process.join()
    finished = {
        (partition_progress.planned.topic, partition_progress.planned.partition) for partition_progress in progress
    }
    silent = [r for r in ranges if (r.topic, r.partition) not in finished]
    unread = (Progress(r, r.start, done=r.end <= r.start, error="the process that read it ended") for r in silent)
    return [*progress, *unread]


def _collect(
    workers: list[Worker], total_tally: Tally, progress: list[Progress], say: Callable[[str], None], deadline: float
) -> None:
    """Take what the workers say until all have ended; those that have are taken off the list."""
    reported, total = time.monotonic(), sum(r.end - r.start for worker in workers for r in worker.work.ranges)
    waiting = {worker.pipe: worker for worker in workers if not worker.pipe.closed}
    while waiting and (seconds_left := deadline - time.monotonic()) > 0:
        for pipe in wait(list(waiting), min(seconds_left, 1.0)):
            worker = waiting[pipe]  # type: ignore[index]
            try:
                message = worker.pipe.recv()
            except (EOFError, OSError):
                waiting.pop(worker.pipe).pipe.close()
                continue
            if isinstance(message, int):
                worker.done = message
                continue
            document, ranges = message
            total_tally.merge(tally(document, worker.work.request.findings()))
            progress += [Progress(Range(*planned), *rest) for planned, *rest in ranges]
        if time.monotonic() - reported > PROGRESS_SECONDS:
            reported = time.monotonic()
            say(f"{sum(worker.done for worker in workers):,} of about {total:,} messages read")


def _started(work: Work) -> Worker:
    receiver, sender = PROCESSES.Pipe()
    process = PROCESSES.Process(target=_work, args=(work, sender), daemon=True)
    resource_tracker.ensure_running()  # when it starts, it lets the signal through again
    with _uninterrupted():
        process.start()
    sender.close()
    return Worker(work, process, receiver)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process that starts in here never hears of a Ctrl-C; its parent does, and tells it what to do.

    The signal is blocked, which the process inherits: ignored, one that comes meanwhile would be lost.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(work: Work, pipe: Connection) -> None:
    """A worker's life."""
    tally = Tally(work.request.findings())
    spool, reading, error = Spool(work.folder, work.memory), Reading(work.ranges), ""
    try:
        examination = Examination(
            contract(work.request.outbox, work.request.registry),
            tally,
            spool,
            work.counts,
            work.request.comparable_parts,
        )
        with whole.within(work.seconds):
            batches = work.request.log.read(reading, time.monotonic() + work.seconds)
            examine(_until_told(pipe, batches), examination, pipe.send)
    except EnvironmentProblem as problem:
        error = ": ".join(filter(None, (problem.what, problem.why)))
    spool.flush()
    spool.close()
    progress = [reading.progress.get((r.topic, r.partition)) or Progress(r, r.start) for r in work.ranges]
    ranges = [(astuple(p.planned), p.position, p.visible, p.done, p.error or error, p.refused) for p in progress]
    pipe.send((tally.document(), ranges))
    pipe.close()


def _until_told(pipe: Connection, batches: Iterator[Batch]) -> Iterator[Batch]:
    for batch in batches:
        yield batch
        if pipe.poll():
            return
