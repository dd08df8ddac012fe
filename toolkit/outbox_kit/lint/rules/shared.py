"""Rules that compare the configs of several connectors: one finding for each group, at its first one."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.filters import LITERAL
from outbox_kit.lint.subject import Subject
from outbox_kit.router import javaregex

Traits = Callable[[Subject], Iterable[Hashable]]
SERVER = ("database.hostname", "database.port")


def _sharing(subject: Subject, kind: Hashable, trait: Hashable, traits: Traits) -> list[Subject]:
    """The other configs with a trait that may run at the same time. kind, traits: see `Grouped.sharing`."""
    return [other for other in subject.group.sharing(kind, trait, traits) if _is_peer(subject, other)]


def _is_peer(subject: Subject, other: Subject) -> bool:
    """Whether both may run at the same time; one that stands in two files, as generated and as kept, is one.

    A page has examples, often of one connector: their names must differ, or requests of the page must send both.
    """
    if not (subject.is_of_page or other.is_of_page):
        return subject.config != other.config
    names = [each.document.connector_name for each in (subject, other)]
    prefixes = {each.config.get("topic.prefix", each.document.connector_name) for each in (subject, other)}
    are_sent = all(each.document.request and each.document.request.updates for each in (subject, other))
    differ = len(set(names)) == 2 and len(prefixes) == 2
    return subject.source == other.source and None not in names and (differ or (are_sent and names[0] == names[1]))


def _same(subject: Subject, *keys: str) -> list[Subject]:
    """The other connectors that run beside it with the same values. Of one name are alternatives.

    Unknown values are the same if they are the same placeholder of one file.
    """

    def values(each: Subject) -> tuple[str | None, ...]:
        return tuple(map(each.setting, keys))

    return [
        peer
        for peer in _sharing(subject, keys, values(subject), lambda other: [values(other)])
        if (subject.source == peer.source or (subject.says(*keys) and peer.says(*keys)))
        and not (subject.document.partial or peer.document.partial)
        and (subject.document.connector_name is None or peer.document.connector_name != subject.document.connector_name)
    ]


def _group(subject: Subject, peers: Sequence[Subject], key: str, message: str) -> Iterator[Violation]:
    """One violation for a group. Files of one folder may be alternatives: only those of one file are certain."""
    if not peers or any(_place(peer) < _place(subject) for peer in peers):
        return
    is_together = any(peer.source == subject.source for peer in peers) and not subject.is_of_page
    consequence = None if is_together else Consequence.risk  # a page may have one in place of the other
    names = ", ".join(map(_name, peers))
    isset = key in subject.config or key == "connector.class"
    yield Violation(
        key if isset else "connector.class",
        f"{message} as {names}",
        unset="" if isset else key,
        consequence=consequence,
    )


def _place(subject: Subject) -> tuple[str, int, int]:
    return subject.source, *subject.document.start


def _line(subject: Subject) -> str:
    return f"at line {subject.document.start[0]}"


def _name(subject: Subject) -> str:
    name = subject.document.connector_name
    return f"connector '{name}'" if name else f"the config in {subject.source}"


OF_DATABASE = ("database.hostname", "database.dbname", "mongodb.connection.string", "connection.url", "connection.uri")
"""Which database a source reads, or a sink writes."""


@rule("duplicate-connector-name", Consequence.loss, evidence="K02", fix="give each connector its own name")
def duplicate_connector_name(subject: Subject) -> Iterator[Violation]:
    """Every connector has its own name.

    A second connector with the same name replaces the first, whose database is then no longer captured.
    """
    name = subject.document.connector_name
    if subject.document.settings or not name or "$(" in name:
        return  # the name of an engine or a server replaces nothing; what a placeholder stands for is not known
    peers = _sharing(subject, "name", name, lambda other: [other.document.connector_name])
    others = [
        peer
        for peer in peers
        if any(subject.config.get(key) != peer.config.get(key) for key in OF_DATABASE)
        and subject.says(*OF_DATABASE)
        and peer.says(*OF_DATABASE)
    ]
    for violation in _group(subject, others, "connector.class", f"the connector name '{name}' is the same"):
        places = sorted({f"in {peer.source}" if peer.source != subject.source else _line(peer) for peer in others})
        message = f"the connector name '{name}' is also used for another database {', '.join(places)}"
        yield Violation(violation.key, message, consequence=violation.consequence)


@rule("shared-topic-prefix", Consequence.risk, evidence="K03", fix="give each connector its own topic.prefix")
def shared_topic_prefix(subject: Subject) -> Iterator[Violation]:
    """Every connector has its own topic prefix.

    With a shared prefix the heartbeat topics, the raw topics and the metrics of the connectors have the same names.
    """
    if subject.config.get("topic.prefix"):
        yield from _group(subject, _same(subject, "topic.prefix"), "topic.prefix", "the same topic prefix")


@rule(
    "shared-slot",
    Consequence.stop,
    evidence="I06",
    connectors=POSTGRES.name,
    fix="give each connector its own slot.name",
)
def shared_slot(subject: Subject) -> Iterator[Violation]:
    """Every connector on a server has its own replication slot.

    Only one connector at a time can read a slot, and each one misses the changes that the other has confirmed.
    """
    peers = [peer for peer in _same(subject, *SERVER, "slot.name") if peer.connector == subject.connector]
    yield from _group(subject, peers, "slot.name", "the same replication slot")


@rule(
    "shared-publication",
    Consequence.risk,
    evidence="I07",
    connectors=POSTGRES.name,
    fix="give each connector its own publication.name",
)
def shared_publication(subject: Subject) -> Iterator[Violation]:
    """Every connector on a database has its own publication.

    With publication.autocreate.mode=filtered each connector sets the publication to its own tables and removes the
    other's.
    """
    keys = (*SERVER, "database.dbname", "publication.name")
    if "publication.name" not in subject.config or subject.setting("plugin.name") != "pgoutput":
        return  # the rule default-publication-name says the same
    peers = [peer for peer in _same(subject, *keys) if peer.connector == subject.connector]
    yield from _group(subject, peers, "publication.name", "the same publication")


@rule("shared-history-topic", Consequence.stop, evidence="K05", fix="give each connector its own schema history topic")
def shared_history_topic(subject: Subject) -> Iterator[Violation]:
    """Every connector has its own schema history topic.

    With the same topic.prefix each connector reads the other's tables into its own schema history, and fails at its
    next start. With another one it skips them, but a start reads the history of all, and the topic cannot be deleted
    for one of them.
    """
    key = "schema.history.internal.kafka.topic"
    if key in subject.config:
        peers = _same(subject, key)
        mixed = any(subject.setting("topic.prefix") == peer.setting("topic.prefix") for peer in peers)
        for violation in _group(subject, peers, key, "the same schema history topic"):
            yield violation if mixed else replace(violation, consequence=Consequence.risk)


@rule(
    "shared-server-id",
    Consequence.stop,
    evidence="J02",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="give each connector its own database.server.id",
)
def shared_server_id(subject: Subject) -> Iterator[Violation]:
    """Every connector on a server has its own database.server.id.

    The server disconnects one of two replicas with the same id.
    """
    key = "database.server.id"
    if key in subject.config:
        peers = [peer for peer in _same(subject, *SERVER, key) if peer.connector == subject.connector]
        yield from _group(subject, peers, key, "the same database.server.id")


@rule("shared-topic", Consequence.wrong, evidence="M04", fix="use one connector per topic")
def shared_topic(subject: Subject) -> Iterator[Violation]:
    """Each topic is written by one connector.

    The order between events of different connectors is undefined, even for the same key.
    """
    for topic in sorted(subject.topics):
        name = subject.document.connector_name
        others = _sharing(subject, "topics", topic, lambda other: set(other.topics))
        peers = [peer for peer in others if name is None or peer.document.connector_name != name]
        yield from _group(subject, peers, "connector.class", f"it writes to '{topic}', the same topic")


@rule(
    "overlapping-tables",
    Consequence.wrong,
    severity=Severity.error,
    evidence="M04",
    fix="make the lists of tables disjoint",
)
def overlapping_tables(subject: Subject) -> Iterator[Violation]:
    """Each outbox table is captured by one connector.

    A row of a table that two connectors capture is published twice.
    """
    key, database = "table.include.list", (*SERVER, "database.dbname")
    expressions = [
        compiled
        for entry in subject.tables
        if not LITERAL.fullmatch(entry) and (compiled := javaregex.compiled_or_none(f"(?i){entry}"))
    ]
    for peer in _same(subject, *database) if subject.router and expressions and subject.says(key) else ():
        plain = [entry.replace("\\", "") for entry in peer.tables if LITERAL.fullmatch(entry)]
        common = [table for table in plain if any(each.fullmatch(table) for each in expressions)]
        if peer.router and common and peer.connector == subject.connector and peer.source == subject.source:
            yield Violation(key, f"'{common[0]}' is captured by {_name(peer)} too")
            return
