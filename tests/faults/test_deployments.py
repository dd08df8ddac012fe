"""Deployments that meet what a real worker does now and then: what is asked, written once, and restored."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from outbox_kit.cli import app, confirmation
from outbox_kit.connect import deploy
from outbox_kit.connect.client import Connect
from outbox_kit.errors import ConnectRefused, ConnectUnreachable
from outbox_kit.schema.read import read
from outbox_kit.wire import connector
from tests.support import impatience
from tests.support.worker import Answer, Worker, running

SCHEMA = "service: {}\ndatabase: {{dialect: postgres}}\nevents: [{{type: Placed, aggregate: Order}}]\n"
PLUGIN = "io.debezium.connector.postgresql.PostgresConnector"
VALID = Answer(200, {"error_count": 0, "configs": [{"definition": {}, "value": {"name": "x", "errors": []}}]})
VALIDATE = f"PUT /connector-plugins/{PLUGIN}/config/validate"
PUT, POST = "PUT /connectors/shop-outbox/config", "POST /connectors"
CONFIG, STATUS = "GET /connectors/shop-outbox/config", "GET /connectors/shop-outbox/status"
TASKS = "GET /connectors/shop-outbox/tasks"
WRITTEN = Answer(200, {"name": "shop-outbox", "config": {"a": "b"}})
ABSENT = Answer(404, {"error_code": 404, "message": "Connector shop-outbox not found"})
EXISTS = Answer(409, {"error_code": 409, "message": "Connector shop-outbox already exists"})
OWN = {"connector.class": "a.B", "x": "1"}
QUICK = ("--stable-for", "0", "--timeout", "2")


def state(task: str) -> Answer:
    part = {"state": "RUNNING", "worker_id": "w"}
    return Answer(200, {"connector": part, "tasks": [{"id": 0, "state": task, "worker_id": "w", "trace": "boom"}]})


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    impatience.short_pauses(monkeypatch, 0.02)
    monkeypatch.setattr(deploy, "STALE_FAILED_SECONDS", 0.1)
    monkeypatch.setattr(deploy, "STALE_RUNNING_SECONDS", 0.1)
    for name in ("OUTBOX_KIT_DSN", "OUTBOX_KIT_CONNECT", "OUTBOX_KIT_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(SCHEMA.format("shop"))
    yield


def live(**changes: str) -> dict[str, str]:
    config = connector.config(read(Path("outbox.yaml")).outboxes[0])
    return {**config, **{key.replace("_", "."): value for key, value in changes.items()}}


def kit(worker: Worker, *words: str, code: int, text: str | None = None) -> Result:
    done = CliRunner().invoke(app, words, env={"OUTBOX_KIT_CONNECT": worker.url}, input=text)
    assert done.exit_code == code, done.output
    return done


def script(config: Answer, *states: Answer) -> dict[str, list[Answer]]:
    return {
        "GET /": [Answer(200, {"version": "4.3.1", "kafka_cluster_id": "k"})],
        VALIDATE: [VALID],
        CONFIG: [config],
        STATUS: list(states) or [ABSENT],
        TASKS: [Answer(200, [{"config": {"poll.interval.ms": str(number)}}]) for number in range(9)],
        PUT: [WRITTEN],
        POST: [WRITTEN],
    }


def asked(worker: Worker, request: str) -> int:
    return worker.asked.count(request)


def test_a_create_without_an_answer_is_not_a_second_one() -> None:
    steps = {POST: [Answer(201, WRITTEN.body, cut=5), EXISTS], "GET /connectors/c/config": [Answer(200, OWN)]}
    with running(steps) as worker:
        Connect(worker.url).create("c", OWN)
        assert asked(worker, POST) == 2


def test_a_connector_that_somebody_has_created_meanwhile_is_not_overwritten() -> None:
    steps = {POST: [EXISTS], "GET /connectors/c/config": [Answer(200, {**OWN, "x": "2"})]}
    with running(steps) as worker, pytest.raises(ConnectRefused, match="409"):
        Connect(worker.url).create("c", OWN)
    assert asked(worker, POST) == 1 and not any(request.startswith("PUT") for request in worker.asked)


def test_a_worker_that_starts_is_waited_for_as_long_as_is_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    connect = Connect(f"http://127.0.0.1:{port}")
    with pytest.raises(ConnectUnreachable):
        connect.worker()
    connect.patience_seconds = 60

    def answer_later() -> None:
        with socket.create_server(("127.0.0.1", port)) as server:
            body = b'{"version": "4.3.1"}'
            peer, _ = server.accept()
            with peer:
                peer.recv(4096)
                peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))

    timer = threading.Timer(0.3, answer_later)
    timer.start()
    assert connect.worker() == {"version": "4.3.1"}
    timer.join()


def test_a_worker_whose_api_is_not_there_yet_is_waited_for() -> None:
    page = Answer(404, "<html><title>Error 404 Not Found</title></html>")
    steps = script(Answer(200, live()), state("RUNNING"))
    with running({**steps, "GET /": [page, page, *steps["GET /"]]}) as worker:
        kit(worker, "plan", "--wait-for-worker", "60", code=0)
    with running({**steps, "GET /": [page]}) as worker:
        assert "refused GET with 404" in kit(worker, "plan", code=4).stderr
        kit(worker, "plan", "--wait-for-worker", "0.1", code=4)


@pytest.mark.parametrize("words", [(), ("--plan", "0000000000000000")])
def test_nothing_is_written_without_consent(words: tuple[str, ...]) -> None:
    with running(script(Answer(200, live(poll_interval_ms="9")), state("RUNNING"))) as worker:
        refused = kit(worker, "deploy-connector", *words, code=1 if words else 2)
        assert asked(worker, PUT) == 0
    assert "nothing was changed" in refused.stderr and "outbox-kit plan" in refused.stderr
    assert "~ poll.interval.ms = 9 -> 5" in refused.output


def test_a_connector_that_changes_while_somebody_decides_is_not_overwritten() -> None:
    first, then = (Answer(200, live(poll_interval_ms=value)) for value in ("9", "8"))
    with running(script(first, state("RUNNING")) | {CONFIG: [first, then]}) as worker:
        refused = kit(worker, "deploy-connector", "--yes", *QUICK, code=1).stderr
        assert asked(worker, PUT) == 0
    assert "was changed after the plan was made" in refused


@pytest.mark.parametrize(("typed", "code", "written"), [("y\n", 0, 1), ("n\n", 1, 0), ("\n", 1, 0)])
def test_a_terminal_is_asked(monkeypatch: pytest.MonkeyPatch, typed: str, code: int, written: int) -> None:
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(confirmation, "sys", SimpleNamespace(stdin=terminal, stdout=terminal))
    with running(script(Answer(200, live(poll_interval_ms="9")), state("RUNNING"))) as worker:
        done = kit(worker, "deploy-connector", *QUICK, code=code, text=typed)
        assert asked(worker, PUT) == written
    assert "Update 'shop-outbox' (1 option)?" in done.output
    assert ("nothing was changed" in done.stderr) is (not written)


def test_a_plan_without_changes_needs_no_consent_and_a_failed_task_is_restarted() -> None:
    with running(script(Answer(200, live()), state("RUNNING"))) as worker:
        kit(worker, "plan", code=0)
        kit(worker, "deploy-connector", *QUICK, code=0)
    restart = {"POST /connectors/shop-outbox/restart?includeTasks=true&onlyFailed=true": [Answer(202, {})]}
    steps = script(Answer(200, live()), state("FAILED"), state("FAILED"), state("RUNNING"))
    with running(steps | restart) as worker:
        assert "PLN-03" in kit(worker, "plan", code=1).stdout
        kit(worker, "deploy-connector", *QUICK, code=0)
        assert asked(worker, next(iter(restart))) == 1


def test_a_previous_configuration_that_fails_too_is_reported_with_the_first_failure() -> None:
    config = Answer(200, live(poll_interval_ms="9"))
    with running(script(config, state("RUNNING"), state("FAILED"))) as worker:
        failed = kit(worker, "deploy-connector", "--yes", *QUICK, code=4)
        assert asked(worker, PUT) == 2
    assert "'shop-outbox' does not run: its task FAILED" in failed.stderr
    assert "the previous configuration of 'shop-outbox' does not run either" in failed.stderr


@pytest.mark.parametrize(
    ("changes", "before", "words", "why"),
    [
        ({"database_password": "********"}, "RUNNING", (), "values of it are masked"),
        ({}, "FAILED", (), "the connector did not run with it"),
        ({}, "RUNNING", ("--no-restore",), "was not restored; it has the new configuration"),
    ],
)
def test_what_cannot_be_restored_is_left_and_said(
    changes: dict[str, str], before: str, words: tuple[str, ...], why: str
) -> None:
    config = Answer(200, live(poll_interval_ms="9", **changes))
    with running(script(config, state(before), state("FAILED"))) as worker:
        failed = kit(worker, "deploy-connector", "--yes", *words, *QUICK, code=4)
        assert asked(worker, PUT) == 1
    assert why in failed.stderr


def test_a_new_connector_that_fails_is_left_for_inspection() -> None:
    with running(script(ABSENT, state("FAILED"))) as worker:
        failed = kit(worker, "deploy-connector", "--yes", *QUICK, code=4)
        assert (asked(worker, POST), asked(worker, PUT)) == (1, 0)
    assert "'shop-outbox' is registered; see outbox-kit status --trace, or outbox-kit remove" in failed.stderr


def both(worker_steps: dict[str, list[Answer]], other: Answer) -> dict[str, list[Answer]]:
    Path("outbox.yaml").write_text(f"{SCHEMA.format('shop')}---\n{SCHEMA.format('billing')}")
    return {**worker_steps, "GET /connectors/billing-outbox/config": [other]}


def test_a_connector_that_cannot_be_planned_leaves_the_others_as_they_are() -> None:
    steps = both(script(Answer(200, live(poll_interval_ms="9")), state("RUNNING")), Answer(500, "<html>broken</html>"))
    with running(steps) as worker:
        planned = kit(worker, "plan", "--format", "json", code=4)
        document: dict[str, Any] = json.loads(planned.stdout)
        assert document["digest"] is None and [each["service"] for each in document["plans"]] == ["shop"]
        assert [each["connector"] for each in document["problems"]] == ["billing-outbox"]
        kit(worker, "deploy-connector", "--plan", "0" * 16, *QUICK, code=4)
        assert asked(worker, PUT) == 0
        done = kit(worker, "deploy-connector", "--yes", *QUICK, code=4)
        assert asked(worker, PUT) == 1
    table = dict(line.split("  ", 1) for line in done.stdout.splitlines()[-2:])
    assert table["shop-outbox   ".strip()].strip().startswith("update: connector RUNNING")
    assert table["billing-outbox"].startswith("not planned: ")


def test_the_services_of_a_file_are_planned_together_and_one_can_be_chosen() -> None:
    steps = both(script(Answer(200, live()), state("RUNNING")), ABSENT)
    with running(steps) as worker:
        assert "create 'billing-outbox' (" in kit(worker, "plan", code=1).stdout
        kit(worker, "plan", "--service", "shop", code=0)
        assert "choose one: shop, billing" in kit(worker, "plan", "--service", "shap", code=2).stderr
        Path("again.yaml").write_text(SCHEMA.format("shop"))
        twice = kit(worker, "plan", "outbox.yaml", "again.yaml", code=2)
    assert "two outboxes have the connector name 'shop-outbox'" in twice.stderr


def test_detecting_drift_only_reads_and_accepts_what_is_ignored() -> None:
    with running(script(Answer(200, live(poll_interval_ms="9")), state("RUNNING"))) as worker:
        assert "PLN-11" in kit(worker, "plan", "--check", code=1).stdout
        kit(worker, "plan", "--check", "--ignore", "PLN-11:poll.interval.ms=a load test", code=0)
        assert {request.split()[0] for request in worker.asked} == {"GET"}


def test_an_interruption_says_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(deploy, "await_running", interrupted)
    with running(script(Answer(200, live(poll_interval_ms="9")), state("RUNNING"))) as worker:
        done = kit(worker, "deploy-connector", "--yes", *QUICK, code=130)
    assert "'shop-outbox' may have the new configuration; the previous one was not restored" in done.stderr


def test_the_digest_of_a_plan_is_the_one_that_is_demanded() -> None:
    with running(script(Answer(200, live(poll_interval_ms="9")), state("RUNNING"))) as worker:
        digest = json.loads(kit(worker, "plan", "--format", "json", code=1).stdout)["digest"]
        hint = kit(worker, "plan", "-f", "outbox.yaml", "--service", "shop", code=1).stderr
        assert f"deploy-connector --plan {digest} --service shop outbox.yaml\n" in hint
        kit(worker, "deploy-connector", "--plan", digest, *QUICK, code=0)
        assert asked(worker, PUT) == 1
    unsafe = Answer(200, live(slot_name="other"))
    with running(script(unsafe, state("RUNNING"))) as worker:
        digest = json.loads(kit(worker, "plan", "--format", "json", code=1).stdout)["digest"]
        assert "--allow-destructive" in kit(worker, "deploy-connector", "--plan", digest, code=2).stderr
        assert asked(worker, PUT) == 0
