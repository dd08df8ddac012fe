"""The documentation: every block can be read by what it is for, every command exists, every link leads somewhere."""

import ast
import copy
import json
import re
import runpy
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer.main
from ruamel.yaml import YAML

from outbox_kit.cli import app
from outbox_kit.errors import BadSchemaFile
from outbox_kit.lint import formats
from outbox_kit.lint.formats import code
from outbox_kit.properties import properties
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from tests.support import pages
from tests.support.pages import Block

DIALECTS = {"mysql": "mysql", "mariadb": "mysql", "sqlserver": "tsql", "oracle": "oracle"}
LANGUAGES = {
    "console",
    "csharp",
    "dockerfile",
    "go",
    "java",
    "javascript",
    "json",
    "lua",
    "properties",
    "python",
    "sh",
    "sql",
}
LANGUAGES |= {"text", "toml", "typescript", "yaml"}
MINIMAL = {
    "service": "shop",
    "database": {"dialect": "postgres"},
    "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
}
PAGES = {str(page.relative_to(pages.ROOT)): page for page in pages.pages()}


def of(*languages: str) -> Any:
    """A test of each block in some languages."""
    chosen = [block for block in pages.all_blocks() if block.language in languages]
    return pytest.mark.parametrize("block", chosen, ids=lambda block: block.id)


def test_every_block_says_its_language() -> None:
    for page in pages.pages():
        text = re.sub(r"^```\{toctree\}\n.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        fences = re.findall(r"^ *```(.*)$", text, re.MULTILINE)[::2]
        assert set(fences) <= LANGUAGES, page
        assert len(fences) == len(pages.blocks(page)), page


@of("console", "sh")
def test_every_command_of_a_document_is_accepted(block: Block) -> None:
    for line in pages.typed(block):
        subprocess.run(["bash", "-n", "-c", line.command], check=True, capture_output=True)
        for arguments in pages.kit_commands(line.command):
            _parse(shlex.split(arguments))


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_command_in_a_sentence_is_accepted(page: str) -> None:
    if page.startswith("docs/reference/") or page == "docs/language.md":
        return
    text = re.sub(pages.FENCE, "", PAGES[page].read_text())
    for quoted in re.findall(r"`(outbox-kit [^`]*)`", text.replace("\n", " ")):
        for arguments in pages.kit_commands(quoted):
            words = shlex.split(arguments.replace("...", ""))
            known = _command(words)
            if not re.search(r"[A-Z]{3,}", arguments):
                options = {name for parameter in known.params for name in (*parameter.opts, *parameter.secondary_opts)}
                given = {word.partition("=")[0] for word in words if word.startswith("-")}
                assert given <= options | {"--help", "--help-all", "--debug", "-v", "-q", "--version"}, quoted


def _command(words: list[str]) -> Any:
    command: Any = typer.main.get_command(app)
    for word in words:
        if word not in getattr(command, "commands", {}):
            break
        command = command.commands[word]
    return command


def _parse(words: list[str]) -> None:
    """Read the words of a command line, without running the command. Raises UsageError."""
    command: Any = typer.main.get_command(app)
    switches = {"--debug", "--verbose", "-v", "--quiet", "-q"}
    arguments, name, parent = [word for word in words if word not in switches], "outbox-kit", None
    try:
        while True:
            context = command.make_context(name, arguments, parent=parent)
            remaining = [*getattr(context, "_protected_args", ()), *context.args]
            if not hasattr(command, "commands") or not remaining:
                return
            name, command, arguments = command.resolve_command(context, remaining)
            parent = context
    except typer.Exit:
        return


@of("yaml")
def test_every_yaml_of_a_document_is_read(block: Block, tmp_path: Path) -> None:
    documents = list(YAML(typ="safe", pure=True).load_all(block.text))
    for document in documents:
        if isinstance(document, dict) and next(iter(document)) in Outbox.model_fields and block.remark != "example":
            _read_schema(document, tmp_path)


def _read_schema(document: dict[str, Any], folder: Path) -> None:
    """Read a part of a schema file as one."""
    whole = copy.deepcopy(MINIMAL) | document
    for event in whole["events"]:
        if isinstance(event.get("payload"), str):
            path = folder / event["payload"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('{"type": "object"}')
    file = folder / "outbox.yaml"
    file.write_text(json.dumps(whole))
    try:
        for env in whole.get("environments", [None]):
            read(file, env)
    except BadSchemaFile as error:
        pytest.fail("\n".join(error.lines()))


@of("json", "toml", "python")
def test_every_value_and_program_of_a_document_is_well_formed(block: Block) -> None:
    {"json": _lines_of_json, "toml": tomllib.loads, "python": ast.parse}[block.language](block.text)


def _lines_of_json(text: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        for line in text.splitlines():
            json.loads(line)


@of("properties")
def test_every_property_of_a_document_has_a_name_and_a_value(block: Block) -> None:
    assert all(line.name and line.value for line in properties(block.text))


@of("sql")
def test_every_statement_of_a_document_is_parsed(block: Block) -> None:
    from sqlfluff.core import Linter

    dialect = DIALECTS.get(block.page.stem, "postgres")
    parsed = Linter(dialect=dialect).parse_string(block.text)
    assert not parsed.violations, parsed.violations


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_link_of_a_document_leads_somewhere(page: str) -> None:
    for link in pages.links(PAGES[page]):
        if link.startswith(("https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (PAGES[page].parent / path).resolve() if path else PAGES[page]
        assert target.exists(), f"{page} links to {link}"
        if anchor:
            assert target.suffix == ".md", link
            assert anchor in pages.anchors(target), f"{page} links to {link}: {sorted(pages.anchors(target))}"


def test_every_page_of_the_site_is_listed_once() -> None:
    listed = [
        str((index.parent / entry.strip()).relative_to(pages.ROOT / "docs"))
        for index in sorted((pages.ROOT / "docs").rglob("*.md"))
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```$", index.read_text(), re.DOTALL | re.MULTILINE)
        for entry in tree.splitlines()
        if entry.strip() and not entry.startswith(":")
    ]
    there = {str(page.relative_to(pages.ROOT / "docs").with_suffix("")) for page in (pages.ROOT / "docs").rglob("*.md")}
    assert sorted(listed) == sorted(there - {"index"})


def test_the_hooks_for_pre_commit_run_a_command_that_exists() -> None:
    hooks = YAML(typ="safe", pure=True).load((pages.ROOT / ".pre-commit-hooks.yaml").read_text())
    for hook in hooks:
        (arguments,) = pages.kit_commands(hook["entry"])
        _parse([*shlex.split(arguments), "outbox.yaml"])
        assert re.search(
            hook["files"], {"outbox-kit-check": "shop/outbox.yaml"}.get(hook["id"], "connectors/shop.json")
        )
    *_, of_connectors = hooks
    for suffix in {*formats.suffixes()} - {*code.FORMAT.suffixes}:  # a hook is not given every program
        assert re.search(of_connectors["files"], f"deploy/kafka-connect/shop{suffix}"), suffix
    for suffix in formats.TEMPLATES:
        assert re.search(of_connectors["files"], f"outbox.json{suffix}"), suffix
    assert not re.search(of_connectors["files"], "connectors/shop.py")


def test_the_diagram_is_the_one_that_its_script_draws() -> None:
    pictures = pages.ROOT / "docs" / "pictures"
    assert (pictures / "diagram.svg").read_text() == runpy.run_path(str(pictures / "draw.py"))["diagram"]()


def test_the_workflows_and_issue_forms_are_well_formed_and_make_targets_that_exist() -> None:
    makefile = (pages.ROOT / "Makefile").read_text()
    for file in sorted((pages.ROOT / ".github").rglob("*.yml")):
        YAML(typ="safe", pure=True).load(file.read_text())
        for target in re.findall(r"run: make (\w+)", file.read_text()):
            assert re.search(rf"^[\w ]*\b{target}\b[\w ]*:", makefile, re.MULTILINE), f"{file}: make {target}"
