"""Model and dialect to SQL: the script that makes the outbox, and the one that removes it. Pure."""

from outbox_kit import __version__, dialects
from outbox_kit.render import text
from outbox_kit.render.constraints import constraints
from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names

UP = ("setup", "outbox", "heartbeat", "role", "publication")
DOWN = ("drop",)


def up(outbox: Outbox) -> str:
    """One script that makes everything the outbox needs in the database; it can be run again at any time."""
    return _script(outbox, UP, "Creates the outbox, or brings it up to date. Can be run again at any time.")


def down(outbox: Outbox) -> str:
    """The script that removes all that `up` made. Events still in the table are lost with it."""
    return _script(outbox, DOWN, "Removes the outbox and all events still in it. Remove the connector first.")


def body(outbox: Outbox, *, remove: bool = False) -> str:
    """The statements of `up` (or `down`) without a transaction around them."""
    dialect = dialects.named(outbox.database.dialect)
    context = {
        "outbox": outbox,
        "names": names(outbox),
        "table": (outbox.database.db_schema, outbox.table.name),
        "heartbeat": (outbox.database.db_schema, names(outbox).heartbeat_table),
        "columns": columns(outbox),
        "constraints": constraints(outbox, dialect),
        "partitioned": outbox.table.retention == "partition",
        "quoted": lambda *parts: dialect.ident(*parts),
    }
    parts = [text.sql(f"ddl/{part}.sql.j2", dialect, **context) for part in (DOWN if remove else UP)]
    return "\n".join(parts)


def _script(outbox: Outbox, parts: tuple[str, ...], purpose: str) -> str:
    head = (
        f"-- The outbox of '{outbox.service}', written by outbox-kit {__version__} from its schema file.\n"
        f"-- Change the schema file, not this script. {purpose}\n"
    )
    return f"{head}begin;\n\n{body(outbox, remove=parts is DOWN)}\ncommit;\n"
