"""Whatever is given: findings, or one clear error. Never a traceback."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from outbox_kit.errors import BadConfigFile, OutboxKitError
from outbox_kit.findings import formats
from outbox_kit.findings.rule import Severity
from outbox_kit.lint import run
from outbox_kit.lint.fix import fixed
from outbox_kit.lint.rule import Edit
from outbox_kit.lint.subjects import from_configs, with_peers
from outbox_kit.render import outcome as words
from outbox_kit.router import options
from outbox_kit.versions import Version
from outbox_kit.wire import config_rows
from outbox_kit.wire.send import send
from tests.support.lint_score import CORPUS, PARTS
from tests.unit.lint.cases import CASES, HEALTHY, Case

RELEASES = st.sampled_from(["1.9", "2.0", "2.4", "2.5", "2.7.4", "3.0", "3.3", "3.5", "3.6.1", "3.7", "9.9"])
HEALTHY_CONFIGS = [Case(on=dialect).config() for dialect in HEALTHY]
KEYS = sorted({key for config in HEALTHY_CONFIGS for key in config} | {key for c in CASES.values() for key in c.change})
ODD = [
    "",
    " ",
    ",",
    ":",
    "a:",
    ":b",
    "$",
    "${",
    "${x",
    "\\",
    "(",
    "[",
    "(?<a>",
    "*",
    "null",
    "true",
    "-1",
    "1e9",
    "\x00",
]
TEXTS = st.one_of(
    st.text(max_size=20), st.sampled_from(ODD), st.sampled_from([v for c in HEALTHY_CONFIGS for v in c.values()])
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
CHANGED = st.tuples(
    st.sampled_from(HEALTHY_CONFIGS),
    st.dictionaries(st.sampled_from(KEYS) | TEXTS, SCALARS | ANYTHING, max_size=5),
    st.sets(st.sampled_from(KEYS), max_size=3),
).map(lambda parts: {k: v for k, v in (parts[0] | parts[1]).items() if k not in parts[2]})


def checked(text: str, release: str, name: str = "any") -> None:
    """All that `check` does with a text."""
    try:
        subjects = with_peers(from_configs(text, name, Version.of(release)))
    except OutboxKitError as error:
        assert error.what
        return
    found = run.check(subjects)
    report = run.report(subjects, found, Severity.error, 0)
    for name in formats.names():
        assert isinstance(formats.render(name, report), str)
    edits = [
        (subjects[0].document, Edit(**one.facts["edit"]))
        for one in found
        if one.facts["edit"] and one.facts["connector"] == subjects[0].document.name
    ]
    assert isinstance(fixed(text, name, edits).text, str)


@given(ANYTHING, RELEASES)
@settings(max_examples=100)
def test_any_json_is_checked(value: Any, release: str) -> None:
    checked(json.dumps(value), release)


@given(CHANGED, RELEASES, st.sampled_from(["config", "name"]))
@settings(max_examples=100)
def test_any_change_of_a_config_is_checked(config: dict[str, Any], release: str, shape: str) -> None:
    checked(json.dumps(config if shape == "name" else {"name": "a", "config": config}), release)


@pytest.mark.parametrize("value", ["²", "٣", "9" * 5000, "0" * 5000 + "2", "+2", "-" + "9" * 5000, "1_000"])
def test_any_number_is_checked(value: str) -> None:
    numbers = ("heartbeat.interval.ms", "max.queue.size", "max.batch.size", "tasks.max")
    sizes = ("producer.override.max.request.size", "log.mining.transaction.retention.ms")
    for config in HEALTHY_CONFIGS:
        checked(json.dumps({"name": "a", "config": config | dict.fromkeys((*numbers, *sizes), value)}), "3.6.1")


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda b: b.decode("latin-1")), RELEASES)
@settings(max_examples=100)
def test_any_text_is_checked(text: str, release: str) -> None:
    checked(text, release)


@given(CHANGED, RELEASES)
@settings(max_examples=100)
def test_any_properties_are_checked(config: dict[str, Any], release: str) -> None:
    checked("\n".join(f"{key}={value}" for key, value in config.items()), release)


YAML_PARTS = st.lists(
    st.sampled_from(
        [
            *(
                "kind: KafkaConnector",
                "spec:",
                "  class: x",
                "  config:",
                "    a: b",
                "metadata: {name: 1}",
                "config: []",
            ),
            *(
                "- ",
                "--- ",
                "&a ",
                "*a",
                "<<: *a",
                "{",
                "}",
                "[",
                "]",
                "|",
                ">",
                "? ",
                ": ",
                "\t",
                "!!x y",
                "'",
                "2026-01-01",
            ),
            *("connector.class: io.debezium.connector.mysql.MySqlConnector", "spec: 5", "parameters: [{name: X}]"),
        ]
    ),
    max_size=10,
)


@given(YAML_PARTS, RELEASES)
@example(["&a ", "{", "&a "], "3.6.1")
@settings(max_examples=100)
def test_any_yaml_is_checked(parts: list[str], release: str) -> None:
    checked("\n".join(parts), release)


WITHOUT_END = ["[" * 5000, '{"a":' * 5000, "- " * 3000, "{" * 3000, "a: &a [*a]", "\ufeff", "\x00", "%"]


@pytest.mark.parametrize("text", WITHOUT_END)
def test_texts_that_have_no_end_are_refused(text: str) -> None:
    checked(text, "3.6")


FILES = sorted(file for part in PARTS for file in (CORPUS / part).iterdir())
SIGNS = ["${}", "{{", "$(", "}", "]", '"', "'", "`", "\\", "\n", "\r", "\t", "#", "=", ": ", "%s"]
CHANGE = st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(["", *SIGNS]))
"""Where a text is changed, how much is left out there, and what is put in."""


@given(st.sampled_from(FILES), st.lists(CHANGE, min_size=1, max_size=6))
@settings(max_examples=200)
def test_any_change_of_a_file_is_checked(file: Path, changes: list[tuple[float, int, str]]) -> None:
    text = file.read_text(encoding="utf-8")
    for place, length, sign in changes:
        at = int(place * len(text))
        text = text[:at] + sign + text[at + length :]
    checked(text, "3.6.1", file.name)


TEXTS_THAT_FAILED = {
    "an expression without a name": ("A.kt", 'fun f() = mapOf("connector.class" to "a.B", "x" to "a-${}")'),
    "a pattern that is missing": (
        "a.properties",
        "debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
        "debezium.source.topic.prefix=a\ndebezium.source.table.include.list=public.b\n"
        "debezium.transforms=one\ndebezium.transforms.one.replacement=c\n"
        "debezium.transforms.one.type=org.apache.kafka.connect.transforms.RegexRouter\n",
    ),
    "a list with a line of something else": (
        "README.md",
        "```sh\nconnector.class=a.B\n" + "option.of.a.connector=value\n" * 200 + "something else\n```\n",
    ),
}


@pytest.mark.parametrize("name", TEXTS_THAT_FAILED)
def test_what_failed_once_is_checked(name: str) -> None:
    file, text = TEXTS_THAT_FAILED[name]
    checked(text, "3.6.1", file)


WORDS = ("text", "integer", "boolean", "real", "float", "numeric", "numeric(5,2)", "number(3)", "json", "nonsense")
MOMENTS = (
    "date",
    "time",
    "time(3)",
    "timestamp(6)",
    "timestamptz",
    "datetime2",
    "datetimeoffset",
    "bytea",
    "binary(16)",
)
SQL_TYPES = st.sampled_from(WORDS + MOMENTS)
COLUMNS = st.sampled_from(["id", "aggregateid", "aggregatetype", "payload", "type", "_id", "aggregateId", "at"])
TYPED = st.fixed_dictionaries({"type": SQL_TYPES | TEXTS, "value": ANYTHING})
ROWS = st.dictionaries(COLUMNS | TEXTS, ANYTHING | TYPED, max_size=6)


@given(CHANGED, ROWS, RELEASES, st.sampled_from("crudt"))
@settings(max_examples=100)
def test_any_row_is_previewed(config: dict[str, Any], row: dict[str, Any], release: str, operation: str) -> None:
    try:
        subject = from_configs(json.dumps({"config": config}), "any", Version.of(release))[0]
    except BadConfigFile:
        return  # infinite numbers are not JSON
    if subject.connector is None:
        return
    try:
        placed = [(entry.column, entry.place or "") for entry in subject.placement]
        columns = config_rows.of_config(subject.connector, subject.columns, placed, row)
        outcome = send(
            subject.connector, subject.config, subject.raw_topic, columns, subject.release, operation=operation
        )
    except OutboxKitError as error:
        assert error.what
        return
    assert words.text(outcome, 6)
    assert json.dumps(words.plain(outcome, None))


@given(TEXTS, st.sampled_from(options.CONNECTOR_FILES))
@settings(max_examples=100)
def test_any_type_of_a_column_is_known_or_not(sql_type: str, dialect: str) -> None:
    row = config_rows.of_config(dialect, {"id": "id"}, [], {"id": {"type": sql_type, "value": "1"}})
    try:
        send(dialect, HEALTHY_CONFIGS[0], "a.b.c", row, Version.of("3.6"))
    except OutboxKitError as error:
        assert error.what
