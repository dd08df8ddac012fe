"""What the promises of `tests/database` ask of a server, and the words that differ."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

PASSWORD = "of-a-test"  # noqa: S105 - the servers live as long as the tests
COLUMNS = "id, aggregatetype, aggregateid, type, payload"


@dataclass(frozen=True)
class Words:
    """Texts of a server and of what the kit says about it."""

    integer: str
    """The type of a column `int`, as its catalogue has it."""
    denied: str
    """Part of the error of a user without a privilege."""
    missing: tuple[str, ...]
    """What `gen-ddl --apply` says that a user without privileges lacks, with `{name}` for the database."""
    short_log: tuple[str, str, str]
    """Statements that let the log be deleted soon and undo it, and part of the warning."""


class Session(Protocol):
    """One user's session; each statement is committed."""

    def __call__(self, statement: str, *values: Any) -> list[Any]:
        """Run a statement with `%s` for each value, and return the rows."""


class Server(Protocol):
    """A running server. Its users are the boss, who may do everything, `application` and `nobody`."""

    @property
    def dialect(self) -> str:
        """The database, as schema files have it."""

    @property
    def port(self) -> int:
        """On 127.0.0.1."""

    @property
    def words(self) -> Words:
        """What differs."""

    def ask(self, statement: str, *values: Any, database: str | None = None) -> list[Any]:
        """Run statements as the boss."""

    def reload(self) -> None:
        """Wait until changed settings hold for new sessions."""

    def session(self, user: str, database: str) -> AbstractContextManager[Session]:
        """A session of a user."""

    def denied(self) -> AbstractContextManager[Any]:
        """Expects the driver's error for a missing privilege."""

    def create(self, name: str) -> None:
        """Create a database."""

    def drop(self, name: str) -> None:
        """Drop a database."""

    def environment(self, database: str, user: str = "") -> dict[str, str]:
        """The variables by which the kit reaches a database. user: the boss if empty."""

    def script(self, database: str, text: str) -> None:
        """Run a script as an operator does, statement by statement; its first error fails the test."""

    def tables(self, name: str) -> list[Any]:
        """The tables of a database."""

    def roles(self, name: str) -> list[Any]:
        """The users and roles whose names begin so."""

    def uncommented(self, name: str) -> list[Any]:
        """The columns of the outbox without a comment."""

    def checks(self, name: str) -> list[Any]:
        """The CHECKs of a database."""

    def leftovers(self, name: str) -> list[Any]:
        """What a migration must not leave: triggers, schemas beside the outbox's, privileges of former writers."""
