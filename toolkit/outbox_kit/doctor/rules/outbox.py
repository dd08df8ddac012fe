"""Rules about the outbox table, and the tables beside it."""

from collections.abc import Iterator

from outbox_kit.doctor.needs import CREATED, DATABASE, TABLE
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity

APPLY = "outbox-kit gen-ddl --apply"
MIGRATE = "outbox-kit gen-ddl --diff git:main prints the migration"
MOST_DEAD, DEAD_SHARE = 50_000, 0.2


def _title(system: SystemObservation) -> str:
    return f"{system.outbox.names.schema}.{system.outbox.table.name}"


def _quoted(system: SystemObservation) -> str:
    return system.outbox.dialect.quote_ident(system.outbox.names.schema, system.outbox.table.name)


@rule("DOC-OUTBOX-01", Severity.error, fix=APPLY, needs=DATABASE)
def created(system: SystemObservation) -> Iterator[SystemViolation]:
    """The tables of the outbox exist.

    They are created by gen-ddl --apply; before that nothing else of the outbox is examined.
    """
    observed = system.database
    if observed is None:
        return
    if not observed.created and not system.registered:
        text = (
            f"the outbox of '{system.outbox.service}' is not created yet in database '{system.outbox.names.database}'"
        )
        yield SystemViolation(text, _title(system), severity=Severity.info)
        return
    missing = [_title(system)] if system.outbox.table.storage == "table" and not observed.table.exists else []
    for table in (*missing, *observed.absent_tables):
        yield SystemViolation(f"table {table} does not exist", table)


@rule("DOC-OUTBOX-02", Severity.error, fix=MIGRATE, needs=TABLE)
def columns(system: SystemObservation) -> Iterator[SystemViolation]:
    """The columns of the outbox table are those of the schema file.

    The connector's task fails at a column that does not exist, and the application at one that it does not fill.
    """
    for difference in system.database.table.differences if system.database else ():
        yield SystemViolation(f"column {difference}", f"{_title(system)} {difference.split(' is ')[0]}")


@rule("DOC-OUTBOX-03", Severity.error, fix=APPLY, needs=TABLE)
def checks(system: SystemObservation) -> Iterator[SystemViolation]:
    """The CHECKs of the outbox table are those of the schema file.

    They reject rows at which the connector's task would fail.
    """
    for name in system.database.table.absent_checks if system.database else ():
        text = f"CHECK {name} of {_title(system)} does not exist, is not validated, or has an earlier condition"
        yield SystemViolation(text, name)


@rule("DOC-OUTBOX-04", Severity.warning, fix="add a primary key on the id of the event", needs=TABLE)
def primary_key(system: SystemObservation) -> Iterator[SystemViolation]:
    """The outbox table has a primary key.

    An event can be written twice, and a published table without one rejects updates and deletes.
    """
    if system.database and not system.database.table.primary_key:
        column = system.outbox.dialect.quote_ident(system.outbox.table.columns.id)
        fix = f"alter table {_quoted(system)} add primary key ({column});"
        yield SystemViolation(f"table {_title(system)} has no primary key", _title(system), fix)


@rule("DOC-OUTBOX-05", Severity.warning, fix="set the replica identity to default", needs=TABLE)
def replica_identity(system: SystemObservation) -> Iterator[SystemViolation]:
    """The replica identity of the outbox table is the primary key.

    `full` writes each row into the log again when it is deleted; `nothing` makes the server reject a delete if the
    publication has deletes.
    """
    identity = system.database.table.replica_identity if system.database else ""
    if identity in ("f", "n"):
        word = {"f": "full", "n": "nothing"}[identity]
        fix = f"alter table {_quoted(system)} replica identity default;"
        yield SystemViolation(f"the replica identity of {_title(system)} is {word}", _title(system), fix)


@rule("DOC-OUTBOX-06", Severity.error, fix="set the cache of the sequence to 1", needs=TABLE)
def sequence_cache(system: SystemObservation) -> Iterator[SystemViolation]:
    """The numbers of the outbox grow in the order in which sessions take them: the sequence has no cache.

    A session that has taken numbers in advance uses them later than other sessions use larger ones: the order of the
    events of a key is lost where it follows from the numbers.
    """
    cache, column = system.database.table.sequence_cache if system.database else None, system.outbox.ordering.sequence
    if cache is not None and cache > 1 and column:
        quoted = system.outbox.dialect.quote_ident(column)
        yield SystemViolation(
            f"a session takes {cache} numbers of {_title(system)}.{column} at once",
            column,
            f"alter table {_quoted(system)} alter column {quoted} set cache 1;",
        )


@rule(
    "DOC-OUTBOX-07",
    Severity.warning,
    fix="run the job that deletes rows: the runbook has its statement",
    needs=(*TABLE, Need.rows_read),
)
def cleanup(system: SystemObservation) -> Iterator[SystemViolation]:
    """Rows are deleted when the table has kept them long enough.

    The table grows without a limit.
    """
    if system.database and system.database.table.expired:
        kept = system.outbox.table.kept_title
        yield SystemViolation(
            f"{_title(system)} has rows that are a day older than the {kept} it keeps them", _title(system)
        )


@rule("DOC-OUTBOX-08", Severity.warning, fix="vacuum the table", needs=TABLE)
def dead_rows(system: SystemObservation) -> Iterator[SystemViolation]:
    """Deleted rows do not accumulate in the table.

    Queries of the table read them all. A transaction, or a slot, may keep the server from removing them.
    """
    table = system.database.table if system.database else None
    if table and table.dead > MOST_DEAD and table.dead > table.rows * DEAD_SHARE:
        text = f"{_title(system)} has {table.dead:,} dead rows beside {table.rows:,} rows"
        yield SystemViolation(text, _title(system), f"vacuum {_quoted(system)};")


@rule("DOC-OUTBOX-09", Severity.warning, fix="switch autovacuum on", needs=TABLE)
def autovacuum(system: SystemObservation) -> Iterator[SystemViolation]:
    """The server vacuums the table.

    Deleted rows occupy space for ever.
    """
    if system.database and not system.database.table.autovacuum:
        setting = system.database.settings.get("autovacuum")
        on_server = setting is not None and setting.value == "on"
        reset = f"alter table {_quoted(system)} reset (autovacuum_enabled);"
        fix = reset if on_server else system.database.hints.get("autovacuum", "")
        yield SystemViolation(f"autovacuum is off for {_title(system)}", _title(system), fix)


@rule("DOC-OUTBOX-10", Severity.warning, fix="create the index again", needs=TABLE)
def indexes(system: SystemObservation) -> Iterator[SystemViolation]:
    """Every index of the table can be used.

    A creation or rebuild that was interrupted leaves an index that costs writes and serves no query.
    """
    for name in system.database.table.invalid_indexes if system.database else ():
        yield SystemViolation(f"index {name} is invalid", name, f"reindex index concurrently {name};")


@rule(
    "DOC-OUTBOX-11",
    Severity.warning,
    fix="see the state of the connector; then outbox-kit deploy-connector --probe",
    needs=(Need.by_connector, *CREATED, Need.heartbeat_read),
)
def heartbeat(system: SystemObservation) -> Iterator[SystemViolation]:
    """The connector writes its heartbeat.

    While it does not, the connector has no connection to the database, and the position does not advance.
    """
    yield from old_heartbeat(system, system.database.heartbeat_seconds if system.database else None)


def old_heartbeat(system: SystemObservation, age: float | None) -> Iterator[SystemViolation]:
    """The violation if the last heartbeat is too old. age: of it, in seconds; None if there is none."""
    names, interval = system.outbox.names, system.outbox.connect.heartbeat_ms / 1000
    if age is not None and age > 3 * interval + system.outbox.dialect.capture.idle_seconds + 5:
        text = f"the last heartbeat is {age:.0f} s old; expected one every {interval:g} s"
        yield SystemViolation(text, f"{names.schema}.{names.heartbeat_table}")
