"""The statements that insert an event or a message of the inbox, with their values in order. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from outbox_kit.databases.facts import Code, Dialect
from outbox_kit.databases.facts.inbox import ADVANCE, HIGH_WATER, MARK, MAY_BE_EMPTY, OFFSETS, RAISE, TAKE
from outbox_kit.databases.facts.inbox_rows import KEYS, insert_texts
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.render.code.naming import Scope
from outbox_kit.render.code.targets import Target
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

WIDTH = 76
PLACES = {  # the comment of a column, by its place in a message
    "header": "the header {}",
    "partition": "the message's partition",
    "envelope": "the field {} of the value",
    None: "",
}
PLACE = lazy_pattern(r"\{(\w+)\}")
WHOLE = frozenset({"first", "generation", "next", "offset", "seen", "sequence"})
"""The names of the values that have 64 bits."""


@dataclass(frozen=True)
class InboxTable:
    """The statements of an inbox that is constant in size."""

    table: str
    """The table's name in `schema.names`."""
    statements: Mapping[str, tuple[str, ...]]
    """The lines of `databases.facts.inbox` that are the same in all databases."""
    added: Mapping[str, str]
    """The columns of a new row, and their values: names in braces, or literals."""
    locks: bool = False
    """Whether it has the query for the position, `InboxFacts.position`."""


INBOX_MODES = {
    HIGH_WATER: InboxTable(
        "inbox_mark",
        {"raise": RAISE, "mark": MARK},
        {
            "consumer": "{consumer}",
            "producer": "{producer}",
            "message_key": "{key}",
            "last_sequence": "{first}",
        },
    ),
    OFFSETS: InboxTable(
        "inbox_position",
        {"advance": ADVANCE, "take": TAKE},
        {
            "consumer": "{consumer}",
            "topic": "{topic}",
            "topic_partition": "{partition}",
            "next_offset": "0",
            "generation": "0",
        },
        locks=True,
    ),
}


@dataclass(frozen=True)
class Value:
    """The value of a column."""

    column: str
    """The column's name."""
    kind: str
    """The column's kind, as `schema.columns` has it."""
    role: str
    """The source of the value; `parameter` is the caller."""
    name: str
    """The name in the program."""
    required: bool = True
    """Whether it may not be null."""
    why: str = ""
    """The place in the message, for the parameter's comment."""


def values(outbox: Outbox, target: Target) -> list[Value]:
    """The values that the application writes; the database fills all other columns."""
    c, read = outbox.table.columns, router_columns(outbox)
    scope = Scope(target.language.words | target.language.locals)
    standard = {
        "id": (c.id, "uuid"),
        "aggregate": (c.aggregate_type, "text"),
        "aggregate_id": (c.aggregate_id, "text"),
        "type": (c.type, "text"),
        "payload": (c.payload, outbox.table.payload),
    }
    values = [Value(column, kind, role, role) for role, (column, kind) in standard.items() if column is not None]
    unique_name = scope.name
    style = target.language.parameter
    if outbox.ordering.sequence and outbox.ordering.assigned_by == "application":
        why = "the aggregate's version, one more with each event"
        name = unique_name(outbox.ordering.sequence, style)
        values.append(Value(outbox.ordering.sequence, "bigint", "parameter", name, why=why))
    for extra in outbox.table.extra:
        placement = read.placement_of(extra.name)
        is_trace = extra.kind == "text" and read.headers.get("traceparent") == extra.name
        role, why = (
            "trace" if is_trace else "parameter",
            PLACES[placement.place].format(placement.alias) if placement else "",
        )
        name = unique_name("trace" if role == "trace" else extra.name, style)
        values.append(Value(extra.name, extra.kind, role, name, extra.required, why))
    if c.created_at is not None and "now" not in outbox.dialect.ddl.default_clauses:
        values.append(Value(c.created_at, "instant", "created_at", "created_at"))
    return values


def expression(value: Value, target: Target) -> str:
    """The expression of a value in the program."""
    optional = value.role == "parameter" and not value.required
    roles = ["optional", value.role] if optional else [value.role]
    keys = (key for role in roles for key in (f"{role} {value.kind}", role))
    return next(target.expressions[key] for key in keys if key in target.expressions).format(value.name)


def qualified(outbox: Outbox, dialect: Dialect, table: str) -> tuple[str, ...]:
    """A table's name in applications: without a schema if that is the database of the connection."""
    return (outbox.names.schema, table) if dialect.naming.schema else (table,)


def insert(outbox: Outbox, target: Target, dialect: Dialect, code: Code) -> list[str]:
    """The statement that inserts an event, wrapped into lines."""
    row_values = values(outbox, target)
    expressions = {value: expression(value, target) for value in row_values}
    marks = [mark(target, code, n, value, expressions[value]) for n, value in enumerate(row_values, 1)]
    if outbox.table.storage == "log":
        columns = [escaped(target, dialect.quote_ident(value.column)) for value in row_values]
        assignments = [f"{column} => {mark}" for column, mark in zip(columns, marks, strict=True)]
        writer = dialect.quote_ident(*qualified(outbox, dialect, outbox.names.write_procedure))
        return [f"call {escaped(target, writer)} (", *_wrapped(assignments), ")"]
    return [
        f"insert into {escaped(target, dialect.quote_ident(*qualified(outbox, dialect, outbox.table.name)))} (",
        *_wrapped([escaped(target, dialect.quote_ident(value.column)) for value in row_values]),
        ") values (",
        *_wrapped(marks),
        ")",
    ]


def once(outbox: Outbox, target: Target, dialect: Dialect, code: Code) -> list[str]:
    """The statement that inserts a message into the inbox, and inserts no row if it is there already."""
    target = _of_inbox(target)
    style = target.language.parameter
    kinds = (Value("consumer", "text", "", style("consumer")), Value("message_id", "uuid", "", style("message-id")))
    texts = insert_texts(dialect, outbox.names.inbox, KEYS["inbox"], KEYS["inbox"])
    parts = {name: escaped(target, text) for name, text in texts.items()}
    marks = ", ".join(mark(target, code, n, value, value.name) for n, value in enumerate(kinds, 1))
    return [line.format(**parts, values=marks) for line in dialect.inbox.counted]


def _of_inbox(target: Target) -> Target:
    """A target as the statements of its inbox are written."""
    return replace(target, placeholder="", escapes={}) if target.inbox_plain else target


@dataclass(frozen=True)
class BoundStatement:
    """A statement with a mark for each of its values."""

    lines: list[str]
    values: list[str]
    """The names of the values, in the order of their marks."""


def bound(lines: Sequence[str], texts: Mapping[str, str], mark: Callable[[int, str], str]) -> BoundStatement:
    """A statement of lines with names in braces, each for a text or for a value.

    texts: those that are no values, by name. mark: the mark of a value, by its number from 1 on and its name.
    """
    names: list[str] = []

    def replaced(match: re.Match[str]) -> str:
        if match[1] in texts:
            return texts[match[1]]
        names.append(match[1])
        return mark(len(names), match[1])

    return BoundStatement([PLACE.sub(replaced, line) for line in lines], names)


def inbox(outbox: Outbox, target: Target, dialect: Dialect, code: Code) -> dict[str, BoundStatement]:
    """The statements of an inbox that is constant in size, by their names; none of one for message ids."""
    mode, facts = INBOX_MODES.get(outbox.inbox.mode), dialect.inbox
    if mode is None or not facts.add:
        return {}
    target, table = _of_inbox(target), getattr(outbox.names, mode.table)
    names = insert_texts(dialect, table, KEYS[mode.table], list(mode.added))
    texts = {name: escaped(target, text) for name, text in names.items()}
    # its values are names too
    add = tuple(line.replace("{values}", ", ".join(mode.added.values())) for line in facts.add)

    def mark_of(n: int, name: str) -> str:
        plain = mark(target, code, n, Value(name, "", "", name), name)
        bound_text = facts.text.format(plain) if name in MAY_BE_EMPTY else plain
        return target.inbox_whole.format(bound_text) if name in WHOLE else bound_text

    statements = {**mode.statements, "add": add} | ({"position": facts.position} if mode.locks else {})
    return {name: bound(lines, texts, mark_of) for name, lines in statements.items()}


def mark(target: Target, code: Code, n: int, value: Value, expression: str) -> str:
    """The mark of the nth value of a statement, counted from 1, as its kind needs it."""
    plain = (target.placeholder or code.placeholder).format(n=n, i=n - 1, name=value.name, expression=expression)
    return code.bound.get(value.kind, "{}").format(plain)


def escaped(target: Target, text: str) -> str:
    """Quoted names as they stand in the program."""
    return text.translate(_table(target.escapes))


def _table(escapes: Mapping[str, str]) -> dict[int, str]:
    return str.maketrans(dict(escapes))


def _wrapped(parts: Sequence[str]) -> Iterator[str]:
    """Parts separated by commas, in indented lines of at most WIDTH characters or one part."""
    line = ""
    for n, part in enumerate(parts, 1):
        piece = part + ("," if n < len(parts) else "")
        if line and len(line) + len(piece) > WIDTH:
            yield f"    {line}"
            line = ""
        line += f"{' ' if line else ''}{piece}"
    yield f"    {line}"
