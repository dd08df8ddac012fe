"""MongoDB's documents as text: as its own driver writes and reads them with the settings of Debezium's connector."""

from functools import cache
from typing import Any

import pytest

from outbox_kit.router import bson, bsontext
from outbox_kit.router.bson import Bson
from outbox_kit.router.values import NotModelled
from outbox_kit.versions import Version
from tests.conformance import strategies as st
from tests.support.jvm import class_of

LINE = "3.6.1.Final"
MODES = {"strict": "STRICT", "legacy": "STRICT", "extended": "EXTENDED", "relaxed": "RELAXED"}
DAY_MS = 86_400_000
moments = st.integers(-(10**15), 10**15) | st.integers(0, 10**13) | st.integers(0, 40_000).map(lambda n: n * DAY_MS)
scalars = st.one_of(
    st.just(Bson("null", None)),
    st.booleans().map(lambda value: Bson("boolean", value)),
    st.text(max_size=6).map(lambda value: Bson("string", value)),
    st.integers(-(2**31), 2**31 - 1).map(lambda value: Bson("int32", value)),
    st.integers(-(2**63), 2**63 - 1).map(lambda value: Bson("int64", value)),
    st.floats().map(lambda value: Bson("double", value)),
    moments.map(lambda value: Bson("date", value)),
    (moments | st.sampled_from((500, 1, 999, 1000, 253_402_300_799_999))).map(lambda value: Bson("date", value)),
    st.binary(max_size=9).map(lambda value: Bson("binary", (value, "00"))),
    st.just(Bson("binary", (b"\x01\x02", "04"))),
    st.just(Bson("objectId", "6564e2c80000000000000001")),
    st.just(Bson("decimal128", "1.50")),
    st.just(Bson("timestamp", (2**32 - 1, 1))),
)
values = st.recursive(
    scalars,
    lambda below: (
        st.lists(below, max_size=3).map(lambda value: Bson("array", value))
        | st.dictionaries(st.text(max_size=3), below, max_size=3).map(lambda value: Bson("document", value))
    ),
)
documents = st.dictionaries(st.text(max_size=3), values, max_size=5).map(lambda value: Bson("document", value))


@cache
def settings(mode: str) -> Any:
    """The driver's settings for one of the connector's modes."""
    builder = class_of("org.bson.json.JsonWriterSettings", LINE).builder()
    chosen = getattr(class_of("org.bson.json.JsonMode", LINE), MODES[mode])
    return builder.outputMode(chosen).indent(True).indentCharacters("").newLineCharacters("").build()


@pytest.mark.random
@pytest.mark.parametrize("mode", MODES)
def test_a_document_is_sent_as_the_driver_writes_it(mode: str, pytestconfig: pytest.Config) -> None:
    parse = class_of("org.bson.BsonDocument", LINE).parse
    written, canonical = bsontext.forms({bsontext.MODE: mode}, Version.of("3.7")), bsontext.MODES["extended"]
    drawn = st.seeded(documents, pytestconfig.getoption("--case-seed"))
    for _ in range(300):
        name, document = next(drawn)
        try:
            text = bsontext.sent(document, written)
        except NotModelled:
            continue  # a character that not every Java escapes
        real = parse(bsontext.sent(document, canonical)).toJson(settings(mode))
        assert text == str(real), name
        try:
            again = bsontext.sent(bson.parse(text), canonical)
        except NotModelled:
            continue  # a member whose name begins like an extended type's
        assert again == str(parse(text).toJson(settings("extended"))), name


@pytest.mark.parametrize("unit", ["\ua7da", "\u0560", "\u088f", "\ufd91", "\u0378"])
def test_a_character_that_not_every_java_knows_is_not_modelled(unit: str) -> None:
    with pytest.raises(NotModelled, match="release of Java"):
        bsontext.sent(Bson("document", {"a": Bson("string", f"x{unit}")}), bsontext.STRICT)


def test_every_other_character_is_written_as_the_driver_does() -> None:
    parse = class_of("org.bson.BsonDocument", LINE).parse
    compared = 0
    for at in range(0x10000):
        document = Bson("document", {"a": Bson("string", chr(at))})
        try:
            text = bsontext.sent(document, bsontext.STRICT)
        except NotModelled:
            continue
        compared += 1
        assert text == str(parse(f'{{"a": "\\u{at:04x}"}}').toJson(settings("strict"))), hex(at)
    assert compared > 0xF000


def test_the_real_connector_writes_so_in_its_only_mode_before_3_7() -> None:
    real = class_of("io.debezium.connector.mongodb.JsonSerialization", LINE).COMPACT_JSON_SETTINGS
    own = settings("strict")
    for option in ("isIndent", "getNewLineCharacters", "getIndentCharacters", "getOutputMode"):
        assert str(getattr(real, option)()) == str(getattr(own, option)()), option


def test_a_mode_is_heeded_where_the_release_has_it() -> None:
    assert bsontext.forms({bsontext.MODE: "relaxed"}, Version.of("3.6")) is bsontext.STRICT
    assert bsontext.forms({bsontext.MODE: " Relaxed "}, Version.of("3.7")) is bsontext.RELAXED
    assert bsontext.forms({}, Version.of("3.7")) is bsontext.STRICT
