"""Whatever a schema file holds, each command ends by itself in a verdict or a message, never in a bug's exit code."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from outbox_kit import databases
from outbox_kit.cli import app
from outbox_kit.errors import OutboxKitError
from outbox_kit.schema import yaml
from outbox_kit.schema.model import Outbox
from tests.support import hostile

COMMANDS = {
    "check": ["check", "{}"],
    "gen-ddl": ["gen-ddl", "-f", "{}"],
    "gen-connector": ["gen-connector", "-f", "{}"],
    "gen-runbook": ["gen-runbook", "-f", "{}"],
    "gen-contracts": ["gen-contracts", "-f", "{}"],
    "preview": ["preview", "{}"],
    "import-contracts": ["import-contracts", "{}"],
}
SETTINGS = settings(max_examples=30, database=None, print_blob=True, suppress_health_check=list(HealthCheck))
TEXTS = st.one_of(
    st.sampled_from(
        [*hostile.TEXTS.values(), *hostile.NEVER.values(), "", "9" * 5000, "2026-13-45", "!!binary x", "*x"]
    ),
    st.text(st.characters(codec=None), max_size=20),
)
NUMBERS = st.one_of(st.integers(), st.floats(), st.sampled_from([10**400, -1, 0, 2**63]))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)
PARTS = {
    name: set(field.annotation.model_fields)
    for name, field in Outbox.model_fields.items()
    if hasattr(field.annotation, "model_fields")
}  # type: ignore[union-attr]
FLOWS = st.text(st.sampled_from(list("{}[]:,-&*!|>'\"#% \n\tab01?\\<~")), max_size=60)


def plain(dialect: str) -> dict[str, Any]:
    return {"service": "s", "database": {"dialect": dialect}, "events": [{"type": "A", "aggregate": "B"}]}


@st.composite
def changed(draw: st.DrawFn) -> dict[str, Any]:
    """A schema file of which one or two values are anything."""
    file = plain(draw(st.sampled_from(sorted(databases.ALL))))
    for _ in range(draw(st.integers(1, 2))):
        part = draw(st.sampled_from([*Outbox.model_fields, "event"]))
        if part == "event":
            file["events"][0][
                draw(st.sampled_from(["type", "aggregate", "payload", "follows", "rules", "description"]))
            ] = draw(VALUES)
        elif part in PARTS and draw(st.booleans()):
            inner = file.setdefault(part, {})
            if isinstance(inner, dict):
                inner[draw(st.sampled_from(sorted(PARTS[part])))] = draw(VALUES)
        else:
            file[part] = draw(VALUES)
        if not isinstance(file["events"], list) or not file["events"] or not isinstance(file["events"][0], dict):
            break
    return file


def ends(path: Path, command: str) -> None:
    """Run a command in this process, and see how it ends."""
    arguments = [word.format(path) for word in COMMANDS[command]]
    result = CliRunner().invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit | OutboxKitError):
        raise result.exception
    said = result.output if result.exception is None else "\n".join(getattr(result.exception, "lines", list)())
    said.encode("utf-8")
    assert "Traceback" not in said


@pytest.mark.parametrize("command", COMMANDS)
def test_any_values_end_in_a_message(command: str, tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"

    @SETTINGS
    @given(changed())
    @example(plain("postgres") | {"events": [{"type": "A", "aggregate": "B", "payload": {"oneOf": [True]}}]})
    @example(
        plain("postgres")
        | {"events": [{"type": "A", "aggregate": "B", "payload": {"type": "integer", "minimum": 1e400}}]}
    )
    @example(
        plain("mysql") | {"events": [{"type": "A", "aggregate": "B", "payload": {"minItems": 10**9, "items": {}}}]}
    )
    @example(plain("mysql") | {"routing": {"pattern": "(a{1,99999999999})", "topic": "{1}"}})
    def run(file: dict[str, Any]) -> None:
        path.write_text(json.dumps(file))
        ends(path, command)

    run()


@pytest.mark.parametrize("command", ["check", "gen-ddl", "import-contracts"])
def test_any_text_ends_in_a_message(command: str, tmp_path: Path) -> None:
    path = tmp_path / "outbox.yaml"
    head = "service: s\ndatabase: {dialect: postgres}\nevents: [{type: A, aggregate: B}]\n"

    @SETTINGS
    @given(FLOWS, st.booleans())
    def run(text: str, behind: bool) -> None:
        path.write_text(head + text if behind else text)
        ends(path, command)

    run()


@SETTINGS
@given(FLOWS)
def test_a_text_is_documents_or_is_refused_with_a_reason(text: str) -> None:
    try:
        list(yaml.loaded(text))
    except yaml.YAMLError as cause:
        assert yaml.why(cause) and "\n" not in yaml.why(cause)
