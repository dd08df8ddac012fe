"""The stack itself: up and down again, one beside another, killed and started anew, and never left behind.

The state of the stacks here lives in folders of the tests', so none that runs is touched. Most tests share one stack;
those of starting and ending have their own.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import requests

from outbox_kit.stack import Stack, aot, warm
from outbox_kit.stack.processes import answers
from tests.support import stacks
from tests.support.cli import invoke
from tests.support.waiting import until

OWNER = """
import time
from outbox_kit.stack import Stack, aot, warm
with Stack.running("owned") as stack:
    print("up", flush=True)
    time.sleep(600)
"""


def _kit(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "outbox_kit", "stack", *arguments], capture_output=True, text=True)


def _family(stack: Stack) -> list[psutil.Process]:
    """Every process of a stack, children included."""
    roots = [psutil.Process(process.pid) for process in stack.processes.values()]
    return [one for root in roots for one in (root, *root.children(recursive=True))]


def _gone(family: list[psutil.Process]) -> bool:
    return not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in family)


def _rest(stack: Stack, path: str = "/connectors") -> Any:
    answer = requests.get(stack.connect_url + path, timeout=120)
    answer.raise_for_status()
    return answer.json()


def _databases(stack: Stack) -> list[str]:
    """The databases there are; none as long as the server accepts nobody."""
    try:
        with psycopg.connect(stack.postgres_dsn) as connection:
            return [name for (name,) in connection.execute("select datname from pg_database")]
    except psycopg.OperationalError:
        return []


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """State in a folder of the test's own; whatever a failed test left there is taken down."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    yield
    for state in list(tmp_path.rglob("state.json")):
        Stack.attach(state.parent.name).down()


@pytest.fixture(scope="module")
def caches() -> None:
    """The caches with which the services start."""
    stacks.prepare()


@pytest.fixture(scope="module")
def up(caches: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.CompletedProcess[str]]:
    """A stack called `s` that several tests share: what its start printed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield _kit("up", "--name", "s")
        _kit("down", "--name", "s")


@pytest.fixture
def shared(up: subprocess.CompletedProcess[str]) -> Stack:
    """The stack that several tests share; each leaves it running."""
    assert up.returncode == 0, up.stderr
    return Stack.attach("s")


@pytest.mark.usefixtures("home")
def test_a_stack_comes_up_answers_and_leaves_nothing_behind() -> None:
    up = _kit("up", "--name", "s")
    assert up.returncode == 0, up.stderr
    stack = Stack.attach("s")
    family, folder, data = _family(stack), stack.place.folder, stack.place.data

    services = json.loads(invoke("stack", "status", "--name", "s", "--format", "json").stdout)["services"]
    assert {row["service"]: row["state"] for row in services} == dict.fromkeys(stack.addresses, "running")
    with psycopg.connect(stack.postgres_dsn) as connection:
        assert connection.execute("show wal_level").fetchone() == ("logical",)
    classes = {plugin["class"] for plugin in _rest(stack, "/connector-plugins")}
    assert "io.debezium.connector.postgresql.PostgresConnector" in classes

    down = invoke("stack", "down", "--name", "s", "--format", "json")
    assert json.loads(down.stdout)["services"] == []
    assert _gone(family)
    assert not folder.exists()
    assert not data.exists()
    assert _kit("down", "--name", "s").returncode == 0


def test_up_prints_addresses_and_no_password(shared: Stack, up: subprocess.CompletedProcess[str]) -> None:
    assert shared.connect_url in up.stdout
    for secret in (shared.place.postgres_password, shared.connector_password):
        assert secret not in up.stdout + up.stderr
        assert not any(secret in word for one in _family(shared) for word in one.cmdline())
        assert not any(secret in "\n".join(shared.tail(service, 10_000)) for service in shared.processes)


def test_up_again_finds_the_same_stack(shared: Stack) -> None:
    again = invoke("stack", "up", "--name", "s", "--format", "json")
    assert {row["address"] for row in json.loads(again.stdout)["services"]} == set(shared.addresses.values())
    assert Stack.attach("s").processes == shared.processes
    variables = json.loads(invoke("stack", "env", "--name", "s", "--format", "json").stdout)["variables"]
    assert variables == shared.environment()


@pytest.mark.parametrize("service", warm.JVMS)
def test_a_jvm_starts_from_its_cache_and_takes_it(caches: None, shared: Stack, service: str) -> None:
    command = psutil.Process(shared.processes[service].pid).cmdline()
    assert f"-XX:AOTCache={aot.cache(service)}" in command
    assert "[aot" not in shared.place.log(service).read_text()  # where it takes another, it says so


def test_two_stacks_run_side_by_side(shared: Stack) -> None:
    with Stack.running("another") as other:
        assert not set(shared.addresses.values()) & set(other.addresses.values())
        with psycopg.connect(shared.postgres_dsn, autocommit=True) as connection:
            connection.execute("create database only_here")
        with psycopg.connect(other.postgres_dsn) as connection:
            assert not connection.execute("select 1 from pg_database where datname = 'only_here'").fetchone()
        other.down()
        assert all(shared.alive(service) for service in shared.processes)
        assert _rest(shared) == []


def test_a_killed_worker_is_down_and_comes_back_on_its_port(shared: Stack) -> None:
    shared.kill("connect")
    assert "down" in invoke("stack", "status", "--name", "s", code=1).stdout
    assert not answers(shared.place.connect_port)
    shared.start("connect")
    assert _rest(shared) == []
    invoke("stack", "status", "--name", "s")


@pytest.mark.parametrize("service", ["postgres", "kafka"])
def test_a_killed_server_comes_back_with_its_data(shared: Stack, service: str) -> None:
    with psycopg.connect(shared.postgres_dsn, autocommit=True) as connection:
        connection.execute(f"create database kept_by_{service}")
    shared.kill(service)
    shared.start(service)
    until(lambda: _databases(shared))  # the port is open before the recovery from a kill is over
    assert f"kept_by_{service}" in _databases(shared)
    until(lambda: _rest(shared) == [])


@pytest.mark.usefixtures("home")
def test_a_killed_owner_leaves_no_process() -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True) as owner:
        try:
            assert owner.stdout
            assert owner.stdout.readline() == "up\n"
            family = _family(Stack.attach("owned"))
        finally:
            owner.send_signal(signal.SIGKILL)
    assert len(family) > 3
    until(lambda: _gone(family))


@pytest.mark.usefixtures("home")
def test_an_interrupt_while_it_starts_takes_everything_down() -> None:
    command = [sys.executable, "-m", "outbox_kit", "stack", "up", "--name", "s"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as up:
        until(lambda: Stack.exists("s") and "kafka" in Stack.attach("s").processes)
        family = _family(Stack.attach("s"))
        up.send_signal(signal.SIGINT)
        _, said = up.communicate(timeout=300)
    assert up.returncode == 130
    assert "Traceback" not in said
    assert _gone(family)
    assert not Stack.exists("s")


@pytest.mark.usefixtures("home")
def test_an_up_that_was_killed_is_finished_by_the_next() -> None:
    command = [sys.executable, "-m", "outbox_kit", "stack", "up", "--name", "s"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as up:
        until(lambda: Stack.exists("s") and "kafka" in Stack.attach("s").processes)
        up.send_signal(signal.SIGKILL)
    assert _kit("up", "--name", "s").returncode == 0
    invoke("stack", "status", "--name", "s")
    assert _rest(Stack.attach("s")) == []


def test_logs_show_the_service_that_is_asked_for(shared: Stack) -> None:
    logs = invoke("stack", "logs", "postgres", "--name", "s", "--lines", "10000")
    assert "ready to accept connections" in logs.stdout
    assert "postgres" in invoke("stack", "logs", "zookeeper", "--name", "s", code=2).stderr
    assert shared.alive("postgres")


def test_the_worker_reads_secrets_below_its_own_folder_only(shared: Stack) -> None:
    options = psutil.Process(shared.processes["connect"].pid).environ()
    assert options["OUTBOX_DB_PASSWORD"] == shared.connector_password
    text = (shared.place.folder / "connect.properties").read_text()
    assert f"config.providers.file.param.allowed.paths={shared.place.folder / 'secrets'}" in text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to give PostgreSQL another user")
def test_as_root_postgres_runs_as_another_user(shared: Stack) -> None:
    assert psutil.Process(shared.processes["postgres"].pid).uids().effective != 0


@pytest.mark.usefixtures("home")
def test_a_stack_that_is_not_there_is_said_in_one_line() -> None:
    for command in ("status", "logs", "env"):
        answer = invoke("stack", command, "--name", "nowhere", code=4)
        assert answer.stderr.startswith("error: no stack 'nowhere'")
