"""Events without a table, in PostgreSQL's log: what the real transformation decodes, and the router makes of it."""

import json
from collections import Counter
from itertools import islice

import pytest

from outbox_kit.router.chain import EVENT_ROUTER, Message
from outbox_kit.router.events import message
from outbox_kit.router.transforms import DECODE
from tests.conformance import strategies as st
from tests.conformance.compare import compare
from tests.conformance.converters import CONVERTERS, STRING
from tests.support.rows import row

LINES = ("3.5.0.Final", "3.6.1.Final", "3.7.0.Final")
CONFIG = {
    "transforms": "decode,outbox",
    "transforms.decode.type": DECODE,
    "transforms.outbox.type": EVENT_ROUTER,
    "transforms.outbox.table.fields.additional.placement": "n:header,at:partition,type:header:eventType",
    "transforms.outbox.table.fields.additional.placement.missing.behavior": "ignore",
    "key.converter": STRING,
}
EVENT = {"id": "da8d6de6", "aggregatetype": "User", "aggregateid": "10711fa5", "type": "UserCreated", "n": 1, "at": 2}
PAYLOADS = ('{"a": 1}', "", " ", "null", None, {"a": 1}, 1, True)
BROKEN = ("", "x", "[]", "[1]", '[{"a": 1}]', "{", "{}", "null", '{"a":}', ' {"a": 1}', '{"payload": "x"}')
CONTENTS = [json.dumps({**EVENT, "payload": payload}) for payload in PAYLOADS] + list(BROKEN)


@pytest.mark.parametrize("nulls", ["false", "true"])
@pytest.mark.parametrize("tombstones", ["false", "true"])
@pytest.mark.parametrize("line", LINES)
def test_what_a_message_in_the_log_becomes(line: str, tombstones: str, nulls: str) -> None:
    config = CONFIG | {
        "transforms.outbox.route.tombstone.on.empty.payload": tombstones,
        "transforms.decode.fields.null.include": nulls,
    }
    records = [message("p.message", content) for content in CONTENTS]
    seen = Counter[str]()
    for converters in CONVERTERS:
        found, kinds = compare(config | converters, [*records, row()], [line])
        assert not found, found[0]
        seen += kinds
    assert seen["Message"] > 15


SCALARS = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False) | st.text(max_size=5)
FLAT = SCALARS | st.lists(SCALARS, max_size=3)  # in deeper ones the model fails as the real one does, in other words
JSON = FLAT | st.dictionaries(st.text(max_size=3), FLAT, max_size=3)
CHANGES = st.dictionaries(st.sampled_from([*EVENT, "payload"]), JSON, max_size=8)


def test_any_json_in_the_log_agrees(pytestconfig: pytest.Config) -> None:
    seen = Counter[str]()
    number = int(pytestconfig.getoption("--cases") * 0.02)
    cases = st.seeded(st.tuples(CHANGES, st.booleans(), st.booleans()), pytestconfig.getoption("--case-seed"))
    for name, (changes, whole, nulls) in islice(cases, number):
        content = json.dumps(({**EVENT, "payload": "{}"} if whole else {}) | changes)
        config = CONFIG | CONVERTERS[0] | {"transforms.decode.fields.null.include": str(nulls).lower()}
        found, kinds = compare(config, [message("p.message", content)], LINES)
        assert not found, f"{found[0]}\n   case: {name}, content: {content}"
        seen.update(kinds)
    assert seen[Message.__name__] > 100, seen
