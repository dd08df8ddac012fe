"""The script that creates an outbox, and the script that removes it. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from outbox_kit import __version__
from outbox_kit.databases import ALL
from outbox_kit.databases.facts import Dialect
from outbox_kit.errors import UsageProblem
from outbox_kit.render import documents, text
from outbox_kit.render.captures import captures
from outbox_kit.render.constraints import constraints
from outbox_kit.render.described import described
from outbox_kit.render.feed import feed
from outbox_kit.render.marked import is_unpublished, mark_columns
from outbox_kit.schema.columns import payload_kind
from outbox_kit.schema.inbox_coherence import kept_days
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.two_phase import CHECK_DAYS

TABLE, FEED, RELAY = "outbox", "feed", "relay"


@dataclass(frozen=True)
class Script:
    """A group of database objects that one script creates and another one removes."""

    title: str
    """The objects, with a placeholder for the service."""
    makes: str
    """The effect of the script that creates them, in sentences."""
    removes: str
    """The effect of the script that removes them, in sentences."""
    parts: tuple[str, ...] = ()
    """The templates that create them; empty for the dialect's list."""
    drop: str = "drop"
    """The template that removes them."""
    lost: str = "the outbox table and all events in it"
    """What is lost when they are removed, in a phrase."""
    in_outbox_database: bool = True
    """Whether they are in the database of the outbox."""
    as_outbox: Callable[[Outbox], Outbox] = lambda outbox: outbox
    """An outbox with their table and role as its names, by which the changes of a script are found."""
    fits: Callable[[Dialect], bool] = lambda _: True
    """Whether the kit has the templates for a database."""


OUTBOX = Script(
    "The outbox of '{}'",
    "The script creates the outbox, or updates an existing one. It can be repeated at any time.",
    "The script removes the outbox and all events in it. Stop what publishes them first.",
)
BESIDE = replace(
    OUTBOX, removes="The script removes the objects beside the existing table. Stop what publishes its events first."
)
INBOX = Script(
    "The inbox for consumers of the events of '{}'",
    "Run the script in the consumer's database. It can be repeated at any time.",
    "The script removes the inbox. Duplicates of messages will be processed again.",
    parts=("inbox",),
    drop="inbox-drop",
    lost="the inbox and the ids in it",
    in_outbox_database=False,
    as_outbox=lambda outbox: _renamed(outbox, _inbox_table(outbox), outbox.names.inbox_role),
)
BARRIER = Script(
    "The barrier of two-phase messages to the outbox of '{}'",
    "Run the script in the database of the service that prepares messages. It can be repeated at any time.",
    "The script removes the barrier. Messages that are prepared then have a wrong outcome: finish them first.",
    parts=("barrier",),
    drop="barrier-drop",
    lost="the barrier and the outcomes in it",
    in_outbox_database=False,
    as_outbox=lambda outbox: _renamed(outbox, outbox.names.barrier, outbox.names.barrier_role),
    fits=lambda dialect: bool(dialect.two_phase.insert),
)
COORDINATOR = Script(
    "The table of the coordinator beside the outbox of '{}'",
    "The script creates the table of two-phase messages. It can be repeated at any time.",
    "The script removes the two-phase messages, prepared ones too. Stop the coordinators first.",
    parts=("coordinator",),
    drop="coordinator-drop",
    lost="the two-phase messages, prepared ones too",
    as_outbox=lambda outbox: _renamed(outbox, (outbox.names.two_phase_table,), outbox.names.role),
    fits=lambda dialect: dialect.two_phase.coordinator,
)


def up(outbox: Outbox, script: Script = OUTBOX) -> str:
    """The script that creates all objects in the database, or updates them; it can be repeated at any time."""
    return _whole(outbox, script)


def down(outbox: Outbox, script: Script = OUTBOX) -> str:
    """The script that removes the objects of `up`, with all rows."""
    return _whole(outbox, script, remove=True)


def body(outbox: Outbox, script: Script = OUTBOX, *, remove: bool = False) -> str:
    """The statements of `up` (or `down`) without their transaction; for documents, a line of JSON for each command."""
    if outbox.dialect.documents and script.fits(outbox.dialect):
        return documents.lines(_steps(outbox, script, remove=remove))
    return _script_text(outbox, script, remove=remove)


def _script_text(outbox: Outbox, script: Script, *, remove: bool) -> str:
    dialect = outbox.dialect
    if not script.fits(dialect):
        raise UsageProblem(
            f"there is no script for {dialect.title}: {script.title.format(outbox.service)}",
            fix=f"use a database for which there is one: {', '.join(d.title for d in ALL.values() if script.fits(d))}",
        )
    parts = (script.drop,) if remove else script.parts or _parts(outbox, dialect)
    variables = context(outbox) | {"remove": remove}
    if dialect.documents:
        variables["steps"] = list(_steps(outbox, script, remove=remove))
    return "\n".join(text.sql(f"ddl/{part}.{dialect.ddl.suffix}.j2", dialect, **variables) for part in parts)


def _steps(outbox: Outbox, script: Script, *, remove: bool) -> Iterator[documents.CommandStep]:
    if script is INBOX:
        return documents.no_inbox(outbox) if remove else documents.inbox(outbox)
    return documents.down(outbox) if remove else documents.up(outbox)


def _parts(outbox: Outbox, dialect: Dialect) -> list[str]:
    """A dialect's templates: without the table if it is an existing one, with the feed if there is a source table."""
    needed = [part for part in dialect.ddl.templates if not outbox.delivery.polls or part not in dialect.ddl.of_log]
    templates = ["existing" if outbox.table.existing and part == TABLE else part for part in needed]
    return [*templates, *([FEED] if outbox.table.source else []), *([RELAY] if outbox.delivery.by == "relay" else [])]


def with_database(outbox: Outbox, database: str | None) -> Outbox:
    """The outbox with another database name; unchanged if it is None."""
    renamed = outbox.database.model_copy(update={"name": database})
    return outbox.model_copy(update={"database": renamed}) if database else outbox


def _renamed(outbox: Outbox, table: tuple[str, ...], role: str) -> Outbox:
    """An outbox with another table and role."""
    database = outbox.database.model_copy(update={"user": role, "name": outbox.names.database, "writers": ()})
    connect = outbox.connect.model_copy(update={"publication": role})
    renamed_table = outbox.table.model_copy(update={"name": table[-1]})
    return outbox.model_copy(update={"database": database, "connect": connect, "table": renamed_table})


def _inbox_table(outbox: Outbox) -> tuple[str, ...]:
    """The table of the inbox's mode."""
    derived = outbox.names
    tables = {"message-id": derived.inbox, "high-water": derived.inbox_mark, "offsets": derived.inbox_position}
    return tables[outbox.inbox.mode]


def _inbox(outbox: Outbox) -> dict[str, Any]:
    """The variables of an inbox's templates."""
    return {
        "inbox": outbox.names.inbox,
        "inbox_mark": outbox.names.inbox_mark,
        "inbox_position": outbox.names.inbox_position,
        "inbox_table": _inbox_table(outbox),
        "inbox_mode": outbox.inbox.mode,
        "inbox_days": kept_days(outbox),
        "inbox_kind": "uuid" if outbox.table.ids == "uuid" else "text",
    }


def context(outbox: Outbox) -> dict[str, Any]:
    """The variables of an outbox's templates."""
    dialect = outbox.dialect
    derived, table_columns, checks = outbox.names, described(outbox), constraints(outbox, dialect)
    feed_sql = feed(outbox, dialect)
    table, heartbeat = (derived.schema, outbox.table.name), (derived.schema, derived.heartbeat_table)
    return {
        "outbox": outbox,
        "names": derived,
        "table": table,
        "heartbeat": heartbeat,
        "failures": (derived.schema, derived.failure_table),
        "runs": (derived.schema, derived.run_table),
        "lanes": (derived.schema, derived.lane_table),
        "members": (derived.schema, derived.member_table),
        "mark": outbox.mark,
        "mark_columns": mark_columns(outbox),
        "is_unpublished": is_unpublished(outbox),
        "none_before": outbox.connect.snapshot == "no_data",  # whether the rows that are there are not published
        "polled": outbox.delivery.polls,
        **_inbox(outbox),
        "two_phase": (derived.schema, derived.two_phase_table),
        "barrier": derived.barrier,
        "check_days": CHECK_DAYS,
        "published": [heartbeat] if outbox.table.storage == "log" else [table, heartbeat],
        "writer": (derived.schema, derived.write_procedure),
        "sequence": (derived.schema, f"{derived.write_procedure}_sequence"),
        "columns": table_columns,
        "feed": feed_sql,
        "parameters": sorted((x for x in table_columns if not x.filled), key=lambda x: not x.required),
        "constraints": checks,
        "captures": captures(outbox),
        "numbered": any(column.filled == "identity" for column in table_columns),
        "partitioned": outbox.table.retention == "partition",
        "via_root": outbox.table.retention == "partition"
        or outbox.table.existing,  # an existing table may be partitioned
        "payload_kind": payload_kind(outbox),
        "quoted": lambda *parts: dialect.quote_ident(*parts),
        "text_of": dialect.quote_literal,
        "made": lambda *parts: dialect.derived_name(outbox.table.name, *parts),
    }


def _whole(outbox: Outbox, script: Script, *, remove: bool = False) -> str:
    script = BESIDE if script is OUTBOX and outbox.table.existing else script
    mark = outbox.dialect.ddl.comment_prefix
    head = (
        f"{mark} {script.title.format(outbox.service)}, generated by outbox-kit {__version__} from the schema file.\n"
        f"{mark} Change the schema file, not this script.\n"
        f"{mark} {script.removes if remove else script.makes}\n"
    )
    statements = _script_text(outbox, script, remove=remove)
    return (
        f"{head}begin;\n\n{statements}\ncommit;\n"
        if outbox.dialect.ddl.transactional
        else f"{head}{outbox.dialect.ddl.preamble}\n{statements}"
    )
