"""How lanes are shared out."""

from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.databases.polling import fair_share


@given(st.integers(1, 1024), st.sets(st.text(min_size=1), min_size=1, max_size=40))
def test_all_lanes_are_shared_out_and_no_member_has_two_more_than_another(lanes: int, names: set[str]) -> None:
    members = sorted(names)
    shares = [fair_share(lanes, members, member) for member in members]
    assert sum(shares) == lanes and max(shares) - min(shares) <= 1


def test_who_is_no_member_has_none() -> None:
    assert fair_share(16, ["a"], "b") == 0
