"""JSON that the quick parser refuses: read slowly, judged all the same, and said why where it is none."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.verify.reading import jsontext
from outbox_kit.verify.reading import members as fields
from outbox_kit.verify.reading.jsontext import JUDGED, NotJSON, Parsed
from tests.support.records import OPEN, Record, examined, named, outbox_of

DEEP = b'{"n": 1, "a": ' + b"[" * 1100 + b"]" * 1100 + b"}"
LIMITED = {
    "type": "object",
    "required": ["n"],
    "properties": {"n": {"type": "number", "minimum": 0}, "s": {"type": "string"}},
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_a_document_is_read_as_it_was_written(value: Any, plain: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=plain, indent=indent).encode()
    assert jsontext.read(text).document == value


def known(text: bytes) -> bool:
    """Whether another parser, which is as strict, takes a text."""

    def refuse(_: str) -> None:
        raise ValueError

    try:
        json.loads(text.decode(), parse_constant=refuse)
    except ValueError:
        return False
    return True


PIECES = ['"', "\\", "\\u", "d800", "{", "}", "[", "]", ",", ":", "1", "0", "-", ".", "e", "+", " ", "true", "NaN", "a"]


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join) | st.text(max_size=5))
def test_what_is_json_is_what_a_strict_parser_takes(text: str) -> None:
    try:
        jsontext.read(text.encode())
    except NotJSON:
        assert not known(text.encode())
    else:
        assert known(text.encode())


@given(st.binary(max_size=12))
def test_any_bytes_are_json_or_are_not(raw: bytes) -> None:
    try:
        jsontext.read(raw)
    except NotJSON as why:
        assert 0 <= int(str(why).rpartition(" ")[2]) <= len(raw)
        with pytest.raises(ValueError, match=r".*"):
            orjson.loads(raw)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b'{"a": ["\\ud800"], "\\udfff": 1}', Parsed({}, 2, ["/a/*", "/*"], [])),
        (b'{"n": 1e400, "m": [-1e999]}', Parsed({}, 2, [], ["/n", "/m/*"])),
        (b"1" + b"0" * 400, Parsed({}, 0, [], [""])),
        (DEEP, Parsed({}, 1101)),
    ],
)
def test_what_is_odd_is_named_with_its_place(text: bytes, found: Parsed) -> None:
    read = jsontext.read(text)
    assert (read.depth, read.halves, read.beyond) == (found.depth, found.halves, found.beyond)


def test_integers_are_exact_and_what_is_beyond_a_double_is_its_largest() -> None:
    read = jsontext.read(b'{"a": 123456789012345678901234567890, "b": -1e400, "c": "x\\ud800"}')
    assert read.document == {"a": 123456789012345678901234567890, "b": -jsontext.LARGEST, "c": "x\ufffd"}
    assert jsontext.read(b"-" + b"9" * 309).beyond == [""]


def test_many_levels_are_read_and_cut_without_recursion() -> None:
    read = jsontext.read(b"[" * 200_000 + b"]" * 200_000)
    assert read.depth == 200_000
    assert list(fields.inexact(read.document)) == []
    cut = jsontext.pruned(read.document, 3)
    assert cut == [[[None]]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b'{"n": 1, "s": "\\ud800"}', {"PAY-13": 1}),
        (b'{"n": 1e400}', {"PAY-09": 1}),
        (b'{"n": -1e400}', {"PAY-09": 1, "PAY-02": 1}),
        (DEEP, {"PAY-13": 1, "RUN-16": 1}),
        (DEEP.replace(b"1", b"-1", 1), {"PAY-13": 1, "PAY-02": 1}),
        (b'{"n": "\\ud800"}', {"PAY-13": 1, "PAY-02": 1}),
        (b'{"n": 1, "s": "\\ud83d\\ude00"}', {}),
        (b'{"n": NaN}', {"PAY-01": 1}),
        (b'\xef\xbb\xbf{"n": 1}', {"PAY-01": 1}),
    ],
)
def test_what_the_quick_parser_refuses_is_judged_by_the_contract_all_the_same(
    value: bytes, expected: dict[str, int]
) -> None:
    assert named(examined(outbox_of(LIMITED), Record(text=value))) == expected


def test_a_rule_is_asked_of_what_the_quick_parser_refuses() -> None:
    events = [{"type": "OrderPlaced", "aggregate": "Order", "payload": LIMITED, "rules": ["payload.n < 5.0"]}]
    own = outbox_of(events=events)
    assert named(examined(own, Record(text=b'{"n": 1.5, "s": "\\ud800"}'))) == {"PAY-13": 1}
    assert named(examined(own, Record(text=b'{"n": 7.5, "s": "\\ud800"}'))) == {"PAY-13": 1, "PAY-07": 1}
    large = b'{"n": 1.5, "m": 1' + b"0" * 300 + b', "s": "\\ud800"}'
    assert named(examined(own, Record(text=large))) == {"PAY-13": 1}
    deeper = b'{"n": 1.5, "a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert named(examined(own, Record(text=deeper))) == {"PAY-13": 1, "RUN-16": 1}


SELF = OPEN | {"properties": {"a": {"$ref": "#/$defs/l"}}, "$defs": {"l": {"items": {"$ref": "#/$defs/l"}}}}


@pytest.mark.parametrize("levels", [JUDGED, 900, 1500])
@pytest.mark.parametrize("schema", [OPEN | {"properties": {"a": {"enum": [1]}}}, SELF, None])
def test_a_payload_that_is_too_deep_is_not_judged_and_a_small_stack_bears_it(levels: int, schema: object) -> None:
    event = {"type": "OrderPlaced", "aggregate": "Order", "payload": schema, "rules": ["!('b' in payload)"]}
    deep = b'{"a": ' + b"[" * levels + b"]" * levels + b"}"
    assert on_a_small_stack(lambda: named(examined(outbox_of(events=[event]), Record(text=deep))))["RUN-16"] == 1


@pytest.mark.parametrize("schema", [OPEN | {"properties": {"a": {"uniqueItems": True}}}, SELF, None])
def test_as_many_levels_as_are_judged_are_judged(schema: object) -> None:
    event = {"type": "OrderPlaced", "aggregate": "Order", "payload": schema, "rules": ["'a' in payload"]}
    deep = b'{"a": ' + b"[" * (JUDGED - 1) + b"]" * (JUDGED - 1) + b"}"
    assert on_a_small_stack(lambda: named(examined(outbox_of(events=[event]), Record(text=deep)))) == {}


def on_a_small_stack(act: Callable[[], dict[str, int]]) -> dict[str, int]:
    """What a function returns in a thread with a stack of 512 KiB, which macOS gives to any but the first."""
    before = threading.stack_size(512 * 1024)
    try:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(act).result()
    finally:
        threading.stack_size(before)


@pytest.mark.parametrize("levels", [300, 1500, 100_000])
def test_what_is_beyond_doubt_is_said_of_a_payload_however_deep(levels: int) -> None:
    compared = LIMITED | {"properties": {"n": {"type": "number"}, "a": {"enum": [1]}}}
    broken = b'{"n": "x", "a": ' + b"[" * levels + b"]" * levels + b"}"
    for value in (broken, broken[16:-1]):
        assert named(examined(outbox_of(compared), Record(text=value)))["PAY-02"] == 1
    either = OPEN | {"anyOf": [{"properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/l"}}}}]}
    either |= {"$defs": {"l": {"type": "array", "items": {"$ref": "#/$defs/l"}}}}
    deep = b'{"a": ' + b"[" * levels + b"]" * levels + b"}"
    assert "PAY-02" not in named(examined(outbox_of(either), Record(text=deep)))


def test_why_a_payload_is_none_is_said_without_its_values() -> None:
    examination = examined(outbox_of(LIMITED), Record(text=b'{"card": 4711000 "x"}'))
    ((sample,),) = [finding.samples for finding in examination.tally.findings]
    assert sample.actual == "21 bytes that are not JSON: neither , nor } at byte 17"


def test_a_text_of_which_a_schema_or_a_rule_speaks_must_be_json() -> None:
    ruled = outbox_of(
        events=[{"type": "OrderPlaced", "aggregate": "Order", "rules": ["payload.n > 0"]}], table={"payload": "text"}
    )
    assert named(examined(ruled, Record(text=b"{"))) == {"PAY-01": 1}
    assert named(examined(outbox_of(None, table={"payload": "text"}), Record(text=b"{"))) == {}


@pytest.mark.parametrize("number", [2**53 + 1, 2**64 + 1, -(2**63) - 1, 10**30])
@pytest.mark.parametrize("schema", [LIMITED, None])
def test_integers_of_any_size_are_among_the_numbers_that_not_every_reader_tells_apart(
    number: int, schema: object
) -> None:
    value = json.dumps({"n": 1, "m": number}).encode()
    (kept,) = examined(outbox_of(schema), Record(text=value)).tally.sample
    assert kept[1].inexact == ("/m",)


@pytest.mark.parametrize("value", [b'{"n": 1e30}', b'{"n": 1.5e300}', b'{"n": 9007199254740992}'])
def test_numbers_that_are_doubles_by_intention_are_not(value: bytes) -> None:
    (kept,) = examined(outbox_of(LIMITED), Record(text=value)).tally.sample
    assert kept[1].inexact == ()


def test_members_of_what_the_quick_parser_refuses_count_for_the_schema_s_coverage() -> None:
    (kept,) = examined(outbox_of(LIMITED), Record(text=b'{"n": 1, "s": "\\ud800"}')).tally.sample
    assert kept[1].fields == ("/n", "/s")
    (kept,) = examined(outbox_of(LIMITED), Record(text=DEEP)).tally.sample
    assert kept[1].fields == ()  # not judged whole
