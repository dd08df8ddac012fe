"""Schema files whose names and texts try to be something else: SQL, a shell's or a client's command, or markup.

Every field that takes a free text gets one. What a database does not take must be refused with a sentence; all that is
taken must be a name, and nothing but a name, in whatever is generated.
"""

from collections.abc import Collection, Iterator
from typing import Any

from outbox_kit import databases
from outbox_kit.databases.facts import Dialect
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import complaints

PWNED = "create table pwned(i int)"
TEXTS = {
    "block": f"$block$; rollback; {PWNED}; --",
    "tags": f"$procedure$;$swap$;$build$;$function$;{PWNED};--",
    "renamed tags": f"$block$ $block_$ $$ $block__$;{PWNED};--",
    "quote": f"'; {PWNED}; --",
    "two quotes": f"''); {PWNED}; --",
    "double quote": f'"; {PWNED}; --',
    "backtick": f"`; {PWNED}; -- ",
    "bracket": f"]; {PWNED}; --",
    "comment": f"*/ {PWNED}; /*",
    "backslash quote": f"\\'; {PWNED}; -- x",
    "last backslash": "x\\",
    "format": "%s %I %L %(a)s %% %n %1$s",
    "braces": "{} {{ 7*7 }} {0} {names} {% raw %}",
    "variables": "x:var :'var' :\"var\" &amp &&x @x @@x $1 ?",
    "psql": "\\! touch pwned \\gexec \\q",
    "delimiter": f"delimiter // {PWNED} //",
    "shell": "$(touch pwned) `touch pwned` ; touch pwned | & > pwned",
    "javascript": '"}); throw new Error("pwned"); //',
    "markup": "<script>alert(1)</script> <img src=x onerror=alert(1)>",
    "markdown": "[x](javascript:alert(1)) ![x](http://x) | *b* _i_ # h ~~~ ```",
    "unicode": "ünï ☃ İ ﷽ \u00a0\u200b\u0301",
    "beyond": "\U0001f600 smile",
    "sqlcmd": "$(x) :r !! GO",
    "go": "go",
    "slash": "/",
    "hyphen": "x -",
    "long": "m" * 300,
}
WORST = ("block", "renamed tags", "two quotes", "double quote", "last backslash", "format", "variables", "long")
NEVER = {  # no field takes these
    "nul": "a\0b",
    "new line": f"a\n{PWNED};\n--",
    "return": "a\rb",
    "escape": "a\x1b[31mb",
    "next line": "a\x85b",
    "line separator": "a\u2028b",
    "turned": "a\u202eb",
    "half a surrogate": "a\ud800b",
}
FIELDS = ("role", "schema", "table", "column", "event", "header", "feed", "writer")


def file(
    dialect: str,
    text: str,
    fields: tuple[str, ...] = FIELDS,
    mark: str = "h",
    place: str = "p",
    service: str = "hostile",
    **more: Any,
) -> dict[str, Any]:
    """A schema file with the text in these kinds of fields.

    mark: begins each name, so that it can be told from others. place: begins the schema's, or the
    database's where there are none. service: the service's. more: of its table.
    """
    known = databases.get(dialect)
    limits = known.limits

    def name(field: str, begin: str, longest: int, refused: str = "", mark: str = mark) -> str:
        begin = f"{mark}{begin}"
        wanted = "".join(c for c in text if c not in refused) if field in fields else ""
        return _cut(known, f"{begin}{wanted}", longest).rstrip() or begin

    def column(begin: str) -> str:
        return name("column", begin, limits.name, ",:")

    schema = name("schema", "", limits.schema or limits.database or limits.name, ",", place)
    columns = {
        part: column(f"{part[:2]}{part[-2:]}") for part in ("id", "aggregate_type", "aggregate_id", "type", "payload")
    }
    columns["created_at"] = column("at")
    event = f"E{text}"[:200] if "event" in fields else "E"
    database: dict[str, Any] = {"dialect": dialect, "user": name("role", "r", limits.role)}
    database["schema" if known.naming.schema else "name"] = schema
    if "writer" in fields and "writers" in known.ddl.templates:
        database["writers"] = [name("writer", "w", min(limits.role, 32), "@")]
    table: dict[str, Any] = {
        "name": name("table", "t", limits.table, ","),
        "columns": columns,
        "extra": [{"name": column("x"), "as": f"H{text}"[:100].replace(",", "").replace(":", "")}]
        if "header" in fields
        else [],
    }
    if "feed" in fields and not known.documents:
        source = name("feed", "f", limits.name)
        table["source"] = _feed(known, text, table, source, name("feed", "e", limits.name))
    return {
        "service": service,
        "database": database,
        "table": table | more,
        "ordering": {"sequence": column("seq")}
        | ({} if "identity" in known.ddl.default_clauses else {"assigned_by": "application"}),
        "routing": {"pattern": "(x?).*", "topic": "events{1}"},
        "events": [
            {"type": event, "aggregate": event, "description": text if "event" in fields else ""},
            {"type": f"{event}!", "aggregate": event, "tombstone": True},
        ],
    }


def _feed(known: Dialect, text: str, table: dict[str, Any], source: str, each: str) -> dict[str, Any]:
    """Another table that fills this one; its expressions are texts of the database that hold the text."""
    value = known.quote_literal(text)
    given = dict.fromkeys(("aggregate_type", "aggregate_id", "type"), value) | {"payload": known.quote_literal("{}")}
    given |= {extra["name"]: value for extra in table["extra"]}
    return {"table": source, "array_column": each, "columns": given}


def _cut(dialect: Dialect, name: str, longest: int) -> str:
    while len(name) > longest or (
        len(name.encode("utf-8", "surrogatepass")) > longest and dialect.limits.unit == "bytes"
    ):
        name = name[:-1]
    return name


def outboxes(
    dialect: str,
    mark: str = "h",
    fields: tuple[str, ...] = FIELDS,
    among: Collection[str] = tuple(TEXTS),
    **more: Any,
) -> Iterator[tuple[str, Outbox]]:
    """What a database takes of all this: of each text the file that holds it in as many fields as can be."""
    for what in among:
        key = repr((dialect, mark, fields, what, more))
        if key not in _accepted:
            text = TEXTS[what]
            accepted = tuple(field for field in fields if complaints(file(dialect, text, (field,), mark, **more)) == [])
            document = file(dialect, text, accepted, mark, **more)
            assert complaints(document) == [], (what, complaints(document))
            _accepted[key] = Outbox.model_validate(document)
        yield what, _accepted[key]


_accepted: dict[str, Outbox] = {}
"""Of each question, because each field is tried alone: several tests ask the same."""


def pairs(
    dialect: str, mark: str = "", among: Collection[str] = tuple(TEXTS), **more: Any
) -> Iterator[tuple[str, Outbox, Outbox]]:
    """Two outboxes for each text, of which one is to become the other."""
    alone = tuple(field for field in FIELDS if field not in ("feed", "schema"))
    olds = dict(outboxes(dialect, f"{mark}o", alone, among, **more))
    for what, new in outboxes(dialect, f"{mark}h", alone, among, **more):
        yield what, olds[what], new
