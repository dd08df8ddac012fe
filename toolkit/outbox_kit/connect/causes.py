"""What a failure means: the catalogue in connectors/causes.yaml, looked up by the text that users see."""

import re
from dataclasses import dataclass
from functools import cache

from ruamel.yaml import YAML

from outbox_kit.assets import CONNECTORS
from outbox_kit.lazy_pattern import lazy_pattern

CAUSED_BY = lazy_pattern(r"^Caused by: ", re.MULTILINE)
TRACE_LINES = 5


@dataclass(frozen=True)
class Cause:
    """A known failure: the text it is known by, its meaning in a sentence, and the next step."""

    text: str
    means: str
    fix: str


@cache
def catalogue() -> tuple[Cause, ...]:
    """All known failures, the more particular first."""
    data = YAML(typ="safe").load((CONNECTORS / "causes.yaml").read_text(encoding="utf-8"))
    return tuple(Cause(**entry) for entry in data["causes"])


def explain(trace: str) -> Cause | None:
    """The known cause of a trace. What is deepest in the trace is looked at first: it is nearest to the cause."""
    for part in reversed(CAUSED_BY.split(trace)):
        for cause in catalogue():
            if cause.text in part:
                return cause
    return None


def root_lines(trace: str, lines: int = TRACE_LINES) -> list[str]:
    """The innermost exception of a Java trace and the first of its frames."""
    return CAUSED_BY.split(trace.strip())[-1].splitlines()[:lines]
