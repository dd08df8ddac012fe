"""A database's address as a URL: `scheme://user@host:port/database`. Pure; PostgreSQL's is libpq's matter."""

from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from outbox_kit import address, secret
from outbox_kit.errors import UsageProblem
from outbox_kit.schema.model import Outbox


class Endpoint(NamedTuple):
    """What an address names; None for what it leaves out, and for all of an address that is malformed."""

    host: str | None = None
    port: int | None = None
    database: str | None = None


@dataclass(frozen=True)
class Form:
    """What the addresses of one kind of server look like."""

    schemes: tuple[str, ...]
    """The first is the one that is shown."""
    port: int
    server_databases: frozenset[str] = frozenset()
    """The server's own databases, which administrators' addresses name."""

    def parts(self, dsn: str) -> SplitResult:
        """An address, taken apart; its password is a secret from here on. Raises UsageProblem."""
        secret.remember_address(dsn)
        why = address.flaw(dsn)
        try:
            parts = urlsplit(dsn)
            usable = parts.scheme in self.schemes and (parts.port or True) and not why
        except ValueError:
            usable = False
        if not usable:
            raise malformed(f"{self.schemes[0]}://user@host:{self.port}/database", why) from None
        return parts

    def option(self, parts: SplitResult, name: str, default: str) -> str:
        """An option behind the question mark."""
        return parse_qs(parts.query).get(name, [default])[-1]

    def endpoint(self, dsn: str) -> Endpoint:
        """Host, port and database of an address, without connecting."""
        try:
            parts = urlsplit(dsn)
            is_valid = parts.scheme in self.schemes and not address.flaw(dsn)
            return Endpoint(parts.hostname, parts.port, unquote(parts.path[1:]) or None) if is_valid else Endpoint()
        except ValueError:
            return Endpoint()

    def database_names(self, dsn: str, outbox: Outbox) -> tuple[str, ...]:  # noqa: ARG002 - as Oracle's
        """The database of an address, unless it is one of the server's own: statements name the outbox's themselves."""
        database = self.endpoint(dsn).database
        return (database,) if database and database.lower() not in self.server_databases else ()

    def address(self, dsn: str) -> str:
        """Host, port and database, never the password. Raises UsageProblem."""
        parts = self.parts(dsn)
        return f"{parts.hostname or 'localhost'}:{parts.port or self.port}{parts.path}"


def malformed(form: str, why: str = "") -> UsageProblem:
    """The error for a malformed address. It does not show the address, because any part could be the password.

    form: an example of a valid address.
    """
    return UsageProblem("the database's address is malformed", why=why, fix=f"write it as {form}")


def has_password(dsn: str) -> bool:
    """Whether an address spells a password out."""
    try:
        return bool(urlsplit(dsn).password)
    except ValueError:
        return False
