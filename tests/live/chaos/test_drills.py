"""Every drill: an alert of Prometheus or a finding names the fault, and the commands of the chapter repair it."""

import json
import random
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import accumulate

import pytest

from outbox_kit.operate.drill.ground import Ground
from outbox_kit.operate.drill.grounds import ground
from outbox_kit.operate.drill.model import drills
from outbox_kit.operate.drill.run import run_on
from outbox_kit.stack import Stack
from tests.support.cli import invoke
from tests.support.servers import jmx, promtool

ALWAYS = "slot-lost"
"""By Prometheus, with a connector."""
OF_RELAY = "relay-killed"
"""By the command, in each run too."""


class Grounds:
    """The outbox of the drill before, as long as it can be used."""

    def __init__(self, stack: Stack, open_ground: ExitStack) -> None:
        self.stack, self.open_ground = stack, open_ground
        self.place: Ground | None = None

    def with_delivery(self, delivery: str, source: str = "log", *, needs_jmx: bool = False) -> Ground:
        """An outbox that no earlier drill has marked. delivery, source, needs_jmx: see `Ground.suits`."""
        if self.place is None or not self.place.suits(delivery, source, needs_jmx=needs_jmx):
            self.open_ground.pop_all().close()
            self.place = self.open_ground.enter_context(
                ground(self.stack, delivery, source, promtool.prometheus(), jmx_agent=jmx.agent())
            )
        return self.place


@pytest.fixture(scope="module")
def grounds(stack: Stack) -> Iterator[Grounds]:
    with ExitStack() as open_ground:
        yield Grounds(stack, open_ground)


def test_a_drill_that_stops_services_refuses_a_stack_with_other_outboxes(grounds: Grounds, stack: Stack) -> None:
    place = grounds.with_delivery("connector")  # the first drills use it too
    refused = invoke("drill", "broker-down", "--name", stack.name, code=2).stderr
    assert f"has other connectors: {place.service}" in refused and "stack up --name drills" in refused


def _within(names: Sequence[str], count: int) -> set[str]:
    """The first so many of the drills; one that stops services takes the time of two."""
    totals = accumulate(2 if drills()[name].alone else 1 for name in names)
    return {name for name, total in zip(names, totals, strict=True) if total <= count}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run one, and some that the seed of the run draws, in the order in which they share an outbox."""
    if "name" in metafunc.fixturenames:
        options = metafunc.config.option
        others = [name for name in drills() if name != ALWAYS]
        drawn = _within(random.Random(options.case_seed).sample(others, len(others)), options.drills)
        metafunc.parametrize("name", [name for name in drills() if name in {ALWAYS, *drawn}])


def test_the_commands_of_the_chapter_repair_the_fault(grounds: Grounds, name: str) -> None:
    drill, lines = drills()[name], list[str]()
    place = grounds.with_delivery(drill.delivery, drill.source, needs_jmx=drill.needs_jmx)
    result = run_on(place, drill, lines.append)
    assert result.passed, "\n".join([result.problem, *lines])
    assert (result.detection_seconds is None) == (drill.signal is None)
    assert {*result.alerts} == {*drill.alerts, *(drill.jmx_alerts if place.measured else ())}
    assert {step.command for step in result.steps if step.step} and result.repair_seconds


@pytest.fixture
def other_system() -> Iterator[tuple[int, list[object]]]:
    """A port that no drill may reach, and the connections to it."""
    connections: list[object] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def accept() -> None:
            while True:
                try:
                    connection, peer = server.accept()
                except OSError:
                    return
                connections.append(peer)
                connection.close()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1], connections


def test_a_drill_does_not_touch_another_system(stack: Stack, other_system: tuple[int, list[object]]) -> None:
    port, connections = other_system
    names = ("OUTBOX_KIT_CONNECT", "OUTBOX_KIT_BOOTSTRAP", "OUTBOX_KIT_DSN", "PGHOST", "PGPORT", "PGSERVICE")
    address = (f"http://127.0.0.1:{port}", f"127.0.0.1:{port}", f"postgresql://127.0.0.1:{port}/prod", "127.0.0.1")
    environment = dict(zip(names, (*address, str(port), "prod"), strict=True))
    command = ("drill", OF_RELAY, "--name", stack.name, "--format", "json")
    document = json.loads(invoke(*command, environment=environment).stdout)
    assert document["passed"] and connections == []
    assert "does not exist" not in json.dumps(document) and stack.place.postgres_password not in json.dumps(document)


def test_a_drill_needs_a_stack_and_a_name() -> None:
    assert "no stack 'none'" in invoke("drill", "slot-lost", "--name", "none", code=4).stderr
    assert "did you mean 'slot-lost'" in invoke("drill", "slot-lst", code=2).stderr
    assert "drill --list" in invoke("drill", code=2).stderr
    assert {drill["name"] for drill in json.loads(invoke("drill", "--list", "--format", "json").stdout)["drills"]} == {
        *drills()
    }
