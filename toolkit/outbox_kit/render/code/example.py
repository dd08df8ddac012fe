"""A sample event as Python expressions, for the example in a generated module's docstring. Pure."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.render.code.languages import python_text
from outbox_kit.render.code.shapes import Declared, Lookup, Named, Nullable, ObjectShape, Scalar, Several, Shape
from outbox_kit.render.code.statement import Value
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.sample import sample
from outbox_kit.wire.config_rows import SAMPLE_KEY
from outbox_kit.wire.rows import SAMPLES, of_event

WIDTH = 84  # of a line, which a docstring indents by four more
UUID = lazy_pattern(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
LONGEST = 12  # lines of an event with all members; with more, only the required ones are shown
SERIALIZED = 'b"..."'
FREE_PAYLOAD = {"id": SAMPLE_KEY}  # of an event without a JSON Schema
MODULES = {"Any": "typing", "UUID": "uuid", "date": "datetime", "datetime": "datetime"}


@dataclass(frozen=True)
class Bracketed:
    """An expression in brackets: a call, a dict or a list."""

    opening: str
    items: "tuple[tuple[str, Expression], ...]"
    """What stands before each item, such as a key with its colon, and the item."""
    closing: str


Expression = str | Bracketed


@dataclass(frozen=True)
class Example:
    """An event of the outbox with values for everything that `publish` requires."""

    name: str
    """The event's type."""
    payload: Expression | None
    """Its payload; None if it has none."""
    placeholder: bool
    """Whether the payload is a variable to fill in: its JSON Schema has no sample."""
    names: frozenset[str]
    """Names of the standard library that the expressions use."""
    arguments: tuple[tuple[str, Expression], ...]
    """The required columns, as keyword arguments."""

    @property
    def serialized(self) -> bool:
        """Whether the payload is bytes that the application's serializer makes."""
        return self.payload == SERIALIZED

    @property
    def imports(self) -> list[str]:
        """The imports of the standard library's names."""
        modules = sorted({MODULES[name] for name in self.names})
        names = {module: sorted(name for name in self.names if MODULES[name] == module) for module in modules}
        return [f"from {module} import {', '.join(names[module])}" for module in modules]

    @property
    def event(self) -> str:
        """The expression that makes the event, as the right side of `event = `."""
        items = () if self.payload is None else (("", self.payload),)
        return written(Bracketed(f"{self.name}(", items, ")"), used=len("event = "))

    def call(self, function: str, *receivers: str, indent: int = 0, before: str = "") -> str:
        """A call that publishes the event.

        receivers: its first arguments. indent: of its line. before: what stands before it on the line.
        """
        items = (*_positional(receivers), *self._row)
        return before + written(Bracketed(f"{function}(", items, ")"), indent, indent + len(before))

    def call_many(self, function: str, *receivers: str) -> str:
        """The assignment of a list with one row, and the call that publishes it."""
        row = Bracketed("OutboxRow(", self._row, ")")
        rows_line = f"rows = {written(Bracketed('[', (('', row),), ']'), used=len('rows = '))}"
        return f"{rows_line}\n{function}({', '.join([*receivers, 'rows'])})"

    @property
    def _row(self) -> tuple[tuple[str, Expression], ...]:
        return (*_positional([python_text(SAMPLE_KEY), "event"]), *self.arguments)


def _positional(arguments: Iterable[str]) -> tuple[tuple[str, Expression], ...]:
    return tuple(("", argument) for argument in arguments)


def example(
    outbox: Outbox,
    codes: Sequence[tuple[str, Shape | None]],
    declared: Sequence[Declared],
    parameters: Sequence[Value],
) -> Example:
    """The example of an outbox: its first event with a payload of which a sample can be made, or else a tombstone.

    If it has neither, the first event with a placeholder.
    codes: the type and the payload's shape of each event of the outbox. declared: what the shapes name.
    parameters: the columns that the application fills in.
    """
    shapes = {declaration.name: declaration for declaration in declared}
    events = list(zip(outbox.events, codes, strict=True))
    for event, (name, shape) in sorted(events, key=lambda pair: pair[0].tombstone):
        convert = _Converter(shapes)
        try:
            payload = None if shape is None else convert.payload(event, shape)
        except ValueError:
            continue
        return _complete(outbox, event, name, payload, parameters, convert)
    event, (name, _) = events[0]
    convert = _Converter(shapes, {"Any"})
    return _complete(outbox, event, name, "payload", parameters, convert, placeholder=True)


def _complete(
    outbox: Outbox,
    event: EventType,
    name: str,
    payload: Expression | None,
    parameters: Sequence[Value],
    convert: "_Converter",
    *,
    placeholder: bool = False,
) -> Example:
    row = of_event(outbox, event, {outbox.table.columns.payload: None})
    samples = {column.name: column.value for column in row}
    arguments = tuple(
        (f"{value.name}=", convert.column(value.kind, samples[value.column])) for value in parameters if value.required
    )
    return Example(name, payload, placeholder, frozenset(convert.names), arguments)


class _Converter:
    """Writes values as expressions, and keeps the names that those use."""

    def __init__(self, declared: Mapping[str, Declared], names: set[str] | None = None) -> None:
        self._declared = declared
        self.names = set() if names is None else names

    def payload(self, event: EventType, shape: Shape) -> Expression:
        """A payload of an event. Raises ValueError if no sample fits the shape."""
        if shape == Scalar("bytes"):
            return SERIALIZED
        schema = event.payload
        if not isinstance(schema, dict):
            return self.value(shape, FREE_PAYLOAD)
        payload = self.value(shape, sample(schema))
        if len(written(payload).splitlines()) > LONGEST:
            self.names.clear()
            return self.value(shape, sample(schema, least=True))
        return payload

    def column(self, kind: str, value: Any) -> str:
        """A value of a column; one that does not fit its kind is replaced by the kind's sample."""
        scalar = Scalar({"integer": "whole", "bigint": "whole"}.get(kind, kind))
        try:
            return self._scalar(scalar.kind, int(value) if scalar.kind == "whole" else value)
        except ValueError:
            return self._scalar(scalar.kind, SAMPLES[kind])

    def value(self, shape: Shape, value: Any) -> Expression:
        """A JSON value of a shape. Raises ValueError if it has another one."""
        match shape:
            case Nullable(of):
                return "None" if value is None else self.value(of, value)
            case Named(name):
                declaration = self._declared[name]
                if isinstance(declaration, ObjectShape):
                    return self._record(declaration, value)
                if value not in declaration.values:
                    raise ValueError(value)
                return python_text(value)
            case Several(of):
                return Bracketed("[", tuple(("", self.value(of, item)) for item in _checked(value, list)), "]")
            case Lookup(of):
                items = _checked(value, dict).items()
                return Bracketed("{", tuple((_key(key), self.value(of, item)) for key, item in items), "}")
            case Scalar(kind):
                return self._scalar(kind, value) if kind != "any" else _json(value)

    def _record(self, declaration: ObjectShape, value: Any) -> Bracketed:
        members = _checked(value, dict)
        missing = [member.key for member in declaration.members if member.required and member.key not in members]
        if missing:
            raise ValueError(missing)
        used = [member for member in declaration.members if member.key in members]
        return Bracketed("{", tuple((_key(m.key), self.value(m.shape, members[m.key])) for m in used), "}")

    def _scalar(self, kind: str, value: Any) -> str:
        match kind:
            case "text":
                return python_text(_checked(value, str))
            case "boolean":
                return repr(_checked(value, bool))
            case "whole":
                return _number(int(_checked(value, int, float)))
            case "number":
                return _number(_checked(value, int, float))
            case "uuid":
                if not UUID.fullmatch(_checked(value, str)):
                    raise ValueError(value)
                self.names.add("UUID")
                return f'UUID("{value}")'
            case "date":
                self.names.add("date")
                return f'date.fromisoformat("{date.fromisoformat(_checked(value, str))}")'
        self.names.add("datetime")
        moment = datetime.fromisoformat(_checked(value, str))
        if moment.tzinfo is None:
            raise ValueError(value)
        return f'datetime.fromisoformat("{moment.isoformat()}")'


def _checked(value: Any, *types: type) -> Any:
    """A value of one of some types. Raises ValueError for another; a boolean is not a number."""
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ValueError(value)
    return value


def _key(text: str) -> str:
    return f"{python_text(text)}: "


def _json(value: Any) -> Expression:
    """A JSON value of any kind. Raises ValueError for what JSON does not have."""
    match value:
        case dict():
            return Bracketed("{", tuple((_key(key), _json(item)) for key, item in value.items()), "}")
        case list():
            return Bracketed("[", tuple(("", _json(item)) for item in value), "]")
        case str():
            return python_text(value)
        case None | bool():
            return repr(value)
    return _number(_checked(value, int, float))


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(value)
    return repr(value)


def written(expression: Expression, indent: int = 0, used: int = 0) -> str:
    """An expression on one line, or an item a line if that is too long. used: characters before it on its line."""
    flat = "".join(_flat(expression))
    if isinstance(expression, str) or not expression.items or used + len(flat) <= WIDTH:
        return flat
    inner = indent + 4
    lines = [
        f"{' ' * inner}{before}{written(item, inner, inner + len(before) + 1)}," for before, item in expression.items
    ]
    return "\n".join([expression.opening, *lines, f"{' ' * indent}{expression.closing}"])


def _flat(expression: Expression) -> Iterator[str]:
    if isinstance(expression, str):
        yield expression
        return
    yield expression.opening
    for n, (before, item) in enumerate(expression.items):
        yield f"{', ' if n else ''}{before}"
        yield from _flat(item)
    yield expression.closing
