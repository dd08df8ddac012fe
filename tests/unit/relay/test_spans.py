"""The spans of a relay, as a collector gets them over HTTP."""

from collections.abc import Sequence
from typing import Any

import pytest

from outbox_kit.relay import spans
from outbox_kit.relay.interface import SendResult, SendStatus
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from tests.support.collector import attributes, collecting

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
VALID, UNSAMPLED = f"00-{TRACE}-{PARENT}-01".encode(), f"00-{TRACE}-{PARENT}-00".encode()
SECRET = "its-own-secret-token"  # noqa: S105
KEY, VALUE = b"the-key-of-a-person", b'{"name": "the-payload"}'


def outbox(**delivery: str) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": "postgres"},
            "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
            "delivery": {"by": "relay", **delivery},
        }
    )


class Answers:
    """A sink whose answers are given by the messages' values."""

    problem = ""

    def __init__(self) -> None:
        self.sent: list[tuple[Message, Any]] = []

    def send(self, message: Message, receipt: Any) -> bool:
        self.sent.append((message, receipt))
        return True

    def results(self, _: float) -> Sequence[SendResult]:
        sent, self.sent = self.sent, []
        return [SendResult(receipt, status(message), SECRET) for message, receipt in sent]

    def close(self) -> None:
        self.sent.clear()


def status(message: Message) -> SendStatus:
    value = (message.value or b"").decode()
    return SendStatus(value) if value in [*map(str, SendStatus)] else SendStatus.delivered


def message(*headers: tuple[str, bytes], value: bytes = VALUE) -> Message:
    return Message("shop.Order", 3, KEY, value, (("id", b"e1"), *headers), None, True)


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variables but those of the test."""
    for name in (spans.TRACES_ENDPOINT, *spans.PROTOCOLS, *spans.HEADERS, "OTEL_SDK_DISABLED", "OTEL_SERVICE_NAME"):
        monkeypatch.delenv(name, raising=False)


def exported(monkeypatch: pytest.MonkeyPatch, *messages: Message, **delivery: str) -> Any:
    """What a collector has after messages were sent."""
    reports: list[str] = []
    with collecting() as collector:
        monkeypatch.setenv(spans.ENDPOINT, collector.address)
        made = outbox(**delivery)
        with spans.spans(made, Answers(), reports.append) as sink:
            for number, each in enumerate(messages):
                assert sink.send(each, number)
            assert len(sink.results(0.0)) == len(messages)
            assert sink.results(0.0) == []
    port = collector.address.rpartition(":")[2]  # the library's log has what other tests have left behind too
    assert [report for report in reports if port in report or "invalid" in report] == []
    return collector


def test_a_span_continues_the_trace_of_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    collector = exported(monkeypatch, message(("traceparent", VALID), ("tracestate", b"vendor=1")))
    (span,) = collector.spans
    assert (span.trace_id.hex(), span.parent_span_id.hex(), span.trace_state) == (TRACE, PARENT, "vendor=1")
    assert (span.name, span.kind) == ("send shop.Order", span.SPAN_KIND_PRODUCER)
    assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano
    assert attributes(span) == {
        "messaging.system": "kafka",
        "messaging.operation.name": "send",
        "messaging.operation.type": "send",
        "messaging.destination.name": "shop.Order",
        "messaging.destination.partition.id": "3",
        "messaging.message.id": "e1",
        "messaging.message.body.size": len(VALUE),
    }
    assert collector.services == {"shop-relay"}
    assert not any(text in body for body in collector.bodies for text in (KEY, b"the-payload", SECRET.encode()))


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("traceparent", b"")],
        [("traceparent", b"00-00000000000000000000000000000000-00f067aa0ba902b7-01")],
        [("traceparent", b"ff" + VALID[2:])],
        [("traceparent", b"\xff\x00"), ("tracestate", b"vendor=1")],
        [("traceparent", VALID), ("traceparent", VALID)],
    ],
)
def test_a_row_without_a_valid_parent_begins_a_trace(
    headers: list[tuple[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (span,) = exported(monkeypatch, message(*headers)).spans
    assert span.parent_span_id == b"" and span.trace_id.hex() != TRACE and span.trace_state == ""


def test_a_parent_that_is_not_sampled_has_no_span(monkeypatch: pytest.MonkeyPatch) -> None:
    assert exported(monkeypatch, message(("traceparent", UNSAMPLED))).spans == []
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_on")
    assert len(exported(monkeypatch, message(("traceparent", UNSAMPLED))).spans) == 1


def test_a_refused_message_is_an_error_and_one_that_comes_back_has_no_span(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [message(value=value) for value in (b"refused", b"closed", b"unsent")]
    collector = exported(monkeypatch, *answers)
    assert [attributes(span)["error.type"] for span in collector.spans] == ["refused", "closed"]
    assert all(span.status.code == span.status.STATUS_CODE_ERROR for span in collector.spans)
    assert not any(SECRET.encode() in body for body in collector.bodies)


def test_the_destination_of_rabbitmq_is_exchange_and_routing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    (span,) = exported(monkeypatch, message(), sink="rabbitmq", exchange="events").spans
    assert span.name == "send events:shop.Order"


def test_a_collector_that_does_not_answer_holds_up_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "CLOSE_SECONDS", 0.2)
    reports: list[str] = []
    with collecting(answers=False) as collector:
        monkeypatch.setenv(spans.ENDPOINT, collector.address)
        monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "512")
        with spans.spans(outbox(), Answers(), reports.append) as sink:
            for number in range(3000):
                sink.send(message(), number)
            assert len(sink.results(0.0)) == 3000
            assert collector.asked.wait(60)
        assert collector.bodies == []
    assert "the collector of traces has not answered in 0 s: the last spans are lost" in reports


def test_a_collector_that_is_not_there_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[str] = []
    monkeypatch.setenv(spans.ENDPOINT, "http://user:" + SECRET + "@127.0.0.1:1")
    monkeypatch.setattr(spans, "CLOSE_SECONDS", 2.0)
    with spans.spans(outbox(), Answers(), reports.append) as sink:
        sink.send(message(), 1)
        sink.results(0.0)
    assert 1 <= len(reports) <= 2 and reports[0].startswith(("traces: ", "the collector")), reports
    assert SECRET not in "".join(reports)


@pytest.mark.parametrize(
    ("variables", "report"),
    [
        ({}, ""),
        ({spans.ENDPOINT: ""}, ""),
        ({spans.ENDPOINT: "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "TRUE"}, ""),
        ({spans.ENDPOINT: "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none"}, ""),
        ({spans.ENDPOINT: "http://127.0.0.1:1", spans.PROTOCOLS[1]: "grpc"}, "expected http/protobuf"),
    ],
)
def test_nothing_happens_if_no_spans_are_wanted(
    variables: dict[str, str], report: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(spans.ENDPOINT, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    sink, reports = Answers(), list[str]()
    with spans.spans(outbox(), sink, reports.append) as same:
        assert same is sink
    assert len(reports) == bool(report) and report in "".join(reports)
