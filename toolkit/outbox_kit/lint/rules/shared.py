"""Rules that compare the configs of several connectors."""

from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Violation, rule
from outbox_kit.lint.subject import Subject


def _shared(subject: Subject, key: str) -> Iterator[Subject]:
    """The other configs that have the same value at a key."""
    value = subject.config.get(key)
    for peer in subject.peers:
        if value is not None and peer.config.get(key) == value:
            yield peer


def _name(subject: Subject) -> str:
    return f"connector '{subject.document.name}'" if subject.document.name else f"the config in {subject.source}"


@rule("duplicate-connector-name", Severity.error, evidence="K02", fix="give each connector its own name")
def duplicate_connector_name(subject: Subject) -> Iterator[Violation]:
    """Every connector has its own name.

    A second connector with the same name replaces the first, whose database is then no longer captured.
    """
    for peer in subject.peers:
        if subject.document.name and peer.document.name == subject.document.name:
            yield Violation(
                "connector.class", f"the connector name '{subject.document.name}' is also used in {peer.source}"
            )


@rule("shared-topic-prefix", Severity.error, evidence="K03", fix="give each connector its own topic.prefix")
def shared_topic_prefix(subject: Subject) -> Iterator[Violation]:
    """Every connector has its own topic prefix.

    With a shared prefix the heartbeat topics, the raw topics and the metrics of the connectors have the same names.
    """
    for peer in _shared(subject, "topic.prefix"):
        yield Violation("topic.prefix", f"{_name(peer)} has the same topic prefix")


@rule(
    "shared-slot", Severity.error, evidence="I06", connectors=POSTGRES.name, fix="give each connector its own slot.name"
)
def shared_slot(subject: Subject) -> Iterator[Violation]:
    """Every connector on a server has its own replication slot.

    Only one connector at a time can read a slot, and each one misses the changes that the other has confirmed.
    """
    for peer in subject.peers:
        if peer.connector == subject.connector and _same_server(subject, peer):
            if subject.setting("slot.name") == peer.setting("slot.name"):
                yield Violation(
                    "slot.name" if "slot.name" in subject.config else "connector.class",
                    f"{_name(peer)} uses the same replication slot",
                )


@rule(
    "shared-publication",
    Severity.warning,
    evidence="I07",
    connectors=POSTGRES.name,
    fix="give each connector its own publication.name",
)
def shared_publication(subject: Subject) -> Iterator[Violation]:
    """Every connector on a database has its own publication.

    With publication.autocreate.mode=filtered each connector sets the publication to its own tables and removes the
    other's.
    """
    key = "publication.name"
    for peer in subject.peers:
        one_database = subject.config.get("database.dbname") == peer.config.get("database.dbname")
        if peer.connector == subject.connector and _same_server(subject, peer) and one_database:
            if subject.setting(key) == peer.setting(key):
                yield Violation(
                    key if key in subject.config else "connector.class", f"{_name(peer)} uses the same publication"
                )


def _same_server(subject: Subject, peer: Subject) -> bool:
    keys = ("database.hostname", "database.port")
    return all(subject.config.get(key) == peer.config.get(key) for key in keys)


@rule("shared-history-topic", Severity.error, evidence="K05", fix="give each connector its own schema history topic")
def shared_history_topic(subject: Subject) -> Iterator[Violation]:
    """Every connector has its own schema history topic.

    Each connector reads the other's tables into its own schema history, and fails at its next start.
    """
    for peer in _shared(subject, "schema.history.internal.kafka.topic"):
        yield Violation("schema.history.internal.kafka.topic", f"{_name(peer)} uses the same schema history topic")


@rule(
    "shared-server-id",
    Severity.error,
    evidence="J02",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="give each connector its own database.server.id",
)
def shared_server_id(subject: Subject) -> Iterator[Violation]:
    """Every connector has its own database.server.id.

    The server disconnects one of two replicas with the same id.
    """
    for peer in _shared(subject, "database.server.id"):
        if peer.connector == subject.connector:
            yield Violation("database.server.id", f"{_name(peer)} has the same database.server.id")


@rule("shared-topic", Severity.warning, evidence="M04", fix="use one connector per topic")
def shared_topic(subject: Subject) -> Iterator[Violation]:
    """Each topic is written by one connector.

    The order between events of different connectors is undefined, even for the same key.
    """
    for peer in subject.peers:
        for topic in sorted({*subject.topics} & {*peer.topics}):
            yield Violation("connector.class", f"{_name(peer)} also writes to '{topic}'")
