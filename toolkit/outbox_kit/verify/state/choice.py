"""Which engine remembers the events of a run."""

from pathlib import Path

from outbox_kit.errors import UsageProblem
from outbox_kit.verify.contract import Contract
from outbox_kit.verify.request import Request
from outbox_kit.verify.state.engine import Engine
from outbox_kit.verify.state.memory import Memory

BYTES_PER_EVENT = 170  # in memory, where every event has a key of its own
SHARE = 0.6  # of the memory that events may take; the rest is the process's own and the client's queues


def engine(request: Request, contract: Contract, events: int, folder: Path) -> Engine:
    """An engine for so many events; where none is named, memory as long as it is enough. folder: where a spool writes.

    Several processes, shards and earlier windows are remembered on disk only. What only some engines need is loaded
    with them.
    """
    steps, resources = contract.forbidden, request.resources
    if resources.engine == "spark":
        try:
            from outbox_kit.verify.state.spark import Spark
        except ImportError as cause:
            raise UsageProblem(
                "Spark is not installed", why=str(cause), fix="pip install 'outbox-kit[spark]'"
            ) from None
        return Spark(resources.spark, steps)
    alone = resources.workers == 1 and not request.shards and not request.prior_windows
    small = events * BYTES_PER_EVENT < resources.memory * SHARE
    if alone and (resources.engine == "memory" or (resources.engine == "auto" and small)):
        return Memory(steps, dense=contract.dense)
    from outbox_kit.verify.state.spool import Spool

    if request.prior_windows:
        return Spool(folder, resources.memory, request.prior_windows.folders, steps, request.prior_windows.ranges)
    return Spool(folder, resources.memory, [shard.folder for shard in request.shards], steps)
