"""The table of traps."""

from tests.support.traps import REMARKS, TRAPS, modules_by_trap


def test_each_trap_has_a_test_or_a_remark_that_says_why_not() -> None:
    tested = modules_by_trap()
    assert tested.keys() <= TRAPS.keys()
    assert [number for number in TRAPS if number not in tested and number not in REMARKS] == []
