"""Captured messages checked without a broker: three ways of writing them, and every way of writing them wrong."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from outbox_kit.cli import app
from outbox_kit.errors import BadMessages
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.reading.captured import messages
from outbox_kit.verify.run import Verification
from tests.support.cli import invoke
from tests.support.request import request_of
from tests.unit.verify.spoken import SCHEMA, message


@pytest.fixture
def verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(SCHEMA)

    def run(text: str, *arguments: str) -> Result:
        Path("captured.json").write_text(text)
        return invoke("verify", "--messages", "captured.json", *arguments, code=None)

    return run


def checks(result: Result) -> dict[str, int]:
    return {one["id"]: one["count"] for one in json.loads(result.stdout)["findings"] if one["id"] != "RUN-11"}


HOME = partition_of(b"7", 6)


def printed(n: int) -> str:
    """As kcat -J prints it."""
    flat = [text for pair in message(n)["headers"].items() for text in pair]
    place = {"partition": HOME, "offset": 40 + n, "tstype": "create", "ts": 5, "broker": 1}
    return json.dumps({"topic": "outbox.event.Order", **place, "headers": flat, "key": "7", "payload": '{"total":1}'})


def in_bytes(n: int) -> dict[str, Any]:
    return message(n, value={"base64": base64.b64encode(b'{"total":1}').decode()}, key={"hex": "37"})


@pytest.mark.parametrize(
    "written",
    [
        json.dumps([message(1), message(2)]),
        "\n".join(json.dumps(message(n)) for n in (1, 2)),
        json.dumps([message(n, headers=list(map(list, message(n)["headers"].items()))) for n in (1, 2)]),
        printed(1) + printed(2),
        json.dumps([in_bytes(1), in_bytes(2)]),
    ],
    ids=["an array", "lines", "pairs", "kcat -J", "bytes"],
)
def test_messages_are_read_however_they_are_written(verify: Any, written: str) -> None:
    result = verify(written, "--format", "json")
    assert (result.exit_code, checks(result)) == (0, {})
    assert json.loads(result.stdout)["counts"]["events"] == 2


def test_a_preview_is_a_message_that_passes(verify: Any) -> None:
    Path("outbox.yaml").write_text(SCHEMA)
    shown = CliRunner().invoke(app, ["preview", "--all-events", "--format", "json"]).stdout
    result = verify(shown, "--format", "json")
    assert (result.exit_code, checks(result)) == (0, {})


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ([message(topic="outbox.event.Cart")], {"RTE-01": 1}),
        ([message(key='"7"')], {"KEY-03": 1}),
        ([message(partition=HOME), message(2, partition=HOME + 1)], {"KEY-04": 1, "KEY-05": 1, "ORD-03": 1}),
        ([message(value={"total": "1"})], {"PAY-02": 1}),
        ([message(value={"hex": "00ff"})], {"PAY-01": 1}),
        ([message(2), message(1)], {"ORD-01": 1}),
        ([message(1), message(1)], {"DUP-01": 1}),
        ([], {"RUN-06": 1}),
    ],
)
def test_what_is_wrong_is_found(verify: Any, wrong: list[dict[str, Any]], expected: dict[str, int]) -> None:
    result = verify(json.dumps(wrong), "--format", "json")
    assert checks(result) == expected
    assert result.exit_code == (3 if wrong == [] else 0 if set(expected) == {"DUP-01"} else 1)


def test_a_check_is_weighed_otherwise_and_what_could_not_be_said_let_pass(verify: Any) -> None:
    quoted, twice = json.dumps([message(key='"7"')]), json.dumps([message(1), message(1)])
    assert verify(quoted, "--severity", "KEY-03=warning").exit_code == 0
    assert verify(twice, "--severity", "DUP-01=error").exit_code == 1
    assert verify("[]").exit_code == 3
    assert verify("[]", "--allow-inconclusive").exit_code == 0
    assert verify(quoted, "--severity", "KYE-03=warning").exit_code == 2
    assert verify(quoted, "--severity", "KEY-03=fatal").exit_code == 2


def test_what_is_in_the_baseline_is_shown_and_fails_nothing(verify: Any, tmp_path: Path) -> None:
    known = ["--baseline", str(tmp_path / "known.json")]
    quoted, other = json.dumps([message(key='"7"')]), json.dumps([message(value="{")])
    assert verify(quoted, *known, "--update-baseline").exit_code == 0
    again = verify(quoted, *known)
    assert (again.exit_code, "KEY-03 the key is encoded (in the baseline)" in again.output) == (0, True)
    assert verify(other, *known).exit_code == 1
    assert verify(quoted, "--update-baseline").exit_code == 2
    (tmp_path / "known.json").write_text("[]")
    assert verify(quoted, *known).exit_code == 2


def test_what_could_not_be_looked_at_is_in_no_baseline(verify: Any, tmp_path: Path) -> None:
    known = ["--baseline", str(tmp_path / "known.json")]
    assert verify("[]", *known, "--update-baseline").exit_code == 3
    assert json.loads((tmp_path / "known.json").read_text())["findings"] == {}
    assert verify("[]", *known).exit_code == 3


OUTBOX = Outbox.model_validate(
    {"service": "shop", "database": {"dialect": "postgres"}, "events": [{"type": "OrderPlaced", "aggregate": "Order"}]}
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "invalid captured messages: expected JSON"),
        ("[1]", "invalid message 1"),
        ('{"key": "1"}', "'topic' is missing"),
        ('{"topic": "t", "headers": 5}', "invalid headers: expected an object or a list"),
        ('{"topic": "t", "headers": ["a"]}', "message 1"),
        ('{"topic": "t", "value": {"base64": "*"}}', "invalid base64"),
        ('{"topic": "t", "partition": "x"}', "message 1"),
        ('{"topic": "t", "partition": 3000000000}', "invalid partition 3000000000"),
        ('{"topic": "t", "offset": -1}', "invalid offset -1"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_number(text: str, told: str) -> None:
    with pytest.raises(BadMessages) as error:
        messages(text, OUTBOX)
    assert told in "\n".join(error.value.lines())


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["topic", "key", "headers", "value", "partition", "offset", "timestamp", "payload", "ts"]
CHANGED = st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=3)
HEADERS = st.dictionaries(st.sampled_from(["id", "eventType", "aggregateType", "sequence", "x"]), ANYTHING, max_size=4)


@given(st.lists(st.tuples(CHANGED, HEADERS), max_size=4))
@settings(max_examples=120)
def test_any_messages_end_in_findings_or_one_error(changes: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    raw = [
        message(n, headers={**message(n)["headers"], **headers}) | changed
        for n, (changed, headers) in enumerate(changes)
    ]
    try:
        log = messages(json.dumps(raw), OUTBOX)
    except BadMessages:
        return
    report = Verification(request_of(OUTBOX, log, timeout=60, settle=0), lambda _: None).run()
    assert report.verdict
