"""Model to runbook: Markdown for this very outbox, with its names and commands as they are typed. Pure."""

import shlex

from outbox_kit import dialects
from outbox_kit.render import text
from outbox_kit.schema.headers import promised
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names

# one template each, in the order they are read; a dialect has its own where the database is the matter
CHAPTERS = (
    "title",
    "task-failed",
    "slot-growing",
    "slot-lost",
    "nothing-arrives",
    "duplicates",
    "redeploy",
    "retention",
    "removal",
)


def runbook(outbox: Outbox, *, arguments: tuple[str, ...] = ()) -> str:
    """The runbook of one outbox.

    arguments: what every command needs to find this outbox, such as `-f services/orders.yaml`.
    """
    dialect = dialects.named(outbox.database.dialect)
    schema, columns = outbox.database.db_schema, outbox.table.columns
    table = dialect.ident(schema, outbox.table.name)
    context = {
        "outbox": outbox,
        "names": names(outbox),
        "headers": ", ".join(f"`{one.name}`" for one in promised(outbox)),
        "flags": "".join(f" {shlex.quote(argument)}" for argument in arguments),
        "table": table,
        "table_literal": dialect.literal(table).replace('"', '\\"'),
        "table_in_shell": table.replace('"', '\\"'),
        "created_at_in_shell": dialect.ident(columns.created_at).replace('"', '\\"'),
        "heartbeat": dialect.ident(schema, names(outbox).heartbeat_table),
        "order": dialect.ident(outbox.ordering.sequence or columns.created_at),
        "type": dialect.ident(columns.type),
        "created_at": dialect.ident(columns.created_at),
        "role": dialect.ident(names(outbox).role),
        "slot": dialect.literal(names(outbox).slot),
    }
    chapters = [text.markdown(f"runbook/{chapter}.md.j2", dialect, **context) for chapter in CHAPTERS]
    return "\n".join(chapters)
