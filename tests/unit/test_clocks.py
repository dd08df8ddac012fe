"""Clocks that are apart: the age of a row is not known."""

import pytest

from outbox_kit.clocks import expect_agreement
from outbox_kit.errors import ClocksApart

NOW = 1_800_000_000.0


@pytest.mark.parametrize("ahead", [-3600, 0, 3600])
def test_clocks_that_are_an_hour_apart_agree(ahead: int) -> None:
    expect_agreement(NOW + ahead, NOW)


@pytest.mark.parametrize(("ahead", "words"), [(7200, "2 hours ahead of"), (-86_400, "24 hours behind")])
def test_clocks_that_are_further_apart_refuse_a_removal(ahead: int, words: str) -> None:
    with pytest.raises(ClocksApart, match=words):
        expect_agreement(NOW + ahead, NOW)
