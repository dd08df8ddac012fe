"""The one pass: the fast way and the thorough one must come to the same."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.records import OPEN, STRICT, TOPIC, Record, examined, named, outbox_of, settled

DEBEZIUM = (("__debezium.context.taskId", b"0"), ("__debezium.context.connectorName", b"postgresql"))


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        pytest.param(Record(), {}, id="nothing wrong"),
        pytest.param(Record(more=DEBEZIUM), {}, id="Debezium's context headers"),
        pytest.param(
            Record(changes=(("id", b"this is no uuid at all!!abcdefabcdef"),)), {"HDR-03": 1}, id="36 letters"
        ),
        pytest.param(Record(changes=(("id", b"\xff" * 24 + b"abcdefabcdef"),)), {"HDR-03": 1}, id="an id of bytes"),
        pytest.param(Record(changes=(("id", None),)), {"HDR-01": 1}, id="a null id"),
        pytest.param(Record(changes=(("eventType", None),)), {"HDR-01": 1}, id="a null type"),
        pytest.param(Record(changes=(("aggregateType", None),)), {"HDR-01": 1}, id="a null aggregate"),
        pytest.param(Record(changes=(("sequence", None),)), {"HDR-01": 1}, id="a null number"),
        pytest.param(Record(without=("eventType",)), {"HDR-01": 1}, id="no type"),
        pytest.param(Record(changes=(("eventType", b"\xff\xfe"),)), {"RTE-02": 1}, id="a type of bytes"),
        pytest.param(Record(changes=(("sequence", b"\xff"),)), {"HDR-03": 1}, id="a number of bytes"),
        pytest.param(Record(number=-5), {}, id="a number below zero"),
        pytest.param(Record(named=None), {"KEY-01": 1}, id="no key"),
        pytest.param(Record(text=b"\xff\x00"), {"PAY-01": 1}, id="a payload of bytes"),
        pytest.param(Record(text=b""), {"PAY-01": 1}, id="an empty payload"),
    ],
)
def test_one_thing_wrong_is_one_finding(record: Record, expected: dict[str, int]) -> None:
    assert named(examined(outbox_of(), record)) == expected


def test_a_connect_wrapper_is_found_even_where_the_schema_would_let_it_through() -> None:
    wrapped = Record(text=b'{"schema":{"type":"string"},"payload":"{}"}')
    assert named(examined(outbox_of(OPEN), wrapped)) == {"PAY-04": 1}
    assert named(examined(outbox_of(STRICT), wrapped)) == {"PAY-04": 1}


def test_an_event_that_declares_schema_and_payload_is_no_wrapper() -> None:
    own = OPEN | {"properties": {"schema": {"type": "object"}, "payload": {"type": "string"}}}
    assert named(examined(outbox_of(own), Record(text=b'{"schema":{},"payload":"x"}'))) == {}


def test_a_record_without_a_number_is_no_disorder() -> None:
    records = [Record(0, 1), Record(1, without=("sequence",)), Record(2, changes=(("sequence", b"one"),)), Record(3, 2)]
    examination = examined(outbox_of(), *records, partition=0)
    assert (named(examination)["HDR-01"], named(examination)["HDR-03"]) == (1, 1)
    assert named(settled(examination, records)) == {}


def test_a_record_without_a_number_leaves_no_gap_behind() -> None:
    numbered = outbox_of(ordering={"sequence": "version", "assigned_by": "application"})
    records = [Record(0, without=("sequence",)), Record(1, 7), Record(2, 9)]
    (gap,) = settled(examined(numbered, *records, partition=0), records)
    assert (gap.id, gap.samples[0].expected, gap.samples[0].actual) == (
        "LOS-02",
        "number 8 before it",
        "1 number missing",
    )


def test_without_numbers_an_id_in_two_partitions_is_not_called_disorder() -> None:
    unnumbered = outbox_of(ordering={"sequence": None})
    first = Record(0, without=("sequence",))
    again = replace(first, at=1)
    examination = examined(unnumbered, first, partition=0)
    examination.take(TOPIC, 1, [first])
    assert named(settled(examination, [first], [first])) == {"DUP-05": 1, "KEY-05": 1}
    examination.take(TOPIC, 0, [again])
    assert named(settled(examination, [first, again], [first])) == {"DUP-01": 1, "DUP-05": 1, "KEY-05": 1}


def test_no_payload_s_value_is_in_a_finding() -> None:
    examination = examined(outbox_of(STRICT), Record(text=b'{"n": "a secret"}'), Record(1, 2, text=b"a secret"))
    assert "secret" not in str([finding.samples for finding in examination.tally.findings])


def test_the_sums_of_two_events_do_not_depend_on_their_order() -> None:
    one, two = Record(0, 1), Record(1, 2)
    forth, back = examined(outbox_of(), one, two), examined(outbox_of(), two, one)
    assert np.array_equal(forth.tally.counts, back.tally.counts)
    assert np.array_equal(forth.tally.sums, back.tally.sums)


ODDITIES: list[dict[str, object]] = [
    {},
    {},
    {},
    {"more": DEBEZIUM},
    {"more": (("traceparent", b"x"),)},
    {"more": (("eventType", b"OrderPlaced"),)},
    {"changes": (("id", b"abcdefabcdef"),)},
    {"changes": (("id", None),)},
    {"changes": (("eventType", b"Other"),)},
    {"changes": (("sequence", b"1" * 30),)},
    {"changes": (("sequence", b"-1"),)},
    {"changes": (("sequence", b" 1"),)},
    {"without": ("sequence",)},
    {"without": ("id",)},
    {"named": None},
    {"named": b'"1"'},
    {"text": b""},
    {"text": b'"{}"'},
    {"text": b'{"schema":{},"payload":{}}'},
    {"text": b'{"n": "one"}'},
]


@given(st.lists(st.sampled_from(ODDITIES), max_size=12), st.sampled_from([OPEN, STRICT, None]), st.data())
def test_how_records_are_batched_says_nothing(
    odd: list[dict[str, object]], schema: object, data: st.DataObject
) -> None:
    records = [Record(at, at + 1, **one) for at, one in enumerate(odd)]  # type: ignore[arg-type]
    outbox = outbox_of(schema) if schema else outbox_of()
    whole = examined(outbox, *records, partition=0)
    cut = data.draw(st.integers(0, len(records)))
    parts = examined(outbox, *records[:cut], partition=0)
    for record in records[cut:]:
        parts.take(TOPIC, 0, [record])
    assert whole.tally.document() == parts.tally.document()
    assert named(settled(whole, records)) == named(settled(parts, records))
    assert whole.engine.keys() == parts.engine.keys()


@pytest.mark.parametrize(("event_id", "found"), [("-5", {}), ("5", {}), ("--5", {"HDR-03": 1}), ("5-", {"HDR-03": 1})])
def test_ids_of_a_bigint_may_be_negative(event_id: str, found: dict[str, int]) -> None:
    table = {"existing": True, "name": "events", "ids": "bigint"}
    assert named(examined(outbox_of(table=table), Record(event_id=event_id, without=("sequence",)))) == found


@pytest.mark.parametrize("text", [b'"[draft] hello"', b'"{x"', b'"[1] see footnote"', b'"7"'])
def test_a_text_that_only_begins_like_json_holds_none(text: bytes) -> None:
    assert "PAY-03" not in named(examined(outbox_of(None), Record(text=text)))
