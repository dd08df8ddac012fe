"""The statements of an inbox with their values, for any driver. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.databases.facts import Dialect
from outbox_kit.databases.facts.inbox import MAY_BE_EMPTY, InboxFacts
from outbox_kit.databases.facts.inbox_rows import insert_texts
from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern

PLACE = lazy_pattern(r"\{(\w+)\}")
VALUE = "\0"  # in the place of a bound value: no identifier contains it


@dataclass(frozen=True)
class Query:
    """A statement and its bound values."""

    text: str
    """The statement, with VALUE for each bound value."""
    values: tuple[Any, ...] = ()

    def percent(self) -> str:
        """The statement for drivers with the placeholder %s."""
        return self.text.replace("%", "%%").replace(VALUE, "%s")

    def by_name(self) -> tuple[str, dict[str, Any]]:
        """The statement for SQLAlchemy's `text`, and its values by their names."""
        numbers = iter(range(len(self.values)))
        text = re.sub(VALUE, lambda _: f":value_{next(numbers)}", self.text.replace(":", "\\:"))
        return text, {f"value_{n}": value for n, value in enumerate(self.values)}


@dataclass(frozen=True)
class StatementResult:
    """What a statement has returned."""

    count: int
    """Rows that it has changed, as the driver counts them."""
    rows: Sequence[Sequence[Any]] = ()


def query(lines: Sequence[str], dialect: Dialect, table: Sequence[str], values: Mapping[str, Any]) -> Query:
    """A statement of `databases.facts.inbox`. values: by the names in its braces."""
    bound: list[Any] = []

    def replaced(match: re.Match[str]) -> str:
        name = match[1]
        if name == "table":
            return dialect.quote_ident(*table)
        bound.append(values[name])
        return dialect.inbox.text.format(VALUE) if name in MAY_BE_EMPTY else VALUE

    return Query(PLACE.sub(replaced, "".join(lines)), tuple(bound))


def inserted(
    lines: Sequence[str],
    dialect: Dialect,
    table: Sequence[str],
    key: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    bound: Mapping[str, str],
) -> Query:
    """An insert of `InboxFacts`, of one row or several.

    key: the columns of the primary key. rows: all with the same columns. bound: how a value stands in the statement, by
    its column, if it needs more than its mark.
    """
    columns = list(rows[0])
    marks = ", ".join(bound.get(column, "{}").format(VALUE) for column in columns)
    texts = insert_texts(dialect, table, key, columns) | {"values": "), (".join([marks] * len(rows))}
    text = PLACE.sub(lambda match: texts[match[1]], "".join(lines))
    return Query(text, tuple(value for row in rows for value in row.values()))


def added(dialect: Dialect, table: Sequence[str], key: Sequence[str], row: Mapping[str, Any]) -> Query:
    """The insert of a row that is not added if its key exists. Raises UsageProblem."""
    bound = dict.fromkeys(MAY_BE_EMPTY, dialect.inbox.text)
    return inserted(expect_rows(dialect).add, dialect, table, key, [row], bound)


def expect_rows(dialect: Dialect) -> InboxFacts:
    """The inbox of a database. Raises UsageProblem for one whose rows are documents."""
    if not dialect.inbox.add:
        raise UsageProblem(
            f"outbox_kit.inbox does not support {dialect.title}", fix="generate the code: outbox-kit gen-code --list"
        )
    return dialect.inbox
