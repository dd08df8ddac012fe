"""Reference pages that follow from the program itself: commands, exit codes, and the JSON Schema for a catalogue."""

import inspect
import json
from collections.abc import Iterator
from typing import Any

import typer.main

from outbox_kit import errors
from outbox_kit.cli import app, usage
from outbox_kit.explain.options import GENERATED, markdown
from outbox_kit.schema.jsonschema import jsonschema

COMMANDS = """Every command and option, as `--help` and `--help-all` print them. The [overview](../commands.md)
has an example of each. `outbox-kit --install-completion` installs completion for your shell."""
EXIT_CODES = (
    """The exit code of every command. A script can rely on these; they do not change within a major version."""
)
SCHEMA_ID = "https://raw.githubusercontent.com/outbox-kit/outbox-kit/main/docs/reference/outbox-kit.schema.json"
ENDS = (
    ("0", "Success: no finding at or above `--fail-on`, nothing to change, or a passed verification."),
    ("1", "Findings, drift, or a file that is not up to date (`--check`)."),
    ("2", "Wrong usage: an invalid option or file, or a change that needs `--allow-destructive`."),
    ("3", "Inconclusive: something that had to be examined could not be. With `diff`: compatibility is undecided."),
    ("4", "The environment: a system is unreachable, denied a request, or did not finish in time."),
    ("70", "Internal error: a defect of outbox-kit. Please report it with the output of `--debug`."),
    ("130, 143", "Interrupted by Ctrl-C, or by SIGTERM."),
    ("141", "The reader of the output, such as `head`, has closed the pipe."),
)


def commands() -> str:
    """The page of all commands and their options."""
    root = typer.main.get_command(app)
    lines = ["# Command reference", "", GENERATED, "", COMMANDS, ""]
    lines += ["## outbox-kit", "", *_options(root, root.make_context("outbox-kit", [], resilient_parsing=True))]
    for path, command, context in _commands(root, "outbox-kit", None):
        pieces = " ".join(command.collect_usage_pieces(context))
        lines += [f"## {path}", "", f"`{path} {pieces}`".replace(" `", "`"), ""]
        lines += [markdown(inspect.cleandoc(command.help or "")), "", *_options(command, context)]
    return "\n".join(lines)


def exit_codes() -> str:
    """The page of exit codes, and of the errors that end in each."""
    lines = ["# Exit codes", "", GENERATED, "", EXIT_CODES, "", "| code | meaning |", "| --- | --- |"]
    lines += [f"| {code} | {meaning} |" for code, meaning in ENDS]
    lines += ["", "## Errors", "", "With `--format json`, `error.kind` is one of these.", ""]
    lines += ["| kind | code | meaning |", "| --- | --- | --- |"]
    lines += [
        f"| `{kind.__name__}` | {kind.exit_code} | {_sentence(kind)} |"
        for kind in _descendants(errors.OutboxKitError)
        if kind.__subclasses__() == []
    ]
    return "\n".join([*lines, ""])


def catalogue_schema() -> str:
    """The JSON Schema of the schema file in draft 7, the one that every editor and SchemaStore reads."""
    document = _draft_7({key: value for key, value in jsonschema().items() if not key.startswith("$")})
    definitions = {name: _draft_7(value) for name, value in jsonschema()["$defs"].items()}
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "$id": SCHEMA_ID}
    return json.dumps(head | document | {"definitions": definitions}, indent=2) + "\n"


def _draft_7(value: Any) -> Any:
    """A schema in draft 7, in which a reference has no neighbours."""
    if isinstance(value, list):
        return [_draft_7(element) for element in value]
    if not isinstance(value, dict):
        return value
    converted = {key: _draft_7(below) for key, below in value.items()}
    reference = converted.pop("$ref", None)
    if reference is None:
        return converted
    moved = {"$ref": reference.replace("#/$defs/", "#/definitions/")}
    return {**converted, "allOf": [moved]} if converted else moved


def _commands(group: Any, path: str, parent: Any) -> Iterator[tuple[str, Any, Any]]:
    context = group.make_context(path, [], parent=parent, resilient_parsing=True)
    for name in group.list_commands(context):
        command = group.commands[name]
        below = command.make_context(name, [], parent=context, resilient_parsing=True)
        yield f"{path} {name}", command, below
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}", None)


def _options(command: Any, context: Any) -> Iterator[str]:
    """The arguments and options of a command as a table."""
    records = [(param, param.get_help_record(context)) for param in command.get_params(context)]
    shown = [(param, record) for param, record in records if record is not None and "--help" not in param.opts]
    if shown:
        yield from ("| option | meaning |", "| --- | --- |")
        yield from (f"| `{_cell(record[0])}` | {_cell(markdown(record[1]))} |" for _, record in shown)
        yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _sentence(kind: type) -> str:
    return markdown(" ".join(inspect.cleandoc(kind.__doc__ or "").split()))


def _descendants(kind: type[errors.OutboxKitError]) -> Iterator[type[errors.OutboxKitError]]:
    for below in kind.__subclasses__():
        if below.__module__ in (errors.__name__, usage.__name__):
            yield below
            yield from _descendants(below)
