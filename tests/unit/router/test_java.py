"""Java's own texts, numbers and hashes, from vectors that a JVM printed."""

import struct

import pytest

from outbox_kit.router.convert import converter
from outbox_kit.router.javatext import double, single
from outbox_kit.router.partition import partition
from outbox_kit.router.values import Schema, Type

KEYS = [
    ("", 0, 9, 31),
    ("1", 0, 3, 9),
    ("42", 1, 4, 22),
    ('"42"', 0, 0, 36),
    ("10711fa5", 2, 11, 49),
    ("d4da2428-8b19-11ea-bc55-0242ac130003", 0, 0, 4),
    ("é", 0, 3, 21),
    ("😀", 0, 9, 17),
    ("abc", 0, 3, 7),
    ("abcd", 2, 8, 0),
    ("abcde", 1, 1, 41),
]
# JDK 18 and earlier write the last three with more digits than needed, such as 9.999999999999999E22
DOUBLES = """0.001 9.0E-4 9999999.0 1.0E7 1.0E22 0.002 4.9E-324 1.7976931348623157E308 -0.0 100.0 0.1
0.3333333333333333 2.0E-322 1.0E-5 123456.789 2.2250738585072014E-308 1.0E23 8.41E21 2.0E23"""
# two digits where one is enough; the digits above a power of two, to which the nearest float is twice as far
SINGLES = """1.4E-45 2.8E-45 -4.2E-45 9.8E-45 2.0E-44 1.1754944E-38 3.4028235E38 0.1 -0.0 1.0E7 9999999.0 2.0E10
1.2621775E-29 -1.2621775E-29 1.5474251E26 1.2379401E27 NaN -Infinity"""
TEXTS = [
    ("a/b", '"a/b"'),
    ("\u2028", '"\u2028"'),
    ("\x7f", '"\x7f"'),
    ("\x01", r'"\u0001"'),
    ("\t\n", r'"\t\n"'),
    ("é", '"é"'),
    ("\U0001f600", r'"\uD83D\uDE00"'),
    ('"\\', r'"\"\\"'),
    ("<>&'", '"<>&\'"'),
    ("\ud800", r'"\uD800"'),
]


@pytest.mark.parametrize(("key", "of_3", "of_12", "of_50"), KEYS)
def test_a_key_s_partition(key: str, of_3: int, of_12: int, of_50: int) -> None:
    assert [partition(key.encode(), count) for count in (3, 12, 50)] == [of_3, of_12, of_50]


@pytest.mark.parametrize("text", DOUBLES.split())
def test_a_double_is_written_as_java_does(text: str) -> None:
    assert double(float(text)) == text


@pytest.mark.parametrize("text", SINGLES.split())
def test_a_float_is_written_as_java_does(text: str) -> None:
    assert single(struct.unpack("f", struct.pack("f", float(text)))[0]) == text


@pytest.mark.parametrize(("text", "written"), TEXTS)
def test_a_text_is_escaped_as_the_json_converter_does(text: str, written: str) -> None:
    convert = converter("org.apache.kafka.connect.json.JsonConverter", {"schemas.enable": "false"})
    assert convert("t", Schema(Type.string), text) == written.encode()
