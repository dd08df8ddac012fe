"""Model and dialect to SQL: the script that makes the outbox, and the one that removes it. Pure."""

from collections.abc import Iterable

from outbox_kit import __version__, dialects
from outbox_kit.render import text
from outbox_kit.render.constraints import constraints
from outbox_kit.schema.columns import columns
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names

DOWN = ("drop",)


def up(outbox: Outbox) -> str:
    """One script that makes everything the outbox needs in the database; it can be run again at any time."""
    return _script(outbox, "Creates the outbox, or brings it up to date. Can be run again at any time.")


def down(outbox: Outbox) -> str:
    """The script that removes all that `up` made. Events still in the table are lost with it."""
    return _script(outbox, "Removes the outbox and all events still in it. Remove the connector first.", remove=True)


def body(outbox: Outbox, *, remove: bool = False) -> str:
    """The statements of `up` (or `down`) without a transaction around them, where the database could have one."""
    dialect = dialects.named(outbox.database.dialect)
    derived, made, checks = names(outbox), columns(outbox), constraints(outbox, dialect)
    table, heartbeat = (derived.schema, outbox.table.name), (derived.schema, derived.heartbeat_table)
    context = {
        "outbox": outbox,
        "names": derived,
        "table": table,
        "heartbeat": heartbeat,
        "published": [heartbeat] if outbox.table.storage == "log" else [table, heartbeat],
        "writer": (derived.schema, derived.writer),
        "sequence": (derived.schema, f"{derived.writer}_sequence"),
        "tag": _tag([outbox.table.name, *outbox.column_names, *(check.expression for check in checks)]),
        "columns": made,
        "parameters": sorted((x for x in made if not x.filled), key=lambda x: not x.required),
        "constraints": checks,
        "numbered": any(column.filled == "identity" for column in made),
        "partitioned": outbox.table.retention == "partition",
        "quoted": lambda *parts: dialect.ident(*parts),
    }
    parts = [text.sql(f"ddl/{part}.sql.j2", dialect, **context) for part in (DOWN if remove else dialect.ddl)]
    return "\n".join(parts)


def _tag(texts: Iterable[str]) -> str:
    """What marks the ends of a procedure's body: nothing that occurs in it."""
    tag = "procedure"
    while any(f"${tag}$" in one for one in texts):
        tag += "_"
    return tag


def _script(outbox: Outbox, purpose: str, *, remove: bool = False) -> str:
    head = (
        f"-- The outbox of '{outbox.service}', written by outbox-kit {__version__} from its schema file.\n"
        f"-- Change the schema file, not this script. {purpose}\n"
    )
    statements = body(outbox, remove=remove)
    atomic = dialects.named(outbox.database.dialect).atomic
    return f"{head}begin;\n\n{statements}\ncommit;\n" if atomic else f"{head}\n{statements}"
