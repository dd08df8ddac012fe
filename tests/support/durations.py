"""How long tests took in the runs before, kept in the cache; the longest begin first."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress

from outbox_kit.stack.store import cache_folder

KEPT = 0.5  # seconds; what takes less needs no place of its own in the order
FILE = "test-durations.json"

measured: Counter[str] = Counter()


def known() -> dict[str, float]:
    """Seconds by group of tests, as each took when it ran last; empty before the first run."""
    with suppress(OSError, ValueError):
        held: dict[str, float] = json.loads((cache_folder() / FILE).read_text())
        return held
    return {}


def keep() -> None:
    """Remember what was measured; of groups that did not run, what is known stays."""
    merged = known() | measured
    if measured:
        path = cache_folder() / FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({group: round(took, 1) for group, took in merged.items() if took >= KEPT}, indent=0))


def ordered(groups: Mapping[str, Sequence[object]], took: Mapping[str, float]) -> list[str]:
    """Groups, the longest first. Those that are not known are as long as their number of tests in seconds."""
    return sorted(groups, key=lambda name: (-took.get(name, len(groups[name])), name))
