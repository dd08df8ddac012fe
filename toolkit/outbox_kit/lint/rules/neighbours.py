"""What only several configs together can get wrong."""

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
    return f"'{subject.document.name}'" if subject.document.name else f"the one in {subject.source}"


@rule("same-connector-name", Severity.error, evidence="K02", fix="give each connector a name of its own")
def same_connector_name(subject: Subject) -> Iterator[Violation]:
    """Two configs have one name.

    The second overwrites the first, and one database is no longer captured.
    """
    for peer in subject.peers:
        if subject.document.name and peer.document.name == subject.document.name:
            yield Violation("connector.class", f"'{subject.document.name}' is also in {peer.source}")


@rule("same-topic-prefix", Severity.error, evidence="K03", fix="give each connector a prefix of its own")
def same_topic_prefix(subject: Subject) -> Iterator[Violation]:
    """Two connectors share a topic prefix.

    Their heartbeats and raw topics collide, and so do their metrics.
    """
    for peer in _shared(subject, "topic.prefix"):
        yield Violation("topic.prefix", f"{_name(peer)} has the same")


@rule(
    "same-slot", Severity.error, evidence="I06", connectors=POSTGRES.name, fix="give each connector a slot of its own"
)
def same_slot(subject: Subject) -> Iterator[Violation]:
    """Two connectors on one server share a replication slot.

    Only one at a time can read it, and each takes changes from the other.
    """
    for peer in subject.peers:
        if peer.connector == subject.connector and _same_server(subject, peer):
            if subject.setting("slot.name") == peer.setting("slot.name"):
                yield Violation(
                    "slot.name" if "slot.name" in subject.config else "connector.class",
                    f"{_name(peer)} reads the same slot",
                )


@rule(
    "same-publication",
    Severity.warning,
    evidence="I07",
    connectors=POSTGRES.name,
    fix="give each connector a publication of its own",
)
def same_publication(subject: Subject) -> Iterator[Violation]:
    """Two connectors on one database share a publication.

    With `filtered` each of them sets its own tables, and takes the other's out.
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


@rule("same-history-topic", Severity.error, evidence="K05", fix="give each connector a history topic of its own")
def same_history_topic(subject: Subject) -> Iterator[Violation]:
    """Two connectors share the topic of their schema history.

    Each reads the other's tables into its own history, and fails at its next start.
    """
    for peer in _shared(subject, "schema.history.internal.kafka.topic"):
        yield Violation("schema.history.internal.kafka.topic", f"{_name(peer)} writes to the same")


@rule(
    "same-server-id",
    Severity.error,
    evidence="J02",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="give each connector its own number",
)
def same_server_id(subject: Subject) -> Iterator[Violation]:
    """Two connectors have one number among the server's replicas.

    They throw each other out.
    """
    for peer in _shared(subject, "database.server.id"):
        if peer.connector == subject.connector:
            yield Violation("database.server.id", f"{_name(peer)} has the same")


@rule("two-sources-one-topic", Severity.warning, evidence="M04", fix="let one connector own a topic")
def two_sources_one_topic(subject: Subject) -> Iterator[Violation]:
    """Two connectors write to one topic.

    There is no order between their events, even for one key.
    """
    for peer in subject.peers:
        for topic in sorted({*subject.topics} & {*peer.topics}):
            yield Violation("connector.class", f"{_name(peer)} writes to '{topic}' too")
