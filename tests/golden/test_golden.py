"""What is generated, and the printed pages, byte for byte. `pytest tests/golden --update-golden` rewrites them."""

import json
from pathlib import Path

import pytest

from outbox_kit import dialects
from outbox_kit.connect import plan
from outbox_kit.lint import explain
from outbox_kit.preview.routes import Routes
from outbox_kit.render import code, connector, ddl, migration
from outbox_kit.render.runbook import runbook
from outbox_kit.schema.jsonschema import jsonschema
from outbox_kit.schema.read import read
from tests.live.pairs import outbox_of, pairs_of

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
PAIRED = ("an event more", "columns more", "other names", "partitions", "json to text", "the first tombstone")
MIGRATIONS = {
    "postgres": PAIRED,
    "mysql": PAIRED,
    "oracle": PAIRED,
    "sqlserver": ("columns more", "no version", "numbers by another name", "the first tombstone"),
    "mongodb": ("columns more", "other names"),
}
FILES = (
    "minimal.yaml",
    "orders/outbox.yaml",
    "every-choice.yaml",
    "shipments.yaml",
    "log.yaml",
    "mysql.yaml",
    "mariadb.yaml",
    "sqlserver.yaml",
    "presets.yaml",
    "mongodb.yaml",
    "oracle.yaml",
)


def artifacts() -> dict[str, str]:
    """Every golden file's text by its path below this folder."""
    found = {"outbox-kit.schema.json": json.dumps(jsonschema(), indent=2) + "\n"}
    for file in FILES:
        for outbox in read(EXAMPLES / file).outboxes:
            folder = f"{Path(file).parts[0].removesuffix('.yaml')}/{outbox.service}"
            dialect = dialects.named(outbox.database.dialect)
            found[f"{folder}/up.{dialect.script}"] = ddl.up(outbox)
            found[f"{folder}/down.{dialect.script}"] = ddl.down(outbox)
            found[f"{folder}/inbox.{dialect.script}"] = ddl.up(outbox, ddl.INBOX)
            found[f"{folder}/inbox-down.{dialect.script}"] = ddl.down(outbox, ddl.INBOX)
            found[f"{folder}/connector.json"] = connector.document(outbox)
            found[f"{folder}/explain.txt"] = "".join(f"{n} = {v}\n    {w}\n" for n, v, w in connector.explain(outbox))
            found[f"{folder}/RUNBOOK.md"] = runbook(outbox, Routes(outbox), arguments=("--service", outbox.service))
            for target in code.fitting(outbox):
                written = code.files(outbox, target)
                found |= {f"{folder}/{target.name}/{path}": text for path, text in written.items()}
    return found


def migrations() -> dict[str, str]:
    """The script from one schema file to the next, for each of some pairs."""
    found = {}
    for dialect, named in MIGRATIONS.items():
        for name in named:
            was, now = (outbox_of(more, dialect) for more in pairs_of(dialect)[name])
            edits = [edit.line() for edit in plan.between(connector.config(was), connector.config(now))]
            suffix = dialects.named(dialect).script
            found[f"migrations/{dialect}/{name.replace(' ', '-')}.{suffix}"] = migration.script(was, now, edits)
    return found


ARTIFACTS = artifacts() | migrations()


@pytest.mark.parametrize("name", sorted(ARTIFACTS))
def test_what_is_generated_is_what_was_reviewed(name: str, request: pytest.FixtureRequest) -> None:
    path = HERE / name
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ARTIFACTS[name])
    assert path.read_text() == ARTIFACTS[name]


PAGES = {"rules.md": explain.rules_page, "options.md": explain.options_page}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_printed_pages_are_those_of_the_data(name: str, request: pytest.FixtureRequest) -> None:
    path = HERE.parents[1] / "toolkit" / "docs" / name
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGES[name]())
    assert path.read_text() == PAGES[name]()


def test_no_golden_file_is_left_over() -> None:
    there = {str(path.relative_to(HERE)) for path in HERE.rglob("*") if path.is_file() and path.parent != HERE}
    assert {name for name in there if "__pycache__" not in name} == {name for name in ARTIFACTS if "/" in name}


def test_generating_twice_gives_the_same_bytes() -> None:
    assert artifacts() | migrations() == ARTIFACTS
