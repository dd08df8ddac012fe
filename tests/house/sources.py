"""The kit's modules, each parsed once for all rules."""

import ast
from functools import cache
from pathlib import Path

from tests.support.each import ROOT

PACKAGE = ROOT / "toolkit" / "outbox_kit"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_assets" not in path.parts)


@cache
def tree(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_text())


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All nodes of a module."""
    return list(ast.walk(tree(path)))
