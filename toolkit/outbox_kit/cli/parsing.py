"""How a command line is read: the schema file as an argument, help."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from outbox_kit.cli.usage import UsageError, is_path, kind_of, unknown_command, usage_error

FILE_OPTION = "--file"
HELP_ALL = "--help-all"
ADVANCED = "Advanced"
"""The panel of the options that only `--help-all` shows."""


class _Readable:
    """What commands and groups share. Mixed into Typer's classes."""

    def prepared(self: Any, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, with a schema file that is an argument as the option --file. Raises UsageError."""
        raise NotImplementedError

    def parse_args(self: Any, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises UsageError in place of Typer's own errors."""
        if HELP_ALL in args and self.advanced(ctx):
            ctx.meta[HELP_ALL] = True
            args = ["--help"]
        _expect_one_environment(self.get_params(ctx), args)
        try:
            return list(super().parse_args(ctx, list(self.prepared(ctx, args))))  # type: ignore[misc]
        except typer.TyperException as error:
            if type(error).__name__ == "NoArgsIsHelpError":
                raise
            raise usage_error(error, ctx, args) from None

    def advanced(self: Any, ctx: Any) -> bool:
        """Whether the command has options that `--help` leaves out."""
        return any(getattr(param, "rich_help_panel", None) == ADVANCED for param in self.get_params(ctx))

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        """Usage, description, options by panel, and commands by group."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        for title, rows in self.sections(ctx):
            with formatter.section(title):
                formatter.write_dl(rows, col_max=32)
        if self.advanced(ctx) and not ctx.meta.get(HELP_ALL):
            formatter.write("\n")
            formatter.write_text(f"All options: {ctx.command_path} {HELP_ALL}")

    def sections(self: Any, ctx: Any) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The titles and rows of the help, arguments first."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            panel = getattr(param, "rich_help_panel", None) or kind_of(param)
            record = param.get_help_record(ctx)
            if record is not None and (panel != ADVANCED or ctx.meta.get(HELP_ALL)):
                panels.setdefault(panel, []).append((_label(param, record[0]), record[1]))
        yield from ((title, rows) for title, rows in panels.items() if rows)

    def collect_usage_pieces(self: Any, ctx: Any) -> list[str]:
        """The words after the command in the usage line."""
        arguments = [param for param in self.get_params(ctx) if kind_of(param) == "Arguments"]
        labels = [_label(param, "") if param.required else f"[{_label(param, '')}]" for param in arguments]
        file = ["[SCHEMA_FILE]"] if accepts_file(self) else []
        return ["[OPTIONS]", *labels, *file, *([self.subcommand_metavar] if isinstance(self, CommandGroup) else [])]


def _expect_one_environment(params: Sequence[Any], args: Sequence[str]) -> None:
    """Raise UsageError if the environment is repeated and the command takes one: the last would be taken silently."""
    single = any("--env" in param.opts and not param.multiple for param in params)
    options = args[: args.index("--")] if "--" in args else args
    if single and sum(argument.partition("=")[0] == "--env" for argument in options) > 1:
        fix = "run the command once for each environment; outbox-kit plan takes several"
        raise UsageError("--env is given more than once, and this command takes one environment", fix=fix)


# Typer's names of types, and what stands for a value of them
PLACEHOLDERS: Mapping[str, str] = {
    "<path>": "FILE",
    "<list[Path]>": "FILE",
    "<str>": "TEXT",
    "<list[str]>": "TEXT",
    "<int>": "NUMBER",
    "<int range>": "NUMBER",
    "<float range>": "NUMBER",
}


def _label(param: Any, words: str) -> str:
    """The first column of a parameter. words: as Typer writes it."""
    if kind_of(param) == "Arguments":
        return str(param.metavar or param.name.upper()) + ("..." if param.nargs == -1 else "")
    for name, placeholder in PLACEHOLDERS.items():
        words = words.replace(name, placeholder)
    return words


class Word(str):
    """An argument that is told from an equal one by its identity."""

    __slots__ = ()


class Command(_Readable, TyperCommand):
    """A command; one with the option --file takes the schema file as its last argument too."""

    def prepared(self: Any, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, with the first one that no parameter takes as --file. Raises UsageError for two files."""
        if not accepts_file(self) or ctx.resilient_parsing:
            return args
        words = [Word(argument) for argument in args]
        options, rest, _ = self.make_parser(ctx).parse_args(list(words))
        if not rest or "help" in options:
            return args
        if "file" in options:
            raise UsageError("two schema files are given", fix=f"leave out '{rest[0]}', or {FILE_OPTION}")
        return [FILE_OPTION, rest[0], *(word for word in words if word is not rest[0])]


class CommandGroup(_Readable, TyperGroup):
    """A command with commands of its own; one with the option --file takes the schema file as an argument too."""

    def prepared(self: Any, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, with the words that are files and no commands as --file."""
        if not accepts_file(self) or ctx.resilient_parsing:
            return args
        _, rest, _ = self.make_parser(ctx).parse_args(list(args))
        if not rest or rest[0] in self.commands or not is_path(rest[0]):
            return args
        first = len(args) - len(rest)
        return [FILE_OPTION, rest[0], *args[:first], *args[first + 1 :]]

    def resolve_command(self: Any, ctx: Any, args: list[str]) -> tuple[Any, Any, Any]:
        """The command of the first argument. Raises UsageError with the command that is probably meant."""
        if args and args[0] not in self.commands and not ctx.resilient_parsing:
            raise unknown_command(ctx, args[0], sorted(self.commands))
        command = super().resolve_command(ctx, args)
        if chosen := [param for param in self.params if _typed(ctx, param)]:
            name = chosen[0].opts[0]
            raise UsageError(
                f"'{name}' stands before the command '{args[0]}'",
                fix=f"write it after the command: {ctx.command_path} {args[0]} {name} ...",
            )
        return command

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        """As of a command, with the commands of the group."""
        super().format_help(ctx, formatter)
        for title, names in self.titled(ctx):
            rows = [(name, self.commands[name].get_short_help_str(200)) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows)

    def titled(self: Any, ctx: Any) -> Sequence[tuple[str, Sequence[str]]]:
        """The commands by the title that they are listed under."""
        return [("Commands", self.list_commands(ctx))]


def accepts_file(command: Any) -> bool:
    """Whether a schema file may be an argument: the command reads one, and no argument takes any number of values."""
    variadic = any(param.param_type_name == "argument" and param.nargs == -1 for param in command.params)
    return not variadic and any(FILE_OPTION in param.opts for param in command.params)


def _typed(ctx: Any, param: Any) -> bool:
    source = ctx.get_parameter_source(param.name)
    return source is not None and source.name == "COMMANDLINE" and ctx.parent is not None
