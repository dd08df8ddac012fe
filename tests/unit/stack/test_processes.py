"""Processes: known again by id and start time, ended with their children, tied to their owner."""

import contextlib
import errno
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from outbox_kit.errors import StackFailed
from outbox_kit.stack import processes
from outbox_kit.stack.processes import Process
from tests.support.waiting import until

FOREVER = [sys.executable, "-c", "import time; time.sleep(600)"]
PARENT_OF_ONE = [sys.executable, "-c", f"import subprocess; subprocess.run({FOREVER!r})"]
OWNER = """
import sys, time
from pathlib import Path
from outbox_kit.stack import processes
child = processes.start({command!r}, Path(sys.argv[1]), owned={owned})
print(child.pid, child.started, flush=True)
time.sleep(600)
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "service.log"


@pytest.fixture
def process(log: Path) -> Iterator[Process]:
    one = processes.start(PARENT_OF_ONE, log, owned=False)
    yield one
    one.kill()


@contextlib.contextmanager
def _owner(log: Path, *, owned: bool) -> Iterator[tuple[subprocess.Popen[str], Process]]:
    program = OWNER.format(command=FOREVER, owned=owned)
    with subprocess.Popen([sys.executable, "-c", program, str(log)], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout
        pid, started = owner.stdout.readline().split()
        child = Process(int(pid), float(started))
        until(lambda: "sleep" in " ".join(psutil.Process(child.pid).cmdline()[:3]))  # past the tether
        try:
            yield owner, child
        finally:
            owner.kill()
            child.kill()


def test_a_process_is_ended_with_its_children(process: Process) -> None:
    until(lambda: psutil.Process(process.pid).children())
    children = psutil.Process(process.pid).children()
    process.kill()
    assert not process.alive()
    assert not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children)


def test_a_process_that_took_over_the_id_is_neither_alive_nor_killed(process: Process) -> None:
    former = replace(process, started=process.started - 3600)
    assert not former.alive()
    former.kill()
    former.terminate()
    assert process.alive()


def test_a_process_is_known_after_the_clock_was_corrected(process: Process) -> None:
    moved = replace(process, started=process.started - 5)
    assert moved.alive()
    moved.kill()
    assert not process.alive()


def test_ending_a_process_twice_is_fine(process: Process) -> None:
    process.terminate()
    process.terminate()
    assert not process.alive()


def test_an_owned_process_dies_with_a_killed_owner(log: Path) -> None:
    with _owner(log, owned=True) as (owner, child):
        owner.send_signal(signal.SIGKILL)
        until(lambda: not child.alive())


def test_a_detached_process_outlives_its_starter(log: Path) -> None:
    with _owner(log, owned=False) as (owner, child):
        owner.send_signal(signal.SIGKILL)
        owner.wait()
        assert child.alive()


def test_a_service_that_dies_while_it_starts_is_shown_with_the_end_of_its_log(log: Path) -> None:
    failing = [sys.executable, "-c", "raise SystemExit('the port is taken')"]
    process = processes.start(failing, log, owned=False)
    with pytest.raises(StackFailed, match="kafka ended while it started") as error:
        processes.wait_until(lambda: False, process, log, "kafka")
    assert error.value.where == str(log)
    assert "  | the port is taken" in error.value.details


def test_a_service_that_never_answers_is_given_up(process: Process, log: Path) -> None:
    with pytest.raises(StackFailed, match="was not ready"):
        processes.wait_until(lambda: False, process, log, "kafka", seconds=0.1)


def test_ports_are_different_and_nobody_listens_there() -> None:
    ports = processes.free_ports(8)
    assert len(set(ports)) == 8
    assert not any(map(processes.answers, ports))


def test_too_few_free_ports_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setattr(processes, "PORTS", (port, port + 1))
        with pytest.raises(StackFailed, match="1 free ports are needed, and 0 were found"):
            processes.free_ports(1)


def test_a_system_that_opens_no_port_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "bind", Mock(side_effect=OSError(errno.EADDRNOTAVAIL, "no such address")))
    with pytest.raises(StackFailed) as error:
        processes.free_ports(1)
    assert "no such address" in error.value.why
