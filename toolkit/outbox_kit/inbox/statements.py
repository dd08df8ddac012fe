"""The statements of an inbox with their values, for any driver. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.databases.facts import Dialect
from outbox_kit.errors import UsageProblem

PLACE = re.compile(r"\{(\w+)\}")
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
        return VALUE

    return Query(PLACE.sub(replaced, "".join(lines)), tuple(bound))


def inserted(
    lines: Sequence[str],
    dialect: Dialect,
    table: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    bound: Mapping[str, str],
) -> Query:
    """An insert of `databases.facts`, of one row or several.

    bound: how a value stands in the statement, by its column, if it needs more than its mark.
    """
    quoted = ", ".join(dialect.quote_ident(dialect.fold_case(column)) for column in columns)
    marks = ", ".join(bound.get(column, "{}").format(VALUE) for column in columns)
    several = "), (".join([marks] * len(rows))
    places: dict[str, Callable[[], str]] = {
        "table": lambda: dialect.quote_ident(*table),
        "columns": lambda: quoted,
        "values": lambda: several,
    }
    text = PLACE.sub(lambda match: places[match[1]](), "".join(lines))
    return Query(text, tuple(value for row in rows for value in row))


def insert_once(dialect: Dialect) -> tuple[str, ...]:
    """The lines of the insert of a message id, which the generated code has too.

    Raises UsageProblem for a database whose rows are documents.
    """
    lines = dialect.code.insert_once if dialect.code else ()
    if not lines:
        raise UsageProblem(
            f"outbox_kit.inbox does not support {dialect.title}", fix="generate the code: outbox-kit gen-code --list"
        )
    return lines
