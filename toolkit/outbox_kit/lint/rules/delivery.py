"""Connect's side: errors, secrets, sizes, topics, promises."""

import re
from collections.abc import Iterator

from outbox_kit import secret
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Edit, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router import options

REFERENCE = re.compile(r"\$\{[^}]+\}")
USERINFO = re.compile(r"://[^/\s:@]+:[^\s$]+@")
MEGABYTE = 1_048_576


@rule("errors-tolerated", Severity.error, evidence="N03", fix="set errors.tolerance=none")
def errors_tolerated(subject: Subject) -> Iterator[Violation]:
    """A source connector that tolerates errors drops the event and moves on.

    Nobody gets it, and nothing says so: there is no dead-letter queue for sources.
    """
    yield from _risky(subject, "errors.tolerance")


@rule("slot-dropped", Severity.error, evidence="I15", fix="set slot.drop.on.stop=false", connectors=POSTGRES.name)
def slot_dropped(subject: Subject) -> Iterator[Violation]:
    """The replication slot is dropped when the connector stops.

    The server keeps its log for a slot only. What is written between a stop and the next start is never sent.
    """
    yield from _risky(subject, "slot.drop.on.stop")


def _risky(subject: Subject, key: str) -> Iterator[Violation]:
    """A value that loses events, as the registry has it."""
    option, value = subject.option(key), subject.config.get(key)
    if option is not None and value is not None and (how := option.risk(value)):
        yield Violation(key, how, Edit(key, value=option.default))


@rule("dead-letter-queue", Severity.warning, evidence="N03", fix="take it out; it is for sinks")
def dead_letter_queue(subject: Subject) -> Iterator[Violation]:
    """A dead-letter queue is configured on a source connector.

    Only sinks have one: it does nothing.
    """
    for key in subject.config:
        if key.startswith("errors.deadletterqueue."):
            yield Violation(key, "sources have no dead-letter queue", Edit(key))


@rule(
    "plain-secret",
    Severity.error,
    evidence="N08",
    fix="use a reference that the worker resolves, such as ${env:OUTBOX_DB_PASSWORD}",
)
def plain_secret(subject: Subject) -> Iterator[Violation]:
    """A password stands in the config.

    Everybody who may read it has it, and Connect's REST API shows it to whoever asks.
    """
    for key, value in subject.config.items():
        option = subject.option(key)
        kind = option.type if option else "string"
        is_password = kind == "password" or (
            kind == "string" and secret.names_secret(key) and not key.startswith("transforms.")
        )
        holds = (
            bool(USERINFO.search(value)) if key.endswith("connection.string") else bool(is_password and value.strip())
        )
        if holds and not REFERENCE.search(value) and not value.strip().startswith(("$(", "{{")):
            yield Violation(key, f"'{key}' holds the secret itself")


@rule("request-size-unread", Severity.warning, evidence="N04", fix="write producer.override.max.request.size")
def request_size_unread(subject: Subject) -> Iterator[Violation]:
    """A producer's option without its prefix is not read.

    The first large payload stops the task: RecordTooLargeException.
    """
    for key in subject.config:
        full = f"producer.override.{key}"
        producer_options = options.catalogue("producer").options
        if key in producer_options and subject.option(key) is None and key not in options.catalogue("worker").options:
            edit = Edit(key, rename=full) if full not in subject.config else None
            yield Violation(key, f"the producer reads '{full}'", edit)
        if key.startswith("producer.") and not key.startswith("producer.override."):
            bare = f"producer.override.{key.removeprefix('producer.')}"
            edit = Edit(key, rename=bare) if bare not in subject.config else None
            yield Violation(key, f"in a connector's config it is '{bare}'", edit)


@rule("request-size-alone", Severity.warning, evidence="N04", fix="raise max.message.bytes of the topics too")
def request_size_alone(subject: Subject) -> Iterator[Violation]:
    """The producer sends larger messages than a topic takes by default.

    The broker refuses them: RecordTooLargeException.
    """
    size = subject.config.get("producer.override.max.request.size", "").strip()
    topics = any(key.startswith("topic.creation.") and key.endswith("max.message.bytes") for key in subject.config)
    if size.isdigit() and int(size) > MEGABYTE and not topics:
        yield Violation("producer.override.max.request.size", "the topics still refuse more than 1 MB")


@rule(
    "payload-truncated", Severity.error, evidence="N04", fix="let large payloads fail, and keep them small by a CHECK"
)
def payload_truncated(subject: Subject) -> Iterator[Violation]:
    """Columns are cut to a length.

    A cut JSON document is no document.
    """
    for key in subject.config:
        if key.startswith("column.truncate.to."):
            yield Violation(key, "what is longer is cut off")


@rule("idempotence-off", Severity.error, evidence="M03", fix="leave idempotence on")
def idempotence_off(subject: Subject) -> Iterator[Violation]:
    """The producer is not idempotent.

    A retried batch overtakes the next one, and an aggregate's events change places.
    """
    key = "producer.override.enable.idempotence"
    flights = subject.config.get("producer.override.max.in.flight.requests.per.connection", "5").strip()
    if subject.config.get(key, "true").strip().lower() == "false" and flights != "1":
        yield Violation(key, "retries can change the order", Edit(key))


@rule("acks", Severity.error, evidence="M03", fix="leave acks at all")
def acks(subject: Subject) -> Iterator[Violation]:
    """The producer does not wait for all replicas.

    An event that Connect has confirmed can be gone with a broker.
    """
    key = "producer.override.acks"
    if subject.config.get(key, "all").strip() not in ("all", "-1"):
        yield Violation(key, f"acks={subject.config[key]} loses events with a broker", Edit(key))


@rule(
    "topic-creation-incomplete",
    Severity.error,
    evidence="N05",
    fix="set partitions and replication.factor both; -1 takes the broker's default",
)
def topic_creation_incomplete(subject: Subject) -> Iterator[Violation]:
    """Topic creation by Connect needs the partitions and the replication factor, and one is missing.

    Connect refuses the config.
    """
    names = ("topic.creation.default.partitions", "topic.creation.default.replication.factor")
    present = [name for name in names if name in subject.config]
    if len(present) == 1:
        missing = next(name for name in names if name not in present)
        yield Violation(present[0], f"'{missing}' is not set")
    if not present and any(key.startswith("topic.creation.default.") for key in subject.config):
        key = next(key for key in subject.config if key.startswith("topic.creation.default."))
        yield Violation(key, "partitions and replication.factor are not set")


@rule("topic-creation-group", Severity.error, evidence="N05", fix="name the group in topic.creation.groups")
def topic_creation_group(subject: Subject) -> Iterator[Violation]:
    """A group of topics has options, but is not in topic.creation.groups.

    Its options do nothing.
    """
    listed = {name.strip() for name in subject.config.get("topic.creation.groups", "").split(",")}
    for key in subject.config:
        parts = key.split(".")
        if key.startswith("topic.creation.") and len(parts) > 3 and parts[2] not in {"default", *listed}:
            yield Violation(key, f"the group '{parts[2]}' is not in topic.creation.groups")


@rule("compacted-events", Severity.error, evidence="B03", fix="use cleanup.policy=delete for topics of events")
def compacted_events(subject: Subject) -> Iterator[Violation]:
    """Topics of events are created compacted.

    Only each aggregate's last event stays.
    """
    key = "topic.creation.default.cleanup.policy"
    if subject.router and "compact" in subject.config.get(key, "") and not subject.outbox:
        yield Violation(key, "older events of an aggregate go")


@rule("one-replica", Severity.info, evidence="N05", fix="use -1, the broker's default, or 3")
def one_replica(subject: Subject) -> Iterator[Violation]:
    """Topics are created with a single replica.

    They are gone with their broker.
    """
    key = "topic.creation.default.replication.factor"
    if subject.config.get(key, "").strip() == "1":
        yield Violation(key, "one copy of each event")


@rule("one-task", Severity.info, evidence="N13", fix="take it out")
def one_task(subject: Subject) -> Iterator[Violation]:
    """The connector has one task, whatever is asked for."""
    allows_several = (
        options.catalogue(subject.connector).facts.get("several_tasks", False) if subject.connector else True
    )
    tasks = subject.config.get("tasks.max", "1").strip()
    if tasks.isdigit() and int(tasks) > 1 and not allows_several:
        yield Violation("tasks.max", f"{tasks} tasks are asked for, one will run", Edit("tasks.max", value="1"))


@rule(
    "exactly-once-half",
    Severity.warning,
    evidence="L07",
    fix="set exactly.once.support=required, and transaction.boundary=poll",
)
def exactly_once_half(subject: Subject) -> Iterator[Violation]:
    """Exactly-once is half asked for.

    Without exactly.once.support=required it holds only where the worker happens to have it switched on.
    """
    support = subject.config.get("exactly.once.support", "").strip().lower()
    boundary = "transaction.boundary" in subject.config or "transaction.boundary.interval.ms" in subject.config
    if boundary and support != "required":
        key = "transaction.boundary" if "transaction.boundary" in subject.config else "transaction.boundary.interval.ms"
        yield Violation(key, "exactly.once.support is not required")


@rule("internal-converter", Severity.info, evidence="O", fix="take it out")
def internal_converter(subject: Subject) -> Iterator[Violation]:
    """Internal converters are the worker's, and long gone there too."""
    for key in subject.config:
        if key.startswith(("internal.key.converter", "internal.value.converter")):
            yield Violation(key, "it is not read", Edit(key))
