"""What is wrong with the verdict on a random case."""

from collections.abc import Callable

from tests.fuzz.simulation import LIMIT_SECONDS, Endless
from tests.support.fuzz.truth import differences
from tests.support.fuzz.values import Case

Judge = Callable[[Case], list[str]]


def judged(play: Callable[[], object], one: Case) -> list[str]:
    """What is wrong with the verdict of a case."""
    try:
        return differences(one, play())
    except Endless:
        return [f"no verdict in {LIMIT_SECONDS} s"]
    except Exception as error:
        return [f"no verdict: {type(error).__name__}: {error}"]
