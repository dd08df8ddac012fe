"""What only several configs together can get wrong."""

from collections.abc import Iterator

from outbox_kit.finding import Severity
from outbox_kit.lint.rule import Flaw, rule
from outbox_kit.lint.subject import Subject


def _shared(subject: Subject, key: str) -> Iterator[Subject]:
    """The other configs that have the same value at a key."""
    value = subject.config.get(key)
    for other in subject.neighbours:
        if value is not None and other.config.get(key) == value:
            yield other


def _name(subject: Subject) -> str:
    return f"'{subject.document.name}'" if subject.document.name else f"the one in {subject.source}"


@rule("same-connector-name", Severity.error, evidence="K02", fix="give each connector a name of its own")
def same_connector_name(subject: Subject) -> Iterator[Flaw]:
    """Two configs have one name.

    The second overwrites the first, and one database is no longer captured.
    """
    for other in subject.neighbours:
        if subject.document.name and other.document.name == subject.document.name:
            yield Flaw("connector.class", f"'{subject.document.name}' is also in {other.source}")


@rule("same-topic-prefix", Severity.error, evidence="K03", fix="give each connector a prefix of its own")
def same_topic_prefix(subject: Subject) -> Iterator[Flaw]:
    """Two connectors share a topic prefix.

    Their heartbeats and raw topics collide, and so do their metrics.
    """
    for other in _shared(subject, "topic.prefix"):
        yield Flaw("topic.prefix", f"{_name(other)} has the same")


@rule("same-slot", Severity.error, evidence="I06", connectors="postgres", fix="give each connector a slot of its own")
def same_slot(subject: Subject) -> Iterator[Flaw]:
    """Two connectors on one server share a replication slot.

    Only one at a time can read it, and each takes changes from the other.
    """
    for other in subject.neighbours:
        if other.connector == subject.connector and _same_server(subject, other):
            if subject.setting("slot.name") == other.setting("slot.name"):
                yield Flaw(
                    "slot.name" if "slot.name" in subject.config else "connector.class",
                    f"{_name(other)} reads the same slot",
                )


@rule(
    "same-publication",
    Severity.warning,
    evidence="I07",
    connectors="postgres",
    fix="give each connector a publication of its own",
)
def same_publication(subject: Subject) -> Iterator[Flaw]:
    """Two connectors on one database share a publication.

    With `filtered` each of them sets its own tables, and takes the other's out.
    """
    key = "publication.name"
    for other in subject.neighbours:
        one_database = subject.config.get("database.dbname") == other.config.get("database.dbname")
        if other.connector == subject.connector and _same_server(subject, other) and one_database:
            if subject.setting(key) == other.setting(key):
                yield Flaw(
                    key if key in subject.config else "connector.class", f"{_name(other)} uses the same publication"
                )


def _same_server(one: Subject, other: Subject) -> bool:
    keys = ("database.hostname", "database.port")
    return all(one.config.get(key) == other.config.get(key) for key in keys)


@rule("same-history-topic", Severity.error, evidence="K05", fix="give each connector a history topic of its own")
def same_history_topic(subject: Subject) -> Iterator[Flaw]:
    """Two connectors share the topic of their schema history.

    Each reads the other's tables into its own history, and fails at its next start.
    """
    for other in _shared(subject, "schema.history.internal.kafka.topic"):
        yield Flaw("schema.history.internal.kafka.topic", f"{_name(other)} writes to the same")


@rule(
    "same-server-id",
    Severity.error,
    evidence="J02",
    connectors="mysql mariadb",
    fix="give each connector its own number",
)
def same_server_id(subject: Subject) -> Iterator[Flaw]:
    """Two connectors have one number among the server's replicas.

    They throw each other out.
    """
    for other in _shared(subject, "database.server.id"):
        if other.connector == subject.connector:
            yield Flaw("database.server.id", f"{_name(other)} has the same")


@rule("two-sources-one-topic", Severity.warning, evidence="M04", fix="let one connector own a topic")
def two_sources_one_topic(subject: Subject) -> Iterator[Flaw]:
    """Two connectors write to one topic.

    There is no order between their events, even for one key.
    """
    for other in subject.neighbours:
        for topic in sorted({*subject.topics} & {*other.topics}):
            yield Flaw("connector.class", f"{_name(other)} writes to '{topic}' too")
