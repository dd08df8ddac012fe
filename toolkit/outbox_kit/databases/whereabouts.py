"""Whether an address leads to the database that the schema file names: another one may have a table of that name."""

from outbox_kit import databases
from outbox_kit.databases import servers
from outbox_kit.errors import WrongDatabase
from outbox_kit.schema.model import Outbox


def expect(dsn: str, outbox: Outbox) -> None:
    """Raise WrongDatabase where it leads to another one, and what the server raises where it does not answer."""
    expected, dialect = outbox.names.database, outbox.dialect
    if _of_another_kind(dsn, outbox.database.dialect):
        raise WrongDatabase(
            f"OUTBOX_KIT_DSN or --dsn is not an address of {dialect.title}, which the schema file names",
            fix=f"write the address as {dialect.access.example}, or correct database.dialect in the schema file",
        )
    actual = servers.get(outbox.database.dialect).database_names(dsn, outbox)
    if not actual or expected.casefold() in map(str.casefold, actual):
        return
    left_out = "" if outbox.database.name else "; database.name is not set, so the name is the service's"
    raise WrongDatabase(
        f"the schema file is about database '{expected}', OUTBOX_KIT_DSN or --dsn is connected to '{actual[0]}'",
        why=f"a table of that name may exist in '{actual[0]}' too{left_out}",
        fix=f"connect to '{expected}', or set database.name: {actual[0]} in the schema file",
    )


def _of_another_kind(dsn: str, dialect: str) -> bool:
    """Whether an address has the scheme of another database; MySQL's and MariaDB's stand for each other."""
    scheme = dsn.partition("://")[0] if "://" in dsn else ""
    other = databases.DEFAULT if scheme.startswith(databases.DEFAULT) else scheme
    if other not in databases.ALL:
        return False
    return servers.get(other).database_names != servers.get(dialect).database_names
