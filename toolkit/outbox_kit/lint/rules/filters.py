"""Rules about filters: which tables and columns are captured."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.builders import starts_container
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.placeholders import PLACEHOLDER
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.table_names import OUTBOX_WORDS, parts
from outbox_kit.router import javaregex
from outbox_kit.router.transforms import DECODE
from outbox_kit.versions import Version

RENAMED = Version.of("2.0")
"""The first release that does not read the former names of filters."""


@rule("no-table-filter", Consequence.stop, evidence="C10 O", fix="name the outbox table in table.include.list")
def no_table_filter(subject: Subject) -> Iterator[Violation]:
    """The captured tables are listed.

    All tables are captured: rows of other tables are published to topics of their own, or stop the task in the event
    router.
    """
    filters = subject.facts.get("filters", ())
    former = [name.replace("include.list", "whitelist").replace("exclude.list", "blacklist") for name in filters]
    read = [*filters, *(former if subject.release < RENAMED else ())]
    if not subject.router or not filters or _reads_messages(subject) or _is_alone(subject):
        return
    set_filters = [name for name in read if name in subject.config]
    consequence = Consequence.risk if "predicate" in subject.router.options else None
    if not set_filters:
        message = f"none of {', '.join(filters)} is set: every table is captured"
        yield Violation("connector.class", message, unset=filters[0], consequence=consequence)
    elif all(name.startswith(("database.", "schema.")) for name in set_filters):
        message = f"every table is captured that {' and '.join(set_filters)} leaves"
        yield Violation("connector.class", message, unset=filters[0], consequence=consequence)
    elif not any(name.endswith((".include.list", ".whitelist")) for name in set_filters):
        message = f"every table is captured but those of {' and '.join(set_filters)}"
        yield Violation("connector.class", message, unset=filters[0], consequence=consequence or Consequence.risk)


def _is_alone(subject: Subject) -> bool:
    """Whether a test runs the connector on a database of its own, in which it creates the outbox and nothing else."""
    is_test = subject.document.kind == "code" and starts_container(subject.text)
    return is_test and len(subject.created_tables) == 1


def _reads_messages(subject: Subject) -> bool:
    """Whether the connector reads messages in the log and no table."""
    reads = "message.prefix.include.list" in subject.config or any(step.kind == DECODE for step in subject.steps)
    return reads and subject.setting(AUTOCREATE) in ("no_tables", "disabled")


LITERAL = lazy_pattern(r"[\w$#-]+(?:\\?\.[\w$#-]+)*")
DOTS_ONLY = lazy_pattern(r"[\w$-](?:\[\.\]|\\\.)\*$")
"""A name, and dots that are repeated in place of any name behind one."""
QUOTED = lazy_pattern(r"(?:^|\.)([\"`])[^\"`]+\1(?:\\?\.|$)|^\[\w+\]\.\[\w+\]$")
GLOB = lazy_pattern(r"[\w$-]+(?:\\?\.[\w$-]+)*\*")
"""A pattern as file names have them."""
REGEX_MARKS = lazy_pattern(r"[*+?()|\[\]^$]")
LONGEST_ORACLE_NAME = 30
PARTS = dict.fromkeys((POSTGRES.name, MYSQL.name, MARIADB.name, ORACLE.name, SQLSERVER.name, MONGODB.name), 2)
"""How many names the filter compares: schema and table, or database and table."""
COLUMN_FILTERS = {"column.include.list": True, "column.exclude.list": False}
"""The filters of columns, and whether they keep what they match."""
AUTOCREATE = "publication.autocreate.mode"
SCHEMAS = (POSTGRES.name, ORACLE.name, SQLSERVER.name)


@rule(
    "table-filter-never-matches",
    Consequence.loss,
    evidence="C10",
    fix="write the table with its schema, such as public.outbox; in MySQL and MariaDB with its database",
)
def table_filter_never_matches(subject: Subject) -> Iterator[Violation]:
    """Every entry of table.include.list, and of MongoDB's collection.include.list, can match a table.

    The filter compares the whole name, with the schema or the database. What does not match is not captured, without an
    error.
    """
    option = "collection.include.list" if subject.connector == MONGODB.name else "table.include.list"
    expected = PARTS.get(subject.connector or "")
    if expected is None or option not in subject.config:
        return
    begun = [entry for entry in subject.tables if LITERAL.fullmatch(entry) and entry.endswith("_")]
    for entry in begun if len(begun) < max(len(subject.tables), 2) else ():  # the names of all tables may end so
        if entry not in subject.config.get("message.key.columns", ""):
            yield Violation(option, f"'{entry}' matches the table of that name only, not those that begin with it")
    for entry in filter(GLOB.fullmatch, subject.tables):
        yield Violation(
            option,
            f"'{entry}' is a regular expression, in which * repeats the character before it",
            consequence=None if entry.endswith("_*") else Consequence.risk,
        )
    for entry in filter(DOTS_ONLY.search, subject.tables):
        yield Violation(option, f"'{entry}' matches names with dots at their end only; '{entry[:-1]}.*' is meant")
    for entry in filter(QUOTED.search, subject.tables):
        yield Violation(option, f"'{entry}' matches no table: names are compared without quotes and brackets")
    wrong = [
        entry
        for entry in subject.tables
        if LITERAL.fullmatch(entry) and len(parts(entry)) != expected and not _may_have_dots(subject, entry, expected)
    ]
    for entry in wrong:
        scope = "schema" if subject.connector in SCHEMAS else "database"
        kind = "collection" if subject.connector == MONGODB.name else "table"
        consequence = None if len(wrong) == len(subject.tables) else Consequence.wrong
        message = f"'{entry}' matches no {kind}: expected <{scope}>.<{kind}>"
        yield Violation(option, message, consequence=consequence)


@rule(
    "database-in-table-filter",
    Consequence.loss,
    of_names=True,
    evidence="C10",
    fix="write schema and table alone",
)
def database_in_table_filter(subject: Subject) -> Iterator[Violation]:
    """No entry of table.include.list that a program or a template makes has a third name before schema and table.

    The filter compares the whole name, with the schema or the database. What does not match is not captured, without an
    error.
    """
    expected = PARTS.get(subject.connector or "", 0)
    for entry in subject.tables if subject.connector in SCHEMAS else ():
        plain = PLACEHOLDER.sub("x", entry)
        if plain != entry and LITERAL.fullmatch(plain) and len(parts(plain)) > expected:
            yield Violation("table.include.list", "an entry has more names than schema and table")


@rule(
    "read-column-left-out",
    Consequence.stop,
    evidence="C06",
    fix="keep the columns that the event router reads",
)
def read_column_left_out(subject: Subject) -> Iterator[Violation]:
    """No filter leaves out a column that the event router reads.

    The task fails on the first event: is not a valid field name.
    """
    tables = [entry for entry in _plain_tables(subject) if any(word in entry.lower() for word in OUTBOX_WORDS)]
    if not subject.router or len(tables) != 1 or not subject.says("table.include.list", *COLUMN_FILTERS):
        return
    for option, keeps in COLUMN_FILTERS.items():
        patterns = subject.entries(option)
        lost = [
            column
            for purpose, column in subject.columns.items()
            if patterns
            and purpose in ("id", "key", "payload", "route")
            and None not in (matching := [_matches(pattern, f"{tables[0]}.{column}") for pattern in patterns])
            and any(matching) is not keeps
        ]
        if lost:
            yield Violation(option, f"'{option}' leaves out the column '{lost[0]}', which the event router reads")


@rule(
    "payload-masked",
    Consequence.wrong,
    severity=Severity.error,
    evidence="C06",
    fix="mask columns of other tables only",
)
def payload_masked(subject: Subject) -> Iterator[Violation]:
    """No mask replaces what the event router reads.

    Every event has asterisks or a hash in its place.
    """
    for option in subject.config if subject.router else ():
        if option.startswith("column.mask.") and subject.says(option, "table.include.list"):
            names = [f"{table}.{column}" for table in _plain_tables(subject) for column in subject.columns.values()]
            patterns = subject.entries(option)
            masked = [name for name in names if any(_matches(pattern, name) for pattern in patterns)]
            if masked:
                yield Violation(option, f"'{masked[0]}' is masked, which the event router reads")


EMITTED = lazy_pattern(r"\bpg_logical_emit_message\s*\(\s*true\s*,\s*'([^']+)'", re.IGNORECASE)
"""A message in the log that a statement writes within its transaction, with its prefix."""
PREFIXES = {"message.prefix.include.list": True, "message.prefix.exclude.list": False}
"""The filters of messages in the log, and whether they keep what they match."""


@rule(
    "message-prefix-left-out",
    Consequence.loss,
    evidence="C10",
    connectors=POSTGRES.name,
    fix="write the messages with a prefix that the connector captures",
)
def message_prefix_left_out(subject: Subject) -> Iterator[Violation]:
    """The filter of messages in the log lets those through that the file writes.

    The connector leaves out all others, without an error.
    """
    emitted = (match[1] for match in matches(subject.text, EMITTED))
    prefixes = {prefix for prefix in emitted if "heartbeat" not in prefix.lower()}
    for option, keeps in PREFIXES.items():
        patterns = subject.entries(option)
        if len(prefixes) != 1 or not patterns or not subject.says(option):
            continue
        (prefix,) = prefixes
        kept = [_matches(pattern, prefix) for pattern in patterns]
        if None not in kept and any(kept) is not keeps:
            yield Violation(option, f"'{option}' leaves out the prefix '{prefix}', which the file writes")


CHOICE = lazy_pattern(r"\((?:\?:)?\w+(?:\|\w+)*\)")


def without_choices(entry: str) -> str:
    """An entry of a list with one name for each choice of names, such as `(id|title)`."""
    return CHOICE.sub("x", entry)


def has_fewer_names(entry: str, number: int) -> bool:
    """Whether an entry of a list is no expression, but for a choice of names, and has fewer names than it needs."""
    plain = without_choices(entry)
    return LITERAL.fullmatch(plain) is not None and len(parts(plain)) < number


def _plain_tables(subject: Subject) -> list[str]:
    """The captured tables that the list names without patterns, as they are called."""
    return [entry.replace("\\", "") for entry in subject.tables if LITERAL.fullmatch(entry)]


def _matches(pattern: str, name: str) -> bool | None:
    """Whether a pattern of a list matches a name, whatever its case; None if that is not known."""
    compiled = javaregex.compiled_or_none(pattern)
    if compiled is None:
        return None
    return re.compile(compiled.pattern, compiled.flags | re.IGNORECASE).fullmatch(name) is not None


@rule(
    "oracle-system-schema",
    Consequence.loss,
    evidence="C10",
    connectors=ORACLE.name,
    fix="create the tables in a schema of their own",
)
def oracle_system_schema(subject: Subject) -> Iterator[Violation]:
    """No captured table is one of Oracle's own schemas.

    The connector leaves the schemas of the system out, whatever table.include.list says.
    """
    for table in subject.tables:
        if table.split(".")[0].strip("\\").upper() in ("SYS", "SYSTEM"):
            yield Violation("table.include.list", f"'{table}' is in a schema that the connector leaves out")


@rule(
    "oracle-long-name",
    Consequence.loss,
    evidence="C10",
    connectors=ORACLE.name,
    fix="give the table a name of at most 30 characters, or use another adapter than LogMiner",
)
def oracle_long_name(subject: Subject) -> Iterator[Violation]:
    """The names of captured tables are short enough for LogMiner.

    The connector warns that it does not capture a table with a longer name, and publishes none of its changes.
    """
    adapter = (subject.setting("database.connection.adapter") or "logminer").lower()
    for table in subject.tables if adapter.startswith("logminer") else ():
        name = parts(table)[-1]
        if LITERAL.fullmatch(table) and len(name) > LONGEST_ORACLE_NAME:
            yield Violation("table.include.list", f"'{name}' has {len(name)} characters: LogMiner supports 30")


def _may_have_dots(subject: Subject, entry: str, expected: int) -> bool:
    """Whether an entry has too many names rather than too few: names may have dots, and a collection's often do."""
    names = parts(entry)
    databases = subject.entries("database.names")
    if any(entry.startswith(f"{name}.") for name in subject.entries("database.include.list") if "." in name):
        return True
    dotted = subject.connector == MONGODB.name or ("\\" in entry and names[0] not in databases)
    return len(names) > expected and dotted


SENTENCE = lazy_pattern(r"[A-Za-z]\w*(?:\s+[\w.]+){3,}\.?")


@rule("sentence-as-pattern", Consequence.loss, evidence="C10", fix="list the tables, or remove the option")
def sentence_as_pattern(subject: Subject) -> Iterator[Violation]:
    """The lists of tables, collections and columns have names and patterns.

    A sentence, as of the documentation, is a pattern that nothing matches.
    """
    for key in subject.config:
        if key.endswith((".include.list", ".exclude.list", ".include.collection.list")) and subject.says(key):
            for entry in subject.entries(key):
                if SENTENCE.fullmatch(entry):
                    consequence = Consequence.wrong if key.endswith(".exclude.list") else None
                    yield Violation(key, f"'{entry}' is a sentence, and matches nothing", consequence=consequence)
