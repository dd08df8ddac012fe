"""Code of the application: typed events, their insert in the caller's transaction, the consumer's inbox. Pure."""

import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from outbox_kit import __version__
from outbox_kit.databases.facts import Code, Dialect
from outbox_kit.databases.facts.inbox import HIGH_WATER, MESSAGE_ID, OFFSETS
from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl, text
from outbox_kit.render.code import statement, targets
from outbox_kit.render.code.example import example
from outbox_kit.render.code.languages import PYTHON, Language
from outbox_kit.render.code.naming import Scope, camel, pascal
from outbox_kit.render.code.shapes import ANY, Declared, EnumShape, ObjectShape, Scalar, SchemaReader, Shape, kinds
from outbox_kit.render.code.targets import Target
from outbox_kit.schema.columns import columns
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.effective import router_columns

TAKEN = """Activity Any ArgumentException Array Beginner Boolean CancellationToken ClassVar Columns Connection
Consumer Context Database DateOnly DateTimeOffset DbContext Double Encoded ErrFenced ErrGap ErrReject Event False Func
Guid IEvent IReadOnlyDictionary IReadOnlyList Inbox InboxMark InboxMarks InboxPosition Insert Integer JsonConverter
JsonElement JsonIgnore JsonIgnoreCondition JsonInclude JsonProperty JsonPropertyName JsonSerializer
JsonStringEnumConverter JsonStringEnumMemberName List Literal LocalDate Long Map Marks MaxPayloadBytes MessageKey
ModelBuilder NewID None NotRequired Object OffsetDateTime Once Outbox OutboxEvent OutboxRow Override PartitionFenced
Position Propagation Publish RandomUUID RangeError Record Remember SequenceGap Session StoredPosition String System
Take Task TextEncoder Traceparent Transaction True TypedDict UUID Uint8Array dataclass date datetime json"""
"""Names that the generated files use themselves."""


@dataclass(frozen=True)
class EventCode:
    """An event as a type of the program."""

    name: str
    maker: str
    aggregate: str
    type: str
    comment: str
    payload: Shape | None
    """Its shape; None for a tombstone."""

    @property
    def framed(self) -> bool:
        """Whether the caller passes the payload as bytes."""
        return self.payload == Scalar("bytes")


def fitting(outbox: Outbox) -> list[Target]:
    """The targets that can write into the outbox."""
    if outbox.table.existing or outbox.table.source:
        return []  # another library writes the table
    code = outbox.dialect.code
    able = [targets.get(name) for name in code.stacks] if code else []
    return [target for target in able if outbox.table.storage == "table" or not target.rows]


def files(outbox: Outbox, target: Target, *, consumer: bool = False) -> dict[str, str]:
    """Every file of a target by its path. consumer: also those of its consumer of Kafka.

    Raises UsageProblem if the target does not support the database, for an existing table or a source table, and for a
    consumer that it does not have.
    """
    dialect = outbox.dialect
    if outbox.table.existing or outbox.table.source:
        writer = outbox.table.source.table if outbox.table.source else outbox.table.name
        raise UsageProblem(
            "no code can be generated", why=f"another library writes '{writer}'", fix="publish events with that library"
        )
    if not dialect.code:
        raise UsageProblem(
            f"gen-code does not support {dialect.title}", fix="write the insert by hand: see outbox-kit gen-ddl"
        )
    able = fitting(outbox)
    if target not in able:
        place = dialect.title if outbox.table.storage == "table" else f"a log-only outbox of {dialect.title}"
        raise UsageProblem(
            f"'{target.name}' does not support {place}",
            fix=f"choose another target: outbox-kit gen-code {' | '.join(stack.name for stack in able)}",
        )
    context = _context(outbox, target, dialect, dialect.code)
    language = target.language
    filters: dict[str, Callable[..., Any]] = {
        "text": language.literal,
        "block": language.within_block,
        "comment_line": language.comment_line,
        "aligned": aligned,
        "as_class": as_class,
        "pascal": pascal,
        "go_constants": lambda choice: go_constants(choice, language),
        "go_fields": go_fields,
        "go_columns": lambda parameters: go_columns(parameters, language),
    }
    templates = target.files if has_inbox(outbox, target) else _without_inbox(target)
    if consumer:
        templates = {**templates, **_loop(outbox, target)}
    texts = {path: text.code(template, filters, **context) for path, template in templates.items()}
    return texts | {dialect.code.inbox: ddl.up(outbox, ddl.INBOX)}


def _loop(outbox: Outbox, target: Target) -> Mapping[str, str]:
    """The files of a target's consumer of Kafka. Raises UsageProblem if there are none."""
    if not target.loop:
        of_python = "use outbox_kit.inbox.consumer"
        fix = of_python if target.language is PYTHON else "see 'The inbox' in the documentation"
        raise UsageProblem(f"no consumer of Kafka is generated for '{target.name}'", fix=fix)
    if not has_consumer(outbox, target):
        raise UsageProblem(
            f"no consumer of Kafka is generated for '{target.name}' with inbox.mode: {outbox.inbox.mode}",
            where=outbox.dialect.title,
            why="" if outbox.inbox.mode in target.loop_modes else target.loop_limit,
            fix="set inbox.mode: message-id",
        )
    return target.loop


def has_consumer(outbox: Outbox, target: Target) -> bool:
    """Whether a target's consumer of Kafka is generated for the inbox's mode in the outbox's database."""
    return bool(target.loop) and outbox.inbox.mode in target.loop_modes and has_inbox(outbox, target)


def has_inbox(outbox: Outbox, target: Target) -> bool:
    """Whether a target's `once` is generated for the inbox's mode in the outbox's database."""
    mode = outbox.inbox.mode
    return mode in target.inbox_modes and (mode == MESSAGE_ID or bool(outbox.dialect.inbox.add))


def _without_inbox(target: Target) -> Mapping[str, str]:
    """The files of a target without its inbox."""
    return {path: template for path, template in target.files.items() if not path.lower().startswith("inbox.")}


def as_class(record: ObjectShape) -> bool:
    """Whether all members' keys are valid attribute names of a Python class."""
    return all(m.key.isidentifier() and not keyword.iskeyword(m.key) and m.key[:2] != "__" for m in record.members)


def aligned(rows: list[list[str]]) -> list[str]:
    """Rows of cells, aligned as gofmt does: all cells of a column but the last have the same width."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [" ".join(c.ljust(w) for c, w in zip(row, widths, strict=False)).rstrip() for row in rows]


def go_constants(choice: EnumShape, language: Language) -> list[list[str]]:
    """A line for each value of an enumeration, in cells."""
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
            parameter.name,
            language.types[parameter.kind]
            if parameter.required
            else language.types["nullable"].format(language.types[parameter.kind]),
        ]
        for parameter in parameters
    ]


def _context(outbox: Outbox, target: Target, dialect: Dialect, code: Code) -> dict[str, Any]:
    """The variables of a target's templates."""
    language = target.language
    events, declared = _events(outbox, Scope(TAKEN.split()), language.words)
    values = statement.values(outbox, target)
    parameters = sorted((v for v in values if v.role == "parameter"), key=lambda v: not v.required)
    context = {
        "version": __version__,
        "outbox": outbox,
        "target": target,
        "language": language,
        "events": events,
        "members": lambda record: members(record, language),
        "constants": constants,
        "values": values,
        "expressions": [statement.expression(value, target) for value in values],
        "parameters": parameters,
        "example": lambda: example(outbox, [(code.name, code.payload) for code in events], declared, parameters),
        "traced": any(value.role == "trace" for value in values),
        "namespace": f"{pascal(outbox.service)}Outbox",
        "place": statement.qualified(outbox, dialect, outbox.table.name),
        "types": {column.name: dialect.types[column.kind] for column in columns(outbox)},
        "limit": outbox.table.max_payload_bytes,
        "inbox": outbox.names.inbox,
        "mode": outbox.inbox.mode,
        "dense": outbox.ordering.dense,
        "selects": outbox.inbox.mode == OFFSETS or (outbox.inbox.mode == HIGH_WATER and outbox.ordering.dense),
        "sequence_header": _sequence_header(outbox),
        **_of_payloads(events, declared),
    }
    if dialect.documents:
        return context  # its templates write documents, field by field
    return context | {
        "insert": statement.insert(outbox, target, dialect, code),
        "once": statement.once(outbox, target, dialect, code),
        "sql": statement.inbox(outbox, target, dialect, code),
    }


def _sequence_header(outbox: Outbox) -> str:
    """The header with the sequence number."""
    headers = router_columns(outbox).headers
    return next((name for name, column in headers.items() if column == outbox.ordering.sequence), "sequence")


def _of_payloads(events: list[EventCode], declared: list[Declared]) -> dict[str, Any]:
    """The variables of the payloads' types."""
    records = [declaration for declaration in declared if isinstance(declaration, ObjectShape)]
    payloads = [event.payload for event in events if event.payload]
    shapes = payloads + [member.shape for record in records for member in record.members]
    return {
        "records": records,
        "choices": [declaration for declaration in declared if isinstance(declaration, EnumShape)],
        "kinds": {kind for shape in shapes for kind in kinds(shape)},
        "tombstones": any(event.payload is None for event in events),
        "framed": any(event.framed for event in events),
        "typed": any(event.payload and not event.framed for event in events),
        "optional": any(not member.required for record in records for member in record.members),
        "typing": _typing(shapes, declared),
    }


def _typing(shapes: list[Shape], declared: list[Declared]) -> list[str]:
    """The names that a Python module imports from typing."""
    records = [declaration for declaration in declared if isinstance(declaration, ObjectShape)]
    used = {
        "Any": any(kind == "any" for shape in shapes for kind in kinds(shape)),
        "ClassVar": True,
        "Literal": len(records) < len(declared),
        "NotRequired": any(not member.required for record in records for member in record.members),
        "TypedDict": bool(records),
    }
    return [name for name, is_used in used.items() if is_used]


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
        comment = event.description or f"{event.type} of {event.aggregate}."
        payload = _payload(outbox, event, name, scope, declared)
        events.append(EventCode(name, makers.name(name, camel), event.aggregate, event.type, comment, payload))
    return events, declared


def _payload(outbox: Outbox, event: EventType, name: str, scope: Scope, declared: list[Declared]) -> Shape | None:
    """The shape of a payload: bytes if the caller serializes it, None if there is no payload."""
    if event.tombstone:
        return None
    schema = event.payload if isinstance(event.payload, dict) else None
    if outbox.table.registry or (outbox.table.payload == "bytes" and schema is None):
        return Scalar("bytes")
    if schema is None:
        return ANY
    reader = SchemaReader(schema, name, scope)
    shape = reader.payload()
    declared += reader.declared
    return shape


@dataclass(frozen=True)
class MemberCode:
    """A member of a record: its names in the program and in the JSON, and its type."""

    name: str
    key: str
    type: str
    optional: bool
    """Whether it may be left out."""


def members(record: ObjectShape, language: Language) -> list[MemberCode]:
    """A record's members in a language, the optional ones last."""
    scope = Scope({*language.words, record.name})
    codes = []
    for member in sorted(record.members, key=lambda entry: not entry.required):
        shape = member.shape
        type_text = language.type(shape) if member.required else language.optional(shape)
        name = scope.name(member.key, language.member)
        codes.append(MemberCode(name, member.key, type_text, not member.required))
    return codes


def constants(choice: EnumShape, style: Callable[[str], str] = pascal) -> Mapping[str, str]:
    """A name for each value of an enumeration."""
    scope = Scope({choice.name})
    return {scope.name(value, style): value for value in choice.values}
