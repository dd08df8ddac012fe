"""What a rule cannot be checked without, and whether an observation has it. Pure."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from outbox_kit.databases.observed import UnreadSubject
from outbox_kit.doctor.observation import Question, SystemObservation, SystemPart


class SystemNeed(StrEnum):
    """A requirement of a rule; the value is the reason if it is not met. The first one that is not met is reported."""

    by_connector = "a relay publishes the events, not a connector"
    by_relay = "a connector publishes the events, not a relay"
    to_kafka = "the relay does not publish to Kafka"
    reads_slot = "the database has no replication slots, or the relay reads the table"
    reads_binlog = "the database has no binary log"
    has_table = "events are written into the log, not into a table"
    needs_history = "the connector needs no schema history"
    probed = "no --probe"
    database_given = "no --dsn"
    connect_given = "no --connect"
    kafka_given = "no --bootstrap"
    queries = "outbox-kit has no queries for this database"
    captures = "the server's log is examined instead"
    capture = "it is not known what the server captures"
    objects = "the outbox and the connector's user are not known"
    objects_seen = "the session's user may not see users and privileges"
    database = "the database has not answered"
    worker_config = "no --worker-config"
    worker = "Kafka Connect has not answered"
    status = "the state of the connector is not known"
    registered = "the connector is not registered"
    plugins = "the worker has not named its plugins"
    drift = "the running configuration is not known"
    peers = "the other connectors are not known"
    complaints = "the worker has not validated the configuration"
    offsets = "the stored offsets are not known"
    kafka = "Kafka has not answered"
    principal = "no --principal"
    acls = "the ACLs of the Kafka user are not known"
    authorizer = "the brokers have no authorizer: everything is allowed"
    relay = "the state of the relay is not known"
    publishing = "no connector and no relay runs, so no canary row was inserted"
    canary = "the canary row could not be inserted, or its topic not be read"
    created = "the outbox is not created yet"
    role_examined = "the user may not see roles and privileges"
    role = "the role does not exist"
    table = "the outbox table does not exist"
    publication = "the publication does not exist"
    slot = "the replication slot does not exist"
    reader_seen = "the user may not see who reads the slot"
    heartbeat_read = "the heartbeat was not read"
    rows_read = "the rows of the outbox table were not read"
    sessions_seen = "the user may not see the sessions of other users"
    limit = "max_slot_wal_keep_size sets no limit"
    log_written = "the server writes no binary log"


Need = SystemNeed
INAPPLICABLE = frozenset(
    {
        Need.by_connector,
        Need.by_relay,
        Need.to_kafka,
        Need.reads_slot,
        Need.reads_binlog,
        Need.has_table,
        Need.needs_history,
        Need.captures,
        Need.authorizer,
        Need.probed,
        Need.publishing,
        Need.registered,
        Need.created,
        Need.role,
        Need.table,
        Need.publication,
        Need.slot,
        Need.limit,
        Need.log_written,
    }
)
"""Needs of rules about something that this outbox does not have, or that another rule reports as missing."""


def _was_read(subject: UnreadSubject) -> Callable[[SystemObservation], bool]:
    return lambda system: system.database is not None and subject not in system.database.unread


def _reader_seen(system: SystemObservation) -> bool:
    slot = system.log.slot if system.log else None
    return slot is not None and (not slot.active or slot.reader is not None)


def _answered(question: Question) -> Callable[[SystemObservation], bool]:
    return lambda system: question in system.answered


def _has_slots(system: SystemObservation) -> bool:
    return system.outbox.dialect.capture.uses_slot


def _has_binlog(system: SystemObservation) -> bool:
    return "{server_id}" in system.outbox.dialect.capture.options.values()


MET: Mapping[SystemNeed, Callable[[SystemObservation], bool]] = {
    Need.by_connector: lambda system: not system.by_relay,
    Need.by_relay: lambda system: system.by_relay,
    Need.to_kafka: lambda system: system.outbox.delivery.sink == "kafka",
    Need.reads_slot: lambda system: _has_slots(system) and not system.outbox.delivery.polls,
    Need.reads_binlog: lambda system: _has_binlog(system),
    Need.has_table: lambda system: system.outbox.table.storage == "table",
    Need.needs_history: lambda system: "schema.history.internal.kafka.topic" in system.config,
    Need.probed: lambda system: system.probed,
    Need.publishing: lambda system: system.publishing is not False,
    Need.canary: lambda system: system.canary is not None,
    Need.database_given: lambda system: SystemPart.database in system.addressed,
    Need.connect_given: lambda system: SystemPart.connect in system.addressed,
    Need.kafka_given: lambda system: SystemPart.kafka in system.addressed,
    Need.queries: lambda system: system.database is not None or bool(system.unanswered.get(SystemPart.database)),
    Need.captures: lambda system: not (_has_slots(system) or _has_binlog(system)),
    Need.capture: lambda system: system.capture is not None,
    Need.objects: lambda system: system.objects is not None,
    Need.objects_seen: lambda system: system.objects is not None and system.objects.examined,
    Need.database: lambda system: system.database is not None,
    Need.worker_config: lambda system: system.worker_settings is not None,
    Need.worker: lambda system: system.connect is not None,
    Need.status: _answered(Question.status),
    Need.registered: lambda system: bool(system.registered),
    Need.plugins: _answered(Question.plugins),
    Need.drift: _answered(Question.drift),
    Need.peers: _answered(Question.peers),
    Need.complaints: _answered(Question.complaints),
    Need.offsets: _answered(Question.offsets),
    Need.kafka: lambda system: system.kafka is not None,
    Need.principal: lambda system: system.principal is not None,
    Need.acls: _answered(Question.acls),
    Need.authorizer: lambda system: system.acls is not None,
    Need.relay: lambda system: system.relay is not None,
    Need.created: lambda system: system.database is not None and system.database.created,
    Need.role_examined: lambda system: system.database is not None and system.database.role_examined,
    Need.role: lambda system: system.database is not None and system.database.role is not None,
    Need.table: lambda system: system.database is not None and system.database.table.exists,
    Need.publication: lambda system: system.log is not None and system.log.publication is not None,
    Need.slot: lambda system: system.log is not None and system.log.slot is not None,
    Need.reader_seen: _reader_seen,
    Need.heartbeat_read: _was_read(UnreadSubject.heartbeat),
    Need.rows_read: _was_read(UnreadSubject.rows),
    Need.sessions_seen: _was_read(UnreadSubject.sessions),
    Need.limit: lambda system: (
        system.log is not None and system.log.slot is not None and system.log.slot.safe_bytes is not None
    ),
    Need.log_written: lambda system: (
        system.database is not None and bool((log := system.database.binary_log) and log.file)
    ),
}


DATABASE = (Need.database_given, Need.queries, Need.database)
CREATED = (*DATABASE, Need.created)
ROLE = (*CREATED, Need.role_examined, Need.role)
TABLE = (Need.has_table, *CREATED, Need.table)
LOG = (Need.reads_slot, *DATABASE)
PUBLICATION = (Need.reads_slot, *CREATED, Need.publication)
SLOT = (Need.reads_slot, *DATABASE, Need.slot)
CAPTURE = (Need.by_connector, Need.captures, Need.database_given, Need.capture)
OBJECTS = (Need.by_connector, Need.captures, Need.database_given, Need.objects)
BINLOG = (Need.reads_binlog, *DATABASE)
WORKER = (Need.by_connector, Need.connect_given, Need.worker)
CONNECTOR = (*WORKER, Need.status, Need.registered)
KAFKA = (Need.to_kafka, Need.kafka_given, Need.kafka)
RELAY = (Need.by_relay, Need.database_given, Need.relay)


def unmet(system: SystemObservation) -> frozenset[SystemNeed]:
    """The needs that an observation does not meet."""
    return frozenset(need for need, met in MET.items() if not met(system))
