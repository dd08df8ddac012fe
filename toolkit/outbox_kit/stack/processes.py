"""Processes by id: started with a log, known again by id and start time, ended with their children."""

import contextlib
import errno
import itertools
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outbox_kit.errors import StackFailed
from outbox_kit.stack.store import module

END_SECONDS = 20.0
POLL_SECONDS = 0.05
REAPED_SECONDS = 2.0
START_SECONDS = 60.0  # a start is moved by corrections of the clock; no id is used again as soon
LOG_LINES = 12
TAKEN = errno.EADDRINUSE, errno.EACCES  # some systems reserve ports
PORTS = 10_000, 32_768  # Linux gives connections ports from here on, others from higher ones


@dataclass(frozen=True)
class Process:
    """A process and when it was started (seconds since 1970), so that a reused id is never taken for it."""

    pid: int
    started: float

    def alive(self) -> bool:
        """Whether it still runs; a zombie does not."""
        return self._living() is not None

    def kill(self) -> None:
        """End it and its children with SIGKILL and wait until they are gone."""
        self._end(force=True)

    def terminate(self) -> None:
        """Ask it to end, and after a while end it with its children."""
        self._end(force=False)

    def ask_to_end(self) -> None:
        """Send it SIGTERM and do not wait."""
        if (living := self._living()) is not None:
            living.terminate()

    def _living(self) -> Any:
        psutil = module("psutil")
        try:
            process = psutil.Process(self.pid)
            is_same = abs(process.create_time() - self.started) < START_SECONDS
            return process if is_same and _runs(process) else None
        except psutil.NoSuchProcess:
            return None

    def _end(self, *, force: bool) -> None:
        psutil = module("psutil")
        living = self._living()
        if living is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            family = [*living.children(recursive=True), living]
            if not force:
                living.terminate()
                _await_end([living])
            for process in family:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            _await_end(family)


def _runs(process: Any) -> bool:
    """Whether a process has not ended; a zombie has."""
    psutil = module("psutil")
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _await_end(processes: Sequence[Any]) -> None:
    """Wait until they are gone, for a while.

    One that has ended stays a zombie until the process that started it looks: that is waited for, but not for long.
    """
    psutil, until = module("psutil"), time.monotonic() + END_SECONDS
    while any(map(_runs, processes)) and time.monotonic() < until:
        psutil.wait_procs(processes, timeout=POLL_SECONDS)
    psutil.wait_procs(processes, timeout=REAPED_SECONDS)


@dataclass(frozen=True)
class Account:
    """The user that a service runs as; -1 is the user we are."""

    uid: int = -1
    gid: int = -1


def start(
    command: Sequence[str],
    log: Path,
    *,
    owned: bool,
    account: Account | None = None,
    environment: Mapping[str, str] | None = None,
) -> Process:
    """Start a service with its output in a log.

    owned: it dies with this process, however that dies; on Linux already with the thread that has started it.
    """
    account = account or Account()
    tether = [str(os.getpid() if owned else 0), str(account.uid), str(account.gid), "--"]
    shim = [sys.executable, "-S", str(Path(__file__).with_name("tether.py"))]
    with log.open("ab") as output:
        child = subprocess.Popen(
            [*shim, *tether, *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
            cwd="/",
            start_new_session=True,  # a Ctrl-C is ours to handle, in order
        )
    return Process(child.pid, module("psutil").Process(child.pid).create_time())


def run(command: Sequence[str], log: Path, *, account: Account | None = None) -> None:
    """Run a command to its end. Raises StackFailed with the last lines of its log."""
    process = start(command, log, owned=True, account=account)
    with contextlib.suppress(ChildProcessError):
        _, status = os.waitpid(process.pid, 0)
        if status == 0:
            return
    raise StackFailed(f"'{Path(command[0]).name}' failed", where=str(log), details=tail(log))


def wait_until(ready: Callable[[], bool], process: Process, log: Path, service: str, seconds: float = 120.0) -> None:
    """Wait until a service answers. Raises StackFailed at once when it dies, or after a while."""
    deadline = time.monotonic() + seconds
    while not ready():
        if not process.alive():
            raise StackFailed(f"{service} ended while it started", where=str(log), details=tail(log))
        if time.monotonic() > deadline:
            raise StackFailed(f"{service} was not ready in {seconds:.0f} s", where=str(log), details=tail(log))
        time.sleep(0.05)


def tail(log: Path, lines: int = LOG_LINES) -> list[str]:
    """The last lines of a log."""
    try:
        return [f"  | {line}" for line in log.read_text(errors="replace").splitlines()[-lines:]]
    except OSError:
        return []


def free_ports(count: int) -> list[int]:
    """Different ports on loopback without a listener.

    They lie below those that systems give to outgoing connections: one of these could have the port of a service when
    it is started again.
    """
    ports = random.sample(range(*PORTS), PORTS[1] - PORTS[0])  # so that two programs seldom choose the same
    with contextlib.ExitStack() as sockets:
        bound = (port for port in ports if _bound(port, sockets))
        free = list(itertools.islice(bound, count))
    if len(free) < count:
        raise StackFailed(f"{count} free ports are needed, and {len(free)} were found", where="127.0.0.1")
    return free


def _bound(port: int, sockets: contextlib.ExitStack) -> bool:
    """Whether a port was free; it is bound as long as the stack lasts. Raises StackFailed where none can be."""
    try:
        sockets.enter_context(socket.socket()).bind(("127.0.0.1", port))
    except OSError as cause:
        if cause.errno in TAKEN:
            return False
        raise StackFailed("no port can be opened", where="127.0.0.1", why=str(cause)) from cause
    return True


def answers(port: int) -> bool:
    """Whether something listens on a loopback port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
