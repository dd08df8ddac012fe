"""Hand-overs of a test: relays as processes, steps one by one, and what is done beside them."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outbox_kit.connect.client import Connect
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.operation import AnyHandOver, start_connector, start_relay
from outbox_kit.schema.read import read
from outbox_kit.wire import connector
from tests.support.waiting import PATIENT_SECONDS, until

DOUBLED = re.compile(r"(\d[\d,]*) events? will be published twice")


@contextmanager
def relay(environment: Mapping[str, str], runs: Callable[[], object]) -> Iterator[subprocess.Popen[bytes]]:
    """A relay. runs: whether it is a member."""
    command = [sys.executable, "-m", "outbox_kit", "--quiet", "relay", "-f", "outbox.yaml"]
    process = subprocess.Popen(command, env={**os.environ, **environment})
    try:
        until(runs, "the relay runs")
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(PATIENT_SECONDS)


def operation(environment: Mapping[str, str], file: str, report: Callable[[str], None] = print) -> AnyHandOver[Any]:
    """The hand-over to what a schema file names."""
    outbox = read(Path(file)).outbox(None)
    workers = Connect(environment["OUTBOX_KIT_CONNECT"])
    delivery = Debezium(outbox, workers, environment["OUTBOX_KIT_DSN"], connector.config(outbox))
    soon = lambda: time.monotonic() + PATIENT_SECONDS  # noqa: E731
    if outbox.delivery.by == "relay":
        return start_relay(delivery, report, soon)
    return start_connector(delivery, report, soon, soon)


def taken(handed: AnyHandOver[Any], most: int | None = None) -> list[str]:
    """Take the steps of a hand-over that continues from what it finds; the names of all of them.

    most: the steps after which it is interrupted.
    """
    state = handed.observe()
    handed.refuse(state)
    steps = handed.steps(state)
    for step in steps[:most]:
        step.run()
    return [step.name for step in steps]


@dataclass
class Reported:
    """The lines of a hand-over, and what is done beside it when one comes."""

    actions: dict[str, Callable[[], object]]
    """By a part of the line."""
    lines: list[str] = field(default_factory=list)

    def __call__(self, line: str) -> None:
        self.lines.append(line)
        for part, action in self.actions.items():
            if part in line:
                action()


def doubled(lines: Iterable[str]) -> int:
    """How many events a hand-over has reported as published twice."""
    return sum(int(count.replace(",", "")) for line in lines for count in DOUBLED.findall(line))
