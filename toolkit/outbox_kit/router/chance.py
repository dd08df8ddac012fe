"""What the JVM decides by chance: every way it can go, one run after the other."""

from collections.abc import Callable, Sequence
from itertools import islice, permutations
from math import factorial
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

MOST_RUNS = 128


class Chance:
    """One run through a computation: what it picks where the JVM is free to choose."""

    def __init__(self, path: list[int]) -> None:
        self._path, self._taken = path, list[tuple[int, int]]()

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self._next(len(options))]

    def order(self, items: Sequence[T]) -> Sequence[T]:
        """One of the orders that a hash set may give its members in."""
        if len(items) < 2:
            return items
        number = self._next(min(factorial(len(items)), MOST_RUNS))
        return next(islice(permutations(items), number, None))

    def _next(self, width: int) -> int:
        if width < 2:
            return 0
        depth = len(self._taken)
        index = self._path[depth] if depth < len(self._path) else 0
        self._taken.append((index, width))
        return index

    def following(self) -> list[int] | None:
        """The path of the next run, or None after the last."""
        choices = list(self._taken)
        while choices:
            index, width = choices.pop()
            if index + 1 < width:
                return [number for number, _ in choices] + [index + 1]
        return None


def all_runs(run: Callable[[Chance], R]) -> tuple[list[R], bool]:
    """The results of all runs, up to 128, and whether those are all there can be."""
    results: list[R] = []
    path: list[int] | None = []
    while path is not None and len(results) < MOST_RUNS:
        chance = Chance(path)
        results.append(run(chance))
        path = chance.following()
    return results, path is None
