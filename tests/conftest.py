"""Settings for every test, and the real stack: started once for the whole run, or the one OUTBOX_KIT_STACK names."""

import gc
import os
import random
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main
import typer.testing
from hypothesis import HealthCheck, settings

from outbox_kit.stack import Stack
from tests.support import durations, passed, stacks

SHARING = (
    "tests/live/",
    "tests/conformance/",
    "tests/database/",
    "tests/wheel/",
    "tests/golden/test_golden.py",
    "tests/house/",
)
CHAOS = "tests/live/chaos/"
SERVERS = ("mariadb", "mysql", "postgres-16", "postgres-18")
SEEDS = 2**31
COLLECTED = 50_000  # objects that are made before the youngest are collected; Python's 700 cost 15 % of the time
typer.main.get_command = typer.testing._get_command = cache(typer.main.get_command)  # type: ignore[attr-defined]  # 50 ms
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

DURATIONS = "durations"  # of tests, which the first process hands to the others: one order for all
SEED = "case seed"
PASSED = "checks that passed"  # the counts that a process of the tests hands over
SHARED = "shared stack"  # the folder in which the processes of a run ask for it
shared_stack = pytest.StashKey[stacks.SharedStack]()


@pytest.hookimpl(tryfirst=True)  # before Hypothesis asks for its seed
def pytest_configure(config: pytest.Config) -> None:
    if config.option.case_seed is None:
        config.option.case_seed = getattr(config, "workerinput", {}).get(SEED, random.randrange(SEEDS))
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(config.option.case_seed)
    passed.fresh = config.getoption("--fresh")
    gc.set_threshold(COLLECTED)
    stacks.set_java_options()
    # a shell lets what it starts in the background ignore SIGINT, and so would all that tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")
    parser.addoption("--fresh", action="store_true", help="check again what passed before with the same input")
    parser.addoption("--cases", type=int, default=50_000, help="generated rows for the router's conformance")
    parser.addoption("--case-seed", type=int, help="repeats the random cases of a run, which prints it")
    parser.addoption("--fuzz-cases", type=int, help="random verdicts, of each kind of ledger; a few hundred otherwise")
    parser.addoption("--fuzz-seed", type=int, help="the seed of the first one; the run's own otherwise")
    parser.addoption("--fuzz-without", default="", help="features that no random case has: odd keys,lost")
    parser.addoption(
        "--chaos",
        type=int,
        help="seconds of disturbed relays, 4 under 8 writers, or of a broker's outage",
    )
    parser.addoption("--drills", type=int, default=2, help="random drills beside those of every run; 99 for all")
    parser.addoption("--fuzz-runs", type=int, default=2, help="random pipelines on the real stack")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process of the tests where to ask for the stack, the seed, and how long tests take."""
    shared = node.config.stash.get(shared_stack, None) or stacks.SharedStack()
    node.config.stash[shared_stack] = shared
    node.workerinput[SHARED] = str(shared.folder)
    node.workerinput[SEED] = node.config.option.case_seed
    node.workerinput[DURATIONS] = durations.known()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    durations.measured[report.nodeid] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what was checked, and what had passed before, from a process of the tests to the first one."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[PASSED] = [dict(passed.made), dict(passed.known)]
    else:
        durations.keep()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    made, known = getattr(node, "workeroutput", {}).get(PASSED, [{}, {}])
    passed.made.update(made)
    passed.known.update(known)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.line(f"random cases: --case-seed {terminalreporter.config.option.case_seed} repeats them")
    if told := passed.summary(passed.made, passed.known):
        terminalreporter.line(f"passed before with the same input: {told}; --fresh checks them again")


def pytest_unconfigure(config: pytest.Config) -> None:
    gc.unfreeze()  # native libraries complain at the end of what was never collected
    if shared := config.stash.get(shared_stack, None):
        shared.end()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Where several processes share the tests: those of one server or JVM stay together, others are dealt singly."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    return Scheduling(config, log)


def group(nodeid: str) -> str:
    """The tests that one process runs: a file's that share what starts slowly, or those of one of its servers."""
    file, _, test = nodeid.partition("::")
    if not file.startswith(SHARING):
        return nodeid
    if file.startswith(CHAOS):  # a process has one stack that may break: two processes are as many as the time takes
        return f"{CHAOS}{'relays' if 'relay' in file else 'others'}"
    parameters = test.partition("[")[2]
    servers = [server for server in SERVERS if parameters.startswith(server)]
    return "::".join(["tests/database/" if servers and file.startswith("tests/database/") else file, *servers])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, begin with the longest groups; between them goes what only computes."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("random")
    if not hasattr(config, "workerinput"):
        return
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(group(item.nodeid), []).append(item)
    tests = {name: [item.nodeid for item in group_items] for name, group_items in groups.items()}
    order = durations.ordered(tests, config.workerinput[DURATIONS])
    sharing = [name for name in order if name.startswith(SHARING)]
    others = [name for name in order if not name.startswith(SHARING)]
    share = -(-len(others) // max(len(sharing), 1))
    dealt = [name for n in range(max(len(sharing), 1)) for name in (*sharing[n : n + 1], *others[n * share :][:share])]
    items[:] = [item for name in dealt for item in groups[name]]


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of tests and modules, which all stay: it took 7 % of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def stack(pytestconfig: pytest.Config) -> Iterator[Stack]:
    """The stack that OUTBOX_KIT_STACK names, or one that all processes of the run share."""
    shared = getattr(pytestconfig, "workerinput", {}).get(SHARED)
    if name := os.environ.get("OUTBOX_KIT_STACK"):
        stacks.prepare()
        yield Stack.attach(name)
    elif shared:
        yield stacks.attached(Path(shared))
    else:
        with stacks.started() as own:
            yield own
