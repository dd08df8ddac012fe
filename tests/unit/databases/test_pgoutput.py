"""pgoutput's messages, byte by byte as PostgreSQL's documentation describes them."""

import struct

import pytest

from outbox_kit.databases.postgres import pgoutput
from outbox_kit.errors import DatabaseRefused

TEXT = "ü😀\n".encode()


def values(*texts: bytes | None) -> bytes:
    parts = (b"n" if text is None else b"t" + struct.pack(">I", len(text)) + text for text in texts)
    return b"".join(parts)


def insert(*texts: bytes | None) -> bytes:
    return b"I" + struct.pack(">I", 16_384) + b"N" + struct.pack(">H", len(texts)) + values(*texts)


def test_a_transaction_has_a_time_and_an_end() -> None:
    begin = b"B" + struct.pack(">qqI", 5 << 32, 1_000_000, 4711)
    assert pgoutput.begun(begin) == (5 << 32, 946_684_801.0, 4711)  # a second into the year 2000
    assert pgoutput.commit_end(b"C" + struct.pack(">Bqqq", 0, 7, (5 << 32) + 8, 0)) == (5 << 32) + 8


def test_a_row_is_its_texts() -> None:
    assert pgoutput.inserted(insert(b"1", None, b"", TEXT)) == [b"1", None, b"", TEXT]
    assert pgoutput.inserted(insert()) == []
    assert pgoutput.relation_of(insert()) == 16_384


def test_a_value_that_is_not_text_is_refused() -> None:
    with pytest.raises(DatabaseRefused, match="unknown kind 'b'"):
        pgoutput.inserted(insert()[:8] + b"b" + struct.pack(">I", 1) + b"x")


def test_a_relation_has_a_name_and_columns() -> None:
    columns = b"".join(
        bytes([flags]) + name.encode() + b"\0" + struct.pack(">Ii", oid, modifier)
        for flags, name, oid, modifier in ((1, "id", 2950, -1), (0, 'odd "name"', 1700, 655_366))
    )
    head = b"R" + struct.pack(">I", 16_384) + b"shop\0out box\0" + b"d" + struct.pack(">H", 2) + columns
    described = pgoutput.relation(head)
    assert described[:3] == (16_384, "shop", "out box")
    assert described.columns == (("id", 2950, -1), ('odd "name"', 1700, 655_366))


@pytest.mark.parametrize("transactional", [True, False])
def test_a_message_has_a_prefix_and_a_content(transactional: bool) -> None:
    content = b"\0{}" + TEXT
    data = b"M" + struct.pack(">Bq", transactional, 9) + b"shop_outbox\0" + struct.pack(">I", len(content)) + content
    assert pgoutput.logical_message(data) == ("shop_outbox", content, transactional)
