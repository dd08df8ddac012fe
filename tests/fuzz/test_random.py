"""Random outboxes: whatever happens to their messages, the verdict is what a few independent lines say it must be.

`pytest tests/fuzz --fuzz-cases 2000 --fuzz-seed 7` makes it as many cases of each kind of ledger, from that seed on.
"""

from pathlib import Path

import pytest

from tests.fuzz.case import case
from tests.fuzz.conftest import Cases
from tests.fuzz.judge import Judge, judged
from tests.fuzz.simulation import Server, played
from tests.support.fuzz.values import FEATURES, Case

USUALLY = {"none": 80, "file": 120, "table": 100}  # cases in a run that asks for no number
SHOWN = 5


def kinds(found: list[str]) -> set[str]:
    """What kinds of differences there are."""
    return {line.replace("'", "").partition(",")[0].partition(": expected")[0] for line in found}


def smaller(judge: Judge, one: Case, without: frozenset[str]) -> tuple[Case, frozenset[str], list[str]]:
    """The same difference with as few features as possible: the case, what it is without, and how it differs."""
    found = judge(one)
    wanted = kinds(found)
    for feature in FEATURES:
        fewer = case(one.seed, one.ledger, without | {feature})
        if wanted <= kinds(seen := judge(fewer)):
            without, one, found = without | {feature}, fewer, seen
    return one, without, found


def check(judge: Judge, ledger: str, cases: Cases) -> None:
    """Judge the cases of some seeds. Raises AssertionError with the seeds and what was different."""
    seeds, without = cases.seeds(USUALLY[ledger]), cases.without
    wrong = [one for seed in seeds if judge(one := case(seed, ledger, without))]
    shown = []
    for one in wrong[:SHOWN]:
        least, left_out, found = smaller(judge, one, without)
        again = f"pytest tests/fuzz/test_random.py -k {ledger} --fuzz-seed {one.seed} --fuzz-cases 1"
        again += f' --fuzz-without "{",".join(sorted(left_out))}"' if left_out else ""
        shown.append("\n".join([again, least.describe(), *(f"  ! {line}" for line in found[:8])]))
    told = f"{len(wrong)} of {len(seeds)} cases differ, with the seeds {[one.seed for one in wrong][:50]}"
    if wrong:
        raise AssertionError("\n\n".join([told, *shown]))


@pytest.mark.parametrize("ledger", ["none", "file"])
def test_messages(cases: Cases, tmp_path: Path, ledger: str) -> None:
    def judge(one: Case) -> list[str]:
        return judged(lambda: played(one, tmp_path), one)

    check(judge, ledger, cases)


@pytest.mark.live
def test_messages_and_a_table(cases: Cases, tmp_path: Path, server: Server) -> None:
    def judge(one: Case) -> list[str]:
        return judged(lambda: played(one, tmp_path, server), one)

    check(judge, "table", cases)
