"""Rules across the fields of a message: refused where they are none, and never telling a value."""

from typing import Any

import pytest
from pydantic import ValidationError

from outbox_kit.findings.finding import Sample
from tests.support.records import Record, examined, named, outbox_of


def with_rule(*rules: str, **more: Any) -> Any:
    return outbox_of(events=[{"type": "OrderPlaced", "aggregate": "Order", "rules": rules, **more}])


@pytest.mark.parametrize(
    ("rule", "value", "holds"),
    [
        ("payload.net <= payload.gross", b'{"net": 1, "gross": 2}', True),
        ("payload.net <= payload.gross", b'{"net": 3, "gross": 2}', False),
        ("payload.id == key", b'{"id": "1"}', True),
        ("payload.id == key", b'{"id": 1}', False),
        ("payload.version == int(headers.sequence)", b'{"version": 1}', True),
        ("payload.lines.all(line, line.n > 0)", b'{"lines": [{"n": 1}, {"n": 0}]}', False),
        ("!has(payload.end) || payload.begin < payload.end", b'{"begin": "2026-01-01"}', True),
        ("payload.nowhere > 1", b'{"n": 1}', False),
        ("payload.n + payload.s > 1", b'{"n": 1, "s": "x"}', False),
        ("payload.n", b'{"n": 1}', False),
    ],
)
def test_a_rule_holds_or_is_named(rule: str, value: bytes, holds: bool) -> None:
    assert named(examined(with_rule(rule), Record(text=value))) == ({} if holds else {"PAY-07": 1})


def test_what_a_rule_compares_is_never_shown() -> None:
    examination = examined(with_rule("payload.n > 5", "payload.card == key"), Record(text=b'{"n": 1}'))
    (finding,) = examination.tally.findings
    assert list(finding.samples) == [
        Sample(finding.samples[0].location, "payload.n > 5", "otherwise"),
        Sample(finding.samples[0].location, "payload.card == key", "no 'card'"),
    ]


def test_a_tombstone_keeps_every_rule() -> None:
    assert named(examined(with_rule("payload.n > 1", tombstone=True), Record(text=None))) == {}


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("payload.n >", "invalid rule 'payload.n >': expected CEL: 1:12: Syntax error"),
        ("total > 1", "unknown name 'total' in the rule 'total > 1': expected payload, key or headers"),
        ("payload.x == order.y", "unknown name 'order'"),
    ],
)
def test_what_is_no_rule_is_refused_with_the_place(rule: str, told: str) -> None:
    with pytest.raises(ValidationError) as caught:
        with_rule(rule)
    assert told in str(caught.value)


def test_an_event_after_one_that_is_not_declared_is_refused() -> None:
    with pytest.raises(ValidationError) as caught:
        with_rule(follows=["OrderPlacd"])
    assert "unknown event type 'OrderPlacd' in follows of 'OrderPlaced': not an event of 'Order'; did you mean" in str(
        caught.value
    )
