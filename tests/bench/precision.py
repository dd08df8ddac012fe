"""`python -m tests.bench.precision`: how much of what `check` reports is right, and how much it misses.

The corpus are public connector configs, restated, with the flaws that an expert had found before the first run.
"""

import sys

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Consequence
from tests.support.lint_score import PARTS, Score, score


def main() -> None:
    """Print the figures of each part; with `-v` also what is false and what is missed, of the parts that are named."""
    named = [part for part in PARTS if part in sys.argv] or PARTS
    for part in named:
        total = score(part)
        print(f"{part}: {len(total.right) + len(total.false)} reported, {len(total.found) + len(total.missed)} flaws")
        for severity in (Severity.error, Severity.warning, Severity.info):
            print(f"  precision of {severity.value:<8} {total.precision(severity):7.1%}")
        print(f"  precision of all      {total.precision(*Severity):7.1%}")
        print(f"  false errors          {len(total.false_errors):5}")
        for effect in Consequence:
            print(f"  recall of {effect.name:<11} {total.recall(effect.name):7.1%}")
        print(f"  recall of loss, stop  {total.recall('loss', 'stop'):7.1%}")
        print(f"  recall of all         {total.recall(*Consequence.__members__):7.1%}")
        if "-v" in sys.argv:
            _details(total)


def _details(total: Score) -> None:
    for text in total.unread:
        print(f"  READ {text}")
    for each in total.false_errors:
        print(f"  FALSE ERROR {each.file}: {each.option} [{each.rule}] {each.message}")
    for each in total.false:
        print(f"  FALSE {each.severity.value} {each.file}: {each.option} [{each.rule}] {each.message}")
    for flaw in total.missed:
        print(f"  MISSED {flaw.effect} {flaw.file}: {flaw.option}: {flaw.why}")


if __name__ == "__main__":
    main()
