"""DTM's client for Python, unchanged, against the coordinator."""

from typing import Any

import pytest
from dtmcli import msg, utils  # type: ignore[import-untyped]

from tests.support.coordinators import CheckedService, Coordinator, Shop, http
from tests.support.waiting import until


def prepared(coordinating: Coordinator, key: str) -> Any:
    """A message of DTM's client."""
    action = f"http://unused.example/Order/OrderPlaced?aggregate_id={key}"
    return msg.Msg(f"{coordinating.url}/api/dtmsvr", f"{key} 'q\"").add({"amount": 30}, action)


def test_do_and_submit_publishes_once(coordinating: Coordinator, service: CheckedService, shop: Shop, key: str) -> None:
    assert utils.gen_gid(f"{coordinating.url}/api/dtmsvr")
    message = prepared(coordinating, key)
    message.do_and_submit(service.url, lambda _: None)
    message.submit()
    assert shop.rows(key) == [key]


def test_a_business_failure_aborts(coordinating: Coordinator, service: CheckedService, shop: Shop, key: str) -> None:
    def fail(_: Any) -> None:
        raise utils.DTMFailureError("refused")

    message = prepared(coordinating, key)
    with pytest.raises(utils.DTMFailureError):
        message.do_and_submit(service.url, fail)
    with pytest.raises(utils.DTMFailureError):
        message.submit()
    assert shop.rows(key) == []


def test_a_message_without_an_address_is_refused(coordinating: Coordinator, shop: Shop, key: str) -> None:
    with pytest.raises(Exception, match="bad result"):
        prepared(coordinating, key).prepare("")
    assert shop.rows(key) == []


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (http(200, "null"), "succeed"),
        (http(200, '{"dtm_result": "SUCCESS"}'), "succeed"),
        (http(409, '{"error": "FAILURE"}'), "failed"),
        (http(200, '{"dtm_result": "FAILURE"}'), "failed"),
        (http(425, '{"error": "ONGOING"}'), "prepared"),
        (http(200, "<html>fine</html>", "text/html"), "prepared"),
        (http(409, "<html>FAILURE</html>", "text/html"), "prepared"),
        (http(200, ""), "prepared"),
    ],
)
def test_the_answer_of_a_check_back(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str, answer: bytes, status: str
) -> None:
    service.default = answer
    message = prepared(coordinating, key)
    message.trans_base.timeout_to_fail = 1
    message.prepare(service.url)

    def stored() -> Any:
        return coordinating.call("GET", f"/api/dtmsvr/query?gid={key}%20%27q%22")[1]["transaction"]

    until(lambda: stored()["result"], "it is checked back")
    assert stored()["status"] == status
    assert "trans_type=msg&branch_id=00&op=msg" in service.targets[0]
    assert shop.rows(key) == ([key] if status == "succeed" else [])
