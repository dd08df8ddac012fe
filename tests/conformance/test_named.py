"""Every named case, on the model and on every release of the real router that has what it needs."""

from typing import Any

import pytest

from outbox_kit.router.chain import MONGO_EVENT_ROUTER, Chain, Failed, Message
from outbox_kit.router.values import Dropped
from outbox_kit.versions import Version
from tests.conformance import differences, named, surprises
from tests.conformance.compare import chain, compare
from tests.support.jvm import BETWEEN, LINES, MONGO_LINES

CASES = [
    *named.EVENT_ROUTER_CASES,
    *named.TABLE_CASES,
    *named.EXPANSION_CASES,
    *named.MONGO_CASES,
    *surprises.SURPRISES,
    *differences.DIFFERENCES,
]


def lines(case: named.Named) -> list[str]:
    """The releases that have what a case needs."""
    known = MONGO_LINES if case.router == MONGO_EVENT_ROUTER else LINES
    return [line for line in (*known, *BETWEEN) if Version.of(line) >= Version.of(case.since)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_real_router_does_so_and_the_model_too(case: named.Named) -> None:
    for line in lines(case):
        differences, _ = compare(case.config(), case.rows, [line])
        assert not differences, f"{line}: {differences[0]}"
        model = chain(case.config(), line)
        for record, expected in zip(case.rows, case.expected, strict=True):
            outcome = model.send(record) if isinstance(model, Chain) else model
            assert as_expected(outcome, expected), f"{line}: {outcome}"


def as_expected(outcome: Any, expected: Any) -> bool:
    """Whether an outcome is what a case says."""
    match expected:
        case named.DROPPED:
            return isinstance(outcome, Dropped)
        case named.UNROUTED:
            return not getattr(outcome, "routed", False)
        case (kind, text):
            return isinstance(outcome, Failed) and outcome.kind == kind and text in outcome.message
        case dict():
            return isinstance(outcome, Message) and all(getattr(outcome, k) == v for k, v in expected.items())
    return isinstance(outcome, Message) and bool(expected(outcome))


def test_no_two_cases_have_one_name() -> None:
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
