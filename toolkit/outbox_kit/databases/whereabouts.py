"""Whether an address leads to the database that the schema file names: another one may have a table of that name."""

from outbox_kit.databases import servers
from outbox_kit.errors import WrongDatabase
from outbox_kit.schema.model import Outbox


def expect(dsn: str, outbox: Outbox) -> None:
    """Raise WrongDatabase where it leads to another one, and what the server raises where it does not answer."""
    expected = outbox.names.database
    actual = servers.get(outbox.database.dialect).database_names(dsn, outbox)
    if not actual or expected.casefold() in map(str.casefold, actual):
        return
    left_out = "" if outbox.database.name else " (database.name is left out: then it is the service's)"
    raise WrongDatabase(
        f"the database '{actual[0]}' was named, and the schema file is about '{expected}'",
        why=f"what is in '{actual[0]}' says nothing of '{expected}'{left_out}",
        fix=f"name '{expected}' in --dsn or OUTBOX_KIT_DSN, or say database.name: {actual[0]} in the schema file",
    )
