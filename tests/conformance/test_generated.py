"""Tens of thousands of generated configs and rows: the model and the real router must not differ once.

pytest tests/conformance --cases 200000 --case-seed 7      more of them, or those of a run that printed this seed
"""

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.conformance import cases
from tests.conformance.compare import compare
from tests.conformance.strategies import Strategy, seeded
from tests.support.jvm import BETWEEN, LINES, MONGO_LINES

LEAST_SHARE = 0.02


def differences(strategy: Strategy, lines: Sequence[str], number: int, start: int) -> Counter[str]:
    """Compare until so many rows were seen; the first difference fails. Gives what the outcomes were."""
    seen, numbered = Counter[str](), seeded(strategy, start)
    while seen["rows"] < number:
        name, case = next(numbered)
        found, outcomes = compare(case.config, case.rows, lines)
        assert not found, f"{found[0]}\n   case: {name}, config: {case.config}"
        seen.update(outcomes)
        seen["rows"] += len(case.rows)
    return seen


@pytest.mark.random
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("strategy", "lines", "share", "most_unknown"),
    [
        (cases.cases(), LINES, 1.0, 0.05),
        (cases.expansion_cases(), LINES, 0.4, 0.05),
        # arrays in documents are not modelled before Debezium 3.2
        (cases.mongo_cases(), MONGO_LINES, 0.3, 0.3),
        # one of the releases in between, another one with each seed
        (cases.cases(), BETWEEN, 0.02, 0.05),
        (cases.expansion_cases(), BETWEEN, 0.02, 0.05),
        (cases.mongo_cases(), [line for line in BETWEEN if line >= "3.2"], 0.02, 0.05),
    ],
    ids=[
        "event-router",
        "expansion",
        "mongo-event-router",
        "event-router-between",
        "expansion-between",
        "mongo-event-router-between",
    ],
)
def test_model_and_real_router_agree(
    strategy: Strategy,
    lines: Sequence[str],
    share: float,
    most_unknown: float,
    pytestconfig: pytest.Config,
) -> None:
    wanted, seed = int(pytestconfig.getoption("--cases") * share), pytestconfig.getoption("--case-seed")
    chosen = lines if share > LEAST_SHARE else [lines[seed % len(lines)]]
    seen = differences(strategy, chosen, wanted, seed)
    print(f"\n{dict(seen)}")
    compared = sum(count for name, count in seen.items() if name != "rows")
    assert seen["rows"] >= wanted
    assert min(seen["Message"], seen["Failed"], seen["Dropped"]) > compared / 100, seen  # each kind has its share
    assert seen["Unknown"] < compared * most_unknown
