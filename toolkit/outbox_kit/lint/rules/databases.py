"""Rules about the connector of a single database."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import matches
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.payload import meant_to_expand
from outbox_kit.lint.subject import BINARY, BYTES, JSON, Subject


@rule(
    "common-server-id",
    Consequence.advice,
    strict=True,
    evidence="J02",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="give each connector its own database.server.id",
)
def common_server_id(subject: Subject) -> Iterator[Violation]:
    """The value of database.server.id is not a common example.

    The server disconnects one of two replicas with the same id.
    """
    if subject.config.get("database.server.id", "").strip() in ("5400", "184054"):
        yield Violation("database.server.id", f"{subject.config['database.server.id']} is a common example value")


@rule(
    "server-id-of-server",
    Consequence.risk,
    evidence="J02",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="give each connector a database.server.id of its own",
)
def server_id_of_server(subject: Subject) -> Iterator[Violation]:
    """The value of database.server.id is not the one that a server has by default.

    A server, its replicas and its connectors need ids of their own: of two with the same, one is disconnected.
    """
    if subject.config.get("database.server.id", "").strip() == "1":
        yield Violation("database.server.id", "1 is the default id of the server itself")


@rule(
    "mongo-payload-not-expanded",
    Consequence.advice,
    evidence="J11 A25",
    connectors=MONGODB.name,
    fix="store the payload as a document, and set collection.expand.json.payload=true",
)
def mongo_payload_not_expanded(subject: Subject) -> Iterator[Violation]:
    """A payload that is a document is expanded.

    Without expansion it is sent as indented extended JSON: {"n": 1} arrives as {"n": {"$numberInt": "1"}}, over several
    lines.
    """
    if (
        subject.router
        and subject.option_prefix == "collection"
        and subject.router_option("{}.expand.json.payload") is None
        and subject.converter("value") not in (BYTES, *BINARY)
        and not meant_to_expand(subject)
    ):
        expand = subject.router_key("{}.expand.json.payload")
        if subject.converter("value") == JSON:
            message = "collection.expand.json.payload is not set: a document is written as a quoted and escaped text"
            yield Violation("value.converter", message, consequence=Consequence.wrong)
        else:
            message = "collection.expand.json.payload is not set"
            yield Violation(subject.router.key("type"), message, unset=expand)


@rule(
    "mongo-default-key",
    Consequence.risk,
    strict=True,
    evidence="J12",
    connectors=MONGODB.name,
    fix="set collection.field.event.key",
)
def mongo_default_key(subject: Subject) -> Iterator[Violation]:
    """The field of the message key is set.

    The default is aggregateid, in lower case. Most documents use aggregateId: is not a valid field name.
    """
    if subject.router and subject.option_prefix == "collection" and subject.router_option("{}.field.event.key") is None:
        yield Violation(
            subject.router.key("type"),
            "collection.field.event.key is not set; its default is aggregateid",
            unset=subject.router_key("{}.field.event.key"),
        )


@rule(
    "mongo-nested-arrays",
    Consequence.risk,
    strict=True,
    evidence="J13",
    connectors=MONGODB.name,
    until="3.0",
    fix="use Debezium 3.1 or later",
)
def mongo_nested_arrays(subject: Subject) -> Iterator[Violation]:
    """The target release can expand documents with nested arrays.

    Before Debezium 3.1 such a document makes the event router fail.
    """
    if subject.router and subject.option_prefix == "collection" and subject.expands:
        yield Violation(subject.router_key("{}.expand.json.payload"), "documents with nested arrays stop the task")


@rule(
    "no-login",
    Consequence.stop,
    severity=Severity.warning,
    evidence="N08",
    connectors=SQLSERVER.name,
    fix="set database.user, or an authentication of the driver, such as driver.authentication",
)
def no_login(subject: Subject) -> Iterator[Violation]:
    """The connector has a user, or another authentication.

    The server refuses the connection.
    """
    other = [key for key in subject.config if key.lower().endswith(AUTHENTICATION)]
    if "database.user" not in subject.config and not other:
        yield Violation("connector.class", "'database.user' is not set", unset="database.user")


AUTHENTICATION = ("authentication", "integratedsecurity", "authenticationscheme", "accesstoken")
"""Ends of the driver's options for a login without a password, in lower case."""


@rule(
    "connector-of-another-database",
    Consequence.risk,
    since="3.0",
    evidence="J01",
    connectors=MYSQL.name,
    fix=f"use the connector of {MARIADB.title}",
)
def connector_of_another_database(subject: Subject) -> Iterator[Violation]:
    """The connector is the one of the database.

    Since Debezium 3 the connector of MySQL does not support MariaDB, which has a connector of its own.
    """
    for key in ("database.hostname", "topic.prefix"):
        if MARIADB.name in subject.config.get(key, "").lower() and subject.says("connector.class", key):
            yield Violation("connector.class", f"'{subject.config[key]}' appears to be {MARIADB.title}")
            return


@rule(
    "mysql-binary-collation",
    Consequence.advice,
    strict=True,
    evidence="J01",
    connectors=MYSQL.name,
    until="2.3",
    fix="use a collation that is not binary for the outbox columns, or Debezium 2.4 or later",
)
def mysql_binary_collation(subject: Subject) -> Iterator[Violation]:
    """The target release sends text columns with a _bin collation as text.

    Before Debezium 2.4 they are sent as bytes: the event router rejects the route, and the key is base64 or the name of
    a buffer.
    """
    if subject.router:
        yield Violation("connector.class", "columns with a _bin collation are sent as bytes")


@rule(
    "replica-identity-full",
    Consequence.risk,
    evidence="I12",
    connectors=POSTGRES.name,
    fix="keep the default replica identity of the outbox table",
)
def replica_identity_full(subject: Subject) -> Iterator[Violation]:
    """The connector does not set the replica identity to FULL.

    Every DELETE of the cleanup then writes the whole row to the WAL; inserts are complete without it.
    """
    key = "replica.identity.autoset.values"
    if subject.router and ":FULL" in subject.config.get(key, "").upper().replace(" ", ""):
        yield Violation(key, "with FULL every DELETE from the outbox writes the whole row to the WAL")


@rule(
    "position-not-confirmed",
    Consequence.stop,
    evidence="I05",
    connectors=POSTGRES.name,
    fix="leave the option at its default, unless another program confirms the position",
)
def position_not_confirmed(subject: Subject) -> Iterator[Violation]:
    """The connector confirms the position of its slot.

    Otherwise the server keeps all WAL from the start on, until its disk is full or it invalidates the slot.
    """
    for key, value in (("lsn.flush.mode", "manual"), ("flush.lsn.source", "false")):
        superseded = key == "flush.lsn.source" and "lsn.flush.mode" in subject.config
        if subject.config.get(key, "").strip().lower() == value and not superseded:
            yield Violation(key, f"{key} is {value}: the slot keeps all WAL")


UUID = lazy_pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
MARIADB_GTID = lazy_pattern(r"\d+-\d+-\d+")


@rule(
    "gtid-of-one-server",
    Consequence.loss,
    evidence="J02",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="name all servers that may become the primary, or remove the option",
)
def gtid_of_one_server(subject: Subject) -> Iterator[Violation]:
    """The filter of GTIDs matches the transactions of every server that may become the primary.

    Changes of other servers are dropped. In MariaDB the filter is compared with the domain and the server only.
    """
    key = "gtid.source.includes"
    entries = subject.entries(key)
    if subject.config.get("gtid.source.filter.dml.events", "").strip().lower() == "false" or not subject.says(key):
        return
    if subject.connector == MARIADB.name:
        for entry in filter(MARIADB_GTID.fullmatch, entries):
            yield Violation(key, f"'{entry}' matches no transaction: expected <domain>-<server>")
    elif len(entries) == 1 and UUID.fullmatch(entries[0]):
        message = f"after a failover the changes of other servers than '{entries[0]}' are dropped"
        yield Violation(key, message, consequence=Consequence.risk)


@rule(
    "slot-trusted",
    Consequence.loss,
    evidence="I05",
    connectors=POSTGRES.name,
    fix="leave offset.mismatch.strategy at its default",
)
def slot_trusted(subject: Subject) -> Iterator[Violation]:
    """The connector does not believe a slot that is ahead of its own position.

    Events between the position and the slot, which was created again or moved, are not published, without an error.
    """
    key = "offset.mismatch.strategy"
    strategy = subject.config.get(key, "").strip().lower()
    if strategy in ("trust_slot", "trust_greater_lsn"):
        consequence = None if strategy == "trust_slot" else Consequence.risk
        yield Violation(key, f"{key} is {strategy}", consequence=consequence)


MANAGED = '"aws_mskconnect_connector"'
IN_CONTAINER = lazy_pattern(
    r"^[ \t]*(?:-[ \t]+)?image:[ \t]*[\"']?\S*(?:debezium\S*connect|kafka-connect)\b"
    r"|^kind:[ \t]*KafkaConnect[ \t]*$",
    re.MULTILINE,
)
"""A worker of the file that runs in a container."""


LOCAL = lazy_pattern(r"(?:https?://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?")
FROM_WORKER = (
    *("database.hostname", "schema.history.internal.kafka.bootstrap.servers", "redo.log.consumer.bootstrap.servers"),
    *("key.converter.schema.registry.url", "value.converter.schema.registry.url"),
)
"""Options with an address to which the worker connects."""
SHARES_NETWORK = lazy_pattern(r"network_mode|--network\b|--net\b|hostNetwork")


SERVICE = lazy_pattern(r"(?:https?://)?[A-Za-z][\w-]*(?::\d+)?")
"""A host without a domain, as the services of Docker Compose are called."""


def _is_in_container(subject: Subject) -> bool:
    """Whether the worker of a connector runs in a container: that of a resource of Strimzi, or the file's.

    Or whether it reaches another server by a name that a network of containers has.
    """
    addresses = [subject.config.get(key, "").strip() for key in FROM_WORKER if subject.says(key)]
    reaches_service = any(SERVICE.fullmatch(each) and not LOCAL.fullmatch(each) for each in addresses)
    return reaches_service or subject.document.state is not None or bool(matches(subject.text, IN_CONTAINER))


@rule(
    "localhost-of-container",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="N10",
    fix="name the host or the service of the database, as the container of the worker reaches it",
)
def localhost_of_container(subject: Subject) -> Iterator[Violation]:
    """A worker in a container does not look for the database, or for the brokers, in the container."""
    is_managed = subject.document.kind == "terraform" and MANAGED in subject.text
    for key in FROM_WORKER:
        address = subject.config.get(key, "").strip()
        if not LOCAL.fullmatch(address):
            continue
        if "0.0.0.0" in address:  # noqa: S104 - an address to which something else listens
            yield Violation(key, "0.0.0.0 is where a server listens, not the address of one")
            continue
        if is_managed:
            message = "MSK Connect runs the worker, where localhost is the worker itself"
            yield Violation(key, message, severity=Severity.error)
        elif _is_in_container(subject) and not SHARES_NETWORK.search(subject.text):
            yield Violation(key, "the worker runs in a container, where localhost is the container itself")
