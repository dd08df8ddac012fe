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
    document,
    http,
    outcome,
    shop_of,
)
from tests.support.frozen import freeze
from tests.support.waiting import PATIENT_SECONDS, until


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


def test_a_frozen_coordinator_s_messages_are_checked_by_another(
    shop: Shop, coordinating: Coordinator, service: CheckedService, key: str
) -> None:
    with coordinator(shop) as frozen:
        frozen.message(key, "prepare", document(service, key, check_after_seconds=1))
        freeze(frozen.process.pid)
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
        assert running.process.wait(PATIENT_SECONDS) == 0


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
