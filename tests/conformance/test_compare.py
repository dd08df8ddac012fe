"""A model that is wrong in one thing only differs from the real router, whatever the thing is."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from outbox_kit.router.chain import Chain, Failed, Message, Outcome
from outbox_kit.router.values import Dropped, SourceRecord
from tests.conformance.compare import chain, compare
from tests.conformance.named import PLACEMENT, instant, int32, of
from tests.support.jvm import LINES
from tests.support.rows import STAMP, row

OPTIONS = {
    PLACEMENT: "p:partition,type:header:eventType",
    "table.field.event.timestamp": "at",
    "table.op.invalid.behavior": "fatal",
}
CONFIG = of("everything", OPTIONS).config()
ROWS: Mapping[str, SourceRecord] = {
    "message": row({"p": int32(3), "at": instant(STAMP)}),
    "dropped": row(op="d"),
    "failure": row({"p": int32(3), "at": instant(STAMP)}, op="u"),
}
OF_A_MESSAGE: Mapping[str, Callable[[Message], Outcome]] = {
    "topic": lambda sent: sent._replace(topic=f"{sent.topic}x"),
    "partition": lambda sent: sent._replace(partition=4),
    "no partition": lambda sent: sent._replace(partition=None),
    "key": lambda sent: sent._replace(key=b"other"),
    "no key": lambda sent: sent._replace(key=None),
    "value": lambda sent: sent._replace(value=b"{ }"),
    "a tombstone": lambda sent: sent._replace(value=None),
    "a header's value": lambda sent: sent._replace(headers=tuple((name, b"other") for name, _ in sent.headers)),
    "a header's name": lambda sent: sent._replace(headers=tuple((f"{name}x", held) for name, held in sent.headers)),
    "order of headers": lambda sent: sent._replace(headers=sent.headers[::-1]),
    "a header less": lambda sent: sent._replace(headers=sent.headers[1:]),
    "timestamp": lambda sent: sent._replace(timestamp=STAMP + 1),
    "no timestamp": lambda sent: sent._replace(timestamp=None),
    "routed": lambda sent: sent._replace(routed=False),
    "dropped": lambda _: Dropped("wrong"),
    "failed": lambda _: Failed("transformation", "DataException", "wrong"),
}
OF_A_FAILURE: Mapping[str, Callable[[Failed], Outcome]] = {
    "stage": lambda failed: replace(failed, stage="value"),
    "kind": lambda failed: replace(failed, kind="DataException"),
    "text": lambda failed: replace(failed, message=failed.message[:-1]),
    "dropped": lambda _: Dropped("wrong"),
}
WRONG: list[tuple[str, str, Callable[[Any], Outcome]]] = [
    *(("message", name, change) for name, change in OF_A_MESSAGE.items()),
    *(("failure", name, change) for name, change in OF_A_FAILURE.items()),
    ("dropped", "a message", lambda _: Message("outbox.event.User", None, b"1", b"{}", (), None, True)),
]


@pytest.mark.parametrize(("kind", "change"), [(kind, change) for kind, _, change in WRONG],
                         ids=[f"{kind}: {name}" for kind, name, _ in WRONG])  # fmt: skip
def test_a_wrong_model_is_caught(kind: str, change: Callable[[Any], Outcome], monkeypatch: pytest.MonkeyPatch) -> None:
    send, rows = Chain.send, list(ROWS.values())
    assert compare(CONFIG, rows, LINES)[0] == []

    def wrong(chain: Chain, record: SourceRecord) -> Outcome:
        sent = send(chain, record)
        return change(sent) if record is ROWS[kind] else sent

    monkeypatch.setattr(Chain, "send", wrong)
    assert len(compare(CONFIG, rows, LINES)[0]) == len(LINES)


def test_a_config_that_only_one_of_them_refuses_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = of("refused", {"route.topic.regex": "("}).config()
    assert compare(refused, [row()], LINES)[0] == []
    monkeypatch.setattr("tests.conformance.compare.chain", lambda *_: Failed("configure", "ConfigException", ""))
    assert len(compare(CONFIG, [row()], LINES)[0]) == len(LINES)
    monkeypatch.undo()
    monkeypatch.setattr("tests.conformance.compare.chain", lambda _, line: chain(CONFIG, line))
    assert len(compare(refused, [row()], LINES)[0]) == len(LINES)
