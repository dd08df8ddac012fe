"""Common parts of applying DDL: the changes, unmet requirements, and a table with other columns."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from outbox_kit.databases import existing
from outbox_kit.databases.facts import Dialect
from outbox_kit.errors import DatabaseRefused, EnvironmentProblem, TableDiffers
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox

# a column in the catalogue: its type, whether it is NOT NULL, and whether the server has a default for it
ActualColumn = tuple[str, bool, bool]


REPEAT = "fix the cause, then run the command again; existing objects are kept"


@dataclass(frozen=True)
class DatabaseChange:
    """A fact that was added (`+`) or removed (`-`), or a value that was set and cannot be read back (`~`)."""

    sign: str
    fact: str


def between(before: Sequence[str], after: Sequence[str]) -> list[DatabaseChange]:
    """The differences between two lists of facts."""
    removed = [DatabaseChange("-", fact) for fact in before if fact not in after]
    return [*removed, *(DatabaseChange("+", fact) for fact in after if fact not in before)]


@contextmanager
def irreversible(before: Sequence[str], after: Callable[[], Sequence[str]], fix: str = "") -> Iterator[None]:
    """A block of statements that cannot be rolled back: its EnvironmentProblem lists the changes that were made.

    before: the facts before the block. after: reads the present facts from the server. fix: used if the problem has
    none.
    """
    try:
        yield
    except EnvironmentProblem as problem:
        problem.details = _half_way(before, after)
        problem.fix = problem.fix or fix
        raise


def _half_way(before: Sequence[str], after: Callable[[], Sequence[str]]) -> tuple[str, ...]:
    """The changes before an error. after: reads the present facts from the server."""
    try:
        done = between(before, after())
    except EnvironmentProblem:
        return ("  unknown: changes before the error could not be read",)
    listed = [f"  {change.sign} {change.fact}" for change in done]
    return ("  changes before the error, which are kept:", *listed) if done else ("  nothing was changed",)


def strangers(outbox: Outbox, known_users: Container[str]) -> list[str]:
    """The writers that the database does not have, a sentence each."""
    absent = [writer for writer in outbox.database.writers if writer not in known_users]
    return [f"user '{writer}' of database.writers does not exist" for writer in absent]


def refuse_unready(obstacles: Sequence[str], where: str) -> None:
    """Raise DatabaseRefused with all unmet requirements, if there are any."""
    if obstacles:
        raise DatabaseRefused(
            "requirements of the server are not met; nothing was changed",
            where=where,
            fix="fix all of these, then run the command again",
            details=[f"  {obstacle}" for obstacle in obstacles],
        )


def refuse_other_columns(outbox: Outbox, actual: Mapping[str, ActualColumn]) -> None:
    """Raise TableDiffers for a table with other columns, which the script does not alter.

    An existing table must have the columns that the event router reads, with suitable types.
    """
    if outbox.table.existing:
        existing.expect(outbox, {name: kind for name, (kind, _, _) in actual.items()})
        return
    dialect = outbox.dialect
    table = dialect.quote_ident(outbox.names.schema, outbox.table.name)
    differences = list(_differences(dialect, table, actual, columns(outbox))) if actual else []
    if differences:
        raise TableDiffers(
            f"the table {table} exists with other columns; nothing was changed",
            fix="write the migration from the previous schema file: outbox-kit gen-ddl --diff OLD, such as "
            "--diff git:main; or name the existing columns in table.columns",
            details=differences,
        )


def _differences(
    dialect: Dialect, table: str, actual: Mapping[str, ActualColumn], expected_columns: Sequence[Column]
) -> Iterator[str]:
    for column in expected_columns:
        expected = dialect.types[column.kind], column.required
        if column.name not in actual:
            definition = f"{dialect.quote_ident(column.name)} {_spelled(*expected)}".removesuffix(", nullable")
            rows = " (with a default, if the table has rows)" if column.required else ""
            yield f"  '{column.name}' is missing; add it: alter table {table} add {definition}{rows}"
        elif (actual_column := actual[column.name][:2]) != expected:
            yield f"  '{column.name}' is {_spelled(*actual_column)}, not {_spelled(*expected)}"
    declared = {column.name for column in expected_columns}
    for name, (_, required, filled) in sorted(actual.items()):
        if required and not filled and name not in declared:
            yield f"  '{name}' is not null, and not in the schema file; add it to table.extra"


def _spelled(kind: str, required: bool) -> str:
    return f"{kind} not null" if required else f"{kind}, nullable"
