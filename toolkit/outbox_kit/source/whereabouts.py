"""Whether an address leads to the database that the schema file names: another one may have a table of that name."""

from outbox_kit import source
from outbox_kit.errors import WrongDatabase
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names


def expect(dsn: str, outbox: Outbox) -> None:
    """Raise WrongDatabase where it leads to another one, and what the server raises where it does not answer."""
    wanted = names(outbox).database
    found = source.named(outbox.database.dialect).called(dsn, outbox)
    if not found or wanted.casefold() in map(str.casefold, found):
        return
    left_out = "" if outbox.database.name else " (database.name is left out: then it is the service's)"
    raise WrongDatabase(
        f"the database '{found[0]}' was named, and the schema file is about '{wanted}'",
        why=f"what is in '{found[0]}' says nothing of '{wanted}'{left_out}",
        fix=f"name '{wanted}' in --dsn or OUTBOX_KIT_DSN, or say database.name: {found[0]} in the schema file",
    )
