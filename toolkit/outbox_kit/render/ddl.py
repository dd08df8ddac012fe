"""Model and dialect to a script: the one that makes the outbox, and the one that removes it. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from outbox_kit import __version__, dialects
from outbox_kit.dialects.base import Dialect
from outbox_kit.render import documents, text
from outbox_kit.render.captures import captures
from outbox_kit.render.constraints import constraints
from outbox_kit.render.feed import feed
from outbox_kit.schema.columns import columns, payload_kind
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names

TABLE, FEED = "outbox", "feed"


@dataclass(frozen=True)
class Script:
    """What can be made in a database, and removed again.

    title: what it is, with a place for the service. parts: its templates; none means the dialect's own list.
    makes, removes: what the two scripts do.
    """

    title: str
    makes: str
    removes: str
    parts: tuple[str, ...] = ()
    drop: str = "drop"


OUTBOX = Script(
    "The outbox of '{}'",
    "Creates the outbox, or brings it up to date. Can be run again at any time.",
    "Removes the outbox and all events still in it. Remove the connector first.",
)
BESIDE = replace(OUTBOX, removes="Removes what was added beside its owner's table. Remove the connector first.")
INBOX = Script(
    "The inbox of those who read the events of '{}'",
    "For the consumer's own database. Can be run again at any time.",
    "Removes the inbox: what comes again will be handled again.",
    parts=("inbox",),
    drop="inbox-drop",
)


def up(outbox: Outbox, script: Script = OUTBOX) -> str:
    """One script that makes everything that is needed in the database; it can be run again at any time."""
    return _whole(outbox, script)


def down(outbox: Outbox, script: Script = OUTBOX) -> str:
    """The script that removes all that `up` made. What is still in the table is lost with it."""
    return _whole(outbox, script, remove=True)


def body(outbox: Outbox, script: Script = OUTBOX, *, remove: bool = False) -> str:
    """The statements of `up` (or `down`) without a transaction around them, where the database could have one.

    Where rows are documents they are commands: a line of JSON each.
    """
    if _of(outbox).documents:
        return documents.lines(_steps(outbox, script, remove=remove))
    return _written(outbox, script, remove=remove)


def _written(outbox: Outbox, script: Script, *, remove: bool) -> str:
    dialect = _of(outbox)
    parts = (script.drop,) if remove else script.parts or _parts(outbox, dialect)
    told = context(outbox) | {"remove": remove}
    if dialect.documents:
        told["steps"] = list(_steps(outbox, script, remove=remove))
    return "\n".join(text.sql(f"ddl/{part}.{dialect.script}.j2", dialect, **told) for part in parts)


def _steps(outbox: Outbox, script: Script, *, remove: bool) -> Iterator[documents.Step]:
    if script is INBOX:
        return documents.no_inbox(outbox) if remove else documents.inbox(outbox)
    return documents.down(outbox) if remove else documents.up(outbox)


def _of(outbox: Outbox) -> Dialect:
    return dialects.named(outbox.database.dialect)


def _parts(outbox: Outbox, dialect: Dialect) -> list[str]:
    """A dialect's templates: without the table where it is its owner's, with a feed where there is one."""
    made = ["existing" if outbox.table.existing and part == TABLE else part for part in dialect.ddl]
    return [*made, FEED] if outbox.table.fed_by else made


def elsewhere(outbox: Outbox, database: str | None) -> Outbox:
    """An outbox in another database: the consumer's, where it is known."""
    there = outbox.database.model_copy(update={"name": database})
    return outbox.model_copy(update={"database": there}) if database else outbox


def inbox_as_outbox(outbox: Outbox) -> Outbox:
    """An outbox whose table and role are the inbox's: what a script changes is looked for by these names."""
    derived, held = names(outbox), outbox.database
    role = held.model_copy(update={"user": derived.inbox_role, "name": derived.database, "writers": ()})
    connect = outbox.connect.model_copy(update={"publication": derived.inbox_role})
    table = outbox.table.model_copy(update={"name": derived.inbox[-1]})
    return outbox.model_copy(update={"database": role, "connect": connect, "table": table})


def context(outbox: Outbox) -> dict[str, Any]:
    """What the templates of an outbox are told."""
    dialect = _of(outbox)
    derived, made, checks = names(outbox), columns(outbox), constraints(outbox, dialect)
    fed = feed(outbox, dialect)
    table, heartbeat = (derived.schema, outbox.table.name), (derived.schema, derived.heartbeat_table)
    return {
        "outbox": outbox,
        "names": derived,
        "table": table,
        "heartbeat": heartbeat,
        "inbox": derived.inbox,
        "published": [heartbeat] if outbox.table.storage == "log" else [table, heartbeat],
        "writer": (derived.schema, derived.writer),
        "sequence": (derived.schema, f"{derived.writer}_sequence"),
        "columns": made,
        "feed": fed,
        "parameters": sorted((x for x in made if not x.filled), key=lambda x: not x.required),
        "constraints": checks,
        "captures": captures(outbox),
        "numbered": any(column.filled == "identity" for column in made),
        "partitioned": outbox.table.retention == "partition",
        "via_root": outbox.table.retention == "partition" or outbox.table.existing,  # an owner's may be partitioned
        "payload_kind": payload_kind(outbox),
        "quoted": lambda *parts: dialect.ident(*parts),
        "text_of": dialect.literal,
        "made": lambda *parts: dialect.made(outbox.table.name, *parts),
    }


def _whole(outbox: Outbox, script: Script, *, remove: bool = False) -> str:
    script = BESIDE if script is OUTBOX and outbox.table.existing else script
    mark = _of(outbox).remark
    head = (
        f"{mark} {script.title.format(outbox.service)}, written by outbox-kit {__version__} from its schema file.\n"
        f"{mark} Change the schema file, not this script. {script.removes if remove else script.makes}\n"
    )
    written = _written(outbox, script, remove=remove)
    return f"{head}begin;\n\n{written}\ncommit;\n" if _of(outbox).atomic else f"{head}{_of(outbox).preamble}\n{written}"
