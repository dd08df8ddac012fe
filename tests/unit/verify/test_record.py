"""An application's own record of what it published."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import Outcome, Row
from outbox_kit.errors import BadLedger
from outbox_kit.verify.published_log import PublishedLog
from outbox_kit.wire.copies import copies
from tests.support.records import outbox_of

ONE, TWO, THREE = (f"0190a1f0-0000-7000-8000-00000000000{n}" for n in (1, 2, 3))
LINES = [
    {"id": ONE, "key": "7", "sequence": 1, "transaction": "t1", "at": "2026-11-20T10:00:00Z"},
    {"id": TWO, "key": "7", "outcome": "rolled_back", "transaction": "t1"},
    {"id": THREE, "key": 7, "outcome": "unknown", "at": 1_800_000_000_000, "other": {}},
]


def written(folder: Path, lines: list[dict[str, Any]], *, parquet: bool = False) -> Path:
    file = folder / "ledger.ndjson"
    file.write_text("\n".join(map(json.dumps, lines)))
    if not parquet:
        return file
    moments = [
        line | {"at": str(line.get("at", "")) or None, "key": str(line.get("key", "")) or None} for line in lines
    ]
    file.write_text("\n".join(map(json.dumps, moments)))
    duckdb.execute(f"copy (select * from read_json_auto('{file}')) to '{folder}/ledger.parquet'")
    return folder / "ledger.parquet"


@pytest.mark.parametrize("parquet", [False, True])
def test_a_file_is_a_ledger(tmp_path: Path, parquet: bool) -> None:
    record = PublishedLog(written(tmp_path, LINES, parquet=parquet), outbox_of())
    held = record.comparable_parts(copies(outbox_of()), 1)
    assert ([part.title for part in held.digested], held.sampled) == (["header sequence", "key"], ())
    found, number = record.snapshot(held.digested, 1), digest.number(ONE.encode(), [b"1", b"7"])
    assert (found.rows, found.buckets, found.oldest) == (1, {number % 4096: (1, number)}, 1_795_168_800_000)
    row = Row(ONE, None, None, "7", "1", None, 1_795_168_800_000, "t1", ("1", "7"))
    assert list(record.read(held.digested, None, 1)) == list(record.read(held.digested, [number % 4096], 1)) == [[row]]
    assert list(record.read(held.digested, [number % 4096 + 1], 1)) == []
    assert record.rows_of([ONE, TWO], 1) == {ONE: replace(row, values=())}
    assert (record.oldest(1), record.lowest(0, 1), record.lowest(2**50, 1)) == (1_795_168_800_000, 1, None)
    assert record.rows_per_transaction(["t1", "t2"], 1) == {"t1": 1}
    assert record.outcomes([ONE, TWO, THREE]) == {TWO: Outcome.rolled_back, THREE: Outcome.unknown}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "published log"),  # DuckDB passes over an unfinished line, or refuses it
        ("[1]", "cannot read the published log"),
        ('{"key": "1"}', "expected an event with an id"),
        ('{"id": "x", "outcome": "lost"}', "invalid outcome 'lost'"),
    ],
)
def test_a_file_that_is_no_ledger_is_one_message(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "ledger.ndjson"
    file.write_text(text)
    with pytest.raises(BadLedger, match=told) as error:
        PublishedLog(file, outbox_of())
    assert error.value.fix


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadLedger, match="cannot read the published log"):
        PublishedLog(tmp_path / "none.ndjson", outbox_of())


def test_what_only_some_events_say_is_compared_in_a_sample(tmp_path: Path) -> None:
    lines = [{"id": ONE, "key": "7", "sequence": 1}, {"id": TWO.upper(), "key": "8"}, {"id": TWO, "key": "8"}]
    record = PublishedLog(written(tmp_path, lines), outbox_of())
    held = record.comparable_parts(copies(outbox_of()), 1)
    assert ([p.title for p in held.digested], [p.title for p in held.sampled]) == (["key"], ["header sequence"])
    assert record.snapshot(held.digested, 1).rows == 2  # one event in two cases is one
