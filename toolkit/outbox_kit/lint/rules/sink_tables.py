"""Rules about the tables that a sink for JDBC writes to: their names, and how they are created."""

import re
from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import QUOTED
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.sink_records import CHANGES_TOPIC, CREATES, creates_tables, literal_start
from outbox_kit.lint.subject import STRING, Subject
from outbox_kit.router.javatext import trim

TABLE_NAME = ("table.name.format", "collection.name.format")
URL = lazy_pattern(r"jdbc:(?P<product>\w+):(?://[^/?;]*/(?P<database>[^?;]+))?")
VARIABLE = lazy_pattern(r"\$\{([a-z][\w.]*)\}")
DOTTED = lazy_pattern(r"[\w-]+(?:\.[\w-]+){2,}")
PLAIN = lazy_pattern(r"[\w-]+")
DEBEZIUM = "io.debezium.connector.jdbc.JdbcSinkConnector"
TOPICS = ("topics", "topics.regex")
OF_AIVEN = ("table.name.normalize", "topics.to.tables.mapping")
"""Options by which a table has another name."""


@rule(
    "format-is-list",
    Consequence.stop,
    evidence="N10",
    fix="write one format, such as ${topic}",
)
def format_is_list(subject: Subject) -> Iterator[Violation]:
    """The format of a sink's table names is one format for all topics.

    The sink takes a list for the name of one table, and fails.
    """
    for key in TABLE_NAME:
        if "," in subject.config.get(key, "") and subject.says(key):
            yield Violation(key, f"'{subject.config[key]}' is the name of one table")


@rule(
    "unknown-table-variable",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="use ${topic} or ${source.<field>}, or name the topic with a transformation",
)
def unknown_table_variable(subject: Subject) -> Iterator[Violation]:
    """The name of a table is made of what Debezium's sink for JDBC knows: the topic, and fields of the source block.

    Everything else stays as it is (`DefaultCollectionNamingStrategy`): the database refuses the name.
    """
    if trim(subject.config.get("connector.class", "")) != DEBEZIUM or subject.document.expands not in ("", QUOTED):
        return
    for key in TABLE_NAME:
        for name in VARIABLE.findall(subject.config.get(key, "")):
            if name != "topic" and not name.startswith("source."):
                yield Violation(key, f"the sink does not replace '${{{name}}}'")


@rule("update-of-new-table", Consequence.loss, evidence="N10", fix="set insert.mode=upsert")
def update_of_new_table(subject: Subject) -> Iterator[Violation]:
    """A sink that creates its table inserts rows into it.

    With insert.mode=update it changes rows that are there already: a new table stays empty.
    """
    is_update = subject.config.get("insert.mode", "").strip().lower() == "update"
    if subject.facts.get("needs_schema") and creates_tables(subject) and is_update:
        yield Violation("insert.mode", "the table is created empty, and update writes only rows that are there")


@rule(
    "no-dialect-for-tables",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="create the tables yourself, or use a sink of that product",
)
def no_dialect_for_tables(subject: Subject) -> Iterator[Violation]:
    """A sink that creates tables, or inserts and updates rows, knows the database.

    The generic dialect has no names of types, and no statement that does both: the task fails with the first record.
    """
    match, products = URL.match(subject.config.get("connection.url", "").strip()), subject.facts.get("dialects", ())
    if match is None or not products or match["product"].lower() in products:
        return
    if "dialect.name" in subject.config:
        return
    if key := next(filter(subject.on, CREATES), ""):
        yield Violation(key, f"the sink cannot create a table in '{match['product']}'")
    if subject.config.get("insert.mode", "").strip().lower() == "upsert":
        yield Violation("insert.mode", f"the sink cannot insert and update in one statement in '{match['product']}'")


NO_DATABASE = lazy_pattern(r"jdbc:(?P<product>\w+)://[\w.:,\[\]-]+/?(?:\?.*)?")


@rule(
    "url-without-database",
    Consequence.stop,
    evidence="O",
    fix="name the database in connection.url, or in the name of the table",
)
def url_without_database(subject: Subject) -> Iterator[Violation]:
    """The address of a database in which tables have no schema names the database.

    Without one the statements of the sink have none either: MySQL refuses them, as no database is selected.
    """
    match = NO_DATABASE.fullmatch(subject.config.get("connection.url", "").strip())
    has_no_schema = match and subject.facts.get("database_in_table", {}).get(match["product"]) == "refused"
    name = subject.config.get(TABLE_NAME[0], "${topic}").replace("${topic}", ",".join(subject.entries("topics")) or ".")
    if has_no_schema and "." not in name and subject.says("connection.url", *TABLE_NAME, *TOPICS):
        yield Violation("connection.url", "the address names no database, and neither does the table's name")


@rule(
    "text-in-key",
    Consequence.stop,
    evidence="O",
    fix="create the table yourself, with a length for the text",
)
def text_in_key(subject: Subject) -> Iterator[Violation]:
    """A table that a sink creates has no text in its key where the database needs a length for one.

    Confluent's sink makes a column of the type TEXT of every text in MySQL (`MySqlDatabaseDialect.getSqlType`), which
    MySQL refuses in a key. The name of the topic is a text, and so is a key of StringConverter.
    """
    match, mode = URL.match(subject.config.get("connection.url", "").strip()), subject.config.get("pk.mode", "")
    products = subject.facts.get("texts_without_length", ())
    if match is None or match["product"] not in products or not creates_tables(subject):
        return
    is_of_text = mode.strip().lower() == "record_key" and trim(subject.config.get("key.converter", "")) == STRING
    takes_key = any(step.kind.endswith(("$Key", "ValueToKey")) for step in subject.steps) or subject.changes_messages
    names = subject.entries("pk.fields")
    if mode.strip().lower() == "kafka" and (not names or len(names) == len(("topic", "partition", "offset"))):
        yield Violation("pk.mode", "the topic's name is a text in the key of the new table")
    elif is_of_text and not takes_key:
        yield Violation("pk.mode", "a key of StringConverter is a text in the key of the new table")


KEY_FIELDS = {"pk.fields": "pk.mode", "primary.key.fields": "primary.key.mode"}
"""The fields of a key, with the option that says where the sink finds them."""


@rule("key-field-none", Consequence.stop, evidence="O", fix="name the fields, or remove the option")
def key_field_none(subject: Subject) -> Iterator[Violation]:
    """The fields of a sink's key are fields of its records.

    `none` is a word of the option for the mode alone. Here it is taken for a field's name, which no key has.
    """
    for key, mode in KEY_FIELDS.items():
        is_read = subject.config.get(mode, "").strip().lower().startswith("record_")
        if is_read and subject.config.get(key, "").strip().lower() in ("none", "null"):
            yield Violation(key, f"'{subject.config[key].strip()}' is taken for the name of a field")


@rule(
    "table-name-parts",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="take the topic's prefix away with a RegexRouter, or write one name into table.name.format",
)
def table_name_parts(subject: Subject) -> Iterator[Violation]:
    """The name that a sink for JDBC makes of a topic is one that the database knows.

    The sinks of Confluent and Aiven split the name of a table at its dots. Three parts are database, schema and table:
    MySQL refuses them, and PostgreSQL refuses another database than that of the connection. Of four parts and more, the
    first two are schema and table (`GenericDatabaseDialect.parseTableIdentifier`).
    """
    products = subject.facts.get("database_in_table", {})
    splits = products and not any(key in subject.config for key in OF_AIVEN)
    keeps_topic = not subject.changes_messages and not any(step.kind.endswith(CHANGES_TOPIC) for step in subject.steps)
    match = URL.match(subject.config.get("connection.url", "").strip())
    if not splits or not keeps_topic or match is None or not subject.says("connection.url", "transforms", *TOPICS):
        return
    key = next((key for key in (TABLE_NAME[0], *TOPICS) if key in subject.config), TOPICS[0])
    for topic in subject.entries("topics") or _examples(subject):
        name = subject.config.get(TABLE_NAME[0], "${topic}").replace("${topic}", topic)
        parts, takes = name.split("."), products.get(match["product"])
        if not DOTTED.fullmatch(name):
            continue
        if len(parts) > len(("database", "schema", "table")):
            message = f"the sink takes '{parts[1]}' for the table of '{name}'"
            yield Violation(key, message, consequence=Consequence.wrong)
            return
        if takes == "refused" or (takes == "own" and _is_other(match, parts[0])):
            yield Violation(key, f"the sink takes '{parts[0]}' for the database of '{name}'")
            return


def _examples(subject: Subject) -> list[str]:
    """A topic that an expression matches which ends with any table."""
    begin = literal_start(subject.config.get(TOPICS[1], ""))
    return [f"{begin}TABLE"] if begin.endswith(".") else []


def _is_other(url: re.Match[str], database: str) -> bool:
    """Whether a database is not that of a connection, as far as its URL shows it."""
    return PLAIN.fullmatch(url["database"] or "") is not None and url["database"] != database
