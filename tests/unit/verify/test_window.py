"""Which part of a log is read."""

import pytest

from outbox_kit.errors import UsageProblem
from outbox_kit.kafka.read import Range
from outbox_kit.verify.reading.window import SCHEMA, Bound, Window, bound, within

RANGES = [Range("t", 0, 5, 100), Range("t", 1, 0, 0)]


class Clock:
    """A log that knows one moment."""

    def at(self, _: list[tuple[str, int]], milliseconds: int) -> dict[tuple[str, int], int]:
        return {("t", 0): 40} if milliseconds == 1_800_000_000_000 else {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("beginning", Bound()),
        ("now", Bound()),
        ("end-10", Bound(back=10)),
        ("ts:2027-01-15T08:00:00Z", Bound(milliseconds=1_800_000_000_000)),
        ("ts:2027-01-15T08:00:00", Bound(milliseconds=1_800_000_000_000)),
        ("ts:2027-01-15T09:00:00+01:00", Bound(milliseconds=1_800_000_000_000)),
    ],
)
def test_a_place_in_a_log_is_written_so(text: str, expected: Bound) -> None:
    assert bound(text) == expected


@pytest.mark.parametrize("text", ["", "end", "end-", "end-x", "ts:yesterday", "offset", "offsets:"])
def test_anything_else_is_refused_with_what_would_do(text: str) -> None:
    with pytest.raises(UsageProblem) as error:
        bound(text)
    assert error.value.fix


@pytest.mark.parametrize("offsets", [[], {"t": 1}, {"t": {"x": 1}}, {"t": {"0": "1"}}, {"t": {"0": -1}}])
def test_a_file_without_offsets_is_refused(offsets: object) -> None:
    for document in (offsets, {"schema": SCHEMA, "began_ms": 1, "offsets": offsets}):
        with pytest.raises(UsageProblem):
            bound("offsets:f", document)


@pytest.mark.parametrize("began", [None, True, "1", 1.5])
def test_a_file_that_does_not_say_when_its_reading_began_is_refused(began: object) -> None:
    document = {"schema": SCHEMA, "began_ms": began, "offsets": {"t": {"0": 3}}}
    with pytest.raises(UsageProblem):
        bound("offsets:f", document)
    assert bound("offsets:f", {**document, "began_ms": 7}) == Bound(offsets={"t": {"0": 3}}, began_ms=7)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (Bound(), Bound(), [(5, 100), (0, 0)]),
        (Bound(back=10), Bound(), [(90, 100), (0, 0)]),
        (Bound(back=1000), Bound(), [(5, 100), (0, 0)]),
        (Bound(milliseconds=1_800_000_000_000), Bound(), [(40, 100), (0, 0)]),
        (Bound(milliseconds=1), Bound(), [(100, 100), (0, 0)]),
        (Bound(), Bound(milliseconds=1_800_000_000_000), [(5, 40), (0, 0)]),
        (Bound(offsets={"t": {"0": 3}}), Bound(offsets={"t": {"0": 50}}), [(5, 50), (0, 0)]),
        (Bound(offsets={"t": {"0": 60}}), Bound(offsets={"t": {"0": 50}}), [(60, 60), (0, 0)]),
        (Bound(offsets={}), Bound(), [(5, 100), (0, 0)]),
    ],
)
def test_a_window_never_leaves_the_log(start: Bound, end: Bound, expected: list[tuple[int, int]]) -> None:
    assert [(r.start, r.end) for r in within(Window(start, end), RANGES, Clock())] == expected
