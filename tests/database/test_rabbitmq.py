"""RabbitMQ as a sink, on a real broker: order of a key, refusals, a broker that dies, speed."""

import json
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.relay.interface import SendResult, SendStatus
from outbox_kit.relay.sinks.rabbitmq import RabbitMq
from outbox_kit.router.chain import Message
from tests.support.cli import invoke
from tests.support.servers.rabbitmq import Broker, rabbitmq
from tests.support.waiting import PATIENT_SECONDS, until

QUIET_SECONDS = 0.5  # without a message, after which a queue is empty


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with rabbitmq() as running:
        yield running


@contextmanager
def sink_of(broker: Broker, exchange: str = "") -> Iterator[RabbitMq]:
    with closing(RabbitMq(broker.url, exchange, name="test", content_type="application/json")) as sink:
        yield sink


def message(topic: str, number: int, key: str | None = "k", **changes: Any) -> Message:
    headers = (("id", str(number).encode()), ("eventType", b"OrderPlaced"))
    content = b'{"n":%d}' % number
    of_key = None if key is None else key.encode()
    return Message(topic, None, of_key, content, headers, 1_700_000_000_123, routed=True)._replace(**changes)


def answered(sink: RabbitMq, messages: Sequence[Message]) -> dict[int, SendResult]:
    """Send all messages once, and the results by number."""
    results: dict[int, SendResult] = {}
    numbers = iter(range(len(messages)))
    number = next(numbers, None)
    deadline = time.monotonic() + PATIENT_SECONDS
    while number is not None or len(results) < len(messages):
        assert time.monotonic() < deadline, (sink.problem, len(results))
        while number is not None and sink.send(messages[number], number):
            number = next(numbers, None)
        results |= {result.receipt: result for result in sink.results(0.05)}
    return results


def delivered(sink: RabbitMq, messages: Sequence[Message], meanwhile: Callable[[int], None] = lambda _: None) -> None:
    """Send messages until each is delivered, in their order, as the relay does."""
    backlog, in_flight, done = list(range(len(messages))), set[int](), 0
    deadline = time.monotonic() + PATIENT_SECONDS
    while done < len(messages):
        assert time.monotonic() < deadline, (sink.problem, done, len(in_flight), len(backlog))
        while backlog and sink.send(messages[backlog[0]], backlog[0]):
            in_flight.add(backlog.pop(0))
        for result in sink.results(0.05):
            in_flight.remove(result.receipt)
            if result.status is SendStatus.delivered:
                done += 1
            else:
                # a broker that has just started may accept messages before it has its queues; the relay sends again
                assert result.status is SendStatus.unsent or result.cause.startswith("NO_ROUTE"), result
                backlog.append(result.receipt)
        backlog.sort()
        meanwhile(done)


def declared(broker: Broker, name: str, **arguments: Any) -> str:
    with broker.channel() as channel:
        channel.queue_declare(name, durable=True, arguments={k.replace("_", "-"): v for k, v in arguments.items()})
    return name


def received(broker: Broker, queue: str, least: int = 0) -> list[tuple[Any, bytes]]:
    """Everything in a queue: properties and bodies. least: how many messages it has at least."""
    messages, deadline = list[tuple[Any, bytes]](), time.monotonic() + PATIENT_SECONDS
    with broker.channel() as channel:
        for method, properties, body in channel.consume(queue, auto_ack=True, inactivity_timeout=QUIET_SECONDS):
            if method is not None:
                messages.append((properties, body))
            elif len(messages) >= least or time.monotonic() > deadline:
                break
    return messages


def test_a_message_is_persistent_and_has_topic_key_id_headers_and_time(broker: Broker) -> None:
    queue = declared(broker, "contents")
    binary = message(queue, 2, key=None, value=None, headers=(("id", b"2"), ("raw", b"\xff"), ("none", None)))
    with sink_of(broker) as sink:
        answers = answered(sink, [message(queue, 1, key="Ünal"), binary])
    assert {answer.status for answer in answers.values()} == {SendStatus.delivered}
    (first, content), (second, empty) = received(broker, queue)
    assert (content, empty) == (b'{"n":1}', b"")
    assert first.headers == {"message-key": "Ünal", "id": "1", "eventType": "OrderPlaced"}
    assert (first.message_id, first.delivery_mode, first.timestamp) == ("1", 2, 1_700_000_000)
    assert (first.content_type, second.content_type) == ("application/json", "application/json")
    assert second.headers == {"id": "2", "raw": b"\xff", "none": None}


def test_an_exchange_has_the_topic_as_routing_key(broker: Broker) -> None:
    queue = declared(broker, "bound")
    with broker.channel() as channel:
        channel.queue_bind(queue, "amq.topic", "outbox.event.#")
    with sink_of(broker, "amq.topic") as sink:
        answers = answered(sink, [message("outbox.event.Order", 1), message("elsewhere", 2)])
    assert [answers[number].status for number in (0, 1)] == [SendStatus.delivered, SendStatus.refused]
    assert answers[1].cause == "NO_ROUTE: the exchange 'amq.topic' routes 'elsewhere' to no queue"
    assert len(received(broker, queue, 1)) == 1


def test_what_follows_a_refused_message_of_its_key_comes_back(broker: Broker) -> None:
    queue = declared(broker, "refusals")
    messages = [message(queue, number, key=f"k{number % 3}") for number in range(300)]
    messages[31] = message(queue, 31, key="k1", headers=(("x" * 300, b"1"),))
    with sink_of(broker) as sink:
        answers = answered(sink, messages)
        assert answers[31].status is SendStatus.refused
        assert answers[31].cause == "a header's name is longer than 255 bytes"
        statuses = {answers[number].status for number in range(32, 300) if number % 3 == 1}
        assert statuses <= {SendStatus.delivered, SendStatus.unsent}
    bodies = [body for _, body in received(broker, queue)]
    expected = [messages[n].value for n, answer in sorted(answers.items()) if answer.status is SendStatus.delivered]
    assert sorted(bodies) == sorted(expected)  # type: ignore[type-var]


def test_of_an_unroutable_topic_all_are_refused_or_come_back(broker: Broker) -> None:
    queue = declared(broker, "routable")
    good = [message(queue, number, key=f"k{number % 7}") for number in range(500)]
    bad = [message("nowhere", number, key="k") for number in range(500)]
    with sink_of(broker) as sink:
        answers = answered(sink, [each for pair in zip(good, bad, strict=True) for each in pair])
        assert sink.problem == ""
    assert {answers[number].status for number in range(0, 1000, 2)} == {SendStatus.delivered}
    refused = [number for number in range(1, 1000, 2) if answers[number].status is SendStatus.refused]
    assert refused[0] == 1
    assert {answers[number].status for number in range(1, 1000, 2)} <= {SendStatus.refused, SendStatus.unsent}
    assert len(received(broker, queue, 500)) == 500


def test_many_unroutable_messages_of_equal_content_are_all_refused(broker: Broker) -> None:
    queue = declared(broker, "beside")
    lost = [message("nowhere", 1, key=None) for _ in range(200)]
    with sink_of(broker) as sink:
        answers = answered(sink, [*lost, message(queue, 2, key=None)])
    assert [answers[number].status for number in range(201)] == [SendStatus.refused] * 200 + [SendStatus.delivered]


def test_a_full_queue_closes_its_topic_and_keeps_the_order_of_a_key(broker: Broker) -> None:
    queue = declared(broker, "full", x_max_length=10, x_overflow="reject-publish")
    with sink_of(broker) as sink:
        messages = [message(queue, number) for number in range(100)]
        answers = answered(sink, messages)
        closed = next(number for number in range(100) if answers[number].status is not SendStatus.delivered)
        assert answers[closed].status is SendStatus.closed
        assert answers[closed].cause == "a queue of 'full' accepts no messages (basic.nack)"
        assert {answers[number].status for number in range(closed + 1, 100)} <= {SendStatus.unsent, SendStatus.closed}
    bodies = [body for _, body in received(broker, queue)]
    assert bodies == [each.value for each in messages[: len(bodies)]]


def test_a_message_that_makes_the_broker_close_is_refused_alone(broker: Broker) -> None:
    queue = declared(broker, "sizes")
    messages = [message(queue, number, key=f"k{number}") for number in range(50)]
    messages[20] = messages[20]._replace(value=b"x" * 1_000_001)  # the broker of the tests takes a million
    refused: list[SendResult] = []
    with sink_of(broker) as sink:
        waiting = {number: each for number, each in enumerate(messages)}
        deadline = time.monotonic() + PATIENT_SECONDS
        while waiting:
            assert time.monotonic() < deadline, sink.problem
            for number, result in answered(sink, list(waiting.values())).items():
                place = list(waiting)[number]
                if result.status is not SendStatus.unsent:
                    messages[place] = messages[place]._replace(topic=result.status)
                if result.status is SendStatus.refused:
                    refused.append(result)
            waiting = {number: each for number, each in waiting.items() if messages[number].topic == queue}
    assert [messages[number].topic for number in range(50)] == [
        SendStatus.refused if number == 20 else SendStatus.delivered for number in range(50)
    ]
    assert "message size 1000001 is larger than configured max size 1000000" in refused[0].cause
    assert {int(properties.message_id) for properties, _ in received(broker, queue, 49)} == {*range(50)} - {20}


def test_headers_that_no_frame_holds_are_refused(broker: Broker) -> None:
    queue = declared(broker, "frames")
    large = message(queue, 1, headers=(("id", b"1"), ("large", b"x" * 140_000)))
    held = message(queue, 2, key="other", headers=(("id", b"2"), ("large", b"x" * 130_000)))
    with sink_of(broker) as sink:
        answers = answered(sink, [large, held])
    assert [answers[number].status for number in (0, 1)] == [SendStatus.refused, SendStatus.delivered]
    assert "the broker's frames hold" in answers[0].cause


def test_an_exchange_that_is_not_there_is_a_problem_and_no_attempt(broker: Broker) -> None:
    queue = declared(broker, "late")
    with sink_of(broker, "shop") as sink:
        until(lambda: sink.results(0.05) == [] and sink.problem, "the problem is seen")
        assert "NOT_FOUND - no exchange 'shop' in vhost '/'" in sink.problem
        assert not sink.send(message("x", 1), 1)
        with broker.channel() as channel:
            channel.exchange_declare("shop", "topic", durable=True)
            channel.queue_bind(queue, "shop", "#")
        delivered(sink, [message("x", 1)])
        assert sink.problem == ""


def test_a_wrong_password_is_a_problem_that_does_not_show_it(broker: Broker) -> None:
    address = broker.url.replace("guest:guest", "guest:of-nobody-at-all")
    with closing(RabbitMq(address, "", name="test", content_type="text/plain")) as sink:
        until(lambda: sink.results(0.05) == [] and sink.problem, "the problem is seen")
        assert "ACCESS_REFUSED" in sink.problem
        assert "nobody" not in sink.problem


def test_ten_thousand_messages_in_the_order_of_their_keys(broker: Broker) -> None:
    queue = declared(broker, "speed")
    messages = [message(queue, number, key=f"k{number % 500}") for number in range(10_000)]
    with sink_of(broker) as sink:
        delivered(sink, messages[:1])
        began, cpu = time.monotonic(), time.process_time()
        delivered(sink, messages)
        seconds, cpu = time.monotonic() - began, time.process_time() - cpu
    print(f"{10_000 / seconds:.0f} messages a second, {cpu / 10_000 * 1e6:.0f} µs of CPU each")
    _in_order(received(broker, queue, len(messages)), messages)


def test_a_broker_that_is_killed_loses_nothing_and_keeps_the_order_of_first_copies(broker: Broker) -> None:
    queue = declared(broker, "killed")
    broker.restart()
    messages = [message(queue, number, key=f"k{number % 50}") for number in range(10_000)]
    steps = [3000, 6000]

    with sink_of(broker) as sink:

        def break_off(done: int) -> None:
            if steps and done >= steps[0]:
                broker.kill()
                steps[0] = len(messages) + 1
            elif broker.process is None and "Connection refused" in sink.problem:  # which stays for a moment
                assert not sink.send(messages[0], "none")
                steps.pop(0)
                broker.start()

        delivered(sink, messages, break_off)
        assert steps == []
        assert sink.problem == ""
    _in_order(received(broker, queue, len(messages)), messages)


def test_after_close_it_begins_anew(broker: Broker) -> None:
    queue = declared(broker, "again")
    with sink_of(broker) as sink:
        delivered(sink, [message(queue, 1)])
        assert sink.send(message(queue, 2), 2)
        sink.close()
        assert sink.results(0) == []
        delivered(sink, [message(queue, 3)])
    assert [properties.message_id for properties, _ in received(broker, queue, 1)][-1] == "3"


def _in_order(copies: Sequence[tuple[Any, bytes]], messages: Sequence[Message]) -> None:
    """Every message is there, and the first copies of each key are in their order."""
    by_key: dict[str, list[int]] = defaultdict(list)
    for properties, _ in copies:
        by_key[properties.headers["message-key"]].append(int(properties.message_id))
    first = {key: list(dict.fromkeys(numbers)) for key, numbers in by_key.items()}
    assert sum(map(len, first.values())) == len(messages)
    assert all(numbers == sorted(numbers) for numbers in first.values())


RELAYED = """
service: shop
database: {dialect: postgres}
delivery: {by: relay, sink: rabbitmq, exchange: ""}
events: [{type: OrderPlaced, aggregate: Order}, {type: OrderDeleted, aggregate: Order, tombstone: true}]
"""


def relayed(queue: str, number: int, **changes: Any) -> Message:
    """A message as the relay publishes it, of five keys with special characters."""
    kind = "OrderDeleted" if changes.get("value", b"") is None else "OrderPlaced"
    texts = {"id": str(uuid.UUID(int=number)), "eventType": kind, "aggregateType": "Order", "sequence": str(number)}
    headers = tuple((name, value.encode()) for name, value in texts.items())
    return message(queue, number, key=f"k ü{number % 5}", headers=headers, **changes)


@pytest.fixture
def schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broker: Broker) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OUTBOX_KIT_SINK_URL", broker.url)
    Path("outbox.yaml").write_text(RELAYED)


@pytest.mark.usefixtures("schema")
def test_verify_reads_a_queue_of_the_relay_and_leaves_it_as_it_was(broker: Broker) -> None:
    queue, topic = declared(broker, "judged"), "outbox.event.Order"
    with broker.channel() as channel:
        channel.queue_bind(queue, "amq.topic", topic)
    messages = [relayed(topic, number) for number in range(1, 200)]
    with sink_of(broker, "amq.topic") as sink:
        answered(sink, [*messages, relayed(topic, 200, value=None)])
    for _ in range(2):
        judged = json.loads(invoke("verify", "--queue", queue, "--no-table", "--format", "json", code=None).stdout)
        assert {finding["id"] for finding in judged["findings"]} == {"RUN-11"}
        assert judged["run"]["kafka"].startswith(f"the queue '{queue}' of RabbitMQ at 127.0.0.1")
        assert judged["not_checked_because"]["a queue has no partitions"] == ["KEY-04", "KEY-05", "ORD-04"]
    reordered = [messages[9], messages[4]._replace(value=b"null"), message(topic, 300), relayed("elsewhere", 301)]
    with broker.channel() as channel:
        channel.queue_bind(queue, "amq.topic", "elsewhere")
    with sink_of(broker, "amq.topic") as sink:
        answered(sink, reordered)
    found = invoke("verify", "--queue", queue, "--no-table", code=1).stdout
    assert all(check in found for check in ("DUP-0", "HDR-0", "RTE-0")), found
    assert [body for _, body in received(broker, queue, len(messages) + 1)][:200] == [
        *(one.value for one in messages),
        b"",
    ]


@pytest.mark.usefixtures("schema")
def test_a_queue_that_would_lose_messages_or_that_cannot_be_read_is_refused(broker: Broker) -> None:
    declared(broker, "quorum", x_queue_type="quorum")
    declared(broker, "stream", x_queue_type="stream")
    with sink_of(broker) as sink:
        answered(sink, [message("quorum", 1), message("stream", 1)])
    with broker.channel() as channel:
        for _ in range(10):
            until(lambda: (got := channel.basic_get("quorum"))[0] and not channel.basic_nack(got[0].delivery_tag))
    refusals = {"quorum": (2, "was returned 10 times"), "stream": (4, "a stream cannot be read by verify")}
    for queue, (code, text) in refusals.items():
        assert text in invoke("verify", "--queue", queue, "--no-table", code=code).stderr
    with broker.channel() as channel:
        assert channel.queue_declare("quorum", passive=True).method.message_count == 1
