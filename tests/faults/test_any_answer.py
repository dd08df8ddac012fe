"""Whatever answers in the place of Kafka Connect or of a registry: a command ends in time and in a sentence."""

import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from outbox_kit import deadline
from outbox_kit.cli import app
from outbox_kit.connect import answers, client
from outbox_kit.connect.client import Connect
from outbox_kit.errors import ConnectRefused, EnvironmentProblem
from outbox_kit.kafka import registry
from outbox_kit.kafka.frame import Fault, Unread
from outbox_kit.kafka.registry import Registry
from outbox_kit.schema.read import read
from outbox_kit.verify.reading.captured import messages
from outbox_kit.verify.run import Verification
from outbox_kit.wire import connector
from tests.support import impatience
from tests.support.reports import FORMATS, rendered
from tests.support.request import request_of
from tests.support.worker import Answer, Worker, running

SCHEMA = "service: orders\ndatabase: {dialect: postgres}\nevents:\n  - {type: OrderPlaced, aggregate: Order}\n"
NAME = "orders-outbox"
PART = {"state": "RUNNING", "worker_id": "w:8083"}
POSITION = {"partition": {"server": "orders"}, "offset": {"lsn": 4711}}
PLUGIN = "io.debezium.connector.postgresql.PostgresConnector"
GOOD: dict[str, Any] = {
    "GET /": {"version": "4.3.1", "commit": "x", "kafka_cluster_id": "y"},
    f"GET /connectors/{NAME}/config": {
        "connector.class": PLUGIN,
        "name": NAME,
        "slot.name": "orders_outbox",
        "topic.prefix": "orders",
        "database.dbname": "orders",
    },
    "GET /connectors?expand=info": {
        NAME: {
            "info": {
                "config": {
                    "connector.class": PLUGIN,
                    "transforms": "outbox",
                    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
                }
            }
        }
    },
    "GET /admin/loggers/io.debezium": {"level": "INFO", "last_modified": None},
    f"GET /connectors/{NAME}/status": {"name": NAME, "connector": PART, "tasks": [{"id": 0, **PART}], "type": "source"},
    f"GET /connectors/{NAME}/tasks": [{"id": {"connector": NAME, "task": 0}, "config": {"task.class": "a.Task"}}],
    f"GET /connectors/{NAME}/offsets": {"offsets": [POSITION]},
    f"GET /connectors/{NAME}/topics": {NAME: {"topics": ["outbox.event.Order"]}},
    f"PUT /connectors/{NAME}/config": {"name": NAME, "config": {"a": "b"}, "tasks": [], "type": "source"},
    f"PUT /connector-plugins/{PLUGIN}/config/validate": {
        "name": PLUGIN,
        "error_count": 0,
        "configs": [{"definition": {}, "value": {"name": "x", "value": None, "errors": []}}],
    },
    f"PUT /connectors/{NAME}/stop": None,
    f"DELETE /connectors/{NAME}": None,
    f"DELETE /connectors/{NAME}/offsets": {"message": "reset"},
}
COMMANDS = {
    "status": ["status", "--timeout", "1"],
    "status as JSON": ["status", "--timeout", "1", "--format", "json"],
    "plan": ["plan", "--timeout", "1"],
    "deploy": ["deploy-connector", "--yes", "--allow-destructive", "--stable-for", "0", "--timeout", "1"],
    "hand over": ["hand-over", "--yes", "--timeout", "1"],
    "remove": ["remove", "--reset-offsets", "--allow-destructive", "--timeout", "1"],
    "status of all": ["status", "--all", "--timeout", "1"],
    "pause": ["pause", "--timeout", "1"],
    "stop": ["stop", "--timeout", "1"],
    "resume": ["resume", "--timeout", "1"],
    "restart": ["restart", "--all", "--timeout", "1"],
    "offsets": ["offsets", "show", "--timeout", "1"],
    "reset": ["offsets", "reset", "--yes", "--timeout", "1"],
    "rename": ["rename", "--from", "former", "--timeout", "1"],
    "skip": ["skip-poisoned", "--yes", "--timeout", "1"],
    "log level": ["log-level", "DEBUG", "--keep", "--timeout", "1"],
}
JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1.5,
    10**400,
    "",
    "text",
    "\ud800",
    "\x1b[2J\x00",
    [],
    {},
    [None],
    [[]],
    {"": None},
    {"connector": []},
    {"offsets": [{"offset": {"lsn": "x"}}]},
    {"message": 7},
)
BODIES: tuple[Any, ...] = (
    "",
    "<!doctype html><title>Sign in</title>",
    "[" * 100_000,
    '{"a":' * 50_000,
    "9" * 5_000,
    "NaN",
    "{'name': 'x'}",
    b"\xff\xfe\x00",
    '{"version": "é"}'.encode("latin-1"),
    json.dumps({"version": "1"}).encode("utf-16"),
    b"\x1f\x8b\x08\x00broken",
)


@pytest.fixture(autouse=True)
def soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Waits that are short, and nothing else that is otherwise than for users."""
    impatience.short_pauses(monkeypatch, 0.005)
    monkeypatch.setattr(client, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(client, "LONGEST_BYTES", 1 << 20)
    monkeypatch.setattr(registry, "LONGEST_BYTES", 1 << 20)
    monkeypatch.setattr(registry, "WAIT_MS", 1)
    monkeypatch.setattr(deadline, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr(deadline, "LEAST_SECONDS", 0.1)
    for name in ("OUTBOX_KIT_DSN", "OUTBOX_KIT_CONNECT", "OUTBOX_KIT_KAFKA_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(SCHEMA)
    yield


def kit(worker: Worker, *arguments: str) -> Result:
    done = CliRunner().invoke(app, [*arguments], env={"OUTBOX_KIT_CONNECT": worker.url})
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert "Traceback" not in done.stderr and "\x1b" not in done.stderr
    return done


def verified(worker: Worker, seconds: float = 1.0) -> str:
    """A verification that asks for its connector, as text; the log is one that was captured."""
    outbox = read(Path("outbox.yaml")).outbox(None)
    log = messages("[]", outbox)
    request = request_of(outbox, log, timeout=seconds, connect=Connect(worker.url))
    report = Verification(request, lambda _: None).run()
    return "".join(rendered(name, report) for name in FORMATS)


def mutated(document: Any, chance: random.Random) -> Any:
    """A document with one part that is something else, or is gone."""
    if isinstance(document, dict) and document and chance.random() < 0.8:
        key = chance.choice(list(document))
        if chance.random() < 0.2:
            return {name: value for name, value in document.items() if name != key}
        return {**document, key: mutated(document[key], chance)}
    if isinstance(document, list) and document and chance.random() < 0.8:
        return [mutated(document[0], chance), *document[1:]]
    return chance.choice(JUNK)


def odd(request: str, chance: random.Random) -> Answer:
    """An answer to a request, more likely wrong than right."""
    right = GOOD.get(request)
    kind = chance.randrange(8)
    status = chance.choice((200, 200, 200, 200, 201, 204, 301, 307, 400, 401, 404, 409, 418, 500, 503))
    if kind < 2:
        return Answer(200 if right is not None else 204, right)
    if kind < 5:
        return Answer(status, mutated(right, chance))
    if kind == 5:
        whole = json.dumps(right)
        return Answer(status, whole[: chance.randrange(len(whole))])
    headers = chance.choice(({}, {"Content-Encoding": "gzip"}, {"Location": "http://[bad"}, {"Content-Type": "x/\xff"}))
    return Answer(status, chance.choice(BODIES), headers=headers, cut=chance.choice((None, None, 3)))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("seed", range(4))
def test_no_answer_of_connect_ends_in_a_bug(command: str, seed: int) -> None:
    rounds = (
        4 if command not in ("status", "status as JSON", "plan", "hand over") else 8
    )  # these may wait for what never comes
    for number in range(rounds):
        chance = random.Random(f"{command} {seed} {number}")
        with running({}) as worker:
            worker.every = lambda request, chance=chance: odd(request, chance)  # type: ignore[misc]
            done = kit(worker, *COMMANDS[command])
            assert done.exit_code in (0, 1, 2, 4), (chance, done.output)
            assert done.exit_code not in (2, 4) or done.stderr.startswith("error: ") or "\nerror: " in done.stderr


@pytest.mark.parametrize("seed", range(20))
def test_no_answer_of_connect_ends_a_verification(seed: int) -> None:
    chance = random.Random(seed)
    with running({}) as worker:
        worker.every = lambda request: odd(request, chance)
        assert verified(worker)


@pytest.mark.parametrize("request_line", GOOD)
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Answer(200, "<html>hello</html>"), id="a page"),
        pytest.param(Answer(200, "{}"), id="an empty object"),
        pytest.param(Answer(200, "[]"), id="a list"),
        pytest.param(Answer(200, "null"), id="null"),
        pytest.param(Answer(200, ""), id="nothing"),
        pytest.param(Answer(404, "<html>who?</html>"), id="a page that is not found"),
        pytest.param(Answer(404, {"error_code": 404, "message": "HTTP 404 Not Found"}), id="a path that is not found"),
    ],
)
def test_what_is_no_answer_is_never_taken_for_one(request_line: str, answer: Answer) -> None:
    orders = request_line.startswith(("DELETE", f"PUT /connectors/{NAME}/stop"))
    if orders and answer.status == 200 and answer.body in ("", "null", "{}"):
        return  # all that they ever say
    if request_line.startswith("GET /connectors?") and answer.body == "{}":
        return  # no connectors
    if request_line.endswith("/tasks") and answer.body == "[]":
        return  # no tasks
    with running({**{line: [Answer(200, body)] for line, body in GOOD.items()}, request_line: [answer]}) as worker:
        own, config = Connect(worker.url), {"connector.class": PLUGIN}
        asked: dict[str, Callable[[], object]] = {
            "GET /": own.worker,
            f"GET /connectors/{NAME}/config": lambda: own.config(NAME),
            f"GET /connectors/{NAME}/status": lambda: own.status(NAME),
            f"GET /connectors/{NAME}/tasks": lambda: own.task_configs(NAME),
            f"GET /connectors/{NAME}/offsets": lambda: own.offsets(NAME),
            f"GET /connectors/{NAME}/topics": lambda: own.topics(NAME),
            f"PUT /connectors/{NAME}/config": lambda: own.put_config(NAME, config),
            f"PUT /connector-plugins/{PLUGIN}/config/validate": lambda: own.validate(config, NAME),
            f"PUT /connectors/{NAME}/stop": lambda: own.stop(NAME),
            f"DELETE /connectors/{NAME}": lambda: own.delete(NAME),
            f"DELETE /connectors/{NAME}/offsets": lambda: own.reset_offsets(NAME),
            "GET /connectors?expand=info": own.connectors,
            "GET /admin/loggers/io.debezium": lambda: own.log_level("io.debezium"),
        }
        with pytest.raises(ConnectRefused) as refused:
            asked[request_line]()
    assert refused.value.where == worker.url and refused.value.exit_code == 4


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("request_line", ["GET /", f"PUT /connectors/{NAME}/config"])
def test_a_redirect_is_refused_and_says_where_it_leads(status: int, request_line: str) -> None:
    with running({}) as other, running({}) as worker:
        there = other.url.replace("://", "://them:hunTer2@")
        worker.every = lambda _: Answer(status, "moved", headers={"Location": f"{there}/x?token=hunTer2"})
        own = Connect(worker.url, user="me", password="mine-1")  # noqa: S106
        with pytest.raises(ConnectRefused) as refused:
            own.worker() if request_line == "GET /" else own.put_config(NAME, {"database.password": "p-1"})
        assert (other.asked, len(worker.asked)) == ([], 1)
        assert f"{other.url}/x" in refused.value.why and "--connect" in refused.value.fix
        assert "hunTer2" not in "\n".join(refused.value.lines())
        assert kit(worker, "status").exit_code == 4


SLOW = {
    "says nothing": Answer(silent=True),
    "drips": Answer(200, b" ", endless=True, pause=0.05),
    "drips its head": Answer(200, b"{}", slow_head=True, pause=0.05),
    "never ends": Answer(200, b" " * 65536, endless=True),
    "never ends, as a refusal": Answer(500, b"x" * 65536, endless=True),
}


@pytest.mark.timeout(60)  # as it was, each request alone could take so long, and some never ended
@pytest.mark.parametrize(
    ("command", "what"),
    [
        *((command, "says nothing") for command in COMMANDS),
        *(("plan", what) for what in SLOW if what != "says nothing"),
    ],
)
def test_a_deadline_holds_for_all_answers_together(command: str, what: str) -> None:
    with running({}) as worker:
        worker.every = lambda request: SLOW[what] if request != "GET /" else Answer(200, GOOD["GET /"])
        done = kit(worker, *COMMANDS[command])
        assert done.exit_code == 4, done.output
        assert {*re.findall(r"no answer within (\d+) s", done.output)} <= {"0", "1"}
        assert worker.sent < 64 << 20


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", SLOW)
def test_a_verification_ends_in_time_and_says_that_connect_was_not_asked(what: str) -> None:
    with running({}) as worker:
        worker.every = lambda _: SLOW[what]
        assert "Kafka Connect" in verified(worker) or "GET connectors" in verified(worker)


def test_a_deadline_is_the_least_of_all_and_ends_with_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(deadline.time, "monotonic", lambda: now)
    assert deadline.allowed(90) == 90
    with deadline.within(10), deadline.within(60):
        assert (deadline.left(), deadline.allowed(90), deadline.allowed(3)) == (10, 10, 3)
        now += 10.1
        assert deadline.allowed(90) == deadline.LEAST_SECONDS
        now += deadline.GRACE_SECONDS
        with pytest.raises(EnvironmentProblem, match="time is up") as over:
            deadline.allowed(90)
        assert "--timeout" in over.value.fix
    assert deadline.allowed(90) == 90


def test_the_time_in_which_a_user_decides_does_not_count() -> None:
    with deadline.within(5):
        before, began = deadline.end(), time.monotonic()
        with deadline.paused():
            time.sleep(0.05)
            taken = time.monotonic() - began
        assert deadline.end() >= before + taken / 2 > before


def test_a_call_that_returns_and_one_that_raises_and_one_that_does_neither() -> None:
    assert deadline.answered(lambda: 7, 10) == 7
    with pytest.raises(KeyError):
        deadline.answered(lambda: {}["x"], 10)
    with running({"GET /": [Answer(silent=True)]}) as worker, pytest.raises(TimeoutError):
        deadline.answered(lambda: worker.closed.wait(30), 0.05)


def test_a_validation_that_names_no_option_or_hides_its_errors_is_none() -> None:
    value = {"name": "x", "errors": []}
    assert answers.validation({"configs": [{"value": value}, {"value": None}]}) == {"x": []}
    for document in (
        {"configs": []},
        {"configs": [{"value": None}]},
        {"error_count": 2, "configs": [{"value": value}]},
    ):
        with pytest.raises(answers.Malformed):
            answers.validation(document)


def test_an_offset_that_no_connector_of_this_database_stores_is_refused() -> None:
    config = connector.config(read(Path("outbox.yaml")).outbox(None))
    for offset in ({"lsn": "x"}, {"lsn": []}, {"lsn": {}}):
        script = {line: [Answer(200, body)] for line, body in GOOD.items()}
        script[f"GET /connectors/{NAME}/offsets"] = [Answer(200, {"offsets": [{"partition": {}, "offset": offset}]})]
        with running(script) as worker:
            done = kit(worker, "status")
        assert (done.exit_code, config["connector.class"]) == (4, PLUGIN)
        assert "stored offset" in done.stderr


FRAME = b"\0\0\0\0\x07\x02"
KINDS = ("avro", "json", "protobuf")
SCHEMAS: tuple[Any, ...] = (
    {"schema": '{"type": "record", "name": "O", "fields": [{"name": "n", "type": "int"}]}'},
    {"schema": '{"type": "object"}', "schemaType": "JSON"},
    {"schema": 'syntax = "proto3"; message O {int32 n = 1;}', "schemaType": "PROTOBUF"},
    {"schema": "Q" * 100, "schemaType": "PROTOBUF", "references": [{"name": "x", "subject": "y", "version": 1}]},
    {"schema": "[" * 50_000},
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_no_answer_of_a_registry_is_more_than_unread(kind: str, seed: int) -> None:
    for number in range(10):
        chance = random.Random(f"{kind} {seed} {number}")

        def answer(_: str, chance: random.Random = chance) -> Answer:
            right = chance.choice(SCHEMAS)
            if chance.random() < 0.5:
                return Answer(chance.choice((200, 200, 404, 500)), mutated(right, chance))
            return odd("GET /", chance)

        with running({}) as worker:
            worker.every = answer
            reader = Registry(worker.url, kind)
            for value in (FRAME, FRAME, FRAME[:5], b"\0\0\0\0\x08{}"):
                with suppress(Unread):
                    reader.document(value)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("what", SLOW)
def test_a_registry_s_answer_ends(what: str) -> None:
    with running({}) as worker, deadline.within(1):
        worker.every = lambda _: SLOW[what]
        with pytest.raises(Unread) as unread:
            Registry(worker.url, "avro").document(FRAME)
        assert unread.value.fault is Fault.silent
        assert worker.sent < 64 << 20


def test_a_registry_s_redirect_is_not_followed() -> None:
    with running({}) as other, running({}) as worker:
        worker.every = lambda _: Answer(307, "moved", headers={"Location": f"{other.url}/schemas/ids/7"})
        with pytest.raises(Unread, match="307"):
            Registry(worker.url, "avro", user="me", password="mine-1").document(FRAME)  # noqa: S106
        assert other.asked == []
