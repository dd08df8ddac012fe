"""Rules about the columns that the event router reads, and the table that the file creates."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.ddl import CreatedTable
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.headers import PLACEMENT
from outbox_kit.lint.subject import COLUMN_OPTIONS, JSON, RELATIONAL, STRING, Subject
from outbox_kit.lint.table_names import parts
from outbox_kit.router.javatext import trim

CAPITALS = lazy_pattern(r"[A-Z]+[a-z]")
NAMED = lazy_pattern(r"aggregate(_?)([it])", re.IGNORECASE)
MENTIONED = lazy_pattern(r"(?<![\w.$-])aggregate_?(?:id|type)(?![\w-])")
"""A column's name in the text of the file; a name with a capital may be a field of a program."""


@rule(
    "default-column-differs",
    Consequence.stop,
    evidence="B06 C06",
    fix="name the column of the table",
)
def default_column_differs(subject: Subject) -> Iterator[Violation]:
    """A column that is left at its default is named like the others.

    The defaults are aggregateid and aggregatetype. In a table with aggregate_id or aggregateId they do not exist, and
    the task fails on the first event: is not a valid field name.
    """
    if subject.outbox or not subject.router or not subject.captures_outbox or subject.created_table:
        return
    yield from _of_neighbours(subject)
    kind = subject.router_option("{}.field.event.type")
    columns = [column for column in {*subject.reads, *([kind] if kind else ())} if _is_named(subject, column)]
    for purpose in ("route", "key", "payload", "id"):
        default = subject.columns.get(purpose, "")
        option = COLUMN_OPTIONS[purpose]
        capital = next((column for column in _columns_set(subject) if CAPITALS.match(column)), None)
        if subject.router_option(option) is None and capital and default.islower():
            full = subject.router_key(option)
            message = f"'{full}' is not set: its default is '{default}', but another column is named '{capital}'"
            yield Violation(subject.router.key("type"), message, unset=full, consequence=Consequence.risk)
            continue
        elsewhere = f".{subject.router_key(option).removeprefix(subject.router.prefix)}"
        if not NAMED.match(default) or any(key.endswith(elsewhere) for key in subject.config):
            continue
        others = [column for column in _columns_set(subject) if "_" in column.strip("_") and not NAMED.match(column)]
        same = _mentioned(subject, default)
        for column in [*sorted(columns), *others, *same]:
            if _style(column) != _style(default):
                full = subject.router_key(option)
                message = f"'{full}' is not set: its default is '{default}', but another column is named '{column}'"
                # a table may mix both styles
                yield Violation(subject.router.key("type"), message, unset=full, consequence=Consequence.risk)
                break


def _mentioned(subject: Subject, default: str) -> list[str]:
    """A column of the default's words that the text names, and no other connector; empty if it names the default."""
    words = {match[0] for match in matches(subject.text, MENTIONED)}
    alike = [word for word in words if word != default and word.replace("_", "") == default]
    if not alike or default in words or subject.option_prefix != RELATIONAL:
        return []
    values = [value for other in subject.neighbours for value in other.config.values()]
    return [word for word in alike if not any(word in value for value in values)]


def _of_neighbours(subject: Subject) -> Iterator[Violation]:
    """Columns left at their defaults that another connector of the file names otherwise, of the same table."""
    tables = _names(subject)
    for other in subject.neighbours if tables else ():
        if other.router is None or _names(other) != tables or subject.router is None:
            continue
        for purpose in ("route", "key", "payload", "id"):
            option, default = COLUMN_OPTIONS[purpose], subject.columns.get(purpose, "")
            name = trim(other.router_option(option) or "")
            full = subject.router_key(option)
            if not name or name == default or subject.router_option(option) is not None or not subject.says(full):
                continue
            alike = name.replace("_", "").lower() == default.lower()
            message = (
                f"'{full}' is not set: its default is '{default}', but another connector of the file reads '{name}'"
            )
            consequence = None if alike else Consequence.risk
            yield Violation(subject.router.key("type"), message, unset=full, consequence=consequence)
        return


def _names(subject: Subject) -> set[str]:
    """The captured tables without their schema, or their database."""
    return {parts(table)[-1].lower() for table in subject.tables}


@rule("column-not-in-table", Consequence.stop, evidence="B06 C06", fix="name a column of the table")
def column_not_in_table(subject: Subject) -> Iterator[Violation]:
    """Every column that the event router reads is one of the table that the file creates.

    The task fails on the first event: is not a valid field name.
    """
    table = subject.created_table
    if not subject.router or subject.outbox or table is None:
        return
    for purpose in [*COLUMN_OPTIONS] if table.is_complete else ["key", "payload", "route"]:
        column, full = subject.columns.get(purpose), subject.router_key(COLUMN_OPTIONS[purpose])
        if column and table.lacks(column) and subject.says(full):
            if full in subject.config:
                yield Violation(full, _lacking(table, column))
            else:
                message = f"'{full}' is not set: its default is '{column}', but {_lacking(table, column)}"
                yield Violation(subject.router.key("type"), message, unset=full)
    full = subject.router_key(PLACEMENT)
    for entry in subject.placement if table.is_complete and subject.says(full) else ():
        if table.lacks(entry.column):
            yield Violation(full, _lacking(table, entry.column))


def _lacking(table: CreatedTable, column: str) -> str:
    """Why the connector does not get a column."""
    if column.lower() in table.columns:
        return f"the connector does not get the column '{column}': the file leaves it out of the captured columns"
    return f"the table has no column '{column}'"


def _is_named(subject: Subject, column: str) -> bool:
    """Whether the config names a column of the aggregate's, and it is no default."""
    options = [subject.router_option(option) for option in (*COLUMN_OPTIONS.values(), "{}.field.event.type")]
    return NAMED.match(column) is not None and column in [*options, *(entry.column for entry in subject.placement)]


def _columns_set(subject: Subject) -> list[str]:
    """The columns that the options of the event router name."""
    columns = (subject.router_option(option) for option in (*COLUMN_OPTIONS.values(), "{}.field.event.type"))
    return [column for column in columns if column]


def _style(column: str) -> tuple[bool, bool]:
    """How the words of a column's name are joined: by an underscore, by a capital."""
    match = NAMED.match(column)
    if match is None:
        return "_" in column, False
    return (bool(match[1]), match[2].isupper() and not column.isupper()) if match else (False, False)


NO_TEXT = lazy_pattern(
    r"(?:small|big|tiny|medium)?(?:int|serial)\d?\b|integer\b|numeric|decimal|number|bool|bit\b|double|real|float|bytea|blob"
)
"""Types whose columns are no texts to the event router."""
PADDED = lazy_pattern(r"(?:bp|n)?char(?:acter)?\s*(?!.*varying)\(\s*(?!1\s*\))\d+")
PADDING = (POSTGRES.name, ORACLE.name, SQLSERVER.name)
"""Databases that fill up a text of fixed length with blanks."""
BINARY_TYPE = lazy_pattern(r"bytea|(?:var)?binary|(?:tiny|medium|long)?blob|raw\b|image\b")
KEEPING = (MYSQL.name, MARIADB.name, SQLSERVER.name)
"""Databases whose columns have the letters with which they are created."""


def created_type(subject: Subject, purpose: str) -> str:
    """The type of a column that the event router reads, in the table that the file creates; empty if it is not known.

    purpose: a name of COLUMN_OPTIONS.
    """
    column = subject.columns.get(purpose)
    return subject.created_table.columns.get(column.lower(), "") if subject.created_table and column else ""


@rule("column-spelt-otherwise", Consequence.stop, evidence="B06 C06", fix="write the name as the database has it")
def column_spelt_otherwise(subject: Subject) -> Iterator[Violation]:
    """Every column is written with the letters that it has in the database.

    The event router compares names letter by letter: is not a valid field name.
    """
    table = subject.created_table
    if table is None or not subject.router or subject.outbox:
        return
    for purpose in ("id", "key", "payload", "route"):
        column, full = subject.columns.get(purpose, ""), subject.router_key(COLUMN_OPTIONS[purpose])
        spelling = table.spellings.get(column.lower())
        if not spelling or not subject.says(full):
            continue
        name = spelling.strip('"`[]')
        if spelling[0] not in '"`[' and subject.connector == POSTGRES.name:
            name = name.lower()
        elif spelling[0] != '"' and subject.connector not in (POSTGRES.name, *KEEPING):
            continue
        if name != column:
            message = f"the table has the column '{name}', not '{column}'"
            unset = "" if full in subject.config else full
            yield Violation(full if not unset else subject.router.key("type"), message, unset=unset)


@rule("binary-key-column", Consequence.wrong, severity=Severity.error, evidence="B03", fix="store ids as text")
def binary_key_column(subject: Subject) -> Iterator[Violation]:
    """The column of the key is text or a number, unless a converter for bytes writes it.

    The StringConverter writes a binary key as the same text for every row: all events go to one partition.
    """
    binary = (subject.setting("binary.handling.mode") or "bytes").lower() == "bytes"
    if (
        subject.router
        and binary
        and subject.converter("key") == STRING
        and BINARY_TYPE.match(created_type(subject, "key"))
    ):
        yield Violation("key.converter", f"'{subject.columns['key']}' is a binary column")


@rule(
    "number-without-scale",
    Consequence.wrong,
    severity=Severity.error,
    evidence="B03",
    connectors=ORACLE.name,
    fix="give the column a precision, such as NUMBER(18), or set decimal.handling.mode=string",
)
def number_without_scale(subject: Subject) -> Iterator[Violation]:
    """The column of the key is a number of a fixed size, or a text.

    A NUMBER without precision is a structure of value and scale: the StringConverter writes `Struct{scale=...}`.
    """
    precise = (subject.setting("decimal.handling.mode") or "precise").lower() == "precise"
    plain = re.fullmatch(r"number(?!\s*\().*", created_type(subject, "key"))
    if subject.router and precise and plain and subject.converter("key") == STRING:
        mode = "decimal.handling.mode"
        message = f"'{subject.columns['key']}' is a NUMBER without precision"
        yield Violation("key.converter", message, unset="" if mode in subject.config else mode)


DECIMAL = lazy_pattern(r"(?:numeric|decimal|number)\b(?!\s*\(\s*\d+\s*(?:,\s*0\s*)?\))|money\b")
"""A number with a scale, or with any."""


@rule(
    "decimal-as-bytes",
    Consequence.wrong,
    of_names=True,
    evidence="B03",
    fix="set decimal.handling.mode=string or double, or send the schema",
)
def decimal_as_bytes(subject: Subject) -> Iterator[Violation]:
    """A number with a scale is readable in messages of JSON without a schema.

    By default it is sent as bytes in Base64, and its scale stands in the schema alone.
    """
    key = "decimal.handling.mode"
    sends = subject.converter("value") == JSON and not subject.on("value.converter.schemas.enable")
    if subject.router or not sends or (subject.setting(key) or "precise").lower() != "precise":
        return
    for table in subject.tables:
        created = subject.created_tables.get(parts(table)[-1].lower())
        for column, kind in created.columns.items() if created else ():
            if DECIMAL.match(kind):
                at = key if key in subject.config else "value.converter"
                yield Violation(at, f"'{column}' of {table} is sent as bytes", unset="" if at == key else key)
                return


@rule(
    "generated-column-read",
    Consequence.stop,
    evidence="C06",
    connectors=POSTGRES.name,
    fix="store the value in a column of its own",
)
def generated_column_read(subject: Subject) -> Iterator[Violation]:
    """No column that the event router reads is computed by the server.

    PostgreSQL leaves generated columns out of its logical replication: is not a valid field name.
    """
    table = subject.created_table
    if table is None or subject.router is None or PUBLISHES.search(subject.text):
        return
    computed = [name for name, kind in table.columns.items() if GENERATED.search(kind)]
    for entry in subject.placement:
        if entry.column.lower() in computed:
            yield Violation(subject.router_key(PLACEMENT), f"'{entry.column}' is a generated column")
    for purpose, column in subject.columns.items():
        key = subject.router_key(COLUMN_OPTIONS[purpose])
        if column.lower() in computed and key in subject.config:
            yield Violation(key, f"'{column}' is a generated column")
        elif column.lower() in computed:
            yield Violation(subject.router.key("type"), f"'{column}' is a generated column", unset=key)


PUBLISHES = lazy_pattern(r"publish_generated_columns", re.IGNORECASE)
"""What lets PostgreSQL 18 publish them."""
GENERATED = lazy_pattern(r"\bgenerated always as\s*\((?!.*identity)")


@rule(
    "unlogged-table",
    Consequence.loss,
    evidence="I04",
    connectors=POSTGRES.name,
    fix="create the table without UNLOGGED",
)
def unlogged_table(subject: Subject) -> Iterator[Violation]:
    """The outbox is a table that is written to the WAL.

    Changes of an unlogged or temporary table never reach the connector.
    """
    if subject.created_table and not subject.created_table.is_logged:
        key = "table.include.list"
        yield Violation(key if key in subject.config else "connector.class", "the table is not written to the WAL")


@rule("route-column-type", Consequence.stop, evidence="C06", fix="route by a text column that is NOT NULL")
def route_column_type(subject: Subject) -> Iterator[Violation]:
    """The routing column is a text column that is never null.

    The task fails on the first event, or on the first null.
    """
    if not subject.router:
        return
    kind, key = created_type(subject, "route"), subject.router_key("route.by.field")
    if NO_TEXT.match(kind):
        yield Violation(key, f"'{subject.columns['route']}' has the type {kind.partition(' ')[0]}")
    elif PADDED.match(kind) and subject.connector in PADDING:
        yield Violation(key, f"'{subject.columns['route']}' is filled up with blanks, which no topic may have")
    for extra in subject.outbox.table.extra if subject.outbox else ():
        if extra.name == subject.columns.get("route") and (extra.kind not in ("text", "uuid") or not extra.required):
            yield Violation(
                subject.router_key("route.by.field"),
                f"'{extra.name}' has the type {extra.kind}{'' if extra.required else ' and may be null'}",
            )


@rule(
    "unknown-column", Consequence.stop, evidence="B06 J12 J14", fix="name a column of the table, with the same spelling"
)
def unknown_column(subject: Subject) -> Iterator[Violation]:
    """Every column that the event router reads exists in the table.

    The task fails on the first event: is not a valid field name.
    """
    if not subject.outbox or not subject.router:
        return
    column_names = subject.outbox.column_names
    for purpose, column in subject.columns.items():
        if column not in column_names:
            yield Violation(subject.router_key(COLUMN_OPTIONS[purpose]), f"the table has no column '{column}'")
    if not _ignores_missing(subject):
        for entry in subject.placement:
            if entry.column not in column_names:
                key = subject.router_key("{}.fields.additional.placement")
                yield Violation(key, f"the table has no column '{entry.column}'")


def _ignores_missing(subject: Subject) -> bool:
    return (subject.effective("{}.field.additional.missing") or "").strip().lower() == "ignore"
