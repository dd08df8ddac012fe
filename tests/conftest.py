"""Settings for every test, and the real stack: started once for the whole run, or the one OUTBOX_KIT_STACK names."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from outbox_kit.stack import Stack, store
from outbox_kit.stack.manifest import Artifact
from tests.alone import alone

HERE = Path(__file__).parent
SHARING = ("tests/live/", "tests/conformance/")
SERVERS = ("mariadb", "mysql")
# what takes minutes, the longest first: it must not begin when all else is over
LONGEST = (
    "test_mysql",
    "test_generated",
    "test_stack",
    "test_follow",
    "test_oracle_sql",
    "test_verify_ledger",
    "test_pipeline",
    "test_migration",
    "test_engines",
    "test_deploy",
    "test_verify",
    "test_postgres",
    "test_replays",
    "test_bad_broker",
)
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


def pytest_configure(config: pytest.Config) -> None:
    # A stack's services are known by id and start time; the handle that started them is let go on purpose.
    config.addinivalue_line("filterwarnings", r"ignore:subprocess \d+ is still running:ResourceWarning")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")
    parser.addoption("--cases", type=int, default=50_000, help="generated rows for the router's conformance")
    parser.addoption("--case-seed", type=int, default=0, help="another seed gives other rows")
    parser.addoption("--fuzz-cases", type=int, help="random verdicts, of each kind of ledger; a few hundred otherwise")
    parser.addoption("--fuzz-seed", type=int, help="the seed of the first one, 1 unless told otherwise")
    parser.addoption("--fuzz-without", default="", help="features that no random case has: odd keys,lost")
    parser.addoption("--fuzz-runs", type=int, default=2, help="random pipelines on the real stack")


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
    parameters = test.partition("[")[2]
    return "::".join([file, *(server for server in SERVERS if parameters.startswith(server))])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, begin with the longest groups; between them goes what only computes."""
    if not hasattr(config, "workerinput"):
        return
    groups: dict[str, list[pytest.Item]] = {}
    others: list[pytest.Item] = []
    for item in items:
        if item.nodeid.startswith(SHARING):
            groups.setdefault(group(item.nodeid), []).append(item)
        else:
            others.append(item)
    if not groups:
        return
    first = {name: number for number, name in enumerate(LONGEST)}
    order = sorted(
        groups, key=lambda name: (first.get(Path(name.partition("::")[0]).stem, len(first)), -len(groups[name]))
    )
    share = -(-len(others) // len(order))
    items[:] = [
        item
        for number, name in enumerate(order)
        for item in (*groups[name], *others[number * share : (number + 1) * share])
    ]


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    with alone("connectors"):
        _other_connectors()
    if name := os.environ.get("OUTBOX_KIT_STACK"):
        yield Stack.attach(name)
        return
    with Stack.running() as own:
        yield own


def _other_connectors() -> None:
    """Unpack other databases' connectors beside the stack's own, before a worker looks for them.

    MySQL's is given a newer driver: 9.1.0 reads a snapshot as EUC-JP in a Java without the module jdk.charsets, which
    the stack's is.
    """
    entries = json.loads((HERE / "live" / "connectors.json").read_text())
    artifacts = [Artifact(**entry) for entry in entries]
    plugins = store.unpacked([one for one in artifacts if one.plugin], "plugins")
    (driver,) = store.fetched([one for one in artifacts if not one.plugin])
    for old in plugins.glob("debezium-connector-mysql-*/*/mysql-connector-j-*.jar"):
        if old.name != driver.name:
            shutil.copy(driver, old.with_name(driver.name))
            old.unlink()
