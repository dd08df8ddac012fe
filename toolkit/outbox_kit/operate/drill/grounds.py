"""Outboxes for drills on a local stack, and which stacks are refused."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outbox_kit.connect.client import Connect
from outbox_kit.errors import StackFailed, UsageProblem
from outbox_kit.kafka.read import Cluster
from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.measured_worker import measured_groups
from outbox_kit.operate.drill.shell import without_other_systems
from outbox_kit.stack import Stack
from outbox_kit.stack.services import SERVICES


@contextmanager
def ground(
    stack: Stack,
    delivery: str,
    source: str = "log",
    prometheus: Path | None = None,
    hold_seconds: int = 1,
    jmx_agent: Path | None = None,
) -> Iterator[Ground]:
    """An outbox for the length of a block, in which variables that name other systems are not set.

    delivery: connector or relay. source, prometheus, hold_seconds, jmx_agent: see `Ground`.
    """
    refuse_other_system(stack)
    folder = Path(tempfile.mkdtemp(prefix="outbox-kit-drill-"))
    place = Ground(
        stack, delivery, source, folder, prometheus=prometheus, hold_seconds=hold_seconds, jmx_agent=jmx_agent
    )
    with without_other_systems():
        try:
            place.set_up()
            yield place
        finally:
            try:
                place.tear_down()
            finally:
                shutil.rmtree(folder, ignore_errors=True)


def refuse_other_system(stack: Stack) -> None:
    """Raise StackFailed unless all services are processes that outbox-kit has started on this machine."""
    down = [service for service in SERVICES if not stack.alive(service)]
    if down:
        raise StackFailed(
            f"stack '{stack.name}' does not run: {', '.join(down)}",
            fix=f"start it: outbox-kit stack up --name {stack.name}",
        )


def refuse_shared_stack(stack: Stack) -> None:
    """Raise UsageProblem if other outboxes use the stack, which a drill that stops services would disturb too."""
    beside = measured_groups(Cluster(stack.bootstrap).topics())  # in workers of their own
    others = sorted({*Connect(stack.connect_url).connectors(), *beside})
    if others:
        raise UsageProblem(
            f"stack '{stack.name}' has other connectors: {', '.join(others)}",
            why="the drill stops services of the stack, or lets the database delete WAL",
            fix="drill on a stack of its own: outbox-kit stack up --name drills, then outbox-kit drill --name drills",
        )
