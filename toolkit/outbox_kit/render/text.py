"""The only module that speaks Jinja: strict about names, and every value passes a quoting filter."""

import json
import re
import shlex
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jinja2

from outbox_kit.assets import TEMPLATES
from outbox_kit.dialects.base import Dialect
from outbox_kit.errors import UsageProblem

LINE = 96  # characters of a value, with what stands before it there is room for its name
NOT_PLAIN = {
    "true",
    "false",
    "yes",
    "no",
    "on",
    "off",
    "null",
    "y",
    "n",
}  # YAML reads these as something else


def one_line(text: object) -> str:
    """A text that cannot leave its line: for comments, where even a file's name may hold a newline."""
    return " ".join(str(text).split())


def _environment(*folders: str, autoescape: bool = False) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([TEMPLATES / folder for folder in (*folders, "common")]),
        undefined=jinja2.StrictUndefined,
        autoescape=autoescape,  # noqa: S701 - HTML sets it; SQL has quoting filters
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _literal(value: object, line: str = "\n") -> str:
    """A value as JSON, which is JavaScript: what fits a line stands on it."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(line) + len(flat) <= LINE or not isinstance(value, dict | list | tuple):
        return flat
    below = f"{line}  "
    if not isinstance(value, dict):
        return f"[{below}{f',{below}'.join(_literal(each, below) for each in value)}{line}]"
    members = (f"{json.dumps(name, ensure_ascii=False)}: {_literal(each, below)}" for name, each in value.items())
    return f"{{{below}{f',{below}'.join(members)}{line}}}"


@cache
def _sql_environment(folders: tuple[str, ...]) -> jinja2.Environment:
    """One for all parts of a script: a template is read once."""
    return _environment(*folders)


def sql(template: str, dialect: Dialect, **context: Any) -> str:
    """Render one template of a dialect's script. A name the context lacks is an error, never an empty string.

    Raises UsageProblem where the dialect has no such template yet.
    """
    env, lead = _sql_environment(dialect.folders), f"{dialect.remark} "
    env.filters |= {
        "ident": lambda name: dialect.ident(name) if isinstance(name, str) else dialect.ident(*name),
        "idents": lambda names: ", ".join(dialect.ident(*name) for name in names),
        "literal": dialect.literal,
        "account": dialect.account,
        "sqltype": dialect.types.__getitem__,
        "filling": dialect.fills.__getitem__,
        "comment": one_line,
        "remark": lambda text: textwrap.fill(one_line(text), 116, initial_indent=lead, subsequent_indent=lead),
        "json": _literal,
        "sql": lambda given: given,  # a piece of SQL that Python made, quoted there
    }
    try:
        return env.get_template(template).render(context)
    except jinja2.TemplateNotFound as missing:
        raise UsageProblem(f"the kit cannot write this for {dialect.title} yet", where=str(missing)) from None


def markdown(template: str, dialect: Dialect, **context: Any) -> str:
    """Render one Markdown template of a dialect."""
    env = _environment(*dialect.folders)
    env.filters |= {"typed": shlex.quote, "literal": dialect.literal, "json": _literal}
    return env.get_template(template).render(context, dialect=dialect)


@cache
def _code_environment() -> jinja2.Environment:
    """One for all files of a program: they share parts, which are read once."""
    return _environment("code")


def code(template: str, filters: Mapping[str, Callable[..., Any]], **context: Any) -> str:
    """Render one file of a program. filters: what makes texts safe in its language."""
    env = _code_environment()
    env.filters |= filters
    return env.get_template(template).render(context)


def html(template: str, **context: Any) -> str:
    """Render one HTML page; every value is escaped."""
    return _html_environment().get_template(template).render(context)


@cache
def _html_environment() -> jinja2.Environment:
    return _environment("html", autoescape=True)


def starter(template: str, **context: Any) -> str:
    """Render a YAML file that a person will edit; every value is a scalar that stays one."""
    env = _environment("common")
    env.filters |= {"scalar": _scalar, "comment": one_line}
    return env.get_template(template).render(context)


def _scalar(value: str) -> str:
    """Text as a YAML scalar: bare where it is a plain word, quoted where it could mean something else."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*", value) and value.lower() not in NOT_PLAIN
    return value if plain else json.dumps(value)
