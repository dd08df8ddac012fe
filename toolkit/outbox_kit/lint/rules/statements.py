"""Rules about the statements that the file shows beside the connector: what they make of its tables."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.ddl import CreatedTable
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.filters import LITERAL
from outbox_kit.lint.rules.qualified import SIGNALS
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.table_names import parts
from outbox_kit.router.transforms import KAFKA

SIGNAL_COLUMNS = 3


def _created(subject: Subject) -> dict[str, CreatedTable]:
    """The captured tables that the file creates, as the list has them; empty if the list has patterns."""
    created = subject.created_tables
    if not subject.says("table.include.list") or not all(map(LITERAL.fullmatch, subject.tables)):
        return {}
    names = {table: parts(table)[-1].lower() for table in subject.tables}
    return {table: created[name] for table, name in names.items() if name in created}


@rule(
    "signal-table-columns",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C10",
    fix="create it with the columns id, type and data alone",
)
def signal_table_columns(subject: Subject) -> Iterator[Violation]:
    """The table of signals that the file creates has three columns.

    A signal whose row has more, or fewer, is ignored.
    """
    name = parts(subject.config.get(SIGNALS, ""))[-1].lower()
    table = subject.created_tables.get(name) if name else None
    reduced = {"column.exclude.list", "column.include.list"} & subject.config.keys()
    if table and table.is_complete and len(table.columns) != SIGNAL_COLUMNS and not reduced:
        yield Violation(SIGNALS, f"the file creates '{name}' with {len(table.columns)} columns: expected 3")


FULL_IDENTITY = lazy_pattern(r"\breplica\s+identity\s+(?:full|using)\b", re.IGNORECASE)


@rule(
    "unchanged-rows-sent",
    Consequence.wrong,
    severity=Severity.error,
    evidence="I12",
    connectors=POSTGRES.name,
    fix="ALTER TABLE <table> REPLICA IDENTITY FULL",
)
def unchanged_rows_sent(subject: Subject) -> Iterator[Violation]:
    """Rows that do not change are left out where the connector gets the row from before.

    With the default replica identity it has nothing to compare an update with, and leaves none out.
    """
    key = "skip.messages.without.change"
    set_elsewhere = "replica.identity.autoset.values" in subject.config or FULL_IDENTITY.search(subject.text)
    created = _created(subject)
    if subject.on(key) and created and len(created) == len(subject.tables) and not set_elsewhere:
        yield Violation(key, "the tables that the file creates have the default replica identity")


KEY_LOGGED = lazy_pattern(r"\badd\s+supplemental\s+log\s+data\s*\(\s*primary\s+key\s*\)\s*columns\b", re.IGNORECASE)
ALL_LOGGED = lazy_pattern(r"\badd\s+supplemental\s+log\s+data\s*\(\s*all\s*\)\s*columns\b", re.IGNORECASE)


@rule(
    "columns-not-logged",
    Consequence.wrong,
    evidence="J07",
    connectors=ORACLE.name,
    fix="ALTER TABLE <table> ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
)
def columns_not_logged(subject: Subject) -> Iterator[Violation]:
    """The log has all columns of a row that is updated.

    With the primary key alone, columns that an update does not change are null in its message.
    """
    logs_key = matches(subject.text, KEY_LOGGED) and not matches(subject.text, ALL_LOGGED)
    if logs_key and not subject.router:
        yield Violation("table.include.list", "the file logs the primary key alone: updates lack the other columns")


TABLE_LOGGED = lazy_pattern(r"\balter\s+table\s+[\w.\"$#]+\s+add\s+supplemental\s+log\b", re.IGNORECASE)
DATABASE_LOGGED = lazy_pattern(r"\balter\s+database\s+add\s+supplemental\s+log\b", re.IGNORECASE)
ARCHIVES = lazy_pattern(r"\balter\s+database\s+archivelog\b", re.IGNORECASE)


@rule(
    "supplemental-logging-missing",
    Consequence.stop,
    of_names=True,
    evidence="J07",
    connectors=ORACLE.name,
    fix="ALTER DATABASE ADD SUPPLEMENTAL LOG DATA",
)
def supplemental_logging_missing(subject: Subject) -> Iterator[Violation]:
    """Supplemental logging is on for the database, and not for tables alone, where the file prepares both.

    The connector stops when it begins to stream: supplemental logging is not configured.
    """
    prepares = matches(subject.text, TABLE_LOGGED) and matches(subject.text, ARCHIVES)
    if prepares and not matches(subject.text, DATABASE_LOGGED):
        yield Violation("connector.class", "the file has supplemental logging for tables, and none for the database")


@rule(
    "compacted-without-key",
    Consequence.stop,
    evidence="B03",
    fix="set message.key.columns, or cleanup.policy=delete",
)
def compacted_without_key(subject: Subject) -> Iterator[Violation]:
    """Messages to a compacted topic have a key.

    The broker refuses a message without one. The messages of a table without a primary key have none.
    """
    key, created = "topic.creation.default.cleanup.policy", _created(subject)
    keyless = [table for table, facts in created.items() if facts.is_complete and not facts.is_keyed]
    has_key = "message.key.columns" in subject.config or subject.router or subject.changes_messages
    if keyless and not has_key and subject.config.get(key, "").strip() == "compact":
        yield Violation(key, f"the file creates '{keyless[0]}' without a primary key")


MICROSECONDS = lazy_pattern(
    r"(?P<type>timestamp|datetime)(?!tz)\s*(?:\((?P<digits>\d)\))?(?!.*with (?:local )?time zone)"
)
MILLISECONDS = 3
DEFAULT_DIGITS = {POSTGRES.name: 6, MYSQL.name: 0, MARIADB.name: 0}


@rule(
    "microseconds-as-milliseconds",
    Consequence.wrong,
    severity=Severity.error,
    evidence="H02",
    fix="set unix.precision=microseconds, or time.precision.mode=connect",
)
def microseconds_as_milliseconds(subject: Subject) -> Iterator[Violation]:
    """A TimestampConverter reads the column in the unit in which the connector sends it.

    By default the connector sends a column with more than three digits of a second in microseconds, and the
    transformation takes a number for milliseconds.
    """
    mode = (subject.setting("time.precision.mode") or "").lower()
    created = _created(subject) if subject.connector in DEFAULT_DIGITS and mode.startswith("adaptive") else {}
    if len(created) != 1:
        return
    (table,) = created.values()
    for step in subject.steps if not subject.router else ():
        kind = table.columns.get(step.options.get("field", "").lower(), "")
        match = MICROSECONDS.match(kind) if step.kind == f"{KAFKA}TimestampConverter$Value" else None
        zoned = match and match["type"] == "timestamp" and subject.connector in (MYSQL.name, MARIADB.name)
        if match and not zoned and "unix.precision" not in step.options:
            if int(match["digits"] or DEFAULT_DIGITS[str(subject.connector)]) > MILLISECONDS:
                message = f"'{step.options['field']}' is in microseconds, and '{step.name}' takes it for milliseconds"
                yield Violation(step.key("type"), message, unset=step.key("unix.precision"))


JAVASCRIPT = (".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".mts")
LOST = lazy_pattern(r"(?P<quote>[\"'])(?P<text>[\w.*+$^()|-]*(?<!\\)\\[dws][\w.*+$^()|\\{},-]*)(?P=quote)")


@rule(
    "escape-lost",
    Consequence.loss,
    of_names=True,
    evidence="C10",
    fix="write two backslashes",
)
def escape_lost(subject: Subject) -> Iterator[Violation]:
    """A class of characters in a text of a program keeps its backslash.

    JavaScript drops one before a letter without a meaning of its own: `\\d` is the letter d, which matches no digit.
    """
    if not subject.source.lower().endswith(JAVASCRIPT):
        return
    for match in matches(subject.text, LOST):
        plain = re.sub(r"\\([dws])", r"\1", match["text"])
        holding = [key for key, value in subject.config.items() if plain in value or match["text"] in value]
        if holding or "table.include.list" in subject.unknown:
            key = holding[0] if holding else "table.include.list"
            yield Violation(key, f"the program gives '{plain}' for '{match['text']}'")
            return
