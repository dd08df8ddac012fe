"""The statements that write an event and that remember one, with their values in order. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from outbox_kit import dialects
from outbox_kit.dialects.base import Code, Dialect
from outbox_kit.render.code.naming import Scope
from outbox_kit.render.code.targets import Target
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names

WIDTH = 76


@dataclass(frozen=True)
class Value:
    """What is written into a column. role: who knows it; `parameter` is the caller."""

    column: str
    kind: str
    role: str
    name: str
    required: bool = True
    why: str = ""


def values(outbox: Outbox, target: Target) -> list[Value]:
    """What the application writes; all else the database fills in."""
    c, scope = outbox.table.columns, Scope(target.language.words | target.language.locals)
    own = {
        "id": (c.id, "uuid"),
        "aggregate": (c.aggregate_type, "text"),
        "aggregate_id": (c.aggregate_id, "text"),
        "type": (c.type, "text"),
        "payload": (c.payload, outbox.table.payload),
    }
    found = [Value(column, kind, role, role) for role, (column, kind) in own.items() if column is not None]
    named = scope.name
    style = target.language.parameter
    if outbox.ordering.sequence and outbox.ordering.assigned_by == "application":
        why = "the aggregate's version, one more with each event"
        name = named(outbox.ordering.sequence, style)
        found.append(Value(outbox.ordering.sequence, "bigint", "parameter", name, why=why))
    for extra in outbox.table.extra:
        header = extra.alias or extra.name
        role = "trace" if (extra.to, header, extra.kind) == ("header", "traceparent", "text") else "parameter"
        why = f"the {extra.to} {header}" if extra.to == "header" else "the message's partition" if extra.to else ""
        name = named("trace" if role == "trace" else extra.name, style)
        found.append(Value(extra.name, extra.kind, role, name, extra.required, why))
    if c.created_at is not None and "now" not in dialects.named(outbox.database.dialect).fills:
        found.append(Value(c.created_at, "instant", "created_at", "created_at"))
    return found


def expression(value: Value, target: Target) -> str:
    """What stands for a value in the program."""
    optional = value.role == "parameter" and not value.required
    roles = ["optional", value.role] if optional else [value.role]
    keys = (key for role in roles for key in (f"{role} {value.kind}", role))
    return next(target.given[key] for key in keys if key in target.given).format(value.name)


def qualified(outbox: Outbox, dialect: Dialect, table: str) -> tuple[str, ...]:
    """A table's name as applications write it: where a schema is a database, it is the one they are connected to."""
    return (names(outbox).schema, table) if dialect.schema else (table,)


def insert(outbox: Outbox, target: Target, dialect: Dialect, code: Code) -> list[str]:
    """The statement that writes an event, in lines that each end where a word does."""
    written = values(outbox, target)
    given = {value: expression(value, target) for value in written}
    marks = [_mark(target, code, n, value, given[value]) for n, value in enumerate(written, 1)]
    if outbox.table.storage == "log":
        own = [_escaped(target, dialect.ident(value.column)) for value in written]
        named = [f"{column} => {mark}" for column, mark in zip(own, marks, strict=True)]
        writer = dialect.ident(*qualified(outbox, dialect, names(outbox).writer))
        return [f"call {_escaped(target, writer)} (", *_wrapped(named), ")"]
    return [
        f"insert into {_escaped(target, dialect.ident(*qualified(outbox, dialect, outbox.table.name)))} (",
        *_wrapped([_escaped(target, dialect.ident(value.column)) for value in written]),
        ") values (",
        *_wrapped(marks),
        ")",
    ]


def once(outbox: Outbox, target: Target, dialect: Dialect, code: Code) -> list[str]:
    """The statement that remembers a message, and inserts no row where it is remembered already."""
    table, columns = dialect.ident(*names(outbox).inbox), map(dialect.spelled, ("consumer", "message_id"))
    style = target.language.parameter
    kinds = (Value("consumer", "text", "", style("consumer")), Value("message_id", "uuid", "", style("message-id")))
    parts = {
        "table": _escaped(target, table),
        "columns": _escaped(target, ", ".join(map(dialect.ident, columns))),
        "values": ", ".join(_mark(target, code, n, value, value.name) for n, value in enumerate(kinds, 1)),
    }
    return [line.format(**parts) for line in code.insert_once]


def _mark(target: Target, code: Code, n: int, value: Value, given: str) -> str:
    mark = (target.placeholder or code.placeholder).format(n=n, i=n - 1, name=value.name, given=given)
    return code.bound.get(value.kind, "{}").format(mark)


def _escaped(target: Target, text: str) -> str:
    return text.translate(_table(target.escapes))


def _table(escapes: Mapping[str, str]) -> dict[int, str]:
    return str.maketrans(dict(escapes))


def _wrapped(parts: Sequence[str]) -> Iterator[str]:
    """Parts with commas between, in indented lines of at most WIDTH characters, or of one part."""
    line = ""
    for n, part in enumerate(parts, 1):
        piece = part + ("," if n < len(parts) else "")
        if line and len(line) + len(piece) > WIDTH:
            yield f"    {line}"
            line = ""
        line += f"{' ' if line else ''}{piece}"
    yield f"    {line}"
