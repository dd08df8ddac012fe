"""What no name or text of a schema file may hold is refused with a sentence; and what is taken is only a name."""

import json
from pathlib import Path

import pytest

from outbox_kit import databases
from outbox_kit.errors import BadSchemaFile
from outbox_kit.schema.read import complaints, read
from tests.support import hostile


@pytest.mark.parametrize("dialect", databases.ALL)
@pytest.mark.parametrize("what", hostile.NEVER)
@pytest.mark.parametrize("field", hostile.FIELDS)
def test_what_ends_a_line_or_is_no_text_is_no_name(field: str, what: str, dialect: str) -> None:
    known = databases.get(dialect)
    if (field == "feed" and known.documents) or (field == "writer" and "writers" not in known.ddl.templates):
        return
    given = hostile.file(dialect, hostile.NEVER[what], (field,))
    found = complaints(given)
    assert found and all("\n" not in one and "\x1b" not in one for one in found)
    assert any("without control characters" in one or "remove it" in one for one in found)


@pytest.mark.parametrize("dialect", databases.ALL)
def test_most_texts_are_names_in_most_databases(dialect: str) -> None:
    taken = dict(hostile.outboxes(dialect))
    assert taken.keys() == hostile.TEXTS.keys()


@pytest.mark.parametrize(
    ("dialect", "part", "named"),
    [
        ("postgres", {"database": {"schema": "s" * 57}}, "database.schema"),
        ("postgres", {"database": {"name": "d" * 64}}, "database.name"),
        ("postgres", {"database": {"writers": ["ü" * 32]}}, "database.writers"),
        ("postgres", {"table": {"source": {"table": "f" * 64, "columns": {}}}}, "table.source.table"),
        ("sqlserver", {"database": {"schema": "\U0001f600" * 61}}, "database.schema"),
        ("sqlserver", {"database": {"user": "a$(b)"}}, "sqlcmd"),
        ("mysql", {"database": {"name": "end "}}, "a blank at its end"),
        ("mysql", {"table": {"name": "\U0001f600"}}, "a character beyond U+FFFF"),
        ("mongodb", {"database": {"name": "a/b"}}, "invalid database.name"),
        ("mongodb", {"database": {"name": "d" * 64}}, "database.name"),
    ],
)
def test_what_a_server_does_not_take_is_refused(dialect: str, part: dict[str, dict[str, object]], named: str) -> None:
    event = {"type": "A", "aggregate": "B"}
    given = {"service": "s", "events": [event], **part, "database": {"dialect": dialect, **part.get("database", {})}}
    assert any(named in one for one in complaints(given))


def test_each_is_told_with_its_place_and_none_is_shown_raw(tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    path.write_text(
        "service: orders\ndatabase: {dialect: postgres}\nevents:\n"
        '  - {type: "A\\0", aggregate: B}\n  - {type: "a\\nb", aggregate: B}\n'
        '  - {type: C, aggregate: B, description: "\\e[31m"}\n  - {type: D, aggregate: B, description: "\\ud800"}\n'
    )
    with pytest.raises(BadSchemaFile) as refused:
        read(path)
    assert list(refused.value.details) == [
        f"  {path}:4:6: 'events.0.type' contains U+0000 (a control character), which a schema file must not contain; "
        "remove it",
        f"  {path}:6:29: 'events.2.description' contains U+001B (a control character), which a schema file must "
        "not contain; remove it",
        f"  {path}:7:29: 'events.3.description' contains U+D800 (half of a surrogate pair), which a schema "
        "file must not contain; remove it",
    ]
    path.write_text('service: orders\ndatabase: {dialect: postgres}\nevents: [{type: "a\\nb", aggregate: B}]\n')
    with pytest.raises(BadSchemaFile) as refused:
        read(path)
    assert "invalid 'events.0.type' 'a\\nb': expected one line without control characters" in refused.value.details[0]


def test_a_contract_may_name_control_characters_and_no_half_of_a_pair(tmp_path: Path) -> None:
    path, contract = tmp_path / "outbox.yaml", tmp_path / "a.json"
    path.write_text("service: o\ndatabase: {dialect: postgres}\nevents: [{type: A, aggregate: B, payload: a.json}]\n")
    contract.write_text(json.dumps({"type": "string", "pattern": "[\0-\x1f]"}))
    assert read(path).outboxes
    contract.write_text(json.dumps({"type": "string", "title": "\ud800"}))
    with pytest.raises(BadSchemaFile) as refused:
        read(path)
    assert "U+D800" in refused.value.details[0]
