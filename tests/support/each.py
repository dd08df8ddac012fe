"""A rule that every file of a list keeps is one test: a test for each file takes longer than the rule itself."""

from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]


def each(paths: Iterable[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """A decorator that makes one test of a rule, which raises AssertionError where a path breaks it.

    The test fails with every path that breaks the rule, and raises AssertionError if there is no path.
    """
    listed = list(paths)

    def decorate(rule: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            broken = []
            for path in listed:
                try:
                    rule(path)
                except AssertionError as error:
                    broken.append(f"{path.relative_to(ROOT)}: {error}")
            assert listed, "no file to check"
            assert not broken, "\n".join(broken)

        test.__name__, test.__doc__ = rule.__name__, rule.__doc__
        return test

    return decorate
