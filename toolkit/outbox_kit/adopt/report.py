"""What was found, in words and as JSON. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from outbox_kit import dialects
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.obstacle import Obstacle, obstacles
from outbox_kit.adopt.proposal import COLUMNS, Proposal
from outbox_kit.schema import presets
from outbox_kit.source.catalogue import Catalogue

INTO = {"id": "header id", "aggregate_type": "the topic", "aggregate_id": "the key", "type": "header eventType",
        "payload": "the value", "sequence": "the order", "version": "the order"}  # fmt: skip


def looked_at(catalogue: Catalogue) -> str:
    """What was looked at, in a phrase."""
    kinds = Counter(table.kind for table in catalogue.tables)
    counted = ", ".join(f"{number} {kind}{'s' if number != 1 else ''}" for kind, number in sorted(kinds.items()))
    schemas = sorted({table.schema for table in catalogue.tables})
    where = f" in {', '.join(schemas[:8])}{' and others' if len(schemas) > 8 else ''}" if schemas else ""
    server = f"{dialects.named(catalogue.dialect).title} {catalogue.version}"
    return f"{counted or 'no table'}{where} of the database '{catalogue.database}' ({server})"


def listing(found: Sequence[Candidate]) -> Iterator[str]:
    """A line for each candidate, best first."""
    wide = max(len(one.table.title) for one in found)
    for one in found:
        known = (
            f"{one.known.name}: {presets.named(one.known.name).what}"
            if one.known
            else f"{one.score} points for its names and types"
        )
        yield f"{one.likelihood:<9} {one.table.title:<{wide}}  about {one.table.rows:,} rows, {known}"


def mapping(one: Candidate) -> Iterator[str]:
    """A line for each role: its column, the column's type, and where it goes."""
    roles = (*COLUMNS, *(role for role in ("sequence", "version", "destination", "headers") if role in one.roles))
    wide = max((len(column) for column in one.roles.values()), default=0)
    for role in roles:
        column = one.column(role)
        if column is None:
            yield f"  {role:<15} -"
        else:
            into = f"  -> {INTO[role]}" if role in INTO else ""
            yield f"  {role:<15} {column.name:<{wide}}  {column.type}{into}"
    left = [column.name for column in one.table.columns if column.name not in one.roles.values()]
    if left:
        yield f"  {'left out':<15} {', '.join(left)}"


def in_the_way(found: Sequence[Obstacle]) -> Iterator[str]:
    """What is in the way, heaviest first, each with its reason and what solves it."""
    for one in found:
        yield f"{one.severity} {one.rule}: {one.what}"
        yield f"    why  {one.why}"
        yield f"    add  {one.addition}"
        yield from (f"         {line}".rstrip() for line in one.sql.splitlines())
    if not found:
        yield "nothing"


def plain(one: Candidate, proposed: Proposal) -> dict[str, Any]:
    """A candidate for programs."""
    table = one.table
    return {
        "table": table.title,
        "kind": table.kind,
        "likelihood": one.likelihood,
        "score": one.score,
        "preset": one.known.name if one.known else None,
        "rows": table.rows,
        "sampled": one.evidence.count,
        "mapping": {role: one.roles.get(role) for role in (*COLUMNS, "sequence", "version", "destination", "headers")},
        "in_the_way": [asdict(obstacle) | {"severity": str(obstacle.severity)} for obstacle in obstacles(one)],
        "proposed": proposed.file or None,
        "problems": list(proposed.problems),
    }
