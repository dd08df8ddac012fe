"""Which random cases a run has: its first seed, and the features that no case has."""

import pytest

USUAL = 1  # another seed gives other cases


def first_seed(config: pytest.Config) -> int:
    """The seed of the first case."""
    asked: int | None = config.getoption("--fuzz-seed")
    return USUAL if asked is None else asked


def left_out(config: pytest.Config) -> frozenset[str]:
    """The features that no case has."""
    return frozenset(filter(None, config.getoption("--fuzz-without").split(",")))
