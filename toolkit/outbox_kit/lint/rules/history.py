"""Rules about the schema history."""

import re
from collections.abc import Iterator

from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import worker
from outbox_kit.lint.created_topics import creations
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import trim
from outbox_kit.versions import Version

HISTORY = "schema.history.internal."
STORAGES = ("org.apache.kafka.", "io.debezium.")
"""What begins the classes that keep the position: none of them forgets it but those in memory."""
ACCESS = lazy_pattern(r"security\.|sasl\.|ssl\.")


@rule(
    "history-client-access",
    Consequence.stop,
    of_names=True,
    evidence="N20",
    fix="set the option for the other client too",
)
def history_client_access(subject: Subject) -> Iterator[Violation]:
    """Both clients of the schema history have the same access to Kafka.

    Debezium writes the history with a producer and reads it with a consumer, and neither inherits the settings of the
    worker. A connector whose consumer is not let in fails when it starts, or at its next start.
    """
    for client, other in (("producer", "consumer"), ("consumer", "producer")):
        prefix = f"{HISTORY}{client}."
        for key in subject.config:
            name = key.removeprefix(prefix)
            if name != key and ACCESS.match(name) and f"{HISTORY}{other}.{name}" not in subject.config:
                missing = f"{HISTORY}{other}.{name}"
                yield Violation(key, f"'{missing}' is not set", unset=missing)


@rule(
    "unparseable-ddl-skipped",
    Consequence.risk,
    evidence="K05",
    fix="set schema.history.internal.skip.unparseable.ddl=false",
)
def unparseable_ddl_skipped(subject: Subject) -> Iterator[Violation]:
    """A change of a table's structure that is not understood stops the connector.

    If it is skipped, later rows are decoded by the old structure.
    """
    key = f"{HISTORY}skip.unparseable.ddl"
    if subject.config.get(key, "").strip().lower() == "true":
        yield Violation(key, f"{key} is true")


@rule(
    "history-in-memory",
    Consequence.stop,
    evidence="N05",
    fix="keep the history in Kafka, or in another storage that outlives the worker",
)
def history_in_memory(subject: Subject) -> Iterator[Violation]:
    """The schema history outlives the worker.

    After a restart the connector has a position and no history: its task fails, because the history is missing.
    """
    if subject.connector == SQLSERVER.name and subject.release < Version.of("1.4"):
        return  # it takes the tables from the server again
    storage = next((value for name, value in subject.document.settings.items() if name.endswith("offset.storage")), "")
    for key in HISTORY.rstrip("."), "database.history":
        kept = trim(subject.config.get(key, "")).endswith(("MemorySchemaHistory", "MemoryDatabaseHistory"))
        option = subject.option(key)
        if kept and option and option.is_supported(subject.release) and "Memory" not in storage:
            is_other = storage != "" and not storage.startswith(STORAGES)  # which may not outlive it either
            consequence = Consequence.risk if is_other else None
            yield Violation(key, "the schema history is kept in memory", consequence=consequence)


@rule(
    "history-among-schema-changes",
    Consequence.stop,
    of_names=True,
    evidence="K05",
    fix="give the schema history a topic of its own, or set include.schema.changes=false",
)
def history_among_schema_changes(subject: Subject) -> Iterator[Violation]:
    """The schema history has another topic than the schema changes that are published.

    Those go to a topic that is called like the topic prefix. If their converter writes no JSON, the connector cannot
    read to the end of the history at its next start: its task fails. It skips those in JSON.
    """
    key, prefix = f"{HISTORY}kafka.topic", "topic.prefix"
    name = trim(subject.config.get(key, ""))
    is_same = name and name == trim(subject.config.get(prefix, "")) and subject.on("include.schema.changes")
    if is_same and NO_JSON.search(subject.converter("value")):
        yield Violation(key, f"'{name}' is also the topic of schema changes: it is the {prefix}")


@rule(
    "history-among-events",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="K05",
    fix="give the schema history a topic of its own",
)
def history_among_events(subject: Subject) -> Iterator[Violation]:
    """The schema history has another topic than the changes of a table.

    Consumers of the table get statements of the schema among its events.
    """
    key = f"{HISTORY}kafka.topic"
    name, prefix = trim(subject.config.get(key, "")), f"{trim(subject.config.get('topic.prefix', ''))}."
    is_table = subject.connector == SQLSERVER.name and any(
        re.fullmatch(rf"{re.escape(f'{prefix}{each}')}\.\w+\.\w+", name) for each in subject.entries("database.names")
    )
    if name and subject.says(key, "topic.prefix") and (name in subject.raw_topics or is_table):
        yield Violation(key, f"'{name}' is also the topic of a table's events")


NO_JSON = lazy_pattern(r"(?:Avro|Protobuf|String|Cbor)\w*Converter$")
"""Ends of the classes of converters whose messages are no JSON."""
SECURED = lazy_pattern(
    r"\.kafka[\w.-]*\.amazonaws\.com:(?:9094|9096|9098|919[46-8])|\.servicebus\.windows\.net|\.confluent\.cloud"
)
"""Addresses of brokers that take no plain text."""
OF_TERRAFORM = lazy_pattern(r"bootstrap_brokers_(?:public_|vpc_connectivity_)?(?:tls|sasl_iam|sasl_scram)\b")
"""Attributes of a cluster of Amazon MSK with such addresses."""
PROTOCOLS = ("SSL", "SASL_PLAINTEXT", "SASL_SSL")


@rule(
    "history-without-security",
    Consequence.stop,
    evidence="N20",
    fix="set security.protocol, and what it needs, for the producer and the consumer of the schema history",
)
def history_without_security(subject: Subject) -> Iterator[Violation]:
    """The clients of the schema history can connect to the brokers.

    They do not inherit the settings of the worker: without their own ones they connect in plain text, and the task
    fails.
    """
    servers, protocol = f"{HISTORY}kafka.bootstrap.servers", f"{HISTORY}producer.security.protocol"
    if servers not in subject.config or protocol in subject.config:
        return
    (of_worker, brokers), address = worker.connection(subject.text), subject.config[servers]
    is_as_worker = of_worker in PROTOCOLS and (not brokers or {*address.split(",")} & {*brokers.split(",")})
    is_secured = subject.says(servers) and (SECURED.search(address) or is_as_worker)
    if is_secured or (OF_TERRAFORM.search(address) and not subject.document.partial):
        yield Violation(servers, f"'{protocol}' is not set", unset=protocol)


KEPT = lazy_pattern(r"retention\.ms[\"']?\s*[=:]\s*[\"']?-1\b")
COMPACTED = lazy_pattern(r"cleanup\.policy[\"']?\s*[=:]\s*[\"']?compact\b(?!,)")
PARTITIONS = lazy_pattern(r"partitions[\"']?(?:\s*[=:]\s*|\s+)[\"']?([2-9]|[1-9]\d+)\b")


@rule(
    "history-topic-expires",
    Consequence.stop,
    of_names=True,
    evidence="N05",
    fix="create it with one partition, cleanup.policy=delete and retention.ms=-1",
)
def history_topic_expires(subject: Subject) -> Iterator[Violation]:
    """The topic of the schema history that the file creates keeps all records, in one partition.

    By default Kafka deletes them after seven days: the connector does not start again, because the history is
    incomplete.
    """
    for key in (f"{HISTORY}kafka.topic", "database.history.kafka.topic"):
        topic = trim(subject.config.get(key, ""))
        if topic and any(topic in line and COMPACTED.search(line) for line in subject.text.splitlines()):
            yield Violation(key, f"the file creates the topic '{topic}' compacted: its records have no key")
            continue
        for text in creations(subject.text, topic) if topic else ():
            if COMPACTED.search(text):
                yield Violation(key, f"the file creates the topic '{topic}' compacted: its records have no key")
            if not KEPT.search(text):
                yield Violation(key, f"the file creates the topic '{topic}' without retention.ms=-1")
            if partitions := PARTITIONS.search(text):
                yield Violation(key, f"the file creates the topic '{topic}' with {partitions[1]} partitions")
