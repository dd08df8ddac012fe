"""Which event may follow which: judged by the writer's order, without a word about what only came late or twice."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.schema.model import Outbox
from outbox_kit.verify import transitions
from tests.support.records import Record, examined, named, outbox_of, settled

EVENTS = [
    {"type": "OrderPlaced", "aggregate": "Order", "follows": []},
    {"type": "OrderPaid", "aggregate": "Order", "follows": ["OrderPlaced"]},
    {"type": "OrderClosed", "aggregate": "Order", "follows": ["OrderPlaced", "OrderPaid"], "initial": True},
    {"type": "OrderNoted", "aggregate": "Order"},
]


def outbox(assigned_by: str = "application", **changes: Any) -> Outbox:
    return outbox_of(events=EVENTS, ordering={"assigned_by": assigned_by}, **changes)


def life(*events: tuple[int, str], again: tuple[int, ...] = ()) -> list[Record]:
    """One aggregate's events by number and type; again: positions of those that come once more, at the end."""
    own = [
        Record(at=at, number=number, changes=(("eventType", kind.encode()),))
        for at, (number, kind) in enumerate(events)
    ]
    copies = [
        Record(len(own) + n, own[at].number, event_id=own[at].event_id, changes=own[at].changes)
        for n, at in enumerate(again)
    ]
    return [*own, *copies]


def found(own: Outbox, records: list[Record]) -> dict[str, int]:
    """What is said of one aggregate's life."""
    examination = examined(own, *records)
    return named(examination) | named(settled(examination, *[records] * 3))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([(1, "OrderPlaced"), (2, "OrderPaid"), (3, "OrderClosed")], {}),
        ([(1, "OrderNoted"), (2, "OrderNoted")], {}),
        ([(1, "OrderClosed")], {}),
        ([(1, "OrderPaid")], {"ORD-02": 1}),
        ([(1, "OrderPlaced"), (2, "OrderNoted"), (3, "OrderPaid")], {"ORD-02": 1}),
        ([(1, "OrderPlaced"), (2, "OrderPlaced"), (3, "OrderPaid")], {"ORD-02": 1}),
        # late on the topic, but written in order: only the first is wrong
        ([(1, "OrderPlaced"), (3, "OrderClosed"), (2, "OrderPaid")], {"ORD-01": 1}),
        # what is missing may have been in between
        ([(1, "OrderNoted"), (3, "OrderPaid")], {"LOS-02": 1}),
        # one number twice is a finding of its own
        ([(1, "OrderPlaced"), (2, "OrderPaid"), (2, "OrderPaid")], {"DUP-04": 1}),
    ],
)
def test_a_life_is_judged_in_the_order_in_which_it_was_written(
    events: list[tuple[int, str]], expected: dict[str, int]
) -> None:
    assert found(outbox(), life(*events)) == expected


def test_a_life_that_comes_again_has_not_been_lived_twice() -> None:
    whole = life((1, "OrderPlaced"), (2, "OrderPaid"), (3, "OrderClosed"), again=(0, 1, 2))
    assert found(outbox(), whole) == {"DUP-02": 3}


def test_numbers_of_the_database_leave_gaps_that_mean_nothing() -> None:
    assert found(outbox("database"), life((10, "OrderNoted"), (17, "OrderPaid"))) == {"ORD-02": 1}


def test_without_numbers_the_order_on_the_topic_counts() -> None:
    without = outbox_of(events=EVENTS, ordering={"sequence": None})
    records = [
        Record(at, changes=(("eventType", kind),), without=("sequence",))
        for at, kind in enumerate((b"OrderPlaced", b"OrderNoted", b"OrderPaid"))
    ]
    assert found(without, records) == {"ORD-02": 1}


def test_two_aggregates_that_share_a_key_live_their_own_lives() -> None:
    events = [*EVENTS, {"type": "Left", "aggregate": "Cart", "follows": ["Left"], "initial": True}]
    both = outbox_of(events=events, routing={"topic": "shop.Order"}, ordering={"sequence": None})
    cart = (("eventType", b"Left"), ("aggregateType", b"Cart"))
    order = (("eventType", b"OrderPlaced"),)
    paid = (("eventType", b"OrderPaid"),)
    records = [Record(at, changes=one, without=("sequence",)) for at, one in enumerate((order, cart, paid, cart))]
    assert found(both, records) == {}


def test_a_life_whose_beginning_is_gone_is_not_blamed_for_it() -> None:
    steps = frozenset(transitions.forbidden(outbox(), {"Order"}).tolist())
    paid = transitions.kinds(outbox())["Order", "OrderPaid"]
    assert [*transitions.illegal_transitions([(5, 70, paid)], steps, from_first=False, dense=True)] == []
    assert [*transitions.illegal_transitions([(5, 70, paid)], steps, from_first=True, dense=True)] == [
        (70, transitions.NOTHING, paid)
    ]


@given(
    st.permutations(range(1, 8)), st.lists(st.sampled_from([event["type"] for event in EVENTS]), min_size=7, max_size=7)
)
def test_in_whatever_order_a_life_arrives_the_same_steps_are_wrong(order: list[int], kinds: list[str]) -> None:
    steps, numbers = frozenset(transitions.forbidden(outbox(), {"Order"}).tolist()), transitions.kinds(outbox())
    written = [(n, n, numbers["Order", kind]) for n, kind in enumerate(kinds, 1)]
    arrived = [written[n - 1] for n in order]
    assert [*transitions.illegal_transitions(arrived, steps, from_first=True, dense=True)] == [
        *transitions.illegal_transitions(written, steps, from_first=True, dense=True)
    ]
