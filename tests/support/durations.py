"""How long tests took in the runs before, kept in the cache; the longest begin first."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress

from outbox_kit.stack.store import cache_folder

KEPT = 0.1  # seconds; what takes less has no influence on the order
FILE = "test-durations.json"

measured: Counter[str] = Counter()


def known() -> dict[str, float]:
    """Seconds by test, as each took when it ran last; empty before the first run."""
    with suppress(OSError, ValueError):
        held: dict[str, float] = json.loads((cache_folder() / FILE).read_text())
        return held
    return {}


def keep() -> None:
    """Remember what was measured; of tests that did not run, what is known stays."""
    merged = known() | measured
    if measured:
        path = cache_folder() / FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({test: round(took, 1) for test, took in merged.items() if took >= KEPT}, indent=0))


def ordered(groups: Mapping[str, Sequence[str]], took: Mapping[str, float]) -> list[str]:
    """Groups of tests, the longest first. One of which no test is known has as many seconds as tests."""

    def seconds(group: str) -> float:
        measured = [took[test] for test in groups[group] if test in took]
        return sum(measured) if measured else len(groups[group])

    return sorted(groups, key=lambda group: (-seconds(group), group))
