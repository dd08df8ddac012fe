"""The tables that a text creates or inserts into, such as a page with a connector beside its table. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, zip_longest

NAME = r"(?:[\w$]+|\"[^\"\n]+\"|`[^`\n]+`|\[[\w .$-]+\])"
QUALIFIED = rf"({NAME}(?:\s*\.\s*{NAME})*)"
CREATED = re.compile(rf"\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?{QUALIFIED}\s*\(", re.IGNORECASE)
INSERTED = re.compile(rf"\binsert\s+into\s+{QUALIFIED}\s*\(([^()]*)\)\s*(?:values|select)\b", re.IGNORECASE)
ALTERED = re.compile(
    rf"\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?{QUALIFIED}\s+(?:add|rename|drop|change|modify)\b",
    re.IGNORECASE,
)
COMMENT = re.compile(r"--[^\n]*|/\*(?:(?!\*/).)*\*/", re.DOTALL)
TOKEN = re.compile(COMMENT.pattern + r"|'(?:[^']|'')*'|\"[^\"\n]*\"|[(),;]", re.DOTALL)
COLUMN = re.compile(rf"\s*({NAME})\s+(.+)", re.DOTALL)
NO_COLUMNS = re.compile(
    r"(?:primary|constraint|unique|key|index|foreign|check|exclude|like|partition|period|fulltext|inherits)\b",
    re.IGNORECASE,
)
ENTITY = re.compile(r"@Table\s*\((?:[^()]*,\s*)?name\s*=\s*\"([\w$]+)\"[^()]*\)")
FIELD = re.compile(
    r"(?:@Column\s*\((?:[^()]*?,\s*)?name\s*=\s*\"(?P<column>\w+)\"[^()]*\)\s*(?:@\w+(?:\([^()]*\))?\s*)*)?"
    r"(?:private|protected|var|val)\s+(?:final\s+)?(?:[\w<>?,. ]{1,80}?\s)?(?P<name>\w+)\s*[;:=]"
)
"""A field of an entity, with the column that it names."""
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

    def lacks(self, column: str) -> bool:
        """Whether the table has no such column."""
        return column.lower() not in self.columns


@lru_cache(maxsize=4)
def tables(text: str) -> Mapping[str, CreatedTable]:
    """The tables by their names in lower case, without their schema. Of a name that is created twice, none is known."""
    lower = text.lower()  # a word is found in it much sooner than a pattern that takes both cases
    if not any(word in lower for word in ("create", "insert", "@table")):
        return {}
    created, repeated = dict[str, CreatedTable](), set[str]()
    for match in islice(CREATED.finditer(text), MOST):
        name = _last(match[1])
        types = dict(_columns(text, match.end()))
        if name in created and created[name].columns != types:
            repeated.add(name)
        if types:
            created[name] = CreatedTable(types)
    for match in islice(INSERTED.finditer(text), MOST):
        listed = {_plain(part): "" for part in match[2].split(",") if part.strip()}
        if len(listed) < FEWEST:
            continue
        created.setdefault(_last(match[1]), CreatedTable(listed, is_complete=False))
    for name, columns in _entities(text):
        created.setdefault(name, CreatedTable(dict.fromkeys(columns, ""), is_complete=False))
    if created:
        repeated.update(_last(match[1]) for match in ALTERED.finditer(text))
    return {name: table for name, table in created.items() if name not in repeated}


def _entities(text: str) -> Iterator[tuple[str, list[str]]]:
    """The tables of JPA's entities, each with the columns that its fields may have."""
    starts = [*ENTITY.finditer(text)]
    for match, following in zip_longest(starts, starts[1:]):
        end = following.start() if following else len(text)
        columns = list[str]()
        for field in FIELD.finditer(text, match.end(), end):
            name = field["name"] or ""
            columns += [field["column"].lower()] if field["column"] else [name.lower(), _snake(name)]
        if len(columns) >= FEWEST:
            yield match[1].lower(), columns


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _columns(text: str, at: int) -> Iterator[tuple[str, str]]:
    """The columns of a table whose list begins at an offset; nothing if the list has no end."""
    parts, depth, start = list[str](), 0, at
    for token in TOKEN.finditer(text, at, at + LONGEST):
        if token[0] == "(":
            depth += 1
        elif token[0] == ")" and depth:
            depth -= 1
        elif token[0] in (",", ")", ";") and not depth:
            parts.append(text[start : token.start()])
            start = token.end()
            if token[0] != ",":
                break
    else:
        return
    for part in parts:
        plain = COMMENT.sub(" ", part).strip()
        if not NO_COLUMNS.match(plain) and (match := COLUMN.match(plain)):
            yield _plain(match[1]), " ".join(match[2].lower().split())


def _last(name: str) -> str:
    return _plain(re.findall(NAME, name)[-1])


def _plain(name: str) -> str:
    return name.strip().strip('"`[]').lower()
