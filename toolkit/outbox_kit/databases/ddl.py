"""What applying DDL has in common on all servers: what changed, what stands in the way, a table of other columns."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from outbox_kit.databases import existing
from outbox_kit.databases.facts import Dialect
from outbox_kit.errors import DatabaseRefused, EnvironmentProblem, TableDiffers
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.model import Outbox

# a column as the server has it: its type, whether it is NOT NULL, whether the server fills it where nobody does
ActualColumn = tuple[str, bool, bool]


REPEAT = "mend that, then repeat: what is as it should be is left alone"


@dataclass(frozen=True)
class DatabaseChange:
    """One fact that is new (`+`) or gone (`-`), or something that is set and cannot be read back (`~`)."""

    sign: str
    fact: str


def between(before: Sequence[str], after: Sequence[str]) -> list[DatabaseChange]:
    """What two lists of facts differ in."""
    removed = [DatabaseChange("-", fact) for fact in before if fact not in after]
    return [*removed, *(DatabaseChange("+", fact) for fact in after if fact not in before)]


@contextmanager
def irreversible(before: Sequence[str], after: Callable[[], Sequence[str]], fix: str = "") -> Iterator[None]:
    """A block of statements that cannot be rolled back: an EnvironmentProblem of it says what was changed before.

    before: the facts before the block. after: asks the server for those of now. fix: where the problem has none.
    """
    try:
        yield
    except EnvironmentProblem as problem:
        problem.details = _half_way(before, after)
        problem.fix = problem.fix or fix
        raise


def _half_way(before: Sequence[str], after: Callable[[], Sequence[str]]) -> tuple[str, ...]:
    """What was changed before something went wrong, as far as the server still says. after: asks it."""
    try:
        done = between(before, after())
    except EnvironmentProblem:
        return ("  whether something was changed before that cannot be seen now",)
    listed = [f"  {change.sign} {change.fact}" for change in done]
    return ("  what was changed before that, and stays:", *listed) if done else ("  nothing was changed",)


def strangers(outbox: Outbox, known_users: Container[str]) -> list[str]:
    """What stands in the way where a writer is nobody whom the database knows."""
    absent = [writer for writer in outbox.database.writers if writer not in known_users]
    return [f"there is no user '{writer}', whom database.writers names" for writer in absent]


def refuse_unready(obstacles: Sequence[str], where: str) -> None:
    """Raise DatabaseRefused with everything that stands in the way, if anything does."""
    if obstacles:
        raise DatabaseRefused(
            "the server is not ready for this; nothing was changed",
            where=where,
            fix="mend all of these, then repeat",
            details=[f"  {obstacle}" for obstacle in obstacles],
        )


def refuse_other_columns(outbox: Outbox, actual: Mapping[str, ActualColumn]) -> None:
    """Raise TableDiffers for a table that is there with other columns: the script leaves an existing table's alone.

    What is somebody else's table must be there, and need only have what the router can take.
    """
    if outbox.table.existing:
        existing.expect(outbox, {name: kind for name, (kind, _, _) in actual.items()})
        return
    dialect = outbox.dialect
    differences = list(_differences(dialect, actual, columns(outbox))) if actual else []
    if differences:
        raise TableDiffers(
            f"the table {dialect.quote_ident(outbox.names.schema, outbox.table.name)} exists with other columns; "
            "nothing was changed",
            fix="change the table by hand, or say in table.columns what its columns are called",
            details=differences,
        )


def _differences(
    dialect: Dialect, actual: Mapping[str, ActualColumn], expected_columns: Sequence[Column]
) -> Iterator[str]:
    for column in expected_columns:
        expected = dialect.types[column.kind], column.required
        if column.name not in actual:
            yield f"  '{column.name}' is missing; add it: {_spelled(*expected)}"
        elif (actual_column := actual[column.name][:2]) != expected:
            yield f"  '{column.name}' is {_spelled(*actual_column)}, not {_spelled(*expected)}"
    declared = {column.name for column in expected_columns}
    for name, (_, required, filled) in sorted(actual.items()):
        if required and not filled and name not in declared:
            yield f"  '{name}' is not null, but the schema file does not know it; add it to table.extra"


def _spelled(kind: str, required: bool) -> str:
    return f"{kind} not null" if required else f"{kind}, nullable"
