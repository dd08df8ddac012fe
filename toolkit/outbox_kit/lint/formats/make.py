"""Makefiles: connectors in the commands of their recipes, as the shell gets them."""

import re
from collections.abc import Iterator
from dataclasses import replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import QUOTED, Document
from outbox_kit.lint.excerpt import Excerpt
from outbox_kit.lint.format import Nested, TextFormat
from outbox_kit.lint.placeholders import placeholder

REFERENCE = lazy_pattern(r"\$\$|\$\((?P<round>[^()\s]+)\)|\$\{(?P<braces>[^{}\s]+)\}")
"""A dollar sign for the shell, or a variable of make."""
CONTINUED = lazy_pattern(r"(?:\\n[ \t]*|(?<=[\s,{}\[\]]))\\\n(?!\t)")
"""The end of a line that goes on, in an object of JSON or a text of echo. In a recipe make leaves it to the shell."""
RECIPE = lazy_pattern(r"^\t", re.MULTILINE)
RULE = lazy_pattern(r"^[\w./%-]+(?:[ \t]+[\w./%-]+)*[ \t]*:(?!=)[^\n]*\n\t", re.MULTILINE)


DEFINED = lazy_pattern(
    r"^(?:export[ \t]+)?define[ \t]+[\w.-]+[ \t]*[:?+!]*=?[ \t]*\n(\s*\{.*?)^endef\b", re.MULTILINE | re.DOTALL
)
"""A variable of several lines that is an object of JSON; others are commands."""


def read(excerpt: Excerpt, nested: Nested) -> Iterator[Document]:
    """Read the variables with an object of JSON, and the recipes as a script."""
    for match in DEFINED.finditer(excerpt.text):
        for document in nested(excerpt.part(*match.span(1)).replaced(REFERENCE, _expanded), ""):
            yield replace(document, expands="make", verbatim=False)
    script = excerpt.replaced(CONTINUED, lambda _: "\n").replaced(RECIPE, lambda _: "").replaced(REFERENCE, _expanded)
    for document in nested(script, ".sh"):
        yield replace(document, expands="make") if document.expands in ("", QUOTED) else document


def _expanded(match: re.Match[str]) -> str:
    name = match["round"] or match["braces"]
    return placeholder(name) if name else "$"


FORMAT = TextFormat(
    rank=12,
    title="a makefile",
    suffixes=(".mk", ".mak"),
    recognises=lambda text: RULE.search(text) is not None and not text.startswith("#!"),
    read=read,
    expected="a connector in quotes or in a here-document",
    keeps_suffix=True,
)
