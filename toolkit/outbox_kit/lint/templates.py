"""What template languages put into a file: a placeholder for each of their values, nothing for their statements. Pure.

A placeholder is `$(name)` in every format, so that a reader of JSON or YAML takes it for a text.
"""

import re
from dataclasses import dataclass

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.placeholders import placeholder

STATEMENT = lazy_pattern(
    r"\{\{-?[ \t]*/\*(?:(?!\*/|\{\{-?[ \t]*/\*).)*\*/[ \t]*-?\}\}"
    r"|\{\{-?[ \t]*(?:(?:if|else|end|range|with|define|block|template|break|continue|\$\w+[ \t]*:?=)\b[^{}]*"
    r"|[#/^!>][^{}]*)[ \t]*-?\}\}|\{%(?:(?!\{%).)*?%\}",
    re.DOTALL,
)
COMMENT = lazy_pattern(r"\{#(?:(?!\{#).)*?#\}", re.DOTALL)
LINE = lazy_pattern(r"^[ \t]*\{\{[^{}]*\}\}[ \t]*,?[ \t]*$", re.MULTILINE)
"""A value that is a line of its own: members that the file does not show."""
VALUE = lazy_pattern(r"\$?\{\{\{?(?>'[^'\n]*'|[^{}\"`\n]|\"[^\"\n]*\"|`[^`\n]*`)*\}?\}\}")
OF_RUBY = lazy_pattern(r"<%(?![=%])(?:(?!%>).)*%>\n?", re.DOTALL)
"""A statement or a comment of ERB and EJS."""
DEFAULT = lazy_pattern(
    r"\|[ \t]*default(?:[ \t]+|\([ \t]*)[\"']([^\"']+)[\"']|\bdefault[ \t]+[\"']([^\"']+)[\"'][ \t]+\.", re.IGNORECASE
)
"""What a template puts in where a value is not given."""
FUNCTION = lazy_pattern(r"\{\{-?[ \t]*printf\b")
"""What makes a text of its arguments, whose defaults are parts of it."""
FORMATS = lazy_pattern(r"(?<=[\w)\"'])\.format\(")
"""The method of Python that takes two braces for one."""
FORMATTED = lazy_pattern(r"(?<!\w)r?[fF]r?[\"']")
"""The prefix of a text of Python in which two braces are one."""
TERRAFORM = (".tpl", ".tftpl")
"""Suffixes of templates in which `${name}` is replaced and `$${` escapes it."""
MAP = lazy_pattern(r'^[ \t]*"connector\.class"[ \t]*=[ \t]*"', re.MULTILINE)
"""The class of a connector in a map of Terraform, whose reader replaces `${name}` itself."""
INTERPOLATION = lazy_pattern(r"\$\$(?=\{)|(?<!\$)\$\{([^{}]*)\}")


@dataclass(frozen=True)
class Filled:
    """A text without the words of its template language."""

    excerpt: Excerpt
    conditional: bool = False
    """Whether parts of it depend on conditions."""
    hidden: frozenset[int] = frozenset()
    """The lines of the file that stand for parts which it does not show."""
    expands: str = ""
    """What replaces `${name}` in the text; empty if nothing does."""


def filled(excerpt: Excerpt, suffix: str = "") -> Filled:
    """A text with placeholders for the values of Helm, Go, Jinja, Ansible, Handlebars or Terraform.

    suffix: the last one of the file.
    """
    if suffix in TERRAFORM and "$${" in excerpt.text and not MAP.search(excerpt.text):
        return Filled(excerpt.replaced(INTERPOLATION, _interpolated), expands="the template")
    excerpt = excerpt.replaced(OF_RUBY, lambda _: "") if "<%" in excerpt.text else excerpt
    if _is_python(excerpt.text, suffix) or ("{{" not in excerpt.text and "{%" not in excerpt.text):
        return Filled(excerpt)
    bare = excerpt.replaced(COMMENT, lambda _: "")
    plain = bare.replaced(STATEMENT, lambda _: "")
    hidden = frozenset(plain.spot(match.start())[0] for match in LINE.finditer(plain.text))
    shown = plain.replaced(LINE, lambda _: "")
    return Filled(shown.replaced(VALUE, _placeholder), plain is not bare, hidden)


def _is_python(text: str, suffix: str) -> bool:
    """Whether two braces are those of Python, in a program that has no other template."""
    formats = FORMATS.search(text) or FORMATTED.search(text)
    return suffix == ".py" and formats is not None and "Template(" not in text


def _interpolated(match: re.Match[str]) -> str:
    return placeholder(match[1]) if match[1] is not None else "$"


def _placeholder(match: re.Match[str]) -> str:
    default = None if FUNCTION.match(match[0]) else DEFAULT.search(match[0])
    return placeholder(match[0].strip("${} -"), (default[1] or default[2]) if default else "")
