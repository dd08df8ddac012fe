"""Code of a service that prepares two-phase messages: the barrier that decides the outcome of its transactions. Pure.

The same as `outbox_kit.barrier`, for other languages.
"""

from collections.abc import Sequence
from dataclasses import replace

from outbox_kit import __version__
from outbox_kit.databases.facts import Code
from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl, text
from outbox_kit.render.code import targets
from outbox_kit.render.code.languages import PYTHON
from outbox_kit.render.code.naming import pascal
from outbox_kit.render.code.statement import BoundStatement, Value, bound, escaped, mark
from outbox_kit.render.code.targets import Target
from outbox_kit.schema.model import Outbox

SCRIPT = "barrier.sql"
OPEN = "the business transaction is open, or the database does not answer"
"""The reason of an unknown outcome."""


def fits(outbox: Outbox, target: Target) -> bool:
    """Whether there is a barrier for a stack and the database."""
    code = outbox.dialect.code
    return bool(outbox.dialect.two_phase.insert and code and target.name in code.stacks and target.barrier)


def files(outbox: Outbox, target: Target) -> dict[str, str]:
    """The file of the barrier and the script of its table. Raises UsageProblem if there is none."""
    dialect, code = outbox.dialect, outbox.dialect.code
    if target.language is PYTHON and dialect.two_phase.insert:
        raise UsageProblem(
            f"the barrier of '{target.name}' is a library, and is not generated",
            fix="import outbox_kit.barrier; its table is made by: outbox-kit gen-ddl --barrier --apply",
        )
    if code is None or not fits(outbox, target):
        able = [name for name, stack in targets.ALL.items() if fits(outbox, stack)]
        raise UsageProblem(
            f"there is no barrier of '{target.name}' for {dialect.title}",
            fix=f"choose another target: outbox-kit gen-code {' | '.join(able)} --barrier" if able else "",
        )
    facts = dialect.two_phase
    insert = statement(outbox, target, code, facts.insert)
    value = dialect.quote_ident("Value") if target.rows else ""  # the name by which EF Core reads a single column
    read = statement(outbox, target, code, facts.read, f"outcome as {value}" if value else "outcome")
    language, ((path, template),) = target.language, target.barrier.items()
    content = text.code(
        template,
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


def statement(outbox: Outbox, target: Target, code: Code, lines: Sequence[str], columns: str = "") -> BoundStatement:
    """A statement of `databases.facts.two_phase` with the marks of a stack. columns: in the place of `{columns}`."""
    message = target.language.parameter("message-id")
    values = {
        "message": Value("", "text", "", message[:1].lower() + message[1:]),
        "outcome": Value("", "text", "", "outcome"),
        "writer": Value("", "uuid", "", "writer"),
    }
    texts = {"table": escaped(target, outbox.dialect.quote_ident(*outbox.names.barrier)), "columns": columns}

    def mark_of(n: int, place: str) -> str:
        return mark(target, code, n, values[place], values[place].name)

    with_places = bound(lines, texts, mark_of)
    return replace(with_places, values=[values[place].name for place in with_places.values])
