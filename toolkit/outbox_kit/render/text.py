"""The only module that uses Jinja: unknown names are errors, and every value passes a quoting filter."""

import json
import re
import shlex
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jinja2

from outbox_kit.assets import TEMPLATES
from outbox_kit.databases.facts import Dialect
from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern

DOLLAR = "\0"  # replaces a dollar sign of a value while a script is rendered: no value contains this character
TAG = lazy_pattern(r"\$\w*\$")
ANCHOR = lazy_pattern(r"<p>&lt;a id=&quot;([a-z0-9-]+)&quot;&gt;&lt;/a&gt;</p>")
LINE = 96  # characters of a value, so that the line has room for its name
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
    """A text without line breaks, for comments: even a file's name may contain a newline."""
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
    """A value as JSON, which is valid JavaScript; on one line if it fits."""
    flat = _flat(value)
    if len(line) + len(flat) <= LINE or not isinstance(value, dict | list | tuple):
        return flat
    below = f"{line}  "
    if not isinstance(value, dict):
        return f"[{below}{f',{below}'.join(_literal(item, below) for item in value)}{line}]"
    members = (f"{_flat(name)}: {_literal(item, below)}" for name, item in value.items())
    return f"{{{below}{f',{below}'.join(members)}{line}}}"


def _flat(value: object) -> str:
    """JSON on one line. Line separators of JavaScript are escaped, because a literal may be in a comment."""
    return json.dumps(value, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _marked(quote: Callable[..., str]) -> Callable[..., str]:
    """A filter that replaces dollar signs until the script is rendered and its own ones are known."""
    return lambda *parts: quote(*parts).replace("$", DOLLAR)


def _unmarked(script: str) -> str:
    """A rendered script with the dollar signs of its values; no value contains the tag of a quoted body ($block$).

    A name that held the tag of the body around it would end that body, and the rest of the name would be run.
    """
    values = TAG.sub("\n", script).replace(DOLLAR, "$")
    tags = {tag: tag for tag in dict.fromkeys(TAG.findall(script))}
    for tag in tags:
        while tags[tag] in values or list(tags.values()).count(tags[tag]) > 1:
            tags[tag] = f"{tags[tag][:-1]}_$"
    return TAG.sub(lambda match: tags[match[0]], script).replace(DOLLAR, "$")


@cache
def _sql_environment(folders: tuple[str, ...]) -> jinja2.Environment:
    """One environment for all parts of a script: a template is read once."""
    return _environment(*folders)


@cache
def _page_environment(folders: tuple[str, ...]) -> jinja2.Environment:
    """One environment for all chapters of a page, which have other filters."""
    return _environment(*folders)


def sql(template: str, dialect: Dialect, **context: Any) -> str:
    """Render one template of a dialect's script. A name that the context does not have is an error.

    Raises UsageProblem if the dialect does not have the template.
    """
    env, lead = _sql_environment(dialect.ddl.folders), f"{dialect.ddl.comment_prefix} "
    filters: dict[str, Callable[..., str]] = {
        "ident": lambda name: dialect.quote_ident(name) if isinstance(name, str) else dialect.quote_ident(*name),
        "idents": lambda names: ", ".join(dialect.quote_ident(*name) for name in names),
        "literal": dialect.quote_literal,
        "literals": lambda values: ", ".join(map(dialect.quote_literal, values)),
        "account": dialect.quote_account,
        "sqltype": dialect.types.__getitem__,
        "filling": dialect.ddl.default_clauses.__getitem__,
        "comment": one_line,
        "remark": lambda text: textwrap.fill(one_line(text), 116, initial_indent=lead, subsequent_indent=lead),
        "json": _literal,
        "sql": lambda value: value,  # a piece of SQL that Python made, quoted there
    }
    env.filters |= {name: _marked(quote) for name, quote in filters.items()}
    try:
        return _unmarked(env.get_template(template).render(context))
    except jinja2.TemplateNotFound as missing:
        raise UsageProblem(f"this script is not supported for {dialect.title}", where=str(missing)) from None


def in_shell(text: str) -> str:
    """A text, escaped for double quotes in a shell."""
    return re.sub(r'(["`$\\])', r"\\\1", text)


def code_span(text: str) -> str:
    """A text as a code span of Markdown: Markdown, HTML and backticks in it have no effect."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    room = " " if text.startswith("`") or text.endswith("`") or (text[:1] == text[-1:] == " ") else ""
    return f"{fence}{room}{text}{room}{fence}"


def code_cell(text: str) -> str:
    """A code span in a table, with escaped bars; a backslash before a bar remains a backslash."""
    return code_span(text).replace("|", "\\|")


def markdown(template: str, dialect: Dialect, **context: Any) -> str:
    """Render one Markdown template of a dialect."""
    return _markdown_environment(dialect).get_template(template).render(context, dialect=dialect)


def markdown_text(source: str, dialect: Dialect, **context: Any) -> str:
    """Render the text of a Markdown template of a dialect."""
    env = _markdown_environment(dialect)
    return _compiled(env, source).render(context, dialect=dialect)


@cache
def _compiled(env: jinja2.Environment, source: str) -> jinja2.Template:
    return env.from_string(source)


def _markdown_environment(dialect: Dialect) -> jinja2.Environment:
    env = _page_environment(dialect.ddl.folders)
    env.filters |= {"typed": shlex.quote, "in_shell": in_shell, "code": code_span, "cell": code_cell}
    env.filters |= {"literal": dialect.quote_literal, "json": _literal}
    return env


@cache
def _code_environment() -> jinja2.Environment:
    """One environment for all files of a program: shared parts are read once."""
    return _environment("code")


def code(template: str, filters: Mapping[str, Callable[..., Any]], **context: Any) -> str:
    """Render one file of a program. filters: the escapes of its language."""
    env = _code_environment()
    env.filters |= filters
    return env.get_template(template).render(context)


def html(template: str, **context: Any) -> str:
    """Render one HTML page; every value is escaped."""
    return _html_environment().get_template(template).render(context)


def page(source: str, *, title: str) -> str:
    """A Markdown document as one HTML page. HTML in the document is text, but for the anchors of its headings."""
    from markdown_it import MarkdownIt  # here, because most commands write no HTML

    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    body = ANCHOR.sub(r'<a id="\1"></a>', renderer.render(source))
    return html("page.html.j2", title=title, body=body)


@cache
def _html_environment() -> jinja2.Environment:
    return _environment("html", autoescape=True)


def starter(template: str, **context: Any) -> str:
    """Render a YAML file that users will edit; every value is written as a scalar."""
    env = _environment("common")
    env.filters |= {"scalar": _scalar, "comment": one_line}
    return env.get_template(template).render(context)


def _scalar(value: str) -> str:
    """Text as a YAML scalar: plain if possible, quoted if it could be read as another value."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_./-]*", value) and value.lower() not in NOT_PLAIN
    return value if plain else json.dumps(value)
