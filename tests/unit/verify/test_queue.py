"""What a queue's messages are in Kafka's terms, and what does not go together with a queue."""

import json
from pathlib import Path

import pytest

from outbox_kit.secret import hidden
from outbox_kit.verify.reading.queue import from_json, plain
from tests.support.cli import invoke

SCHEMA = """
service: shop
database: {dialect: postgres}
events: [{type: OrderPlaced, aggregate: Order}]
"""
HTTP = "delivery: {by: relay, sink: http}\n"


@pytest.mark.parametrize("text", ["OrderPlaced", 'say "ü"', "", "null", "7", "日本 🎉", "\x00"])
def test_a_text_is_the_content_of_its_json(text: str) -> None:
    assert from_json(json.dumps(text)) == from_json(json.dumps(text, ensure_ascii=False)) == text.encode()
    assert plain(text) == text.encode()


def test_other_values_are_as_kafka_connect_writes_them() -> None:
    assert [from_json(value) for value in ("null", "7", "-1.5", "true", None, 7, b"\xff")] == [
        *(None, b"7", b"-1.5", b"true", None, b"7", b"\xff"),
    ]
    assert [from_json(value) for value in ('{"a": 1}', "not JSON", '"a')] == [b'{"a": 1}', b"not JSON", b'"a']
    assert [plain(value) for value in (None, 7, b"\xff")] == [None, b"7", b"\xff"]


@pytest.mark.parametrize(
    ("more", "arguments", "message"),
    [
        ("", ("--messages", "c.json"), "--queue reads a whole queue, and nothing else"),
        ("", ("--from", "end-5"), "--queue reads a whole queue, and nothing else"),
        ("", ("--workers", "2"), "several workers need topics and events on disk"),
        ("", ("--engine", "spark"), "--engine spark reads topics only"),
        (HTTP, (), "delivery.sink is 'http'"),
        ("", (), "the sink's address is missing"),
    ],
)
def test_what_does_not_go_together_with_a_queue_is_refused(
    more: str, arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OUTBOX_KIT_SINK_URL", raising=False)
    Path("outbox.yaml").write_text(SCHEMA + more)
    assert message in invoke("verify", "--queue", "q", *arguments, code=2).stderr


def test_the_example_of_an_address_is_readable_and_a_password_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OUTBOX_KIT_SINK_URL", raising=False)
    Path("outbox.yaml").write_text(SCHEMA)
    example = 'export OUTBOX_KIT_SINK_URL="amqp://user:${PASSWORD}@host:5672/vhost"'
    assert example in invoke("verify", "--queue", "q", code=2).stderr
    assert hidden("amqp://user:${PASSWORD}@real@host") == "amqp://user:***@host"
    assert hidden("amqp://user:x${PASSWORD}@host") == hidden("amqp://user:real@host") == "amqp://user:***@host"


def test_verify_names_the_option_for_a_relay_s_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(SCHEMA + HTTP.replace("http", "rabbitmq"))
    refused = invoke("verify", code=2).stderr
    assert "verify reads topics of Kafka" in refused and "--queue NAME" in refused
