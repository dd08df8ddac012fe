"""HTTP as a sink, on a real server on loopback."""

import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from outbox_kit.errors import UsageProblem
from outbox_kit.relay import sinks
from outbox_kit.relay.interface import SendResult, SendStatus
from outbox_kit.relay.sinks.http import MOST_AT_ONCE, Http
from outbox_kit.router.chain import Message
from outbox_kit.wire.http_headers import HttpHeaders
from tests.support.records import outbox_of
from tests.support.waiting import PATIENT_SECONDS, until

Headers = dict[str, str]
Reply = tuple[int, Headers]
OK: Reply = (204, {})


class Receiver:
    """A server that keeps what is posted, and answers as `reply` says: by the body's number and how often it came."""

    def __init__(self) -> None:
        self.reply: Callable[[int, int], Reply] = lambda _number, _copies: OK
        self.received: list[tuple[int, Headers, bytes]] = []
        """In the order of their answers."""
        self.most_at_once = 0
        self.doubled: list[str] = []
        """Keys of which two messages were posted at once."""
        self.open: dict[str, int] = defaultdict(int)
        self.lock = threading.Lock()
        self.let_go = threading.Event()

    def numbers(self) -> list[int]:
        return [number for number, _, _ in self.received]


def handler_of(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            number, key = json.loads(body)["n"] if body else 0, self.headers.get("ce-partitionkey", "")
            with receiver.lock:
                copies = sum(number == other for other in receiver.numbers())
                receiver.open[key] += 1
                receiver.most_at_once = max(receiver.most_at_once, sum(receiver.open.values()))
                if key and receiver.open[key] > 1:
                    receiver.doubled.append(key)
            status, headers = receiver.reply(number, copies)
            with receiver.lock:
                receiver.open[key] -= 1
                if status:
                    receiver.received.append((number, dict(self.headers), body))
            self.answer(status, headers)

        def answer(self, status: int, headers: Headers) -> None:
            if not status:  # bytes without an end, until the test ends
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
                while not receiver.let_go.wait(0.02):
                    self.wfile.write(b"x")
                self.close_connection = True
                return
            self.send_response(status)
            text = b"" if status == 204 else b"because of the test"
            for name, value in headers.items():
                self.send_header(name, value)
            if status != 204:
                self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    return Handler


@contextmanager
def serving(receiver: Receiver, port: int = 0) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", port), handler_of(receiver))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_port
    finally:
        receiver.let_go.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()


@pytest.fixture
def url(receiver: Receiver) -> Iterator[str]:
    with serving(receiver) as port:
        yield f"http://127.0.0.1:{port}/events"


@contextmanager
def sink_of(url: str, token: str = "", seconds: float = 30.0, **outbox: Any) -> Iterator[Http]:
    with closing(Http(url, token, HttpHeaders(outbox_of(**outbox)), seconds)) as sink:
        yield sink


def message(number: int, key: str | None = "k", **changes: Any) -> Message:
    headers = (("id", str(number).encode()), ("eventType", b"OrderPlaced"))
    of_key = None if key is None else key.encode()
    content = b'{"n":%d}' % number
    made = Message("outbox.event.Order", None, of_key, content, headers, 1_700_000_000_123, routed=True)
    return made._replace(**changes)


def answered(sink: Http, messages: Sequence[Message]) -> dict[int, SendResult]:
    """Send all messages once, and the results by number."""
    results: dict[int, SendResult] = {}
    number, deadline = 0, time.monotonic() + PATIENT_SECONDS
    while number < len(messages) or len(results) < len(messages):
        assert time.monotonic() < deadline, (sink.problem, len(results))
        while number < len(messages) and sink.send(messages[number], number):
            number += 1
        results |= {result.receipt: result for result in sink.results(0.05)}
    return results


def finished(sink: Http, messages: Sequence[Message]) -> dict[int, SendResult]:
    """Send what comes back unsent again, in the order of numbers, until everything is delivered or refused."""
    backlog, results, deadline = list(range(len(messages))), dict[int, SendResult](), time.monotonic() + PATIENT_SECONDS
    while len(results) < len(messages):
        assert time.monotonic() < deadline, (sink.problem, len(results))
        while backlog and sink.send(messages[backlog[0]], backlog[0]):
            backlog.pop(0)
        for result in sink.results(0.05):
            if result.status is SendStatus.unsent:
                backlog.append(result.receipt)
            else:
                results[result.receipt] = result
        backlog.sort()
    return results


def of(received: tuple[int, Headers, bytes]) -> Headers:
    return {name.lower(): value for name, value in received[1].items()}


def test_a_message_is_a_cloudevent_in_binary_mode(receiver: Receiver, url: str) -> None:
    with sink_of(url) as sink:
        answered(sink, [message(7, key="Ü 1%")])
    headers = of(receiver.received[0])
    assert {name: value for name, value in headers.items() if name.startswith(("ce-", "content-", "event"))} == {
        "ce-specversion": "1.0",
        "ce-id": "7",
        "ce-source": f"/{outbox_of().service}",
        "ce-type": "OrderPlaced",
        "ce-subject": "%C3%9C%201%25",
        "ce-partitionkey": "%C3%9C%201%25",
        "ce-time": "2023-11-14T22:13:20.123Z",
        "content-type": "application/json",
        "content-length": "7",
        "eventtype": "OrderPlaced",
    }
    assert receiver.received[0][2] == b'{"n":7}'


def test_the_outbox_s_own_attributes_win_and_no_value_breaks_a_line(receiver: Receiver, url: str) -> None:
    own = (("id", b"7"), ("ce_id", b"own"), ("ce_source", b"/shop"), ("note", b"a\r\nx: y"), ("content-type", b"a/b"))
    with sink_of(url) as sink:
        answered(sink, [message(7, headers=own), message(8, value=None)])
    headers = of(next(each for each in receiver.received if each[0] == 7))
    attributes = {name: headers[name] for name in ("ce-id", "ce-source", "note", "content-type")}
    assert attributes == {"ce-id": "own", "ce-source": "/shop", "note": "a%0D%0Ax:%20y", "content-type": "a/b"}
    assert "x" not in headers
    assert "content-type" not in of(next(each for each in receiver.received if each[0] == 0))


def test_a_structured_event_has_no_other_attributes(receiver: Receiver, url: str) -> None:
    structured = (("id", b"7"), ("content-type", b"application/cloudevents+json"))
    with sink_of(url) as sink:
        answered(sink, [message(7, headers=structured)])
    headers = of(receiver.received[0])
    assert headers["content-type"] == "application/cloudevents+json"
    assert not [name for name in headers if name.startswith("ce-")]


def test_a_header_that_http_has_for_itself_is_refused(receiver: Receiver, url: str) -> None:
    with sink_of(url) as sink:
        (answer,) = answered(sink, [message(7, headers=(("Host", b"elsewhere"),))]).values()
    assert (answer.status, answer.cause) == (SendStatus.refused, "the header 'Host' cannot be sent over HTTP")
    assert receiver.received == []


def test_credentials_are_sent_and_shown_nowhere(receiver: Receiver, url: str) -> None:
    receiver.reply = lambda _number, copies: OK if copies else (503, {"Retry-After": "0"})
    secret = url.replace("http://", "http://shop:swordfish%20ü@") + "?code=much-hidden"
    with sink_of(secret) as sink:
        results = answered(sink, [message(1)])
        assert sink.problem == f"{url}: 503 Service Unavailable: because of the test"
        assert results[0].status is SendStatus.unsent
    assert of(receiver.received[0])["authorization"] == "Basic c2hvcDpzd29yZGZpc2ggw7w="
    with sink_of(url, "of-the-test") as sink:
        finished(sink, [message(2)])
    assert of(receiver.received[-1])["authorization"] == "Bearer of-the-test"


def test_the_messages_of_a_key_are_posted_one_after_the_other_and_keys_at_once(receiver: Receiver, url: str) -> None:
    barrier = threading.Barrier(4)

    def together(number: int, copies: int) -> Reply:
        if number < 4:
            barrier.wait(PATIENT_SECONDS)  # the first of four keys
        return OK

    receiver.reply = together
    messages = [message(number, key=f"k{number % 4}") for number in range(400)]
    with sink_of(url) as sink:
        began = time.monotonic()
        answers = answered(sink, messages)
        print(f"{400 / (time.monotonic() - began):.0f} a second")
    assert {answer.status for answer in answers.values()} == {SendStatus.delivered}
    assert 4 <= receiver.most_at_once <= MOST_AT_ONCE
    assert receiver.doubled == []
    for key in range(4):
        assert [number for number in receiver.numbers() if number % 4 == key] == list(range(key, 400, 4))


def test_what_follows_a_refused_message_of_its_key_comes_back(receiver: Receiver, url: str) -> None:
    receiver.reply = lambda number, _copies: (422, {}) if number == 10 else OK
    messages = [message(number, key=f"k{number % 3}") for number in range(60)]
    with sink_of(url) as sink:
        answers = answered(sink, messages)
        assert sink.problem == ""
    assert answers[10].status is SendStatus.refused
    assert answers[10].cause.startswith("422 Unprocessable")
    behind = [answers[number].status for number in range(11, 60) if number % 3 == 1]
    assert behind[0] is SendStatus.unsent
    assert {answers[number].status for number in range(60) if number % 3 != 1} == {SendStatus.delivered}
    posted = [number for number in receiver.numbers() if number % 3 == 1]
    assert posted == sorted(posted)


@pytest.mark.parametrize("status", [429, 503])
def test_a_destination_that_takes_nothing_pauses_all_for_as_long_as_it_says(
    receiver: Receiver, url: str, status: int
) -> None:
    moments: list[float] = []

    def busy(number: int, copies: int) -> Reply:
        moments.append(time.monotonic())
        return OK if copies else (status, {"Retry-After": "1"})

    receiver.reply = busy
    with sink_of(url) as sink:
        assert sink.send(message(1), 0)
        until(lambda: any(result.status is SendStatus.unsent for result in sink.results(0.05)), "it comes back")
        assert str(status) in sink.problem
        assert not sink.send(message(2, key="other"), 1)
        assert finished(sink, [message(1)])[0].status is SendStatus.delivered
        assert sink.problem == ""
    assert 1.0 <= moments[1] - moments[0] < 10.0


def test_no_server_is_a_problem_and_no_attempt(receiver: Receiver) -> None:
    with serving(receiver) as port:
        pass
    with sink_of(f"http://127.0.0.1:{port}/") as sink:
        assert {result.status for result in answered(sink, [message(n, key=f"k{n}") for n in range(30)]).values()} == {
            SendStatus.unsent
        }
        assert "Connection refused" in sink.problem
        with serving(receiver, port):
            results = finished(sink, [message(number, key=f"k{number}") for number in range(30)])
        assert {result.status for result in results.values()} == {SendStatus.delivered}
        assert sink.problem == ""


@pytest.mark.parametrize("status", [500, 502, 404, 302])
def test_a_message_that_alone_gets_errors_is_refused(receiver: Receiver, url: str, status: int) -> None:
    receiver.reply = lambda number, _copies: (status, {"Location": "/other"}) if number == 5 else OK
    with sink_of(url) as sink:
        # more than can be posted at once: others are delivered between two posts of the one
        results = finished(sink, [message(number, key=f"k{number}") for number in range(300)])
        assert sink.problem == ""
    assert [number for number, result in results.items() if result.status is SendStatus.refused] == [5]
    assert 2 <= receiver.numbers().count(5) <= 4


def test_errors_of_everything_refuse_nothing(receiver: Receiver, url: str) -> None:
    failures = iter(range(3 * MOST_AT_ONCE + 5))
    receiver.reply = lambda _number, _copies: OK if next(failures, None) is None else (500, {})
    with sink_of(url) as sink:
        results = finished(sink, [message(number, key=f"k{number}") for number in range(40)])
    assert {result.status for result in results.values()} == {SendStatus.delivered}


def test_an_answer_without_an_end_is_given_up(receiver: Receiver, url: str) -> None:
    receiver.reply = lambda number, _copies: (0, {}) if number == 1 else OK
    with sink_of(url, seconds=0.5) as sink:
        answers = answered(sink, [message(1), message(2), message(3, key="other")])
        assert sink.problem in ("", f"{url}: no answer within 0 s")
    assert [answers[number].status for number in range(3)] == [
        SendStatus.unsent,
        SendStatus.unsent,
        SendStatus.delivered,
    ]


def test_after_close_it_begins_anew(receiver: Receiver, url: str) -> None:
    hold = threading.Event()

    def first_waits(number: int, _copies: int) -> Reply:
        if number == 1:
            hold.wait(PATIENT_SECONDS)
        return OK

    receiver.reply = first_waits
    with sink_of(url) as sink:
        assert sink.send(message(1), 1) and sink.send(message(2), 2)
        sink.close()
        assert finished(sink, [message(3)])[0].status is SendStatus.delivered
        hold.set()
        until(lambda: 1 in receiver.numbers(), "the first is posted")
        assert sink.results(0) == []


@pytest.mark.parametrize(
    "text", ["", "ftp://host/", "http://", "http://u:p@ss/@host/", "http://host/#x", "http://h:x/"]
)
def test_a_wrong_address_is_not_shown(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sinks.VARIABLE, text)
    with pytest.raises(UsageProblem) as problem:
        Http(sinks.address("https://host"), "", HttpHeaders(outbox_of()))
    assert not text or text not in "\n".join(problem.value.lines())
    assert sinks.VARIABLE in "\n".join(problem.value.lines())
