"""Rules about Oracle's connector."""

import re
from collections.abc import Iterator

from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.conditions import holds, option_of
from outbox_kit.lint.rule import Consequence, Violation, at, rule
from outbox_kit.lint.rules.filters import REGEX_MARKS
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import whole_number


@rule(
    "oracle-lower-case",
    Consequence.stop,
    evidence="J07",
    connectors=ORACLE.name,
    fix="write the names in upper case",
)
def oracle_lower_case(subject: Subject) -> Iterator[Violation]:
    """The column names of Oracle are in upper case.

    Oracle converts unquoted names to upper case. The event router does so for its default names only, not for explicit
    names and placements: is not a valid field name.
    """
    if not subject.router:
        return
    for name in ("id", "key", "payload"):
        key = subject.router.key(f"table.field.event.{name}")
        if key in subject.config and subject.config[key] != ORACLE.fold_case(subject.config[key]):
            yield Violation(key, f"'{subject.config[key]}' is not in upper case")
    for entry in subject.placement:
        if entry.column != ORACLE.fold_case(entry.column):
            yield Violation(
                subject.router_key("{}.fields.additional.placement"), f"'{entry.column}' is not in upper case"
            )


@rule(
    "oracle-lob-disabled",
    Consequence.advice,
    evidence="J08",
    connectors=ORACLE.name,
    fix="store payloads in a VARCHAR2 and set lob.enabled=false, or set lob.enabled=true",
)
def oracle_lob_disabled(subject: Subject) -> Iterator[Violation]:
    """The option lob.enabled is set explicitly.

    Large objects are not captured by default: a CLOB payload arrives as a placeholder or null.
    """
    if subject.router and "lob.enabled" not in subject.config:
        yield at(subject, "lob.enabled", "lob.enabled is not set; its default is false")


@rule(
    "oracle-lob-hybrid", Consequence.stop, evidence="J08", connectors=ORACLE.name, fix="use another log.mining.strategy"
)
def oracle_lob_hybrid(subject: Subject) -> Iterator[Violation]:
    """The mining strategy is not hybrid if large objects are captured.

    The hybrid mining strategy does not support large objects.
    """
    if subject.on("lob.enabled") and "hybrid" in (subject.setting("log.mining.strategy") or "").lower():
        yield Violation("log.mining.strategy", "the strategy 'hybrid' does not support lob.enabled=true")


OF_LOBS = "lob.enabled=true"
EXCLUSIVE = (
    (OF_LOBS, "log.mining.include.redo.sql=true"),
    *((f"log.mining.{kind}.include.list", f"log.mining.{kind}.exclude.list") for kind in ("username", "clientid")),
)
"""What the connector refuses together, if its adapter is set to LogMiner (`OracleConnectorConfig`)."""
ALWAYS_EXCLUSIVE = ((OF_LOBS, "log.mining.buffer.deferred.transaction.start=true"),)
ADAPTER, STRATEGY, OF_FILE = "database.connection.adapter", "log.mining.strategy", "dictionary_from_file"


@rule(
    "oracle-mining-options",
    Consequence.stop,
    of_names=True,
    evidence="J08 N10",
    connectors=ORACLE.name,
    fix="remove one of the two options",
)
def oracle_mining_options(subject: Subject) -> Iterator[Violation]:
    """The options for LogMiner fit one another.

    Kafka Connect rejects the config of a connector whose adapter is set to LogMiner; with the adapter at its default it
    accepts it, and one of the two options has no effect.
    """
    is_set = subject.config.get(ADAPTER, "").strip().lower().startswith("logminer")
    for pairs, consequence in ((ALWAYS_EXCLUSIVE, None), (EXCLUSIVE, None if is_set else Consequence.risk)):
        for pair in pairs:
            if all(holds(condition, subject.config.get(option_of(condition), "")) for condition in pair):
                yield Violation(option_of(pair[1]), f"{pair[1]} and {pair[0]} are both set", consequence=consequence)
    for key in ("secondary.hostname", "secondary.url"):
        if key in subject.config and (subject.setting(STRATEGY) or "").lower() != OF_FILE and subject.says(STRATEGY):
            yield Violation(key, f"'{key}' needs {STRATEGY}={OF_FILE}")


@rule(
    "xstream-not-used",
    Consequence.wrong,
    evidence="J08",
    connectors=ORACLE.name,
    fix="set database.connection.adapter=xstream, or remove the option",
)
def xstream_not_used(subject: Subject) -> Iterator[Violation]:
    """The outbound server of XStream has its adapter.

    LogMiner is the default: the connector reads the redo log, and ignores the server and what was granted for it.
    """
    for key in ("database.out.server.name", "xstream.out.server.name"):
        if key in subject.config and (subject.setting(ADAPTER) or "").lower() != "xstream" and subject.says(ADAPTER):
            yield Violation(key, f"{ADAPTER} is not xstream")


@rule(
    "transactions-abandoned",
    Consequence.loss,
    severity=Severity.warning,
    evidence="J08",
    connectors=ORACLE.name,
    fix="remove the option",
)
def transactions_abandoned(subject: Subject) -> Iterator[Violation]:
    """No transaction is abandoned because it is open for long.

    The connector discards the events of a transaction that is open for longer than the option says.
    """
    key = "log.mining.buffer.transaction.events.threshold"
    events = subject.config.get(key, "").strip()
    if (whole_number(events) or 0) > 0:
        yield Violation(key, f"a transaction with more than {events} events is discarded")
    key = "log.mining.transaction.retention.ms"
    milliseconds = subject.config.get(key, "").strip()
    if (whole_number(milliseconds) or 0) > 0:
        yield Violation(key, f"the events of transactions that are open for {milliseconds} ms are discarded")


@rule(
    "oracle-query-filter",
    Consequence.loss,
    evidence="C10",
    connectors=ORACLE.name,
    fix="set log.mining.query.filter.mode=regex, or list plain names",
)
def oracle_query_filter(subject: Subject) -> Iterator[Violation]:
    """The filter of the mining query matches the captured tables.

    With log.mining.query.filter.mode=in the entries are compared as plain names: an expression matches no table.
    """
    if subject.config.get("log.mining.query.filter.mode", "").strip().lower() == "in":
        for entry in subject.tables:
            if REGEX_MARKS.search(re.sub(r"\\.", "", entry)):  # an escaped character is compared without its backslash
                message = f"log.mining.query.filter.mode is in: '{entry}' is not compared as an expression"
                yield Violation("log.mining.query.filter.mode", message)
                return


@rule(
    "oracle-pdb-as-database",
    Consequence.stop,
    evidence="J07",
    connectors=ORACLE.name,
    fix="name the container database in database.dbname, and the pluggable one in database.pdb.name",
)
def oracle_pdb_as_database(subject: Subject) -> Iterator[Violation]:
    """A common user connects to the container database.

    LogMiner cannot be started within a pluggable one.
    """
    key = "database.dbname"
    common = subject.config.get("database.user", "").lower().startswith("c##")
    if common and "PDB" in subject.config.get(key, "").upper() and "database.pdb.name" not in subject.config:
        yield Violation(key, f"'{subject.config[key]}' appears to be a pluggable database")


PLUGGABLE = {"FREE": "FREEPDB1", "ORCLCDB": "ORCLPDB1", "XE": "XEPDB1"}
"""The pluggable database that Oracle's images make, by the container database."""


@rule(
    "pluggable-database-not-named",
    Consequence.loss,
    evidence="J07",
    connectors=ORACLE.name,
    fix="set database.pdb.name",
)
def pluggable_database_not_named(subject: Subject) -> Iterator[Violation]:
    """The pluggable database with the tables is named, if the file names one.

    Without it the connector looks for the tables in the root of the container database, finds none and publishes
    nothing.
    """
    key, option = "database.dbname", "database.pdb.name"
    pluggable = PLUGGABLE.get(subject.config.get(key, "").strip().upper(), "")
    if pluggable and option not in subject.config and subject.says(option) and pluggable in subject.text.upper():
        yield Violation(key, f"the file has '{pluggable}', and '{option}' is not set", unset=option)


@rule(
    "invalid-connect-descriptor",
    Consequence.stop,
    of_names=True,
    evidence="J07",
    connectors=ORACLE.name,
    fix="close every bracket, and give every name its value: (CONNECT_DATA=(SERVICE_NAME=ORCLCDB))",
)
def invalid_connect_descriptor(subject: Subject) -> Iterator[Violation]:
    """The driver of Oracle accepts the descriptor in database.url."""
    key = "database.url"
    descriptor = subject.config.get(key, "").partition("@")[2]
    if descriptor.lstrip().startswith("(") and descriptor.count("(") != descriptor.count(")") and subject.says(key):
        yield Violation(key, "the brackets of the descriptor are not balanced")
