"""A process that is stopped as a whole."""

import os
import signal
from pathlib import Path

from tests.support.waiting import until


def freeze(pid: int) -> None:
    """Stop a process, and wait until every thread of it stands still.

    The kernel gives the signal to one thread: until that one gets a processor, the others go on.
    """
    os.kill(pid, signal.SIGSTOP)
    until(lambda: all(_is_stopped(task) for task in Path(f"/proc/{pid}/task").iterdir()), f"process {pid} is stopped")


def _is_stopped(task: Path) -> bool:
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0] == "T"
    except (FileNotFoundError, ProcessLookupError):  # a thread that has ended
        return True
