"""Model to runbook: Markdown for this very outbox, with its names and commands as they are typed. Pure."""

import shlex
from typing import Protocol

from outbox_kit import dialects
from outbox_kit.render import text
from outbox_kit.schema.headers import promised
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import address, names

# one template each, in the order they are read; a dialect has its own where the database is the matter
BEFORE = ("title", "task-failed")
AFTER = (
    "nothing-arrives",
    "duplicates",
    "redeploy",
    "retention",
    "removal",
)


class Where(Protocol):
    """Where an outbox's events go; see `preview.routes.Routes`, of which a renderer is given the answers."""

    @property
    def topics(self) -> list[str]:
        """Of the declared events; empty where the rows choose."""

    @property
    def pattern(self) -> str:
        """How topics that the rows choose are called."""

    @property
    def canary(self) -> str:
        """Of the row that proves a deployment."""

    @property
    def caveat(self) -> str:
        """What is to be said where these are only what `routing.topic` says; empty where they are known."""


def runbook(outbox: Outbox, where: Where, *, arguments: tuple[str, ...] = ()) -> str:
    """The runbook of one outbox.

    where: where its connector sends its events. arguments: what every command needs to find this outbox, such as
    `-f services/orders.yaml`.
    """
    dialect = dialects.named(outbox.database.dialect)
    schema, columns = names(outbox).schema, outbox.table.columns
    table = dialect.ident(schema, outbox.table.name)
    created_at = dialect.ident(columns.created_at) if columns.created_at else ""
    context = {
        "outbox": outbox,
        "where": where,
        "names": names(outbox),
        "headers": ", ".join(text.code_cell(one.name) for one in promised(outbox)),
        "flags": "".join(f" {shlex.quote(argument)}" for argument in arguments),
        "table": table,
        "table_literal": text.in_shell(dialect.literal(table)),
        "table_in_shell": text.in_shell(table),
        "created_at_in_shell": text.in_shell(created_at),
        "heartbeat": dialect.ident(schema, names(outbox).heartbeat_table),
        "order": dialect.ident(outbox.order_column),
        "type": dialect.ident(columns.type),
        "created_at": created_at,
        "probe": "" if outbox.table.existing else " --probe",
        "new_password": dialect.runbook.new_password.format(role=dialect.ident(names(outbox).role)),
        "dsn": address(outbox),
        "slot": dialect.literal(names(outbox).slot),
    }
    chapters = [
        text.markdown(f"runbook/{chapter}.md.j2", dialect, **context)
        for chapter in (*BEFORE, *dialect.runbook.trouble, *AFTER)
    ]
    return "\n".join(chapters)
