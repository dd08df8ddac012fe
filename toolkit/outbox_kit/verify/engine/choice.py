"""Which engine remembers the events of a run."""

from collections.abc import Sequence
from pathlib import Path

from outbox_kit.verify.engine import Engine
from outbox_kit.verify.engine.memory import Memory

BYTES_PER_EVENT = 170  # in memory, where every event has a key of its own
ENGINES = ("auto", "memory", "spool")
SHARE = 0.6  # of the memory that events may take; the rest is the process's own and the client's queues


def engine(kind: str, events: int, memory: int, folder: Path, *, others: Sequence[Path], several: bool) -> Engine:
    """An engine for so many events. memory: in bytes. folder: where a spool writes. others: spools to be read along.

    kind: one of ENGINES; auto is memory where that is enough.
    several: whether several processes remember together, which they can do on disk only.
    """
    small = events * BYTES_PER_EVENT < memory * SHARE
    if not (several or others) and (kind == "memory" or (kind == "auto" and small)):
        return Memory()
    from outbox_kit.verify.engine.spool import Spool  # it brings DuckDB, which takes a while to load

    return Spool(folder, memory, others)
