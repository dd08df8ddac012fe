"""The tables that a text creates or inserts into, such as a page with a connector beside its table. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, zip_longest

from outbox_kit.lazy_pattern import lazy_pattern

NAME = r"(?:(?:[\w$]|\{\w+\})+|\"[^\"\n]+\"|`[^`\n]+`|\[[\w .$-]+\])"
PART = lazy_pattern(NAME)
QUALIFIED = rf"({NAME}(?:\s*\.\s*{NAME})*)"
CREATED = lazy_pattern(
    rf"\bcreate\s+(?:(unlogged|temp|temporary)\s+)?table\s+(?:if\s+not\s+exists\s+)?{QUALIFIED}\s*\(", re.IGNORECASE
)
INSERTED = lazy_pattern(rf"\binsert\s+into\s+{QUALIFIED}\s*\(([^()]*)\)\s*(?:values|select)\b", re.IGNORECASE)
ALTERED = lazy_pattern(
    rf"\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?{QUALIFIED}\s+(?:add|rename|drop|change|modify)\b",
    re.IGNORECASE,
)
PUBLISHED = lazy_pattern(
    rf"\bcreate\s+publication\s+{NAME}\s+for\s+table\s+(?:only\s+)?{QUALIFIED}\s*\(([^()]*)\)", re.IGNORECASE
)
CAPTURED = lazy_pattern(
    r"\bsp_cdc_enable_table\b(?=[^;]{0,800}@source_name\s*=\s*N?'(?P<table>[^']+)')"
    r"(?=[^;]{0,800}@captured_column_list\s*=\s*N?'(?P<columns>[^']+)')",
    re.IGNORECASE,
)
"""Statements that leave columns out of what the connector gets, in PostgreSQL and in SQL Server."""
OF_ANOTHER_PRODUCT = lazy_pattern(
    r"\)\s*(?:on\s+cluster\s+\S+\s*)?engine\s*=\s*(?:\w*mergetree|kafka|null|\w*log|olap|s3queue|distributed)\b"
    r"|\)\s*with\s*\(\s*'connector'|\)\s*using\s+(?:iceberg|delta|hudi)\b|\)\s*stored\s+as\b",
    re.IGNORECASE,
)
"""What ends the statement for a table of ClickHouse, StarRocks, Flink or Spark, which is not captured."""
PARTITIONED = lazy_pattern(r"\bpartition\s+by\b", re.IGNORECASE)
COMMENT = lazy_pattern(r"--[^\n]*|/\*(?:(?!\*/).)*\*/", re.DOTALL)
TOKEN = lazy_pattern(COMMENT.pattern + r"|'(?:[^']|'')*'|\"[^\"\n]*\"|[(),;]", re.DOTALL)
REMARKS = ("*", "//", "#")
"""What begins the lines of a comment of a program that has a statement."""
REMARK_OF_MYSQL = lazy_pattern(r"^[ \t]*#[^\n]*", re.MULTILINE)
COLUMN = lazy_pattern(rf"\s*({NAME})\s+(.+)", re.DOTALL)
NO_COLUMNS = lazy_pattern(
    r"(?:primary|constraint|unique|key|index|foreign|check|exclude|like|partition|period|fulltext|inherits)\b",
    re.IGNORECASE,
)
ENTITY = lazy_pattern(
    r"@Table\s*\((?:[^()]*,\s*)?name\s*=\s*\"(?P<table>[\w$]+)\"[^()]*\)"
    r"|@Entity\b(?:\s*@(?!Table\b)\w+(?:\([^()]*\))?|\s+(?:public|data|open|final))*\s+class\s+(?P<name>\w+)"
)
"""An entity with the table that it names, or whose table is named after it."""
FIELD = lazy_pattern(
    r"(?:@Column\s*\((?:[^()]*?,\s*)?name\s*=\s*\"(?P<column>\w+)\"[^()]*\)\s*(?:@\w+(?:\([^()]*\))?\s*)*)?"
    r"(?:private|protected|var|val)\s+(?:final\s+)?(?:[\w<>?,. ]{1,80}?\s)?(?P<name>\w+)\s*[;:=]"
)
"""A field of an entity, with the column that it names."""
DEFINED = lazy_pattern(r"columnDefinition\s*=\s*\"([^\"]+)\"")
"""The type of a column, as an entity has it."""
JOINT = lazy_pattern(
    r"(?:\\[nrt])+|\"\s*\+\s*\"|'\s*[+.]\s*'|\"[ \t]*(?:\.[ \t]*)?\n[ \t]*(?:\.[ \t]*)?[rf]?\"|'[ \t]*\n[ \t]*[rf]?'"
)
"""Where a program puts two texts together, and line ends as its texts have them."""
FEWEST = 3
"""Columns of a statement that inserts an event."""
LONGEST, MOST = 8_000, 200
"""Characters of a statement that is read, and the statements of a file."""


@dataclass(frozen=True)
class CreatedTable:
    """A table that a text creates, or that a statement of it inserts into."""

    columns: Mapping[str, str]
    """The type of each column, by its name in lower case; empty types of columns that a statement only inserts."""
    is_complete: bool = True
    """Whether it has no other columns."""
    is_partitioned: bool = False
    is_keyed: bool = True
    """Whether it has a primary key."""
    is_logged: bool = True
    """Whether PostgreSQL writes it to the WAL."""
    spellings: Mapping[str, str] = field(default_factory=dict)
    """The columns as the statement that creates the table has them, with their quotes."""
    twins: Mapping[str, str] = field(default_factory=dict)
    """Columns that have one of two names, as Hibernate is set: `aggregatetype`, or the value `aggregate_type`."""
    captured: frozenset[str] | None = None
    """The columns that the database passes on; None for all."""

    def spelt_as(self, configured: Collection[str]) -> "CreatedTable":
        """The table if the columns that a config names are right: Hibernate names all columns in the same way."""
        joined = {plain for plain, snake in self.twins.items() if snake in configured}
        if not joined or self.twins.keys() & configured:
            return self
        kept = {name: kind for name, kind in self.columns.items() if name not in self.twins}
        return replace(self, columns=kept, twins={})

    def lacks(self, column: str) -> bool:
        """Whether the table has no such column, or the connector does not get it."""
        name = column.lower()
        return name not in self.columns or (self.captured is not None and name not in self.captured)


def tables(text: str, line: int = 1) -> Mapping[str, CreatedTable]:
    """The tables by their names in lower case, without their schema.

    line: of a connector, from 1. Of a name that is created several times, the last table before it counts, such as the
    one for its database. A table that is altered is not known.
    """
    offset = 0
    created = _created(text)
    if any(len(places) > 1 for places in created.values()):
        offset = sum(len(each) for each in text.splitlines(keepends=True)[: line - 1])
    result = dict[str, CreatedTable]()
    for name, places in created.items():
        before = [table for at, table in places if at < offset]
        if len(places) == 1 or before:
            result[name] = before[-1] if before else places[0][1]
    return result


def _restrict(created: dict[str, list[tuple[int, CreatedTable]]], text: str) -> None:
    """Note which columns the database passes on, of those tables of which a text says so."""
    for match in (*PUBLISHED.finditer(text), *CAPTURED.finditer(text)):
        name, columns = match.groups()
        captured = frozenset(_plain(part) for part in columns.split(","))
        places = created.get(_last(name)) or [(match.start(), CreatedTable(dict.fromkeys(captured, "")))]
        created[_last(name)] = [(at, replace(table, captured=captured)) for at, table in places]


def _line_end(joint: re.Match[str]) -> str:
    """A line end of the same length, so that the offsets behind it stay as they are."""
    return "\n".rjust(len(joint[0]))


@lru_cache(maxsize=4)
def schemas(text: str) -> Mapping[str, frozenset[str]]:
    """The schemas in which a text creates the tables of a name, all in lower case; empty where it names none."""
    result = dict[str, frozenset[str]]()
    for match in islice(_statements(text), MOST) if "create" in text.lower() else ():
        parts = [_plain(part) for part in PART.findall(match[2])]
        result[parts[-1]] = result.get(parts[-1], frozenset()) | {parts[-2] if len(parts) > 1 else ""}
    return result


def _statements(text: str) -> Iterator[re.Match[str]]:
    """The statements that create a table of a database, not of an engine that reads the events."""
    for match in CREATED.finditer(text):
        end = text.find(";", match.end(), match.end() + LONGEST)
        if not OF_ANOTHER_PRODUCT.search(text, match.end(), end if end > 0 else min(len(text), match.end() + LONGEST)):
            yield match


@lru_cache(maxsize=4)
def _created(text: str) -> Mapping[str, list[tuple[int, CreatedTable]]]:
    """The tables of each name with their offsets; those with the same columns once."""
    lower = text.lower()  # a word is found in it much sooner than a pattern that takes both cases
    if not any(word in lower for word in ("create", "insert", "@table", "@entity", "sp_cdc_enable_table")):
        return {}
    text = JOINT.sub(_line_end, text)
    created = dict[str, list[tuple[int, CreatedTable]]]()
    for match in islice(_statements(text), MOST):
        begin = text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
        described = list(_columns(text, match.end(), begin if begin in REMARKS else ""))
        types = {_plain(name): kind for name, kind in described}
        places = created.setdefault(_last(match[2]), []) if types else []
        if types and types not in [table.columns for _, table in places]:
            end = text.find(";", match.end(), match.end() + LONGEST)
            partitioned = PARTITIONED.search(text, match.end(), end if end > 0 else len(text)) is not None
            spellings = {_plain(name): name for name, _ in described}
            keyed = "primary key" in lower[match.end() : end if end > 0 else len(text)]
            table = CreatedTable(
                types,
                is_partitioned=partitioned,
                is_keyed=keyed,
                is_logged=match[1] is None,
                spellings=spellings,
            )
            places.append((match.start(), table))
    for match in islice(INSERTED.finditer(text), MOST):
        listed = {_plain(part): "" for part in match[2].split(",") if part.strip()}
        if len(listed) >= FEWEST:
            created.setdefault(_last(match[1]), [(match.start(), CreatedTable(listed, is_complete=False))])
    for name, table in _entities(text):
        created.setdefault(name, [(0, table)])
    _restrict(created, text)
    altered = {_last(match[1]): match.start() for match in ALTERED.finditer(text)} if created else {}
    return {
        name: places
        for name, places in created.items()
        if places and altered.get(name, -1) < min(at for at, _ in places)
    }


def _entities(text: str) -> Iterator[tuple[str, CreatedTable]]:
    """The tables of JPA's entities, each with the columns that its fields may have."""
    starts = [*ENTITY.finditer(text)]
    for match, following in zip_longest(starts, starts[1:]):
        end = following.start() if following else len(text)
        columns, twins = dict[str, str](), dict[str, str]()
        for member in FIELD.finditer(text, match.end(), end):
            name = member["name"] or ""
            defined = DEFINED.search(member[0])
            for column in [member["column"]] if member["column"] else [name, _snake(name)]:
                columns[column.lower()] = " ".join(defined[1].lower().split()) if defined else ""
            if not member["column"] and name.lower() != _snake(name):
                twins[name.lower()] = _snake(name)
        if len(columns) >= FEWEST:
            table = CreatedTable(columns, is_complete=False, twins=twins)
            yield (match["table"] or _snake(match["name"])).lower(), table


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _columns(text: str, at: int, remark: str) -> Iterator[tuple[str, str]]:
    """The columns of a table whose list begins at an offset; nothing if the list has no end.

    remark: what the lines begin with; empty for a statement that is in no comment.
    """
    begin = re.compile(rf"^[ \t]*{re.escape(remark)}", re.MULTILINE) if remark else REMARK_OF_MYSQL
    body = begin.sub(" ", text[at : at + LONGEST])
    parts, depth, start = list[str](), 0, 0
    for token in TOKEN.finditer(body):
        if token[0] == "(":
            depth += 1
        elif token[0] == ")" and depth:
            depth -= 1
        elif token[0] in (",", ")", ";") and not depth:
            parts.append(body[start : token.start()])
            start = token.end()
            if token[0] != ",":
                break
    else:
        return
    for part in parts:
        plain = COMMENT.sub(" ", part).strip()
        if not NO_COLUMNS.match(plain) and (match := COLUMN.match(plain)):
            yield match[1], " ".join(match[2].lower().split())


def _last(name: str) -> str:
    return _plain(PART.findall(name)[-1])


def _plain(name: str) -> str:
    return name.strip().strip('"`[]').lower()
