"""What relays that read a table send to a server: scripts, each as a whole, so that a frozen relay holds no lock.

The modules `lane_table`, `unpublished`, `failure_scripts` and `failure_desk` have what is the same in every database;
its folder has the statements, and how a value is written and read.
"""

import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from outbox_kit.databases.polling import Lane
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable
from outbox_kit.schema.model import Outbox

RETRY_SECONDS = (0.01, 0.05, 0.2, 0.5)
REST_SECONDS = 15.0
"""After which a connection is not used again: the server, or what is in between, may have ended it."""
ALONE = [Lane(-1, 0)]
"""In place of the lanes of a relay that shares none."""
Rows = Sequence[Sequence[Any]]
T = TypeVar("T")


class ScriptSession(Protocol):
    """A connection in which no transaction is open between two calls."""

    def run(self, script: str, values: Mapping[str, Any]) -> list[Rows]:
        """The rows of each statement of a script that has any.

        If one fails, nothing of a transaction in it remains. What fails because of locks of others is run again, a few
        times. Raises DatabaseUnreachable, DatabaseRefused.
        """

    def close(self) -> None:
        """End the connection. Raises nothing."""


class ReopenedSession:
    """A session that is opened when it is needed, and another one after a loss or a rest."""

    def __init__(self, connect: Callable[[], ScriptSession]) -> None:
        """connect: opens one."""
        self._connect = connect
        self._kept: ScriptSession | None = None
        self._used = 0.0

    def run(self, script: str, values: Mapping[str, Any]) -> list[Rows]:
        """See `ScriptSession`. Raises as `connect` too."""
        if self._kept is not None and time.monotonic() - self._used > REST_SECONDS:
            self.close()
        self._kept = self._kept or self._connect()
        try:
            results = self._kept.run(script, values)
        except DatabaseUnreachable:
            self.close()
            raise
        self._used = time.monotonic()
        return results

    def close(self) -> None:
        """End the connection. Raises nothing."""
        kept, self._kept = self._kept, None
        if kept is not None:
            kept.close()


@dataclass(frozen=True)
class Scripting:
    """How scripts of one database are written and sent."""

    connect: Callable[[str, Outbox], ScriptSession]
    """Opens a session at an address. Raises UsageProblem, DatabaseUnreachable."""
    address: Callable[[str], str]
    """An address in messages."""
    placeholder: str
    """How a value is marked, with `{}` for its name."""
    row: str
    """A given row as a query, with `{}` for its values."""
    between: str
    """What stands between given rows."""
    table: str
    """Given rows as a table, with `{rows}`, `{name}` for the name of the table, and `{columns}`."""
    parts: Mapping[str, str]
    """What stands in statements for `{live}`, `{later}` and the like."""
    fence: str
    """In the transaction of a script: locks the lanes of `{owned}`, and counts those that are this relay's."""
    always: str = "1 = 1"
    """A condition that holds."""
    escapes: Mapping[str, str] = field(default_factory=dict)
    """What is written differently in a name or text because the driver gives it a meaning."""

    def name(self, outbox: Outbox, *names: str) -> str:
        """A quoted identifier in a script."""
        return self.literal(outbox.dialect.quote_ident(*names))

    def literal(self, quoted: str) -> str:
        """A quoted name or text in a script."""
        for mark, written in self.escapes.items():
            quoted = quoted.replace(mark, written)
        return quoted

    def names(self, outbox: Outbox) -> dict[str, str]:
        """The parts of a statement that are the same for all of an outbox: the names of its tables, and `parts`."""
        names = outbox.names
        tables = {
            "lanes": names.lane_table,
            "members": names.member_table,
            "failures": names.failure_table,
            "starts": names.run_table,
            "table": outbox.table.name,
        }
        quoted = {name: self.name(outbox, names.schema, table) for name, table in tables.items()}
        return {**quoted, "always": self.always, **self.parts}

    def rows_table(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """Rows as a table of a FROM clause. rows: the expressions of their values, one row at least."""
        written = (
            self.row.format(
                ", ".join(value for value in row),
                ", ".join(f"{value} as {column}" for value, column in zip(row, columns, strict=True)),
            )
            for row in rows
        )
        return self.table.format(rows=self.between.join(written), name=name, columns=", ".join(columns))

    def owned(self, outbox: Outbox, lanes: Collection[Lane]) -> dict[str, str]:
        """The parts about lanes of this relay: `{owned}`, their rows with the name `mine`, and the same as lists.

        `{numbers}` are their numbers, `{pairs}` these and their epochs, `{count}` is how many they are.
        """
        ordered = sorted(lanes)
        parts = {
            "owned": self.rows_table("mine", ("lane", "epoch"), [(str(n), str(epoch)) for n, epoch in ordered]),
            "numbers": listed([lane.number for lane in ordered]),
            "pairs": f"({', '.join(f'({number}, {epoch})' for number, epoch in ordered)})",
            "count": str(len(ordered)),
        }
        return {**parts, "fence": self.fence.format(**self.names(outbox), **parts)}


def listed(numbers: Collection[int]) -> str:
    """Numbers as a list in parentheses; one that is never a row's if there are none."""
    return f"({', '.join(map(str, numbers)) or '-1'})"


def retried(run: Callable[[], T], is_conflict: Callable[[Exception], bool]) -> T:
    """What a call returns, which is repeated a few times if others have locked or changed what it needs.

    is_conflict: whether an error of the driver says so. Raises what the call raises.
    """
    for pause in RETRY_SECONDS:
        try:
            return run()
        except DatabaseRefused as refused:
            if not (isinstance(refused.__cause__, Exception) and is_conflict(refused.__cause__)):
                raise
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - so that two do not meet again
    return run()
