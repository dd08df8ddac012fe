"""Which random cases a run has: its first seed, and the features that no case has."""

import pytest


def first_seed(config: pytest.Config) -> int:
    """The seed of the first case: what was asked for, or this run's own."""
    asked: int | None = config.getoption("--fuzz-seed")
    return int(config.getoption("--case-seed")) if asked is None else asked


def left_out(config: pytest.Config) -> frozenset[str]:
    """The features that no case has."""
    return frozenset(filter(None, config.getoption("--fuzz-without").split(",")))
