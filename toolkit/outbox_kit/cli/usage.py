"""What the command line does not accept, in outbox-kit's words: near misses, wrong values, missing ones."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from outbox_kit.errors import UsageProblem


class UsageError(UsageProblem):
    """The command line cannot be read."""


def kind_of(param: Any) -> str:
    """The title under which the help lists a parameter."""
    return "Arguments" if param.param_type_name == "argument" else "Options"


def is_path(word: str) -> bool:
    """Whether a word is a file's name rather than a command."""
    return word.endswith((".yaml", ".yml", ".json")) or "/" in word or Path(word).exists()


ALIKE = 0.7
"""How alike a word and the command that is probably meant are, from 0 to 1."""

# what other tools call a command
SYNONYMS: Mapping[str, str] = {
    "apply": "gen-ddl --apply",
    "asyncapi": "gen-contracts",
    "backfill": "snapshot start",
    "blue-green": "replace",
    "compare": "verify",
    "cutover": "hand-over",
    "ddl": "gen-ddl",
    "dead": "relay dead list",
    "dead-letters": "relay dead list",
    "delete": "remove",
    "describe": "status",
    "destroy": "remove",
    "diagnose": "doctor",
    "dlq": "relay dead list",
    "down": "stack down",
    "drift": "plan --check",
    "drop": "remove",
    "env": "config",
    "follow": "verify follow",
    "health": "doctor",
    "help": "--help",
    "inspect": "verify inspect",
    "lint": "check",
    "list": "status --all",
    "logging": "log-level",
    "logs": "stack logs",
    "migrate": "gen-ddl --diff OLD",
    "new": "init",
    "poll": "relay",
    "produce": "relay",
    "ps": "status --all",
    "publish": "relay",
    "replay": "resend",
    "republish": "resend",
    "reset": "offsets reset",
    "retry": "relay dead retry",
    "rewind": "offsets rewind",
    "run": "relay",
    "selftest": "verify selftest",
    "send": "resend",
    "show": "status",
    "sql": "gen-ddl",
    "start": "stack up",
    "switch": "hand-over",
    "test": "verify",
    "top": "status --watch",
    "trial": "replace",
    "undeploy": "remove",
    "uninstall": "remove",
    "unpause": "resume",
    "up": "stack up",
    "validate": "check",
    "version": "--version",
    "watch": "status --watch",
}


def unknown_command(ctx: Any, word: str, commands: Sequence[str]) -> UsageError:
    """The error for a word that is not a command. ctx: of the group. commands: those of the group."""
    from outbox_kit.schema.nearest import FEW, closest

    path, is_root = ctx.command_path, ctx.parent is None
    if is_root and is_path(word):
        return UsageError(f"unknown command '{word}'", fix=f"write the command first: {path} check {word}")
    parts = [name for name in commands if word and word in name.split("-")]
    suggested = SYNONYMS.get(word) if is_root else None
    if suggested is None:
        suggested = parts[0] if len(parts) == 1 else closest(word, commands, ALIKE)
    if suggested is None and not is_root and word in ctx.find_root().command.commands:
        return UsageError(f"unknown command '{word}' of '{path}'", fix=f"outbox-kit {word} --help")
    expectation = f"; expected one of {', '.join(commands)}" if len(commands) <= FEW else ""
    hint = f"; did you mean '{suggested}'?" if suggested else expectation
    return UsageError(f"unknown command '{word}'{hint}", fix=f"list the commands: {path} --help")


def usage_error(error: typer.TyperException, ctx: Any, args: Sequence[str]) -> UsageError:
    """Typer's error in outbox-kit's form. args: of the command."""
    kind, param = type(error).__name__, getattr(error, "param", None)
    fix = f"{ctx.command_path} --help"
    if kind == "NoSuchOption":
        near = (getattr(error, "possibilities", None) or [None])[0]
        hint = f"; did you mean '{near}'?" if near else ""
        return UsageError(f"unknown option '{getattr(error, 'option_name', '')}'{hint}", fix=fix)
    if kind == "MissingParameter" and param is not None:
        return UsageError(f"{_param_name(param)} is missing{_described(param)}", fix=fix)
    if kind == "BadParameter" and param is not None:
        from outbox_kit.schema.nearest import suggestion

        value = _value(ctx, param, args)
        near = suggestion(value.strip(" '"), _choices(param))
        return UsageError(f"invalid {_param_name(param)}{value}: expected {expected(param, error)}{near}", fix=fix)
    text = error.format_message().rstrip(".")
    extra = text.partition("Got unexpected extra argument(s) ")[2]
    return UsageError(f"unexpected argument '{extra[1:-1]}'" if extra else text[:1].lower() + text[1:], fix=fix)


def _param_name(param: Any) -> str:
    return str(max(param.opts, key=len)) if kind_of(param) == "Options" else str(param.metavar or param.name).upper()


def _described(param: Any) -> str:
    words = str(getattr(param, "help", None) or "").rstrip(".")
    return f": {words[:1].lower()}{words[1:]}" if words else ""


def _value(ctx: Any, param: Any, args: Sequence[str]) -> str:
    """The value that was given for a parameter, quoted; of a variable, with its name. Empty if it is not known."""
    if kind_of(param) == "Arguments":
        values = ctx.command.make_parser(ctx).parse_args(list(args))[0].get(param.name)
        texts = [values] if isinstance(values, str) else values or []
        refused = [value for value in texts if _number(param) is None or not value.isdecimal()]
        return f" '{refused[0]}'" if refused else ""
    names = param.opts
    for number, argument in enumerate(args):
        option, equals, value = argument.partition("=")
        if option in names:
            return f" '{value}'" if equals else f" '{args[number + 1]}'" if number + 1 < len(args) else ""
    variable = param.envvar
    if isinstance(variable, str) and variable in os.environ:
        return f" of the variable {variable} '{os.environ[variable]}'"
    return ""


def _choices(param: Any) -> list[str]:
    """The values of which a parameter takes one; empty if it takes others."""
    kind = param.type_descriptor
    return [str(getattr(choice, "value", choice)) for choice in kind.choices] if kind.is_choice else []


def _number(param: Any) -> str | None:
    """The kind of number that a parameter, or each value of it, takes; None if it takes no numbers."""
    annotation = param.type_descriptor.annotation
    single = next(iter(getattr(annotation, "__args__", ())), annotation)
    return {"int": "a whole number", "float": "a number"}.get(getattr(single, "__name__", ""))


def expected(param: Any, error: typer.TyperException) -> str:
    """What a parameter takes, for an error."""
    kind = param.type_descriptor
    if kind.is_choice:
        return "one of " + ", ".join(_choices(param))
    number = _number(param)
    least, most = getattr(param, "min", None), getattr(param, "max", None)
    if number is None:
        return error.format_message().partition(": ")[2] or "another value"
    between = f" from {least} to {most}" if most is not None else f" of at least {least}" if least is not None else ""
    return number + between
