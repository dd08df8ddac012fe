"""The number of a row and a message: the same for the same, another for everything else."""

from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.databases import digest
from outbox_kit.verify.reading import batch as columns

VALUES = st.none() | st.text("a\x1e\x1f", max_size=3).map(str.encode)
ROWS = st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=6)


@given(ROWS)
def test_what_differs_has_another_number_whatever_characters_it_has(rows: list[tuple[bytes | None, ...]]) -> None:
    numbers = {digest.number(b"1", row) for row in rows}
    assert len(numbers) == len(set(rows))


@given(ROWS)
def test_many_have_the_numbers_that_each_has(rows: list[tuple[bytes | None, ...]]) -> None:
    many = columns.digests([b"1"] * len(rows), [list(part) for part in zip(*rows, strict=True)])
    assert many.tolist() == [digest.number(b"1", row) for row in rows]


def test_nothing_but_ids_can_be_compared_too() -> None:
    assert columns.digests([b"1", b"2"], []).tolist() == [digest.number(one, []) for one in (b"1", b"2")]
