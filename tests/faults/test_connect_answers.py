"""Answers that a real Connect gives only now and then: each ends in one message, or is got over."""

import pytest

from outbox_kit.connect import client, deploy
from outbox_kit.connect.client import Connect
from outbox_kit.errors import ConfigRefused, ConnectorUnhealthy, ConnectRefused, ConnectUnreachable
from tests.support import impatience
from tests.support.worker import Answer, running

REBALANCE = Answer(409, {"error_code": 409, "message": "Cannot complete request because of a conflicting operation"})
NULL_POINTER = Answer(
    500, {"error_code": 500, "message": 'Cannot invoke "ConfigValueInfo.errors()" because it is null'}
)
CONFIG = {"connector.class": "a.B", "database.password": "${env:P}", "x": "1"}
VALIDATE = "PUT /connector-plugins/a.B/config/validate"
PUT = "PUT /connectors/c/config"
GOOD = Answer(200, {"configs": [{"value": {"name": "x", "errors": []}}, {"value": None}]})


def refusal(key: str, error: str) -> Answer:
    return Answer(200, {"configs": [{"value": {"name": key, "errors": [error]}}]})


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    impatience.short_pauses(monkeypatch)


@pytest.mark.parametrize(
    "first",
    [
        REBALANCE,
        Answer(500, {"error_code": 500, "message": "IO Error trying to forward REST request: timeout"}),
        Answer(503, "<html>come back later</html>"),
        Answer(502, ""),
        Answer(200, {"version": "4.3.1", "commit": "x" * 500}, cut=40),
    ],
    ids=["a rebalance", "a forward that failed", "a proxy", "an empty gateway answer", "half an answer"],
)
def test_what_passes_by_itself_is_tried_again(first: Answer) -> None:
    with running({"GET /": [first, Answer(200, {"version": "4.3.1"})]}) as worker:
        assert Connect(worker.url).worker() == {"version": "4.3.1"}
        assert len(worker.asked) == 2


def test_a_rebalance_that_never_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RETRY_SECONDS", 0.05)
    with running({"GET /": [REBALANCE]}) as worker, pytest.raises(ConnectRefused) as error:
        Connect(worker.url).worker()
    assert "409" in error.value.what and "rebalancing" in error.value.fix


def test_a_conflict_that_is_no_rebalance_is_final() -> None:
    answer = Answer(409, {"error_code": 409, "message": "Connector c already exists"})
    with running({PUT: [answer]}) as worker, pytest.raises(ConnectRefused, match="409"):
        Connect(worker.url).put_config("c", CONFIG)
    assert len(worker.asked) == 1


def test_nobody_there_is_told_soon() -> None:
    with pytest.raises(ConnectUnreachable) as error:
        Connect("http://me:secret@127.0.0.1:1").worker()
    assert "secret" not in "\n".join(error.value.lines())
    assert "--connect" in error.value.fix


def test_a_refusal_whose_answer_says_nothing_is_explained_by_validating_again() -> None:
    script = {
        VALIDATE: [refusal("slot.name", "Invalid value A for configuration slot.name: lower case")],
        PUT: [NULL_POINTER],
    }
    with running(script) as worker, pytest.raises(ConfigRefused) as error:
        deploy.write(Connect(worker.url), deploy.Deployment("c", "update"), CONFIG)
    assert "slot.name" in "\n".join(error.value.lines())


def test_a_refusal_that_validation_does_not_share_is_told_as_it_is() -> None:
    with running({VALIDATE: [GOOD], PUT: [NULL_POINTER]}) as worker, pytest.raises(ConnectRefused, match="500"):
        deploy.write(Connect(worker.url), deploy.Deployment("c", "update"), CONFIG)


def test_a_database_that_the_worker_cannot_reach_is_not_the_config_s_fault() -> None:
    answer = refusal("database.hostname", "Error while validating connector config: Connection to db:5432 refused.")
    with running({VALIDATE: [answer]}) as worker, pytest.raises(ConnectorUnhealthy) as error:
        deploy.validate(Connect(worker.url), "c", CONFIG)
    assert error.value.exit_code == 4


@pytest.mark.parametrize(
    "message",
    [
        "Connector config {database.password=hunter2, x=1} contains no connector type",
        "Invalid value hunter2 for configuration database.password: not a number",
        'org.postgresql.util.PSQLException with {"password": "hunter2"}',
        "failed for jdbc:postgresql://me:hunter2@db/orders",
        "sasl.jaas.config=hunter2, next=1",
    ],
)
def test_a_resolved_secret_in_an_answer_is_never_shown(message: str) -> None:
    answer = Answer(400, {"error_code": 400, "message": message})
    with running({PUT: [answer]}) as worker, pytest.raises(ConnectRefused) as error:
        Connect(worker.url).put_config("c", CONFIG)
    assert "hunter2" not in "\n".join(error.value.lines())


def test_html_instead_of_an_error_is_shown_as_text() -> None:
    with running({PUT: [Answer(403, "<h1>Forbidden</h1>")]}) as worker, pytest.raises(ConnectRefused) as error:
        Connect(worker.url).put_config("c", CONFIG)
    assert "Forbidden" in error.value.why
