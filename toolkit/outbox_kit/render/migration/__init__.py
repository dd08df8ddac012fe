"""The script that leads from one schema file to the next, phase by phase. Pure."""

import textwrap
from collections.abc import Sequence

from outbox_kit import __version__
from outbox_kit.render import ddl, text
from outbox_kit.render.migration import documents
from outbox_kit.render.migration import steps as tables
from outbox_kit.render.migration.step import MigrationStep, Phase
from outbox_kit.schema.model import Outbox

__all__ = ["Phase", "script", "steps"]

WIDTH = 117
PHASES = {
    Phase.expand: "before the new code is deployed; the old code does not notice",
    Phase.migrate: "while both may write",
    Phase.contract: "when nobody needs the old any more",
}


def steps(old: Outbox, new: Outbox, connector: Sequence[str] = ()) -> list[MigrationStep]:
    """All steps in order. connector: the lines that say what changes in the connector's config.

    Raises UsageProblem where the one cannot become the other.
    """
    tables.refuse(old, new)
    module = documents if new.dialect.documents else tables
    return sorted(module.steps(old, new, connector), key=lambda step: list(Phase).index(step.phase))


def script(
    old: Outbox, new: Outbox, connector: Sequence[str] = (), *, phase: Phase | None = None, destructive: bool = False
) -> str:
    """The migration's script. connector: lines about its config. phase: only this one.

    destructive: whether steps that lose something are written to be run; they are comments otherwise.
    Raises UsageProblem where the one cannot become the other.
    """
    dialect = new.dialect
    rendered = [(step, _sql(step, new)) for step in steps(old, new, connector) if phase in (None, step.phase)]
    written = [(step, sql) for step, sql in rendered if sql]
    mark = dialect.ddl.comment_prefix
    head = f"{mark} The outbox of '{new.service}', from one schema file to the next, by outbox-kit {__version__}.\n"
    if not written:
        return f"{head}{mark} Nothing is to be done{f' in the phase {phase}' if phase else ''}.\n"
    head += f"{mark} Each statement stands alone, in no transaction around all of them, and can be run again.\n\n"
    parts = [
        head + dialect.ddl.preamble + text.sql(f"migrate/setup.{dialect.ddl.suffix}.j2", dialect, **ddl.context(new))
    ]
    for current in Phase:
        numbered = [(n, step, sql) for n, (step, sql) in enumerate(written, 1) if step.phase is current]
        if numbered:
            parts.append(f"{mark} {current.upper()}: {PHASES[current]}\n")
        parts += [_shown(n, step, sql, mark, allowed=destructive) for n, step, sql in numbered]
    return "\n".join(parts)


def _sql(step: MigrationStep, new: Outbox) -> str:
    """A step's statements; empty where the database has nothing to do."""
    dialect = new.dialect
    if not step.part:
        return "".join(f"{dialect.ddl.comment_prefix}   {text.one_line(line)}\n" for line in step.variables["lines"])
    template = step.part if "/" in step.part else f"migrate/{step.part}"
    rendered = text.sql(f"{template}.{dialect.ddl.suffix}.j2", dialect, **{**ddl.context(new), **step.variables})
    return rendered if rendered.strip() else ""


def _shown(number: int, step: MigrationStep, sql: str, mark: str, *, allowed: bool) -> str:
    withheld = step.destructive and not allowed
    notes = {"when": step.timing, "why": step.why}
    if step.destructive:
        notes["note"] = "DESTRUCTIVE" + ("; repeat with --allow-destructive to have it written" if withheld else "")
    lines = [f"{number}. {text.one_line(step.title)}"]
    for label, words in notes.items():
        lines += textwrap.wrap(words, WIDTH, initial_indent=f"   {label}: ", subsequent_indent=" " * 9)
    comment = "".join(f"{mark} {line}\n" for line in lines)
    return comment + ("".join(f"{mark} {line}".rstrip() + "\n" for line in sql.splitlines()) if withheld else sql)
