"""Code of a service that prepares two-phase messages: the barrier that decides the outcome of its transactions. Pure.

The same as `outbox_kit.barrier`, for other languages.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from outbox_kit import __version__
from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl, text
from outbox_kit.render.code.naming import pascal
from outbox_kit.render.code.targets import Target
from outbox_kit.schema.model import Outbox

FILES: Mapping[str, str] = {
    "go-pgx": "barrier.go",
    "go-sql": "barrier.go",
    "node-pg": "barrier.ts",
    "node-mysql2": "barrier.ts",
    "node-prisma": "barrier.ts",
    "java-spring": "Barrier.java",
    "csharp-efcore": "Barrier.cs",
}
"""The file of each stack; its template is in the stack's folder."""
SCRIPT = "barrier.sql"
PLACE = re.compile(r"\{(\w+)\}")
KINDS = {"message": "text", "outcome": "text", "writer": "uuid"}
"""The bound values of the statements."""
OPEN = "the business transaction is open, or the database does not answer"
"""The reason of an unknown outcome."""


@dataclass(frozen=True)
class BarrierStatement:
    """A statement of the barrier."""

    lines: list[str]
    arguments: list[str]
    """The names of its values in the program, in their order."""


def fits(outbox: Outbox, target: Target) -> bool:
    """Whether there is a barrier for a stack and the database."""
    code = outbox.dialect.code
    return bool(outbox.dialect.two_phase.insert and code and target.name in code.stacks and target.name in FILES)


def files(outbox: Outbox, target: Target) -> dict[str, str]:
    """The file of the barrier and the script of its table. Raises UsageProblem if there is none."""
    dialect, code = outbox.dialect, outbox.dialect.code
    if target.name.startswith("python") and dialect.two_phase.insert:
        raise UsageProblem(
            f"the barrier of '{target.name}' is a library, and is not generated",
            fix="import outbox_kit.barrier; its table is made by: outbox-kit gen-ddl --barrier --apply",
        )
    if code is None or not fits(outbox, target):
        able = [name for name in FILES if code and dialect.two_phase.insert and name in code.stacks]
        raise UsageProblem(
            f"there is no barrier of '{target.name}' for {dialect.title}",
            fix=f"choose another target: outbox-kit gen-code {' | '.join(able)} --barrier" if able else "",
        )
    facts = dialect.two_phase
    insert = statement(outbox, target, facts.insert)
    value = dialect.quote_ident("Value") if target.rows else ""  # the name by which EF Core reads a single column
    read = statement(outbox, target, facts.read, f"outcome as {value}" if value else "outcome")
    language, path = target.language, FILES[target.name]
    content = text.code(
        f"{target.name}/{path}.j2",
        {"text": language.literal, "block": language.within_block, "comment_line": language.comment_line},
        version=__version__,
        outbox=outbox,
        language=language,
        namespace=f"{pascal(outbox.service)}Barrier",
        insert=insert,
        read=read,
        bounded=facts.bounded,
        restored=facts.restored,
        open_reason=OPEN,
    )
    return {path: content, SCRIPT: ddl.up(outbox, ddl.BARRIER)}


def statement(outbox: Outbox, target: Target, lines: Sequence[str], columns: str = "") -> BarrierStatement:
    """A statement of `databases.facts.two_phase` with the marks of a stack. columns: in the place of `{columns}`."""
    dialect, code = outbox.dialect, outbox.dialect.code
    message = target.language.parameter("message-id")
    names = {"message": message[:1].lower() + message[1:], "outcome": "outcome", "writer": "writer"}
    table = "".join(target.escapes.get(c, c) for c in dialect.quote_ident(*outbox.names.barrier))
    form = target.placeholder or (code.placeholder if code else "")
    bound = code.bound if code else {}
    arguments: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        place = match[1]
        if place not in KINDS:
            return {"table": table, "columns": columns}[place]
        arguments.append(names[place])
        n, name = len(arguments), names[place]
        return bound.get(KINDS[place], "{}").format(form.format(n=n, i=n - 1, name=name, expression=name))

    return BarrierStatement([PLACE.sub(replaced, line) for line in lines], arguments)
