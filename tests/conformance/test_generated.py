"""Tens of thousands of generated configs and rows: the model and the real router must not differ once.

pytest tests/conformance --cases 200000 --case-seed 7      more of them, or others
"""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.conformance import cases
from tests.conformance.compare import compare
from tests.conformance.oracle import LINES, MONGO_LINES


def differences(
    strategy: st.SearchStrategy[cases.Case], lines: Sequence[str], number: int, per_example: int, start: int
) -> Counter[str]:
    """Compare until so many rows were seen; the first difference fails. Gives what the outcomes were."""
    seen: Counter[str] = Counter()

    @seed(start)
    @settings(
        max_examples=number // per_example + 1,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def run(case: cases.Case) -> None:
        found, outcomes = compare(case.config, case.rows, lines)
        assert not found, f"{found[0]}\n   config: {case.config}"
        seen.update(outcomes)
        seen["rows"] += len(case.rows)

    run()
    return seen


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("strategy", "lines", "share", "per_example", "most_unknown"),
    [
        (cases.cases(), LINES, 1.0, cases.ROWS, 0.05),
        (cases.expansion_cases(), LINES, 0.4, cases.ROWS // 2, 0.05),
        # arrays in documents are not modelled before Debezium 3.2
        (cases.mongo_cases(), MONGO_LINES, 0.3, cases.ROWS, 0.3),
    ],
    ids=["event-router", "expansion", "mongo-event-router"],
)
def test_model_and_real_router_agree(
    strategy: st.SearchStrategy[cases.Case],
    lines: Sequence[str],
    share: float,
    per_example: int,
    most_unknown: float,
    pytestconfig: pytest.Config,
) -> None:
    wanted = int(pytestconfig.getoption("--cases") * share)
    seen = differences(strategy, lines, wanted, per_example, pytestconfig.getoption("--case-seed"))
    print(f"\n{dict(seen)}")
    compared = sum(count for name, count in seen.items() if name != "rows")
    assert seen["rows"] >= wanted
    assert min(seen["Message"], seen["Failed"], seen["Dropped"]) > compared / 100, seen  # each kind has its share
    assert seen["Unknown"] < compared * most_unknown
