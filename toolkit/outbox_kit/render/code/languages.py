"""The programming languages of the generator as data: types, names, literals and reserved words. Pure."""

import json
import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from outbox_kit.render.code import naming
from outbox_kit.render.code.shapes import Lookup, Named, Nullable, Scalar, Several, Shape
from outbox_kit.render.text import one_line


def python_text(text: str) -> str:
    """A Python literal with the quotes that need fewer escapes; double quotes if both need the same."""
    single = repr(text)
    return single if single.startswith('"') or '"' in text else f'"{single[1:-1]}"'


def c_text(text: str) -> str:
    """A literal in double quotes, for languages of the C family."""
    return "".join(json.dumps(c, ensure_ascii=not c.isprintable())[1:-1] for c in text).join('""')


def go_text(text: str) -> str:
    """A Go literal: raw if it has quotes to escape, else in double quotes."""
    if '"' in text and "`" not in text and text.isprintable():
        return f"`{text}`"
    plain = (json.dumps(c)[1:-1] if c in '"\\\n\t\r' else c if c.isprintable() else f"\\U{ord(c):08x}" for c in text)
    return "".join(plain).join('""')


def typescript_text(text: str) -> str:
    """A literal in double quotes, or in single quotes if they need fewer escapes, as prettier formats it."""
    if text.count('"') <= text.count("'"):
        return c_text(text)
    quotes = {'"': '"', "'": "\\'"}
    return "".join(quotes.get(c) or c_text(c)[1:-1] for c in text).join("''")


@dataclass(frozen=True)
class Language:
    """A language."""

    types: Mapping[str, str]
    """The types of scalars, and `several`, `lookup` and `nullable` with a placeholder `{}` for the inner type."""
    member: Callable[[str], str]
    """The style of a member's name."""
    parameter: Callable[[str], str]
    literal: Callable[[str], str]
    """The literal of a text."""
    words: frozenset[str]
    """Names that a member or a parameter cannot have, in lower case."""
    locals: frozenset[str] = frozenset()
    """Names that only a parameter cannot have."""
    constant: Callable[[str], str] = naming.pascal
    """The style of the name of an enumeration's value."""
    boxed: Mapping[str, str] = field(default_factory=dict)
    """The types of scalars within another type, if they differ."""
    inherently: frozenset[str] = frozenset({"any"})
    """The kinds whose type includes null."""
    comment: tuple[tuple[str, str], ...] = (("*/", "* /"),)
    """The character sequences that are invalid in a comment, and their replacements."""
    block: tuple[tuple[str, str], ...] = (("\\", "\\\\"), ('"""', '\\"\\"\\"'))
    """The same for a line of a multi-line literal."""

    def type(self, shape: Shape, *, nested: bool = False) -> str:
        """The type of a shape. nested: whether it is within another type."""
        match shape:
            case Named(name):
                return name
            case Scalar(kind):
                return self.boxed.get(kind, self.types[kind]) if nested else self.types[kind]
            case Several(of):
                return self.types["several"].format(self.type(of, nested=True))
            case Lookup(of):
                return self.types["lookup"].format(self.type(of, nested=True))
            case Nullable(of):
                return self.nullable(of)

    def nullable(self, shape: Shape) -> str:
        """The type of a shape or null."""
        if isinstance(shape, Nullable):
            return self.nullable(shape.of)
        category = {Scalar: getattr(shape, "kind", ""), Several: "several", Lookup: "lookup"}.get(type(shape), "")
        bare = self.type(shape, nested=True)
        return bare if category in self.inherently else self.types["nullable"].format(bare)

    def optional(self, shape: Shape) -> str:
        """The type of a member that may be left out."""
        form = self.types.get("optional")
        return form.format(self.type(shape)) if form else self.nullable(shape)

    def comment_line(self, text: str) -> str:
        """A text on one line of a comment, which it cannot end."""
        return _replaced("".join(c for c in one_line(text) if c.isprintable()), self.comment)

    def within_block(self, line: str) -> str:
        """A line of a multi-line literal."""
        return _replaced(line, self.block)


def _replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for bad, good in pairs:
        text = text.replace(bad, good)
    return text


PYTHON = Language(
    types={
        "text": "str",
        "whole": "int",
        "integer": "int",
        "bigint": "int",
        "number": "float",
        "boolean": "bool",
        "uuid": "UUID",
        "instant": "datetime",
        "date": "date",
        "any": "Any",
        "bytes": "bytes",
        "several": "list[{}]",
        "lookup": "dict[str, {}]",
        "nullable": "{} | None",
        "optional": "NotRequired[{}]",
    },
    member=str,  # the members of a TypedDict are the JSON's own
    parameter=naming.snake,
    literal=python_text,
    words=frozenset(word.lower() for word in keyword.kwlist),
    locals=frozenset({"connection", "session", "aggregate_id", "event", "using", "message_id", "row"})
    | {"str", "int", "bool"}  # a field of OutboxRow would hide the type from the fields after it
    | {"id", "aggregate", "type", "payload"},  # the marks of a statement with names
    comment=(("\\", "\\\\"), ('"', "'")),
)

TYPESCRIPT_WORDS = """arguments await break case catch class const continue debugger default delete do else enum eval
export extends false finally for function if implements import in instanceof interface let new null package private
protected public return static super switch this throw true try typeof var void while with yield"""
TYPESCRIPT = Language(
    types={
        "text": "string",
        "whole": "number",
        "integer": "number",
        "bigint": "bigint",
        "number": "number",
        "boolean": "boolean",
        "uuid": "string",
        "instant": "string",
        "date": "string",
        "any": "unknown",
        "bytes": "Uint8Array",
        "several": "Array<{}>",
        "lookup": "Record<string, {}>",
        "nullable": "{} | null",
        "optional": "{}",
    },
    member=str,
    parameter=naming.camel,
    literal=typescript_text,
    block=(("\\", "\\\\"), ("`", "\\`"), ("${", "\\${")),
    words=frozenset(TYPESCRIPT_WORDS.split()),
)

GO = Language(
    types={
        "text": "string",
        "whole": "int64",
        "integer": "int32",
        "bigint": "int64",
        "number": "float64",
        "boolean": "bool",
        "uuid": "string",
        "instant": "time.Time",
        "date": "string",
        "any": "json.RawMessage",
        "bytes": "[]byte",
        "several": "[]{}",
        "lookup": "map[string]{}",
        "nullable": "*{}",
    },
    inherently=frozenset({"any", "bytes", "several", "lookup"}),
    member=naming.go,
    parameter=naming.go,
    literal=go_text,
    words=frozenset(),
    comment=(),
    block=(),
)

JAVA_WORDS = """abstract assert boolean break byte case catch char class const continue default do double else enum
extends final finally float for goto if implements import instanceof int interface long native new package private
protected public return short static strictfp super switch synchronized this throw throws transient try void volatile
while true false null record var yield clone finalize hashcode notify notifyall tostring wait getclass"""
JAVA = Language(
    types={
        "text": "String",
        "whole": "long",
        "integer": "int",
        "bigint": "long",
        "number": "double",
        "boolean": "boolean",
        "uuid": "UUID",
        "instant": "OffsetDateTime",
        "date": "LocalDate",
        "any": "Object",
        "bytes": "byte[]",
        "several": "List<{}>",
        "lookup": "Map<String, {}>",
        "nullable": "{}",
    },
    boxed={"whole": "Long", "integer": "Integer", "bigint": "Long", "number": "Double", "boolean": "Boolean"},
    member=naming.camel,
    parameter=naming.camel,
    literal=c_text,
    constant=naming.upper,
    words=frozenset({*JAVA_WORDS.split()}),
    locals=frozenset({"aggregateid", "event", "id"}),
    comment=(("\\", "&#92;"), ("*/", "*&#47;"), ("@", "&#64;"), ("<", "&lt;")),
)

CSHARP_WORDS = """abstract as base bool break byte case catch char checked class const continue decimal default delegate
do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface
internal is lock long namespace new null object operator out override params private protected public readonly ref
return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked
unsafe ushort using virtual void volatile while
equals gethashcode tostring gettype equalitycontract printmembers deconstruct clone memberwiseclone finalize"""
CSHARP = Language(
    types={
        "text": "string",
        "whole": "long",
        "integer": "int",
        "bigint": "long",
        "number": "double",
        "boolean": "bool",
        "uuid": "Guid",
        "instant": "DateTimeOffset",
        "date": "DateOnly",
        "any": "JsonElement",
        "bytes": "byte[]",
        "several": "IReadOnlyList<{}>",
        "lookup": "IReadOnlyDictionary<string, {}>",
        "nullable": "{}?",
    },
    inherently=frozenset(),
    member=naming.pascal,
    parameter=naming.camel,
    literal=c_text,
    words=frozenset({*CSHARP_WORDS.split()}),
    locals=frozenset({"context", "message", "row", "id", "aggregate", "aggregateid", "type", "payload"}),
    comment=(("&", "&amp;"), ("<", "&lt;")),
)
