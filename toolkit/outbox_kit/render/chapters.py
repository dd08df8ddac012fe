"""The chapters of runbooks: a template each, found by listing, with its metadata at its beginning. Pure.

The files are in `templates/FOLDER/runbook/chapters/DELIVERY/`: FOLDER is that of a database or `common`, DELIVERY is
`connector`, `relay`, or `any`. The name of the file is the anchor of the chapter, by which alerts name it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from outbox_kit import databases
from outbox_kit.assets import TEMPLATES
from outbox_kit.databases.facts import Dialect

COMMON = "common"
"""The folder of the chapters for all databases."""
ANY = "any"
"""The folder of the chapters for all deliveries."""
SUFFIX = ".md.j2"
MARK = "---\n"


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """A chapter of a runbook."""

    id: str
    """Its anchor. Public and never reused."""
    delivery: str
    """The delivery that it is about: `connector`, `relay` or `any`."""
    title: str
    """Its heading. `{sink}`, `{rows}` and `{unsent}` stand for words of the outbox."""
    order: int
    """Its position in a runbook: a number, the lowest first."""
    body: str
    """The template of its text."""
    severity: str = ""
    """How soon an operator must act: critical, high or low; empty for planned changes."""
    when: Mapping[str, object] = field(default_factory=dict)
    """The properties that an outbox must have for the chapter to apply; see `render.runbook`."""
    findings: Sequence[str] = ()
    """The rules of `doctor` whose violation the chapter is about."""
    drills: Sequence[str] = ()
    """The drills that execute its commands."""
    undrilled: str = ""
    """Why there is no drill, and what was proven instead."""


@cache
def chapters(folders: tuple[str, ...]) -> Sequence[Chapter]:
    """The chapters in the folders of a database and in the common one, in order. folders: of templates; a chapter of an
    earlier one replaces one of a later one."""
    listed: dict[tuple[str, str], Chapter] = {}
    for folder in (COMMON, *reversed(folders)):
        for path in sorted((TEMPLATES / folder / "runbook" / "chapters").glob(f"*/*{SUFFIX}")):
            listed[path.parent.name, path.name.removesuffix(SUFFIX)] = _read(path)
    return sorted(listed.values(), key=lambda chapter: (chapter.order, chapter.delivery))


def of(dialect: Dialect) -> Sequence[Chapter]:
    """All chapters of a database, in order, for both deliveries."""
    return chapters(tuple(dialect.ddl.folders))


def every() -> Mapping[tuple[str, str], Chapter]:
    """The chapters of all databases by delivery and id; those with more databases have the metadata of the first."""
    return {
        (chapter.delivery, chapter.id): chapter
        for dialect in reversed(databases.ALL.values())
        for chapter in of(dialect)
    }


def _read(path: Path) -> Chapter:
    _, head, body = path.read_text(encoding="utf-8").split(MARK, 2)
    metadata: dict[str, Any] = YAML(typ="safe").load(head)
    return Chapter(id=path.name.removesuffix(SUFFIX), delivery=path.parent.name, body=body, **metadata)
