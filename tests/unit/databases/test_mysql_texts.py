"""Values of MySQL's columns as the texts that the connector would send; the documents were compared with a real one."""

import pytest

from outbox_kit.databases.mysql.json_text import connector_text
from outbox_kit.databases.mysql.texts import base_type, column_texts, parameter


@pytest.mark.parametrize(
    ("server", "connector"),
    [
        ('{"a": [1, "é, : b"], "n": {}}', '{"a":[1,"é, : b"],"n":{}}'),
        ("[1.5, 1.0, 100.0, 0.001, -0.0]", "[1.5,1.0,100.0,0.001,-0.0]"),
        ("[10000000.0, 1.2345678901234568e22]", "[10000000,12345678901234567741440]"),
        ("12345678.9", "12345678.90000000037252902984619140625"),
        ("0.00001", "0.000010000000000000000818030539140313095458623138256371021270751953125"),
        ("[18446744073709551615, -9223372036854775808]", "[18446744073709551615,-9223372036854775808]"),
        (r'{"k\u001f\"": "\u0001\u001f \\u001f \\ \" 1.0, 2"}', r'{"k\u001F\"":"\u0001\u001F \\u001f \\ \" 1.0, 2"}'),
        ('[true, null, "", []]', '[true,null,"",[]]'),
    ],
)
def test_a_document_is_written_as_the_connector_does(server: str, connector: str) -> None:
    assert connector_text(server.encode()).decode() == connector


@pytest.mark.parametrize(
    ("written", "base"),
    [
        ("varchar(255)", "varchar"),
        ("bigint(20) unsigned", "bigint unsigned"),
        ("decimal(12,3)", "decimal"),
        ("longtext", "longtext"),
        ("TIMESTAMP(6)", "timestamp"),
    ],
)
def test_the_base_of_a_type(written: str, base: str) -> None:
    assert base_type(written) == base


def test_bytes_are_texts_that_can_be_given_back() -> None:
    text = column_texts("varbinary(20)").of(b"\x00\xff\\x41")
    assert text == rb"\x00ff5c783431"
    assert parameter("varbinary(20)", text.decode()) == b"\x00\xff\\x41"
    assert column_texts("longblob").of(None) is None


def test_numbers_are_compared_as_numbers() -> None:
    assert parameter("bigint(20)", str(2**63 - 1)) == 2**63 - 1
    assert parameter("varchar(20)", "1") == "1"
    assert parameter("timestamp(6)", "2026-11-24 08:00:00") == "2026-11-24 08:00:00"
