"""The coordinator of two-phase messages on a real server: what it answers, what it stores, what it publishes."""

import signal
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.support.cli import invoke
from tests.support.coordinators import (
    EVENT,
    CheckedService,
    Coordinator,
    Shop,
    checked_service,
    coordinator,
    http,
    outcome,
    shop_of,
)
from tests.support.waiting import until


def document(service: CheckedService, aggregate_id: str, **more: Any) -> dict[str, Any]:
    return {"check_back": service.url, "events": [{**EVENT, "aggregate_id": aggregate_id}], **more}


def test_a_message_is_published_by_submit_and_by_nothing_before(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    status, answer = coordinating.message(key, "prepare", document(service, key))
    assert (status, answer["outcome"], answer["state"]) == (200, "unknown", "prepared")
    assert answer["reason"] == "the message is prepared, and no check-back was made yet"
    assert shop.rows(key) == []
    assert coordinating.message(key, "submit")[1]["outcome"] == "committed"
    assert shop.rows(key) == [key]
    status, again = coordinating.message(key, "submit")
    assert (status, again["outcome"]) == (200, "committed")
    assert shop.rows(key) == [key]
    status, refused = coordinating.message(key, "abort")
    assert status == 409
    assert refused["reason"] == f"the message '{key}' is submitted: its events are published"


def test_an_aborted_message_is_never_published(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    coordinating.message(key, "prepare", document(service, key))
    assert coordinating.message(key, "abort")[1]["outcome"] == "rolled_back"
    assert coordinating.message(key, "abort")[0] == 200
    assert coordinating.message(key, "submit")[0] == 409
    assert coordinating.message(key, "prepare", document(service, key))[0] == 409
    assert shop.rows(key) == []


def test_prepare_is_repeated_with_the_same_content_only(
    coordinating: Coordinator, service: CheckedService, key: str
) -> None:
    first = coordinating.message(key, "prepare", document(service, "k1"))
    assert coordinating.message(key, "prepare", document(service, "k1")) == first
    status, answer = coordinating.message(key, "prepare", document(service, "k2"))
    assert (status, answer["reason"]) == (409, f"the message '{key}' was prepared with other content")


def test_what_the_outbox_refuses_is_refused_by_prepare(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    own = {**EVENT, "aggregate_id": key}
    large = {"payload": "x" * 1_100_000}
    for change in ({"type": "OrderLost"}, {"aggregate": "Basket"}, {"columns": {"colour": "red"}}, large):
        events = [own, {**own, **change}]
        status, answer = coordinating.message(key, "prepare", {"check_back": service.url, "events": events})
        assert (status, answer["reason"]) == (422, "the outbox table refuses the events"), change
    twice = {**own, "columns": {"type": "OrderPlaced"}}
    status, answer = coordinating.message(key, "prepare", {"check_back": service.url, "events": [twice]})
    assert (status, answer["reason"]) == (422, "the column 'type' is written twice")
    assert coordinating.message(key)[0] == 404
    assert shop.rows(key) == []


def test_a_message_needs_the_address_of_its_check_back(coordinating: Coordinator, key: str) -> None:
    long = "http://h/" + "x" * 1024
    for url in ("", None, "/outcome", "ftp://h/x", "http://", "http://u:p@h/", "http://h/#y", 7, "http://h:x/", long):
        status, answer = coordinating.message(key, "prepare", {"check_back": url, "events": [EVENT]})
        assert status == 400, url
        assert answer["reason"].startswith("invalid 'check_back': "), url
    assert coordinating.message(key)[0] == 404


def test_hostile_requests_decide_nothing(coordinating: Coordinator, service: CheckedService, key: str) -> None:
    bodies: list[Any] = [b"", b"{", b"\xff", b"[" * 100_000, b"[]", b'{"check_back": NaN}', b'{"a": "\\ud800"}']
    bodies += [{**document(service, "k"), "extra": 1}, {"check_back": service.url, "events": []}]
    bodies += [document(service, "k\0"), document(service, ""), document(service, "k", check_after_seconds=0)]
    for body in bodies:
        status, answer = coordinating.message(key, "prepare", body)
        assert (status, answer["outcome"]) == (400, "unknown"), body
    assert coordinating.message(key, "submit")[0] == 404
    assert coordinating.message("a%20b", "prepare", document(service, "k"))[0] == 400
    assert coordinating.message(key, "submit", {"outcome": "committed"})[0] == 400
    assert coordinating.call("DELETE", f"/v1/messages/{key}")[0] == 405
    assert coordinating.call("GET", "/v1/nothing")[0] == 404


def test_hostile_text_is_published_as_it_is(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    text = key + "'; drop table outbox; -- %s {0} \\ \u2028 \U0001f600"
    event = {**EVENT, "aggregate_id": text, "payload": {text: text}}
    coordinating.message(key, "prepare", {"check_back": service.url, "events": [event]})
    assert coordinating.message(key, "submit")[0] == 200
    query = "select aggregateid, payload from outbox where starts_with(aggregateid, %s)"
    assert shop.server.ask(query, key, database=shop.name) == [(text, {text: text})]


def dribble(line: socket.socket) -> None:
    """An answer whose bytes come one by one and never end."""
    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(40):
        line.sendall(b" ")
        time.sleep(0.1)


CASES = {
    "html": (http(200, "<html>committed SUCCESS</html>", "text/html"), "the answer is not JSON but text/html"),
    "empty": (http(200, ""), "the answer is empty"),
    "words": (http(200, "committed", "text/plain"), "the answer is not JSON but text/plain: committed"),
    "no-outcome": (http(200, '{"result": "committed"}'), "the answer has no outcome"),
    "another-word": (http(200, '{"outcome": "COMMITTED"}'), "the answer has no outcome"),
    "error": (http(500, '{"outcome": "committed"}'), "status 500"),
    "created": (http(201, '{"outcome": "committed"}'), "status 201"),
    "conflict": (http(409, '{"outcome": "rolled_back"}'), "status 409"),
    "half": (http(200, '{"outcome": "committed"}', length=500), "the connection ended within the answer"),
    "no-answer": (b"", "no answer: "),
    "not-http": (b"220 mail.example ESMTP\r\n", "no answer: "),
    "redirected": (
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        "the check-back was redirected with status 302",
    ),
    "long": (http(200, b'{"outcome": "committed", "reason": "' + b"x" * 100_000 + b'"}'), "the answer has more than"),
    "open": (outcome("unknown", "the transaction is open"), "the transaction is open"),
    "silent": (lambda _: time.sleep(3), "no whole answer within 1 s"),
    "dribble": (dribble, "no whole answer within 1 s"),
}


def test_no_answer_but_a_whole_and_exact_one_is_an_outcome(coordinating: Coordinator, shop: Shop, key: str) -> None:
    messages = {case: f"{key}-{case}" for case in CASES}
    with ExitStack() as stack:
        for case, message in messages.items():
            service = stack.enter_context(checked_service())  # each its own: one without an answer is left alone
            service.answers[message] = CASES[case][0]
            assert coordinating.message(message, "prepare", document(service, message, check_after_seconds=1))[0] == 200
        for case, message in messages.items():
            until(lambda: "no check-back" not in coordinating.message(message)[1]["reason"], case)  # noqa: B023
            answer = coordinating.message(message)[1]
            assert (answer["outcome"], answer["state"]) == ("unknown", "prepared"), case
            assert answer["reason"].startswith(CASES[case][1]), (case, answer["reason"])
            assert answer["next_check_at"]
        assert shop.rows(key) == []
        for message in messages.values():
            assert coordinating.message(message, "submit")[0] == 200
    assert shop.rows(key) == sorted(messages.values())


def test_a_check_back_decides_what_no_client_does(
    coordinating: Coordinator, service: CheckedService, shop: Shop, key: str
) -> None:
    first, second, third = (f"{key}-{number}" for number in range(3))
    service.answers = {first: outcome("committed"), second: outcome("rolled_back"), third: outcome("unknown", "open")}
    for name in service.answers:
        coordinating.message(name, "prepare", document(service, name, check_after_seconds=1))
    until(lambda: coordinating.message(first)[1]["outcome"] == "committed", "it is committed")
    until(lambda: coordinating.message(second)[1]["outcome"] == "rolled_back", "it is rolled back")
    assert shop.rows(key) == [first]
    until(lambda: coordinating.message(third)[1]["reason"] == "open", "it is open")
    service.answers[third] = outcome("committed")
    assert coordinating.message(third, "check")[0] == 200
    until(lambda: shop.rows(key) == [first, third], "it is published")


def test_three_coordinators_share_the_messages(
    shop: Shop, coordinating: Coordinator, service: CheckedService, key: str
) -> None:
    service.default = outcome("committed")
    with coordinator(shop), coordinator(shop):
        names = [f"{key}-{number:02}" for number in range(40)]
        for name in names:
            coordinating.message(name, "prepare", document(service, name, check_after_seconds=1))
        until(lambda: len(shop.rows(key)) == len(names), "all are published")
    assert shop.rows(key) == names
    assert sorted(service.asked) == names


def test_a_frozen_coordinator_s_messages_are_checked_by_another(
    shop: Shop, coordinating: Coordinator, service: CheckedService, key: str
) -> None:
    with coordinator(shop) as frozen:
        frozen.message(key, "prepare", document(service, key, check_after_seconds=1))
        frozen.process.send_signal(signal.SIGSTOP)
        service.default = outcome("committed")
        until(lambda: coordinating.message(key)[1]["outcome"] == "committed", "the other one has checked back")
        frozen.process.send_signal(signal.SIGCONT)
        assert frozen.message(key, "submit")[0] == 200
    assert shop.rows(key) == [key]


def test_a_database_that_is_away_decides_nothing(shop: Shop, service: CheckedService, tmp_path: Path) -> None:
    with shop_of(shop.server, tmp_path) as own, coordinator(own, "--listen", "0") as running:
        running.message("m1", "prepare", document(service, "k1"))
        pages = Coordinator(running.process, running.pages_port, [])
        until(lambda: pages.call("GET", "/ready") == (200, {"prepared": 1, "problem": ""}), "ready")
        own.server.ask(f"alter database {own.name} with allow_connections false")
        own.server.ask("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", own.name)
        status, answer = running.message("m1", "submit")
        assert (status, answer["outcome"]) == (503, "unknown")
        until(lambda: pages.call("GET", "/ready")[0] == 503, "not ready")
        own.server.ask(f"alter database {own.name} with allow_connections true")
        until(lambda: running.message("m1", "submit")[0] == 200, "the database answers again")
        assert own.rows() == ["k1"]
        running.process.terminate()
        assert running.process.wait(30) == 0


def test_it_refuses_to_start_without_its_table(shop: Shop, tmp_path: Path) -> None:
    with shop_of(shop.server, tmp_path) as own:
        boss = own.server.environment(own.name)
        command = ("coordinator", "serve", "-f", str(own.file), "--address")
        invoke("gen-ddl", str(own.file), "--coordinator", "--down", "--apply", environment=boss, code=2)
        down = ("gen-ddl", str(own.file), "--coordinator", "--down", "--apply", "--allow-destructive")
        assert "outbox_two_phase" in invoke(*down, environment=boss).stdout
        result = invoke(*command, "0", environment=boss, code=4)
        assert "does not exist" in result.stderr
        assert "outbox-kit gen-ddl --coordinator --apply" in result.stderr
        assert "invalid --address 'no'" in invoke(*command, "no", environment=boss, code=2).stderr


def test_only_allowed_addresses_are_called(
    shop: Shop, coordinating: Coordinator, service: CheckedService, key: str
) -> None:
    service.default = outcome("committed")
    coordinating.message(f"{key}-other", "prepare", document(service, "k", check_after_seconds=60))
    with checked_service() as another, coordinator(shop, "--allow-check-back", service.url) as careful:
        for url in (another.url, service.url.replace("127.0.0.1", "localhost"), service.url.replace("http:", "https:")):
            status, answer = careful.message(key, "prepare", {"check_back": url, "events": [EVENT]})
            assert (status, answer["reason"].partition(":")[0]) == (400, "invalid 'check_back'"), url
            message = {"gid": key, "steps": [{"action": "/Order/OrderPlaced"}], "payloads": ["1"]}
            status, answer = careful.call("POST", "/api/dtmsvr/prepare", {**message, "query_prepared": url})
            assert (status, answer["dtm_result"]) == (400, "ERROR"), url
        assert careful.message(key)[0] == 404
        assert another.asked == []
        careful.message(key, "prepare", document(service, key, check_after_seconds=1))
        until(lambda: careful.message(key)[1]["outcome"] == "committed", "an allowed address is called")
    assert "check-backs may call any address" in "".join(coordinating.lines)
    refused = invoke("coordinator", "serve", "-f", str(shop.file), "--allow-check-back", "shop", code=2).stderr
    assert "invalid --allow-check-back 'shop'" in refused


def test_a_message_of_another_coordinator_is_not_called_by_one_that_may_not(
    shop: Shop, service: CheckedService, tmp_path: Path
) -> None:
    with shop_of(shop.server, tmp_path) as own:
        with coordinator(own) as first:
            first.message("m1", "prepare", document(service, "k1", check_after_seconds=60))
        with coordinator(own, "--allow-check-back", "https://orders.internal") as careful:
            careful.message("m1", "check")
            until(lambda: "may not call" in careful.message("m1")[1]["reason"], "the check-back is refused")
            assert careful.message("m1")[1]["state"] == "prepared"
    assert service.asked == []


def test_a_message_is_given_up_after_a_week(shop: Shop, service: CheckedService, tmp_path: Path) -> None:
    old = "update outbox_two_phase set prepared_at = prepared_at - make_interval(hours => 24 * 7 + 1)"
    with shop_of(shop.server, tmp_path) as own, coordinator(own, "--listen", "0") as running:
        service.default = outcome("committed")
        for name in ("old", "new"):
            running.message(name, "prepare", document(service, name, check_after_seconds=60))
        own.server.ask(f"{old}, check_at = clock_timestamp() where message_id = 'old'", database=own.name)
        until(lambda: "none comes any more" in running.message("old")[1]["reason"], "it is given up")
        answer = running.message("old", "check")[1]
        assert (answer["outcome"], answer["state"], answer["next_check_at"]) == ("unknown", "prepared", None)
        until(lambda: running.gauge("given_up") == 1, "the metric shows it")
        assert running.gauge("prepared") == 2 and running.gauge("oldest_seconds") > 7 * 86_400
        assert service.asked == [] and own.rows() == []
        assert "message old: no check-back was answered" in "".join(running.lines)
        assert running.message("old", "submit")[1]["outcome"] == "committed"  # what an operator does
        until(lambda: running.gauge("given_up") == 0, "it is finished")
        assert own.rows() == ["old"]
