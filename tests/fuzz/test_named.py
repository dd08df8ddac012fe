"""Differences that random cases have shown, each by its name: a seed, and the few features that it takes.

A trait says what a case is about. Where it does not hold any more, the generator has changed: look for another seed.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.fuzz.case import case
from tests.fuzz.judge import judged
from tests.fuzz.simulation import played
from tests.support.fuzz.truth import expected
from tests.support.fuzz.values import FEATURES, NEVER, Case
from tests.support.fuzz.writers import ODD_PAYLOADS


class Named(NamedTuple):
    """A case. features: all that it has, in words that FEATURES has. trait: what it is about."""

    ledger: str
    seed: int
    features: tuple[str, ...]
    trait: Callable[[Case], bool]

    def case(self) -> Case:
        """The case itself."""
        return case(self.seed, self.ledger, frozenset(FEATURES) - set(self.features))


def has(kind: str) -> Callable[[Case], bool]:
    """Cases in which a fact of a kind has to be told."""
    return lambda one: any(fact[0] == kind for fact in expected(one).must)


def faulty(fault: str) -> Callable[[Case], bool]:
    """Cases with a message that differs from its row in one thing."""
    return lambda one: any(m.fault == fault for m in one.messages)


def copied_late(one: Case) -> bool:
    """Whether a copy came long after a row was cleaned up."""
    gone = {row.event_id for row in one.rows if row.deleted < 0}
    first = {m.event_id: m.at for m in reversed(one.messages)}
    return any(m.event_id in gone and m.at > first[m.event_id] + 60 for m in one.messages)


def came_late(one: Case) -> bool:
    """Whether messages came long after their rows, which are gone."""
    gone = {row.event_id: row for row in one.rows if row.deleted < NEVER}
    return any(m.event_id in gone and m.at - gone[m.event_id].written > 3600 for m in one.messages)


def same_end(one: Case) -> bool:
    """Whether all ids end alike, and events are lost."""
    return len({row.event_id[-12:] for row in one.rows}) == 1 and has("lost")(one)


def astray(one: Case) -> bool:
    """Whether an event came to another topic, behind later numbers of that topic's own aggregate of the same key."""
    events = [m for m in one.messages if m.sequence is not None]
    strays = [m for m in events if m.fault == "strayed"]
    return any(
        (m.topic, m.partition, m.key) == (o.topic, o.partition, o.key) and o.place < m.place and o.sequence > m.sequence
        for m in strays
        for o in events
        if not o.fault
    )


def committed_meanwhile(one: Case) -> bool:
    """Whether a transaction of several rows was open when the verification began, and none of them arrived."""
    arrived = {m.event_id for m in one.messages}
    open_rows = Counter(row.part for row in one.rows if row.committed and row.written < 0 < row.ends)
    return any(
        count > 1 and not any(row.event_id in arrived for row in one.rows if row.part == part)
        for part, count in open_rows.items()
    )


def phantom_in_a_cut_log(one: Case) -> bool:
    """Whether a message without a row stands in a partition whose beginning is gone."""
    return any(m.row < 0 and 0 < one.starts.get((m.topic, m.partition), 0) <= m.offset for m in one.messages)


NAMED = {
    "a phantom in a log whose beginning is gone": Named(
        "table", 1393933883, ("cut", "payloads", "phantoms", "sequence"), phantom_in_a_cut_log
    ),
    "JSON that PostgreSQL takes and others do not": Named(
        "none", 0, ("odd payloads",), lambda one: any(m.value in ODD_PAYLOADS for m in one.messages)
    ),
    "no message has an id": Named("none", 99, ("no id",), lambda one: all(m.fault == "no id" for m in one.messages)),
    "the first numbers of an aggregate are missing": Named("none", 10, ("sequence", "lost"), has("gap")),
    "an event is on another topic too": Named("none", 560, ("strayed",), has("twice")),
    "an event is on another topic, among an aggregate of its key": Named("none", 292, ("sequence", "strayed"), astray),
    "thousands of ids end in zeros": Named(
        "none", 592, ("large",), lambda one: one.ids == "counter" and len(one.messages) > 2000
    ),
    "the file has its ids in upper case": Named("file", 7, ("lost",), lambda one: one.upper),
    "the file's ids are ULIDs": Named("file", 3, (), lambda one: one.ids == "ulid" and len(one.rows) > 0),
    "the file has no times, and the first rows were not read": Named(
        "file", 0, ("no_data",), lambda one: "at" not in one.told and one.begins > -NEVER
    ),
    "the file has no times, and the topics' beginning is gone": Named(
        "file", 20, ("cut",), lambda one: "at" not in one.told and bool(one.starts)
    ),
    "the file has times, and the topics' beginning is gone": Named(
        "file", 112, ("sequence", "cut"), lambda one: "at" in one.told and bool(one.starts)
    ),
    "the file knows of keys in braces": Named(
        "file", 8, ("odd keys",), lambda one: any(m.key[0] in '{"' for m in one.messages)
    ),
    "ids of one host, lost and published though rolled back": Named(
        "file", 249, ("sequence", "payloads", "lost", "phantoms"), same_end
    ),
    "ids of one end, lost and cleaned up": Named("table", 2002, ("cleanup", "lost"), same_end),
    "ids of one end, invented": Named("table", 2552, ("late", "phantoms", "copies"), has("phantom")),
    "rows are cleaned up meanwhile": Named(
        "table", 20349, ("busy",), lambda one: any(0 <= row.deleted < NEVER for row in one.rows)
    ),
    "rows are cleaned up whose messages came late": Named("table", 2148, ("late", "cleanup"), came_late),
    "copies of rows that were cleaned up": Named("table", 2003, ("cleanup", "copies"), copied_late),
    "the table has keys in braces": Named(
        "table", 2000, ("odd keys",), lambda one: any(m.key[0] in '{"' for m in one.messages)
    ),
    "a payload is not its row's": Named("table", 2019, ("faults",), faulty("payload")),
    "a header is not its row's": Named("table", 2128, ("sequence", "tenant", "faults"), faulty("tenant")),
    "one wrong type among thousands": Named("table", 2141, ("tenant", "faults", "large"), faulty("type")),
    "a transaction that was open when the table was counted, without its messages": Named(
        "table", 50135, FEATURES, committed_meanwhile
    ),
    "rows are committed meanwhile, by a connector that stands": Named(
        "table",
        60906,
        FEATURES,
        lambda one: one.passes is None and any(row.committed and row.ends > 0 for row in one.rows),
    ),
    "all rows with messages are committed too late to be counted, and keys are in braces": Named(
        "table",
        6000163,
        ("odd keys", "cleanup", "during"),
        lambda one: (
            any(m.key[0] in '{"' for m in one.messages)
            and all(row.ends > 0 for row in one.rows if row.committed and row.deleted > 0)
        ),
    ),
    "the table's ids are ULIDs": Named("table", 2009, (), lambda one: one.ids == "ulid" and len(one.rows) > 0),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_named_case_is_about_what_its_name_says(name: str) -> None:
    assert NAMED[name].trait(NAMED[name].case())


@pytest.mark.parametrize("name", [name for name, one in NAMED.items() if one.ledger != "table"])
def test_a_named_difference_of_messages_is_gone(name: str, tmp_path: Path) -> None:
    one = NAMED[name].case()
    assert judged(lambda: played(one, tmp_path), one) == [], one.describe()


@pytest.mark.live
@pytest.mark.parametrize("name", [name for name, one in NAMED.items() if one.ledger == "table"])
def test_a_named_difference_of_a_table_is_gone(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    one, server = NAMED[name].case(), request.getfixturevalue("server")
    assert judged(lambda: played(one, tmp_path, server), one) == [], one.describe()
