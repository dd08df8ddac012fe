"""An application's own record of what it published."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from outbox_kit.errors import BadLedger
from outbox_kit.source.file import Record
from outbox_kit.source.ledger import Outcome, Row

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
    record = Record(written(tmp_path, LINES, parquet=parquet))
    found = record.snapshot(1)
    assert (found.rows, found.buckets, found.oldest) == (1, {1: (1, 1)}, 1_795_168_800_000)
    row = Row(ONE, None, None, "7", "1", None, 1_795_168_800_000, "t1")
    assert record.rows([1], 1) == record.rows_of([ONE, TWO], 1) == {ONE: row}
    assert record.together(["t1", "t2"], 1) == {"t1": 1}
    assert record.rows([2], 1) == {}
    assert record.outcomes([ONE, TWO, THREE]) == {TWO: Outcome.rolled_back, THREE: Outcome.unknown}
    assert record.fence() is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "cannot be read"),
        ("[1]", "cannot be read"),
        ('{"key": "1"}', "without an id"),
        ('{"id": "x", "outcome": "lost"}', "an outcome 'lost'"),
    ],
)
def test_a_file_that_is_no_ledger_is_one_message(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "ledger.ndjson"
    file.write_text(text)
    with pytest.raises(BadLedger, match=told) as error:
        Record(file)
    assert error.value.fix


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadLedger, match="cannot be read"):
        Record(tmp_path / "none.ndjson")
