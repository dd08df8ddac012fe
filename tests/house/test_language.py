"""Texts that users read are plain: phrases that were replaced once do not come back. See docs/language.md."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house import sources
from tests.house.sources import PACKAGE
from tests.support.each import ROOT, each

LEFT_OUT = ("router",)
"""`router` has the words of Debezium and Java."""
MODULES = [path for path in sources.MODULES if path.relative_to(PACKAGE).parts[0] not in LEFT_OUT]
PAGES = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "connectors")
    for path in (folder.glob("*.md") if folder == ROOT else folder.rglob("*"))
    if path.suffix in (".md", ".yaml") and path.name not in ("language.md", "glossary.md")
)
SCRIPTS = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] == "render"]
TEMPLATES = sorted((ROOT / "templates").rglob("*.j2"))
PHRASES = re.compile(
    r"\b((?<!there )is no (?!longer|more|known)|that is none|is none of|first read\b|who is there|nothing to complain|"
    r"not well\b|mend\b|without a word|could not be looked|of ours\b|of theirs\b|by itself\b|somebody else's|"
    r"its owner's|as the file says|knows no\b|no complaint|take it out\b|for as long as|made anew|holds back|"
    r"whoever\b|nobody\b|somebody|anybody\b|everybody\b|queue up\b|not a word\b|stands? (alone|still)\b|anew\b|"
    r"passe[sd] over\b|old enough to go|come again\b|(is|are) told not\b|looks at\b|is to be done|as it stands\b)",
    re.IGNORECASE,
)
SCRIPT_PHRASES = re.compile(
    r"\b((takes?|taken|took) [^.,:;]*\b(away|out)\b|for good\b|goes? on\b|is said\b|(is|are) told\b|and beats?\b|"
    r"who (writes|may|had)\b|knows?\b|put in\b|owner's\b|nothing else\b|(old|new) code\b|are no more\b|once more\b|"
    r"looked at\b)",
    re.IGNORECASE,
)
"""More phrases of this class, which pages and other messages use in a plain sense."""
MARKS = re.compile(r"--|//|/?\*|#|\"\"\"|\bthrow |\braise|Error\(|Exception\(|\| remark")
"""The marks of a line of a template that has a comment, documentation or a message, and not only statements."""


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module that are no documentation of its code, by line."""
    documentation = {id(node.value) for node in sources.nodes(path) if isinstance(node, ast.Expr)}
    for node in sources.nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.lineno, node.value


def remarks(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a template with a comment, documentation or a message; every line of a page."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if MARKS.search(line) or {".html", ".md"} & {*path.suffixes}:
            yield number, line


@each(MODULES)
def test_messages_are_in_plain_words(path: Path) -> None:
    assert [f"line {line}: {match[0]}" for line, text in texts(path) if (match := PHRASES.search(text))] == []


@each(PAGES)
def test_pages_and_registries_are_in_plain_words(path: Path) -> None:
    lines = enumerate(path.read_text().splitlines(), 1)
    assert [f"line {number}: {match[0]}" for number, line in lines if (match := PHRASES.search(line))] == []


@each(TEMPLATES)
def test_templates_are_in_plain_words(path: Path) -> None:
    hits = ((number, PHRASES.search(line) or SCRIPT_PHRASES.search(line)) for number, line in remarks(path))
    assert [f"line {number}: {match[0]}" for number, match in hits if match] == []


@each(SCRIPTS)
def test_texts_of_scripts_are_in_plain_words(path: Path) -> None:
    assert [f"line {line}: {match[0]}" for line, text in texts(path) if (match := SCRIPT_PHRASES.search(text))] == []
