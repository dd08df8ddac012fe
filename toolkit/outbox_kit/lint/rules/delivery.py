"""Rules about Kafka Connect: errors, secrets, sizes, topics, delivery guarantees."""

from collections.abc import Iterator

from outbox_kit import databases
from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.databases.sqlserver.facts import SQLSERVER
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import placeholders
from outbox_kit.lint.builders import starts_container
from outbox_kit.lint.rule import Consequence, Edit, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router import options
from outbox_kit.router.javatext import trim, whole_number
from outbox_kit.versions import Version

MEGABYTE = 1_048_576


@rule("errors-tolerance-all", Consequence.loss, evidence="N03", fix="set errors.tolerance=none")
def errors_tolerance_all(subject: Subject) -> Iterator[Violation]:
    """The connector stops on an error.

    A source connector that tolerates errors drops the event and continues, without an error: source connectors have no
    dead-letter queue.
    """
    reads = subject.config.keys() & {"topics", "topics.regex"}
    if not (reads and subject.config.get("errors.deadletterqueue.topic.name", "").strip()):
        yield from _risky(subject, "errors.tolerance")


@rule(
    "slot-drop-on-stop", Consequence.loss, evidence="I15", fix="set slot.drop.on.stop=false", connectors=POSTGRES.name
)
def slot_drop_on_stop(subject: Subject) -> Iterator[Violation]:
    """The replication slot is kept when the connector stops.

    PostgreSQL retains WAL only for a slot that exists. Events that are written between a stop and the next start are
    never sent. A test on a container of its own needs none of them.
    """
    if not (subject.document.kind == "code" and OF_CONTAINER.search(subject.text)):
        yield from _risky(subject, "slot.drop.on.stop")


OF_CONTAINER = lazy_pattern(r"@Testcontainers\b|@Container\b|\btestcontainers\b")
"""What a test has that starts containers of its own."""


OWN_RULES = ("errors.tolerance", "slot.drop.on.stop")


@rule("event-skipped-on-failure", Consequence.loss, evidence="N03", fix="set the option to fail")
def event_skipped_on_failure(subject: Subject) -> Iterator[Violation]:
    """A change that cannot be processed stops the connector.

    With another value the connector skips the change, and with it the event, and only writes to its log.
    """
    for key in subject.config:
        if key.endswith(".handling.mode") and key not in OWN_RULES:
            yield from _risky(subject, key)


@rule(
    "snapshot-without-lock",
    Consequence.risk,
    evidence="L01",
    connectors=f"{MYSQL.name} {MARIADB.name} {SQLSERVER.name} {ORACLE.name}",
    fix="leave the option at its default, or change no table during a snapshot",
)
def snapshot_without_lock(subject: Subject) -> Iterator[Violation]:
    """The snapshot locks the tables while it reads their structure.

    Without a lock a change of the structure in the meantime is missed, and later rows are decoded by the old one.
    """
    if subject.config.get("snapshot.locking.mode", "").strip().lower() == "none":
        yield Violation("snapshot.locking.mode", "snapshot.locking.mode is none")


def _risky(subject: Subject, key: str) -> Iterator[Violation]:
    """A value that loses events, as the registry has it."""
    option, value = subject.option(key), subject.config.get(key)
    if option is not None and value is not None and (how := option.risk(value)):
        yield Violation(key, how, Edit(key, value=option.default, safe=False))


@rule("dead-letter-queue-on-source", Consequence.wrong, of_names=True, evidence="N03", fix="remove the option")
def dead_letter_queue_on_source(subject: Subject) -> Iterator[Violation]:
    """A source connector has no dead-letter queue.

    Only sink connectors have one; the option has no effect.
    """
    for key in subject.config:
        if key.startswith("errors.deadletterqueue."):
            yield Violation(key, "the option applies to sink connectors only", Edit(key))


@rule(
    "producer-option-prefix",
    Consequence.wrong,
    of_names=True,
    evidence="N04",
    fix="rename the option to producer.override.<name>",
)
def producer_option_prefix(subject: Subject) -> Iterator[Violation]:
    """The options of the producer begin with `producer.override.`.

    An option without the prefix is ignored. For max.request.size the consequence is that the first large payload stops
    the task: RecordTooLargeException.
    """
    for key in subject.config if not subject.is_sink else ():
        full = f"producer.override.{key}"
        producer_options = options.catalogue("producer").options
        if key in producer_options and subject.option(key) is None and key not in options.catalogue("worker").options:
            edit = Edit(key, rename=full) if full not in subject.config else None
            yield Violation(key, f"the producer reads '{full}'", edit)
        if key.startswith("producer.") and not key.startswith("producer.override."):
            bare = f"producer.override.{key.removeprefix('producer.')}"
            edit = Edit(key, rename=bare) if bare not in subject.config else None
            yield Violation(key, f"in a connector config the name is '{bare}'", edit)


@rule("topic-message-size", Consequence.risk, evidence="N04", fix="raise max.message.bytes of the topics as well")
def topic_message_size(subject: Subject) -> Iterator[Violation]:
    """The topics accept messages as large as the producer sends.

    The broker rejects a larger message: RecordTooLargeException.
    """
    size = subject.config.get("producer.override.max.request.size", "").strip()
    topics = any(key.startswith("topic.creation.") and key.endswith("max.message.bytes") for key in subject.config)
    if (whole_number(size) or 0) > MEGABYTE and not topics:
        yield Violation(
            "producer.override.max.request.size",
            "max.message.bytes is not set for the topics, which reject more than 1 MB by default",
        )


@rule(
    "payload-truncated",
    Consequence.loss,
    of_names=True,
    evidence="N04",
    fix="remove the option, and limit the size of payloads with a CHECK",
)
def payload_truncated(subject: Subject) -> Iterator[Violation]:
    """Columns are not truncated.

    A truncated JSON document is invalid.
    """
    for key in subject.config if subject.router else ():
        if key.startswith("column.truncate.to."):
            yield Violation(key, "the option truncates longer values")


@rule(
    "idempotence-disabled",
    Consequence.wrong,
    severity=Severity.error,
    evidence="M03",
    fix="remove the option: idempotence is enabled by default",
)
def idempotence_disabled(subject: Subject) -> Iterator[Violation]:
    """The producer is idempotent.

    A retried batch can be written after the next one, which changes the order of an aggregate's events.
    """
    key = "producer.override.enable.idempotence"
    flights = subject.config.get("producer.override.max.in.flight.requests.per.connection", "5").strip()
    if subject.config.get(key, "true").strip().lower() == "false" and flights != "1":
        yield Violation(key, "the producer is not idempotent: retries can change the order of events", Edit(key))


@rule("acks", Consequence.loss, evidence="M03", fix="set producer.override.acks=all, or remove the option")
def acks(subject: Subject) -> Iterator[Violation]:
    """The producer waits for all in-sync replicas.

    An event that Kafka Connect has confirmed can be lost with a broker.
    """
    for key in ("producer.override.acks", "debezium.sink.kafka.producer.acks"):
        value = {**subject.document.settings, **subject.config}.get(key, "all").strip()
        if value in ("0", "1"):
            edit = Edit(key) if key in subject.config else None
            yield Violation(key, f"with acks={value} the loss of a broker can lose events", edit)


@rule(
    "topic-creation-incomplete",
    Consequence.stop,
    evidence="N05",
    fix="set partitions and replication.factor; -1 is the default of the broker",
)
def topic_creation_incomplete(subject: Subject) -> Iterator[Violation]:
    """Topic creation of a source sets both the partitions and the replication factor of the group `default`.

    Kafka Connect rejects the config without them, also if all topics belong to other groups.
    """
    names = ("topic.creation.default.partitions", "topic.creation.default.replication.factor")
    present = [key for key in subject.config if key.startswith("topic.creation.") and not subject.is_sink]
    missing = [name for name in names if name not in subject.config]
    if present and len(missing) == 1:
        yield Violation(present[0], f"'{missing[0]}' is not set", unset=missing[0])
    elif present and missing:
        yield Violation(present[0], "partitions and replication.factor of topic.creation.default are not set")


@rule(
    "topic-creation-group-not-listed",
    Consequence.wrong,
    severity=Severity.error,
    of_names=True,
    evidence="N05",
    fix="add the group to topic.creation.groups",
)
def topic_creation_group_not_listed(subject: Subject) -> Iterator[Violation]:
    """Every topic group with options is listed in topic.creation.groups.

    The options of a group that is not listed have no effect.
    """
    listed = subject.entries("topic.creation.groups")
    for key in subject.config if not subject.is_sink else ():
        parts = key.split(".")
        group = parts[2] if key.startswith("topic.creation.") and len(parts) > 3 else "default"
        if "$" not in group and group not in {"default", *listed}:
            yield Violation(key, f"the group '{group}' is not listed in topic.creation.groups")


@rule("compacted-event-topic", Consequence.risk, evidence="B03", fix="use cleanup.policy=delete for event topics")
def compacted_event_topic(subject: Subject) -> Iterator[Violation]:
    """Event topics are not compacted.

    Compaction keeps only the last event of each aggregate: it fits events that have the whole state.
    """
    key = "topic.creation.default.cleanup.policy"
    if subject.router and "compact" in subject.config.get(key, "") and not subject.outbox:
        yield Violation(key, "the topics are compacted: older events of an aggregate are deleted")


@rule(
    "single-replica",
    Consequence.advice,
    evidence="N05",
    fix="set the replication factor to 3, or to -1 for the default of the broker",
)
def single_replica(subject: Subject) -> Iterator[Violation]:
    """Topics have more than one replica.

    With replication factor 1, losing one broker loses its events.
    """
    key = "topic.creation.default.replication.factor"
    if subject.config.get(key, "").strip() == "1":
        yield Violation(key, "topics have replication factor 1")


@rule("tasks-max-ignored", Consequence.advice, evidence="N13", fix="set tasks.max=1")
def tasks_max_ignored(subject: Subject) -> Iterator[Violation]:
    """The value of tasks.max is 1 for a connector with a single task.

    The connector runs one task, whatever the value.
    """
    allows_several = subject.facts.get("several_tasks", False) if subject.connector else True
    tasks = subject.config.get("tasks.max", "1").strip()
    one_database = "database.names" in subject.config and "," not in subject.config["database.names"]
    if (whole_number(tasks) or 0) > 1 and (not allows_several or one_database):
        yield Violation(
            "tasks.max", f"tasks.max is {tasks}, but the connector runs one task", Edit("tasks.max", value="1")
        )


@rule(
    "exactly-once-incomplete",
    Consequence.wrong,
    evidence="L07",
    fix="set exactly.once.support=required and transaction.boundary=poll",
)
def exactly_once_incomplete(subject: Subject) -> Iterator[Violation]:
    """A transaction boundary is set together with exactly.once.support=required.

    Without it, exactly-once applies only if the worker has it enabled.
    """
    support = subject.config.get("exactly.once.support", "").strip().lower()
    boundary = "transaction.boundary" in subject.config or "transaction.boundary.interval.ms" in subject.config
    if boundary and support not in ("required", "requested"):
        key = "transaction.boundary" if "transaction.boundary" in subject.config else "transaction.boundary.interval.ms"
        yield Violation(key, "exactly.once.support is not 'required'")


@rule(
    "exactly-once-unsupported",
    Consequence.stop,
    evidence="L07",
    fix="remove exactly.once.support, or use a release whose connector supports it",
)
def exactly_once_unsupported(subject: Subject) -> Iterator[Violation]:
    """The connector supports exactly-once delivery if it is required.

    Kafka Connect rejects the config of another one.
    """
    key = "exactly.once.support"
    if subject.config.get(key, "").strip().lower() != "required":
        return
    if subject.facts.get("exactly_once") is False:
        yield Violation(key, "the connector does not support exactly-once delivery")
    if subject.connector is None:
        return
    since = databases.get(subject.connector).capture.exactly_once
    if subject.release < Version.of(since):
        yield Violation(key, f"the connector supports exactly-once delivery since Debezium {since}")


@rule("two-names", Consequence.stop, evidence="N10", fix="remove the name within the config")
def two_names(subject: Subject) -> Iterator[Violation]:
    """The name within the config is that of the request.

    Kafka Connect rejects the request if they differ.
    """
    name, inner = subject.document.name or "", subject.config.get("name", "")
    is_shown = name and inner and not placeholders.is_open("name", name) and subject.says("name")
    if subject.document.kind == "json" and is_shown and name != inner:
        yield Violation("name", f"the name within the config is '{inner}', that of the request '{name}'")


@rule("internal-converter", Consequence.advice, of_names=True, evidence="O", fix="remove the option")
def internal_converter(subject: Subject) -> Iterator[Violation]:
    """No internal converter is set.

    Internal converters were an option of the worker, and have been removed there as well.
    """
    for key in subject.config:
        if key.startswith(("internal.key.converter", "internal.value.converter")):
            yield Violation(key, f"'{key}' is ignored", Edit(key))


@rule("retries-disabled", Consequence.risk, evidence="N05", fix="leave errors.max.retries at its default")
def retries_disabled(subject: Subject) -> Iterator[Violation]:
    """The connector tries again after an error that may pass.

    Otherwise the first lost connection, such as a failover of the database, ends the task.
    """
    if trim(subject.config.get("errors.max.retries", "")) == "0":
        yield Violation("errors.max.retries", "errors.max.retries is 0")


RANDOM = lazy_pattern(
    r"\b(?:randomUUID|random\w*|Random\w*|uuid4?|uuidgen|NewGuid|currentTimeMillis|nanoTime|RANDOM)\b|\bDate\.now\b|\btime\.time\b"
)
"""What is another text at each start."""
OF_TEST = lazy_pattern(r"(?:^|[/_.-])tests?[/_.-]|Tests?\.\w+$|IT\.\w+$|[._]spec\.")


@rule(
    "random-slot-name",
    Consequence.loss,
    of_names=True,
    evidence="I15",
    fix="give the slot, or the file of the position, a name that stays the same",
)
def random_slot_name(subject: Subject) -> Iterator[Violation]:
    """The replication slot and the file of the position have the same names at each start.

    With another slot the connector reads from the current position of the log, and the former slot, which has the
    changes since then, keeps the WAL. With another file it does not know where it stopped.
    """
    if OF_TEST.search(subject.source) or starts_container(subject.text):
        return
    values = {**subject.document.settings, **subject.document.config}
    for key in ("slot.name", "offset.storage.file.filename"):
        value = values.get(key, "")
        if RANDOM.search(value) and placeholders.is_open(key, value):
            yield Violation(key, f"'{key}' has another value at each start")
