"""What an editor is told of a text, without a session: places, corrections, explanations, and texts of all kinds."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbox_kit.editor.examination import EditorReport, examined, explained
from outbox_kit.editor.places import Span, change, marked, plain_lines, word_at
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.run import RULES
from tests.unit.lint.cases import Case

PATH = Path("shop.json")
CONFIG = json.dumps({"name": "shop", "config": Case({"errors.tolerance": "all", "tasks.max": "4"}).config()}, indent=2)
YAML = """apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata: {name: shop}
spec:
  class: io.debezium.connector.postgresql.PostgresConnector
  config:
    errors.tolerance: all
"""
PROPERTIES = "name=shop\nconnector.class=io.debezium.connector.postgresql.PostgresConnector\nerrors.tolerance=all\n"
NAMES = ("a.json", "a.yaml", "a.properties", "a.sh", "README.md", "a.tf", "a.http", "a")
SERVER = "debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
SERVER += "debezium.source.slot.name=debezium\ndebezium.sink.type=kafka\n"
SCHEMA = "service: shop\ndatabase: {dialect: postgres}\nevents: [{type: A, aggregate: B}]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def text_at(text: str, span: Span) -> str:
    lines = plain_lines(text)
    assert span.line == span.end_line
    return lines[span.line][span.column : span.end_column]


def replaced(text: str, span: Span, new: str) -> str:
    lines = text.split("\n")
    head = "\n".join([*lines[: span.line], lines[span.line][: span.column]])
    tail = "\n".join([lines[span.end_line][span.end_column :], *lines[span.end_line + 1 :]])
    return head + new + tail


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nx\nc\n"),
        ("a\nb\nc\n", "a\nc\n"),
        ("a\nc\n", "a\nb\nc\n"),
        ("a\nb", "a\nc"),
        ("a\nb", "a"),
        ("a", "a\nb"),
        ("a", "b"),
        ("a\n", "a\nb\n"),
        ("a\na\n", "a\n"),
        ("a\n", "a\na\n"),
        ("", "a"),
        ("a", ""),
    ],
)
def test_a_change_is_of_whole_lines_and_makes_the_other_text(before: str, after: str) -> None:
    span, text = change(before, after)
    assert replaced(before, span, text) == after


@given(st.text("ab\n", max_size=12), st.text("ab\n", max_size=12))
def test_every_change_makes_the_other_text(before: str, after: str) -> None:
    span, text = change(before, after)
    assert replaced(before, span, text) == after


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [(1, 3, '"a.b"'), (2, 1, "a.b"), (2, 5, "c"), (3, 1, "(x) y"), (3, 99, "(x) y"), (99, 1, "end"), (0, 0, "  ")],
)
def test_a_mark_is_the_word_or_the_rest_of_the_line(line: int, column: int, expected: str) -> None:
    lines = plain_lines('  "a.b": 1\na.b=c d\r\n(x) y  \rend')
    span = marked(lines, line, column)
    assert lines[span.line][span.column : span.end_column].startswith(expected)
    assert span.end_column <= len(lines[span.line])


def test_a_word_is_found_at_each_of_its_places() -> None:
    lines = ['  "a.b": x']
    assert [word_at(lines, 0, column) for column in (0, 3, 6, 9)] == [None, ("a.b", 3), ("a.b", 3), ("x", 9)]
    assert word_at(lines, 5, 0) is None


@pytest.mark.parametrize(
    ("text", "name", "marked_text"),
    [
        (CONFIG, "shop.json", '"errors.tolerance"'),
        (YAML, "shop.yaml", "errors.tolerance"),
        (PROPERTIES, "shop.properties", "errors.tolerance"),
        (CONFIG.replace("\n", "\r\n"), "shop.json", '"errors.tolerance"'),
        (f"{SCHEMA}connect: {{config: {{errors.tolerance: all}}}}\n", "outbox.yaml", "errors.tolerance"),
    ],
)
def test_a_remark_marks_the_key_in_every_format(text: str, name: str, marked_text: str) -> None:
    (remark,) = [each for each in examined(text, Path(name)).remarks if each.rule == "errors-tolerance-all"]
    assert text_at(text, remark.span) == marked_text
    assert remark.severity is RULES.get("errors-tolerance-all").severity


def test_a_correction_is_the_change_that_fix_makes() -> None:
    report = examined(CONFIG, PATH)
    by_title = {correction.title: correction for correction in report.corrections}
    tasks = by_title["Set tasks.max=1"]
    assert replaced(CONFIG, tasks.span, tasks.text) == CONFIG.replace('"tasks.max": "4"', '"tasks.max": "1"')
    assert report.everything is not None and report.everything.safe
    assert replaced(CONFIG, report.everything.span, report.everything.text) == replaced(CONFIG, tasks.span, tasks.text)


def test_an_accepted_finding_and_an_excluded_file_are_not_remarked(tmp_path: Path) -> None:
    rules = {remark.rule for remark in examined(CONFIG, tmp_path / "shop.json").remarks}
    settings = tmp_path / ".outbox-kit.toml"
    settings.write_text('[ignore]\nerrors-tolerance-all = "known"\n')
    assert {remark.rule for remark in examined(CONFIG, tmp_path / "shop.json").remarks} == rules - {
        "errors-tolerance-all"
    }
    settings.write_text('exclude = ["*.json"]\n')
    assert examined(CONFIG, tmp_path / "shop.json") == EditorReport()


def test_every_mistake_of_a_schema_file_has_its_place() -> None:
    text = SCHEMA.replace("postgres", "postgers") + "tabel: {}\n"
    remarks = examined(text, Path("outbox.yaml")).remarks
    assert {(remark.span.line, remark.rule) for remark in remarks} == {(1, ""), (3, "")}
    assert {remark.severity for remark in remarks} == {Severity.error}


@pytest.mark.parametrize(
    "text", ["", "{", "{}", "hello", '{"name": "package"}', "a: [", "kind: Deployment\n", "\ufeff"]
)
def test_nothing_is_remarked_of_a_text_that_is_no_config(text: str) -> None:
    assert examined(text, PATH) == EditorReport()


@pytest.mark.parametrize(
    "text",
    [
        CONFIG[: len(CONFIG) // 2],
        '{"connector.class": ',
        "[" * 100_000 + '"connector.class"',
        "connector.class: [\n",
    ],
)
def test_a_text_that_cannot_be_read_has_one_remark(text: str) -> None:
    (remark,) = examined(text, PATH).remarks
    assert remark.severity is Severity.error
    assert explained(text, PATH, 0, 3) is None or "connector.class" in str(explained(text, PATH, 0, 3))


def test_a_text_that_can_be_read_in_parts_has_remarks_on_these_too() -> None:
    remarks = examined('{"connector.class": "x", "connector.class": {}}{', PATH).remarks
    assert len(remarks) > 1 and "invalid JSON" in remarks[0].text


def test_a_defect_of_a_rule_is_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("outbox_kit.lint.run.check", broken)
    (remark,) = examined(CONFIG, PATH).remarks
    assert "ZeroDivisionError; please report it" in remark.text


@pytest.mark.random
@given(st.data())
def test_no_text_ends_a_session(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from([CONFIG, YAML, PROPERTIES, SERVER, SCHEMA]))
    start, end = sorted((data.draw(st.integers(0, len(source))), data.draw(st.integers(0, len(source)))))
    text = source[:start] + data.draw(st.text(max_size=8)) + source[end:]
    name = Path(data.draw(st.sampled_from(NAMES)))
    lines = plain_lines(text)
    for remark in examined(text, name).remarks:
        assert 0 <= remark.span.line < len(lines)
        assert 0 <= remark.span.column <= remark.span.end_column <= len(lines[remark.span.line])
    explained(text, name, data.draw(st.integers(0, len(lines))), data.draw(st.integers(0, 40)))


@pytest.mark.parametrize(
    ("text", "name", "line", "column", "expected"),
    [
        (CONFIG, "a.json", 4, 8, "topic.prefix (the PostgreSQL connector"),
        (PROPERTIES, "a.properties", 2, 3, "errors.tolerance ("),
        (SERVER, "a.properties", 1, 20, "slot.name (the PostgreSQL connector"),
        (YAML, "a.yaml", 6, 8, "errors.tolerance ("),
        (PROPERTIES, "a.properties", 2, 18, ""),
        (PROPERTIES, "a.properties", 9, 0, ""),
        ("tasks.max = 1\n", "a.properties", 0, 1, ""),
    ],
)
def test_an_option_is_explained_where_its_key_stands(
    text: str, name: str, line: int, column: int, expected: str
) -> None:
    explanation = explained(text, Path(name), line, column)
    assert (explanation.text if explanation else "").startswith(expected) and bool(explanation) is bool(expected)
