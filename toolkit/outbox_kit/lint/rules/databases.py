"""What one database alone asks for."""

from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Violation, rule
from outbox_kit.lint.subject import Subject


@rule(
    "server-id",
    Severity.info,
    evidence="J02",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="give each connector its own database.server.id",
)
def server_id(subject: Subject) -> Iterator[Violation]:
    """The connector's number among the server's replicas is an everyday one.

    Two connectors or replicas with one number throw each other out.
    """
    if subject.config.get("database.server.id", "").strip() in ("1", "5400", "184054"):
        yield Violation("database.server.id", f"{subject.config['database.server.id']} is in every tutorial")


@rule(
    "oracle-upper-case",
    Severity.error,
    evidence="J07",
    connectors=ORACLE.name,
    fix="write Oracle's names in upper case",
)
def oracle_upper_case(subject: Subject) -> Iterator[Violation]:
    """A column is named in lower case, and Oracle's are upper-case unless quoted.

    The defaults are raised, explicit names and placements never: is not a valid field name.
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
    "oracle-lob",
    Severity.info,
    evidence="J08",
    connectors=ORACLE.name,
    fix="keep payloads in a VARCHAR2 and set lob.enabled=false, or set lob.enabled=true",
)
def oracle_lob(subject: Subject) -> Iterator[Violation]:
    """Large objects are not captured, and nothing says that none are wanted.

    A CLOB payload arrives as a placeholder or null.
    """
    if subject.router and "lob.enabled" not in subject.config:
        yield Violation("connector.class", "lob.enabled is not set, and false by default")


@rule("oracle-lob-hybrid", Severity.error, evidence="J08", connectors=ORACLE.name, fix="use another mining strategy")
def oracle_lob_hybrid(subject: Subject) -> Iterator[Violation]:
    """The hybrid mining strategy cannot capture large objects."""
    if subject.on("lob.enabled") and "hybrid" in (subject.setting("log.mining.strategy") or "").lower():
        yield Violation("log.mining.strategy", "hybrid and lob.enabled exclude each other")


@rule(
    "mongo-payload-text",
    Severity.info,
    evidence="J11 A25",
    connectors=MONGODB.name,
    fix="store the payload as a document, and expand it",
)
def mongo_payload_text(subject: Subject) -> Iterator[Violation]:
    """A document payload is sent as indented extended JSON unless it is expanded.

    {"n": 1} arrives as {"n": {"$numberInt": "1"}}, over several lines.
    """
    if (
        subject.router
        and subject.option_prefix == "collection"
        and subject.router_option("{}.expand.json.payload") is None
    ):
        yield Violation(subject.router.key("type"), "collection.expand.json.payload is not set")


@rule("mongo-key", Severity.warning, evidence="J12", connectors=MONGODB.name, fix="set collection.field.event.key")
def mongo_key(subject: Subject) -> Iterator[Violation]:
    """The key's field is left to its default, aggregateid, all in lower case.

    Most documents call it aggregateId: is not a valid field name.
    """
    if subject.router and subject.option_prefix == "collection" and subject.router_option("{}.field.event.key") is None:
        yield Violation(subject.router.key("type"), "the key is the field aggregateid")


@rule("mongo-key-old", Severity.warning, evidence="J13", connectors=MONGODB.name, until="3.0", fix="run 3.1 or later")
def mongo_arrays(subject: Subject) -> Iterator[Violation]:
    """Documents with nested arrays crash the router of these releases."""
    if subject.router and subject.option_prefix == "collection" and subject.expands:
        yield Violation(subject.router_key("{}.expand.json.payload"), "nested arrays are not safe yet")


@rule(
    "mysql-binary-collation",
    Severity.info,
    evidence="J01",
    connectors=MYSQL.name,
    until="2.3",
    fix="give the outbox's columns a collation that is not binary, or run 2.4 or later",
)
def mysql_binary_collation(subject: Subject) -> Iterator[Violation]:
    """Text columns with a _bin collation arrive as bytes in this release.

    Key, route and id are then no text: the router refuses the route, and the key is base64 or a buffer's name.
    """
    if subject.router:
        yield Violation("connector.class", "columns with a _bin collation are sent as bytes")


@rule(
    "replica-identity-full",
    Severity.warning,
    evidence="I12",
    connectors=POSTGRES.name,
    fix="leave the outbox at its default identity",
)
def replica_identity_full(subject: Subject) -> Iterator[Violation]:
    """The connector sets a captured table's replica identity to FULL.

    Every delete of a cleaned-up row writes the whole row to the log; inserts are complete without it.
    """
    key = "replica.identity.autoset.values"
    if subject.router and ":FULL" in subject.config.get(key, "").upper().replace(" ", ""):
        yield Violation(key, "deletes from the outbox would carry the whole row")
