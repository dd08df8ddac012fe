"""The write side as code: typed events, the insert within the caller's transaction, the consumer's inbox. Pure."""

import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from outbox_kit import __version__, dialects
from outbox_kit.dialects.base import Code, Dialect
from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl, text
from outbox_kit.render.code import statement, targets
from outbox_kit.render.code.languages import Language
from outbox_kit.render.code.naming import Scope, camel, pascal
from outbox_kit.render.code.shapes import ANY, Choice, Declared, Reader, Record, Scalar, Shape, kinds
from outbox_kit.render.code.targets import Target
from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Event, Outbox
from outbox_kit.schema.names import names

TAKEN = """Activity Any ArgumentException Array Beginner Boolean CancellationToken ClassVar Columns Connection Context
DateOnly DateTimeOffset DbContext Double Encoded Event False Func Guid IEvent IReadOnlyDictionary IReadOnlyList Inbox
Insert Integer JsonConverter JsonElement JsonIgnore JsonIgnoreCondition JsonInclude JsonProperty JsonPropertyName
JsonSerializer JsonStringEnumConverter JsonStringEnumMemberName List Literal LocalDate Long Map MaxPayloadBytes
ModelBuilder NewID None NotRequired Object OffsetDateTime Once Outbox OutboxEvent OutboxRow Override Propagation Publish
RandomUUID RangeError Record Remember Session String System Task TextEncoder Transaction True Traceparent TypedDict UUID
Uint8Array dataclass date datetime json"""  # what the files of any language mean by these


@dataclass(frozen=True)
class EventCode:
    """An event as a type of its own. payload: its shape; None where it is a tombstone."""

    name: str
    maker: str
    aggregate: str
    type: str
    said: str
    payload: Shape | None

    @property
    def framed(self) -> bool:
        """Whether the payload is bytes that the caller has made."""
        return self.payload == Scalar("bytes")


def fitting(outbox: Outbox) -> list[Target]:
    """The targets whose code can write into an outbox."""
    if outbox.table.existing or outbox.table.fed_by:
        return []  # its owner's library writes it
    known = dialects.named(outbox.database.dialect).code
    able = [targets.named(name) for name in known.stacks] if known else []
    return [one for one in able if outbox.table.storage == "table" or not one.rows]


def files(outbox: Outbox, target: Target) -> dict[str, str]:
    """Every file of a target by its path.

    Raises UsageProblem where the target and the database do not go together, and for a table that its owner writes.
    """
    dialect = dialects.named(outbox.database.dialect)
    if outbox.table.existing or outbox.table.fed_by:
        writer = outbox.table.fed_by.table if outbox.table.fed_by else outbox.table.name
        raise UsageProblem(
            "there is no code to write", why=f"its owner's library writes '{writer}'", fix="publish with that library"
        )
    if not dialect.code:
        raise UsageProblem(
            f"gen-code does not know {dialect.title} yet", fix="write the insert by hand, after gen-ddl's table"
        )
    able = fitting(outbox)
    if target not in able:
        where = dialect.title if outbox.table.storage == "table" else f"the log of {dialect.title}"
        raise UsageProblem(
            f"{target.name} does not write into {where}",
            fix=f"choose one that does: outbox-kit gen-code {' | '.join(one.name for one in able)}",
        )
    context = _context(outbox, target, dialect, dialect.code)
    language = target.language
    filters: dict[str, Callable[..., Any]] = {
        "text": language.literal,
        "block": language.within_block,
        "said": language.said,
        "aligned": aligned,
        "as_class": as_class,
        "pascal": pascal,
        "go_constants": lambda choice: go_constants(choice, language),
        "go_fields": go_fields,
        "go_columns": lambda parameters: go_columns(parameters, language),
    }
    written = {path: text.code(template, filters, **context) for path, template in target.files.items()}
    return written | {dialect.code.inbox: ddl.up(outbox, ddl.INBOX)}


def as_class(record: Record) -> bool:
    """Whether all members' keys can be the names of a Python class."""
    return all(m.key.isidentifier() and not keyword.iskeyword(m.key) and m.key[:2] != "__" for m in record.members)


def aligned(rows: list[list[str]]) -> list[str]:
    """Rows of cells as gofmt writes them below each other: every cell but the last as wide as the widest."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [" ".join(c.ljust(w) for c, w in zip(row, widths, strict=False)).rstrip() for row in rows]


def go_constants(choice: Choice, language: Language) -> list[list[str]]:
    """A line for each text of a choice, in cells."""
    return [[f"{choice.name}{n}", choice.name, f"= {language.literal(v)}"] for n, v in constants(choice).items()]


def go_fields(fields: list["MemberCode"]) -> list[list[str]]:
    """A line for each member of a record, in cells."""
    return [
        [field.name, field.type, f'`json:"{field.key}{",omitzero" if field.optional else ""}"`'] for field in fields
    ]


def go_columns(parameters: list[statement.Value], language: Language) -> list[list[str]]:
    """A line for each parameter, in cells."""
    return [
        [
            one.name,
            language.types[one.kind] if one.required else language.types["nullable"].format(language.types[one.kind]),
        ]
        for one in parameters
    ]


def _context(outbox: Outbox, target: Target, dialect: Dialect, known: Code) -> dict[str, Any]:
    language = target.language
    scope = Scope(TAKEN.split())
    events, declared = _events(outbox, scope, language.words)
    shapes = [event.payload for event in events if event.payload] + [
        member.shape for record in declared if isinstance(record, Record) for member in record.members
    ]
    values = statement.values(outbox, target)
    parameters = sorted((value for value in values if value.role == "parameter"), key=lambda v: not v.required)
    told = {
        "version": __version__,
        "outbox": outbox,
        "target": target,
        "language": language,
        "events": events,
        "records": [one for one in declared if isinstance(one, Record)],
        "choices": [one for one in declared if isinstance(one, Choice)],
        "members": lambda record: members(record, language),
        "constants": constants,
        "kinds": {kind for shape in shapes for kind in kinds(shape)},
        "values": values,
        "given": [statement.expression(value, target) for value in values],
        "parameters": parameters,
        "traced": any(value.role == "trace" for value in values),
        "tombstones": any(event.payload is None for event in events),
        "framed": any(event.framed for event in events),
        "typed": any(event.payload and not event.framed for event in events),
        "namespace": f"{pascal(outbox.service)}Outbox",
        "place": statement.qualified(outbox, dialect, outbox.table.name),
        "types": {x.name: dialect.types[x.kind] for x in columns(outbox)},
        "optional": any(
            not one.required for record in declared if isinstance(record, Record) for one in record.members
        ),
        "typing": _typing(shapes, declared),
        "limit": outbox.table.max_payload_bytes,
        "inbox": names(outbox).inbox,
    }
    if dialect.documents:
        return told  # its templates write documents, field by field
    return told | {
        "insert": statement.insert(outbox, target, dialect, known),
        "once": statement.once(outbox, target, dialect, known),
    }


def _typing(shapes: list[Shape], declared: list[Declared]) -> list[str]:
    """What a Python module imports from typing."""
    records = [one for one in declared if isinstance(one, Record)]
    used = {
        "Any": any(kind == "any" for shape in shapes for kind in kinds(shape)),
        "ClassVar": True,
        "Literal": len(records) < len(declared),
        "NotRequired": any(not member.required for record in records for member in record.members),
        "TypedDict": bool(records),
    }
    return [name for name, wanted in used.items() if wanted]


def _events(outbox: Outbox, scope: Scope, words: frozenset[str]) -> tuple[list[EventCode], list[Declared]]:
    types = [pascal(event.type) for event in outbox.events]
    events: list[EventCode] = []
    declared: list[Declared] = []
    makers = Scope(words)
    names = [
        scope.name(event.type if types.count(name) == 1 else f"{event.aggregate}-{event.type}")
        for event, name in zip(outbox.events, types, strict=True)
    ]
    for event, name in zip(outbox.events, names, strict=True):
        said = event.description or f"{event.type} of {event.aggregate}."
        payload = _payload(outbox, event, name, scope, declared)
        events.append(EventCode(name, makers.name(name, camel), event.aggregate, event.type, said, payload))
    return events, declared


def _payload(outbox: Outbox, event: Event, name: str, scope: Scope, declared: list[Declared]) -> Shape | None:
    """The shape of a payload: bytes where a serialiser of the caller's makes them, none where there is no payload."""
    if event.tombstone:
        return None
    schema = event.payload if isinstance(event.payload, dict) else None
    if outbox.table.registry or (outbox.table.payload == "bytes" and schema is None):
        return Scalar("bytes")
    if schema is None:
        return ANY
    reader = Reader(schema, name, scope)
    shape = reader.payload()
    declared += reader.declared
    return shape


@dataclass(frozen=True)
class MemberCode:
    """A member of a record: its names in the program and in the JSON, and its type. optional: it may be left out."""

    name: str
    key: str
    type: str
    optional: bool


def members(record: Record, language: Language) -> list[MemberCode]:
    """A record's members as a language has them; those that may be left out come last."""
    scope = Scope({*language.words, record.name})
    found = []
    for member in sorted(record.members, key=lambda one: not one.required):
        shape = member.shape
        written = language.type(shape) if member.required else language.optional(shape)
        name = scope.name(member.key, language.member)
        found.append(MemberCode(name, member.key, written, not member.required))
    return found


def constants(choice: Choice, style: Callable[[str], str] = pascal) -> Mapping[str, str]:
    """A name for each text of a choice."""
    scope = Scope({choice.name})
    return {scope.name(value, style): value for value in choice.values}
