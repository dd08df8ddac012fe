"""What `doctor` observes of a PostgreSQL server; see `databases.observed`. All of it is read in one session."""

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from psycopg import errors, sql

from outbox_kit.databases.ddl import refuse_other_columns
from outbox_kit.databases.observed import (
    CheckText,
    HorizonHolder,
    ObservedDatabase,
    ObservedPublication,
    ObservedReader,
    ObservedRole,
    ObservedSlot,
    ObservedTable,
    ReplicationLog,
    ServerSetting,
    UnreadSubject,
)
from outbox_kit.databases.postgres.apply import COLUMNS
from outbox_kit.databases.postgres.defects import of_relay
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.postgres.privileges import lacking
from outbox_kit.databases.postgres.session import Session, identifier, session
from outbox_kit.errors import TableDiffers
from outbox_kit.schema.model import Outbox
from outbox_kit.waiting import waiting_for

STATEMENTS = dict(
    re.findall(
        r"^-- name: (\w+)\n(.*?)(?=^-- name|\Z)",
        Path(__file__).with_name("observe.sql").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
SETTINGS = [
    "wal_level",
    "max_replication_slots",
    "max_wal_senders",
    "max_slot_wal_keep_size",
    "idle_replication_slot_timeout",
    "synchronized_standby_slots",
    "autovacuum",
]
HINTS = {
    "wal_level": "alter system set wal_level = 'logical'; -- then restart the server",
    "max_replication_slots": "alter system set max_replication_slots = {}; -- then restart the server",
    "max_wal_senders": "alter system set max_wal_senders = {}; -- then restart the server",
    "max_slot_wal_keep_size": "alter system set max_slot_wal_keep_size = '50GB'; select pg_reload_conf();",
    "idle_replication_slot_timeout": "alter system set idle_replication_slot_timeout = 0; select pg_reload_conf();",
    "autovacuum": "alter system set autovacuum = on; select pg_reload_conf();",
}
READ_WRITE = "begin; set transaction read write; alter database {} reset default_transaction_read_only; commit;"
PUBLISHES = {"pubinsert": "insert", "pubupdate": "update", "pubdelete": "delete", "pubtruncate": "truncate"}
RATE_SECONDS = 1.5
"""Between two positions of the log, which give the rate at which it grows."""
QUERY_MS = "3000"
EXPIRED = "select exists (select from {} where {} < clock_timestamp() - make_interval(hours => %s))"
STARTED = "select exists (select from {})"
HEARTBEAT = "select extract(epoch from clock_timestamp() - max(beat_at)) from {}"
MARGIN_HOURS = 24
"""A cleanup may run once a day."""


def observe(dsn: str, outbox: Outbox, checks: Mapping[str, CheckText]) -> ObservedDatabase:
    """See `Observe`."""
    with session(dsn) as connection:
        connection.execute("set transaction read only")
        connection.execute("select set_config('statement_timeout', %s, true)", (QUERY_MS,))
        parameters = _parameters(outbox)
        unread: set[UnreadSubject] = set()
        first = _first_row(connection, "position", parameters)
        server = _first_row(connection, "server", parameters)
        role = _first_row(connection, "role", parameters)
        absent = _first_row(connection, "absent", parameters)
        log = None if outbox.delivery.polls else _slot_log(connection, outbox, server, first)
        vacuumed = server["settings"]["autovacuum"][0] == "on"
        table = _table(connection, outbox, checks, parameters, unread, vacuumed=vacuumed)
        return ObservedDatabase(
            version=server["version"].split()[0],
            read_only=_read_only(server),
            settings={name: ServerSetting(*setting) for name, setting in server["settings"].items()},
            role=_role(role) if role else None,
            table=table,
            absent_tables=absent,
            absent_writers=_first_row(connection, "writers", parameters),
            lacking=lacking(connection, outbox),
            heartbeat_seconds=_heartbeat(connection, outbox, absent, unread),
            holders=[HorizonHolder(**row) for row in _all(connection, "holders", parameters)],
            unread=unread if server["sees_sessions"] else unread | {UnreadSubject.sessions},
            slot_log=log,
            relay_started=_relay_started(connection, outbox, absent),
            encoding=server["encoding"],
            hints=HINTS | {"read_only": READ_WRITE.format(POSTGRES.quote_ident(outbox.names.database))},
        )


def _parameters(outbox: Outbox) -> dict[str, Any]:
    names, ident = outbox.names, POSTGRES.quote_ident
    beside = [*([] if outbox.delivery.polls else [names.heartbeat_table]), *of_relay(outbox)]
    return {
        "settings": SETTINGS,
        "managed": [*POSTGRES.ddl.log_roles],
        "role": names.role,
        "publication": names.publication,
        "table": ident(names.schema, outbox.table.name),
        "sequence": outbox.ordering.sequence,
        "titles": [f"{names.schema}.{name}" for name in beside],
        "tables": [ident(names.schema, name) for name in beside],
        "writers": list(outbox.database.writers),
    }


def _all(connection: Session, name: str, parameters: Mapping[str, Any]) -> list[Any]:
    return [row[0] for row in connection.execute(STATEMENTS[name].encode(), parameters)]


def _first_row(connection: Session, name: str, parameters: Mapping[str, Any]) -> Any:
    return next(iter(_all(connection, name, parameters)), None)


def _read_only(server: Mapping[str, Any]) -> str:
    if server["recovery"]:
        return "the server is a standby (pg_is_in_recovery() is true)"
    return "default_transaction_read_only is on" if server["read_only"] else ""


def _role(row: Mapping[str, Any]) -> ObservedRole:
    replication = row["rolreplication"] or row["rolsuper"] or row["managed"]
    return ObservedRole(row["rolcanlogin"], bool(row["expired"]), bool(replication), row["rolsuper"])


def _slot_log(connection: Session, outbox: Outbox, server: Mapping[str, Any], first: Sequence[Any]) -> ReplicationLog:
    parameters = _parameters(outbox)
    slots = [_slot(row) for row in _all(connection, "slots", parameters)]
    slot = next((each for each in slots if each.name == outbox.names.slot), None)
    publication = _first_row(connection, "publication", parameters)
    rate = None
    if slot is not None and slot.safe_bytes is not None:
        rate = _rate(connection, first)
    return ReplicationLog(
        slot=slot,
        others=[each for each in slots if each is not slot],
        publication=_publication(publication) if publication else None,
        free_slots=server["free_slots"],
        free_senders=server["free_senders"],
        standbys=server["standbys"],
        bytes_per_second=rate,
    )


def _slot(row: Mapping[str, Any]) -> ObservedSlot:
    return ObservedSlot(
        name=row["slot_name"],
        plugin=row["plugin"],
        database=row["database"],
        active=row["active"],
        reader=ObservedReader(*row["reader"]) if row["reader"] else None,
        wal_status=row["wal_status"] or "",
        confirmed=row["confirmed"],
        retained=row["retained"],
        lag=row["lag"],
        safe_bytes=row.get("safe_wal_size"),
        inactive_seconds=None if row["active"] else row["inactive"],
        invalidation=row.get("invalidation_reason") or "",
        failover=row.get("failover"),
    )


def _publication(row: Mapping[str, Any]) -> ObservedPublication:
    names = {f"{table['schemaname']}.{table['tablename']}": table for table in row["tables"]}
    columns = {name: table.get("attnames") for name, table in names.items()}
    return ObservedPublication(
        operations=frozenset(operation for name, operation in PUBLISHES.items() if row[name]),
        via_root=row.get("pubviaroot", False),
        tables={name: None if listed is None else frozenset(listed) for name, listed in columns.items()},
        filters={name: table["rowfilter"] for name, table in names.items() if table.get("rowfilter")},
    )


def _rate(connection: Session, first: Sequence[Any]) -> float:
    """Bytes a second by which the log grows, measured over `RATE_SECONDS` at least."""
    with waiting_for("the growth of the log"):
        time.sleep(RATE_SECONDS)
    last = _first_row(connection, "position", {})
    return float((last[1] - first[1]) / (last[0] - first[0]))


def _table(
    connection: Session,
    outbox: Outbox,
    checks: Mapping[str, CheckText],
    parameters: Mapping[str, Any],
    unread: set[UnreadSubject],
    *,
    vacuumed: bool,
) -> ObservedTable:
    row = _first_row(connection, "table", parameters) if outbox.table.storage == "table" else None
    if row is None:
        return ObservedTable(exists=False)
    options = {name: value for name, _, value in (option.partition("=") for option in row["options"])}
    return ObservedTable(
        exists=True,
        partitioned=row["partitioned"],
        differences=_differences(connection, outbox, parameters),
        absent_checks=[name for name, check in checks.items() if row["checks"].get(name) != check.expression],
        primary_key=row["primary_key"],
        invalid_indexes=row["invalid"],
        replica_identity=row["identity"],
        sequence_cache=row["cache"],
        rows=row["rows"],
        dead=row["dead"],
        autovacuum=vacuumed and options.get("autovacuum_enabled", "true") not in ("false", "off"),
        expired=_expired(connection, outbox, unread),
    )


def _differences(connection: Session, outbox: Outbox, parameters: Mapping[str, Any]) -> list[str]:
    """The columns that differ from the schema file; without those that a relay adds."""
    rows = connection.execute(COLUMNS, (parameters["table"],)).fetchall()
    columns = {name: (kind, required, filled) for name, kind, required, filled in rows}
    try:
        refuse_other_columns(outbox, columns)
    except TableDiffers as differs:
        return [line.strip() for line in differs.details]
    return []


def _expired(connection: Session, outbox: Outbox, unread: set[UnreadSubject]) -> bool:
    """Whether the table has rows that are older than it keeps them."""
    column, hours = outbox.table.columns.created_at, outbox.table.kept_hours
    if column is None or outbox.table.retention not in ("delete", "partition"):
        return False
    query = sql.SQL(EXPIRED).format(identifier(outbox.names.schema, outbox.table.name), identifier(column))
    return bool(_read(connection, query, (hours + MARGIN_HOURS,), UnreadSubject.rows, unread))


def _heartbeat(connection: Session, outbox: Outbox, absent: Sequence[str], unread: set[UnreadSubject]) -> float | None:
    names = outbox.names
    if outbox.delivery.polls or f"{names.schema}.{names.heartbeat_table}" in absent:
        return None
    query = sql.SQL(HEARTBEAT).format(identifier(names.schema, names.heartbeat_table))
    age = _read(connection, query, (), UnreadSubject.heartbeat, unread)
    return None if age is None else float(age)


def _read(
    connection: Session, query: sql.Composed, values: Sequence[Any], subject: UnreadSubject, unread: set[UnreadSubject]
) -> Any:
    """A value of a table; None, and the subject is unread, if the server refuses it or needs too long."""
    try:
        with connection.transaction():
            row = connection.execute(query, values).fetchone()
            return row[0] if row else None
    except (errors.QueryCanceled, errors.InsufficientPrivilege, errors.UndefinedColumn):
        unread.add(subject)
        return None


def _relay_started(connection: Session, outbox: Outbox, absent: Sequence[str]) -> bool:
    names = outbox.names
    if outbox.delivery.by != "relay" or f"{names.schema}.{names.run_table}" in absent:
        return False
    row = connection.execute(sql.SQL(STARTED).format(identifier(names.schema, names.run_table)), ()).fetchone()
    return row is not None and bool(row[0])
