"""Observations for the rules of `doctor`: a system in which nothing is wrong, and one fault of each kind."""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from outbox_kit.connect.observed import ObservedConnect
from outbox_kit.connect.plan import ConfigChange
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.failures import FailedEvent, StoredEvent, WaitingLane
from outbox_kit.databases.interface import FirstRead
from outbox_kit.databases.mysql import observe as mysql
from outbox_kit.databases.observed import (
    BinaryLog,
    HorizonHolder,
    LackingPrivilege,
    ObservedCapture,
    ObservedDatabase,
    ObservedObjects,
    ObservedPublication,
    ObservedReader,
    ObservedRole,
    ObservedSlot,
    ObservedTable,
    ReplicationLog,
    ServerRisk,
    ServerSetting,
)
from outbox_kit.databases.postgres import observe as postgres
from outbox_kit.delivery.canary import SentCanary
from outbox_kit.doctor.observation import ObservedRelay, Question, SystemObservation, SystemPart
from outbox_kit.errors import ConnectUnreachable, DatabaseUnreachable, KafkaUnreachable
from outbox_kit.kafka.acls import AclEntry, Resource
from outbox_kit.kafka.describe import ObservedKafka, ObservedTopic
from outbox_kit.schema.inbox import InboxConsumer, InboxSettings
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector

GIB = 1 << 30
SETTINGS = {
    "wal_level": "logical",
    "max_replication_slots": "10",
    "max_wal_senders": "10",
    "max_slot_wal_keep_size": "51200MB",
    "idle_replication_slot_timeout": "0s",
    "autovacuum": "on",
}


WORKER = {
    "group.id": "connect",
    "config.storage.topic": "c",
    "offset.storage.topic": "o",
    "status.storage.topic": "s",
    "config.providers": "env",
    "config.providers.env.class": "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
}


ACLS = [
    AclEntry(Resource("TOPIC", "shop."), True, "WRITE", True),
    AclEntry(Resource("BROKER", "kafka-cluster"), False, "CREATE", True),
    *(AclEntry(Resource("TOPIC", name), False, "ALL", True) for name in ("c", "o", "s")),
    AclEntry(Resource("GROUP", "*"), False, "READ", True),
]


def outbox_of(dialect: str, delivery: str = "connector", **more: Any) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": dialect},
            "routing": {"topic": "{service}.{aggregate}"},
            "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
            "delivery": {"by": delivery},
            **more,
        }
    )


def settings(**values: str) -> dict[str, ServerSetting]:
    return {name: ServerSetting(value) for name, value in values.items()}


def slot(**changes: Any) -> ObservedSlot:
    healthy = ObservedSlot(
        name="shop_outbox",
        plugin="pgoutput",
        database="shop",
        active=True,
        reader=ObservedReader("shop_outbox", "Debezium Streaming", "10.0.0.1", 7),
        wal_status="reserved",
        confirmed=100,
        retained=GIB // 64,
        lag=500,
        safe_bytes=50 * GIB,
        inactive_seconds=None,
        invalidation="",
        failover=False,
    )
    return replace(healthy, **changes)


def database(outbox: Outbox, **changes: Any) -> ObservedDatabase:
    healthy = ObservedDatabase(
        version="18.4",
        read_only="",
        settings=settings(**SETTINGS),
        role=ObservedRole(login=True),
        table=ObservedTable(exists=True, replica_identity="d", sequence_cache=1, expired=False),
        absent_tables=(),
        absent_writers=(),
        lacking=(),
        heartbeat_seconds=2.0,
        slot_log=log() if outbox.dialect.capture.uses_slot and not outbox.delivery.polls else None,
        encoding="UTF8",
        hints=postgres.HINTS,
    )
    if not outbox.dialect.capture.uses_slot:
        kept = BinaryLog("b.2", ("b.1", "b.2"), 1000, 30 * 86400.0)
        healthy = replace(
            healthy, settings=settings(binlog_format="ROW", server_id="1"), binary_log=kept, hints=mysql.HINTS
        )
    return replace(healthy, **changes)


def log(**changes: Any) -> ReplicationLog:
    tables = {"public.outbox": None, "public.outbox_heartbeat": None}
    healthy = ReplicationLog(
        slot=slot(),
        others=(),
        publication=ObservedPublication(frozenset({"insert"}), False, tables, {}),
        free_slots=5,
        free_senders=5,
        standbys=0,
        bytes_per_second=100_000.0,
    )
    return replace(healthy, **changes)


def connect(outbox: Outbox, **changes: Any) -> ObservedConnect:
    config = connector.config(outbox)
    classes = sorted({value for value in config.values() if re.match(r"(io|org)\.\w+\.", value)})
    healthy = ObservedConnect(
        worker={"version": "4.3.1", "kafka_cluster_id": "k"},
        plugins=[{"class": name, "type": "any", "version": "3.6.1.Final"} for name in classes],
        status=ConnectorStatus("RUNNING", ("RUNNING",), ("w:8083",)),
        drift=(),
        peers={},
        complaints={},
        offsets=[{"partition": {"server": "shop"}, "offset": {"lsn": 100, "file": "b.2", "pos": 4}}],
        stored=100,
        topics=("shop.Order",),
    )
    return replace(healthy, **changes)


def kafka(outbox: Outbox, topic: str = "shop.Order", **changes: Any) -> ObservedKafka:
    own = {"cleanup.policy": "delete", "max.message.bytes": "1048588", "retention.ms": str(30 * 86_400_000)}
    healthy = ObservedTopic(outbox.connect.topics.partitions, 1, 0, own)
    return ObservedKafka(
        "kafka.internal:9092",
        "k",
        1,
        {"shop.Order": ObservedTopic(6, 1, 0, own), topic: replace(healthy, **changes)},
        {},
    )


RELAY = ObservedRelay(running=True, started=True, dead=0, last_cause="", waiting=0, oldest=None)


def observation(dialect: str = "postgres", delivery: str = "connector", **more: Any) -> SystemObservation:
    """A system in which nothing is wrong."""
    outbox = outbox_of(dialect, delivery, **more)
    by_relay = delivery == "relay"
    seen = database(outbox)
    if by_relay and seen.slot_log:
        reader = ObservedReader("shop_outbox", "outbox-kit relay", "10.0.0.1", 7)
        seen = replace(seen, slot_log=log(slot=slot(reader=reader)))
    return SystemObservation(
        outbox,
        frozenset(SystemPart),
        frozenset(Question),
        seen,
        None if by_relay else connect(outbox),
        kafka(outbox),
        RELAY if by_relay else None,
    )


HEALTHY = observation()
MYSQL, BY_RELAY = observation("mysql"), observation("postgres", "relay")


def captured(**changes: Any) -> SystemObservation:
    """A server of which only the capture is examined."""
    capture = replace(ObservedCapture(missing=(), risks=(), heartbeat_seconds=3.0), **changes)
    return replace(observation("sqlserver"), database=None, capture=capture, objects=ObservedObjects())


def with_objects(**changes: Any) -> SystemObservation:
    """The same with another outbox, or another user of the connector."""
    return replace(captured(), objects=ObservedObjects(**changes))


def with_database(seen: SystemObservation = HEALTHY, **changes: Any) -> SystemObservation:
    assert seen.database is not None
    return replace(seen, database=replace(seen.database, **changes))


def with_table(**changes: Any) -> SystemObservation:
    assert HEALTHY.database is not None
    return with_database(table=replace(HEALTHY.database.table, **changes))


def with_setting(seen: SystemObservation = HEALTHY, **values: str) -> SystemObservation:
    assert seen.database is not None
    return with_database(seen, settings={**seen.database.settings, **settings(**values)})


def with_log(**changes: Any) -> SystemObservation:
    return with_database(slot_log=log(**changes))


def with_slot(**changes: Any) -> SystemObservation:
    return with_log(slot=slot(**changes))


def with_publication(**changes: Any) -> SystemObservation:
    publication = log().publication
    assert publication is not None
    return with_log(publication=replace(publication, **changes))


def with_connect(seen: SystemObservation = HEALTHY, **changes: Any) -> SystemObservation:
    return replace(seen, connect=connect(seen.outbox, **changes))


def with_topic(topic: str = "shop.Order", seen: SystemObservation = HEALTHY, **changes: Any) -> SystemObservation:
    return replace(seen, kafka=kafka(seen.outbox, topic, **changes))


CONSUMERS = InboxSettings(consumers=(InboxConsumer(name="billing"),))
WITH_INBOX = replace(HEALTHY, outbox=HEALTHY.outbox.model_copy(update={"inbox": CONSUMERS}))


def with_topic_setting(name: str, value: str, topic: str = "shop.Order", seen: Any = HEALTHY) -> SystemObservation:
    own = {"cleanup.policy": "delete", "max.message.bytes": "1048588", "retention.ms": str(30 * 86_400_000)}
    return with_topic(topic, seen, partitions=1 if "history" in topic else 6, settings={**own, name: value})


def with_relay(**changes: Any) -> SystemObservation:
    return replace(BY_RELAY, relay=replace(RELAY, **changes))


def with_worker(
    changes: Mapping[str, str] | None = None, brokers: int = 1, events: bool = True, **topic: str
) -> SystemObservation:
    """A worker whose settings are known. topic: settings of its own topics."""
    assert HEALTHY.kafka is not None
    its = {name: ObservedTopic(1, 1, 0, {"cleanup.policy": "compact", **topic}) for name in ("c", "o", "s")}
    own = {name: replace(each, replicas=brokers) for name, each in HEALTHY.kafka.topics.items() if events}
    seen = replace(HEALTHY.kafka, brokers=brokers, topics={**own, **its})
    return replace(HEALTHY, kafka=seen, worker_settings={**WORKER, **(changes or {})})


def silent(part: SystemPart, problem: Any) -> SystemObservation:
    return replace(HEALTHY, unanswered={part: [problem("no answer", where="there", why="timed out", fix="look")]})


def failed(trace: str) -> ConnectorStatus:
    return ConnectorStatus("RUNNING", ("FAILED",), ("w:8083",), trace)


def waiting() -> WaitingLane:
    event = FailedEvent(1, "lane", "id", "shop.Order", "{}", "too large", 5, True)
    return WaitingLane(StoredEvent(event, None, None, None), 3, 60.0)  # type: ignore[arg-type]


PEER = {**connector.config(HEALTHY.outbox), "topic.prefix": "other"}
HISTORY = "shop.schema-history"
CASES: dict[str, Callable[[], SystemObservation]] = {
    "DOC-ANSWERS-01": lambda: silent(SystemPart.database, DatabaseUnreachable),
    "DOC-ANSWERS-02": lambda: silent(SystemPart.connect, ConnectUnreachable),
    "DOC-ANSWERS-03": lambda: silent(SystemPart.kafka, KafkaUnreachable),
    "DOC-SERVER-01": lambda: with_database(read_only="it is a standby"),
    "DOC-SERVER-02": lambda: with_setting(wal_level="replica"),
    "DOC-SERVER-03": lambda: with_setting(max_slot_wal_keep_size="-1MB"),
    "DOC-SERVER-04": lambda: with_setting(max_slot_wal_keep_size="100MB"),
    "DOC-SERVER-05": lambda: replace(with_log(slot=None, free_slots=0), connect=connect(HEALTHY.outbox, stored=None)),
    "DOC-SERVER-06": lambda: with_setting(idle_replication_slot_timeout="3600s"),
    "DOC-SERVER-07": lambda: with_database(
        holders=[
            HorizonHolder(
                "the transaction of psql (user ann, pid 7, idle)", 3600.0, 9, "select pg_terminate_backend(7);"
            )
        ]
    ),
    "DOC-SERVER-08": lambda: with_database(encoding="LATIN1"),
    "DOC-ROLES-01": lambda: with_database(role=None),
    "DOC-ROLES-02": lambda: with_database(role=ObservedRole(login=True, replication=False)),
    "DOC-ROLES-03": lambda: with_database(role=ObservedRole(login=True, superuser=True)),
    "DOC-ROLES-04": lambda: with_database(lacking=[LackingPrivilege("shop", "INSERT on outbox", "grant ...;")]),
    "DOC-ROLES-05": lambda: with_database(absent_writers=["app"]),
    "DOC-OUTBOX-01": lambda: with_table(exists=False),
    "DOC-OUTBOX-02": lambda: with_table(differences=["'type' is integer, not text"]),
    "DOC-OUTBOX-03": lambda: with_table(absent_checks=["outbox_payload_fits"]),
    "DOC-OUTBOX-04": lambda: with_table(primary_key=False),
    "DOC-OUTBOX-05": lambda: with_table(replica_identity="n"),
    "DOC-OUTBOX-06": lambda: with_table(sequence_cache=20),
    "DOC-OUTBOX-07": lambda: with_table(expired=True),
    "DOC-OUTBOX-08": lambda: with_table(rows=100_000, dead=60_000),
    "DOC-OUTBOX-09": lambda: with_table(autovacuum=False),
    "DOC-OUTBOX-10": lambda: with_table(invalid_indexes=["outbox_created_at_ccnew"]),
    "DOC-OUTBOX-11": lambda: with_database(heartbeat_seconds=300.0),
    "DOC-PUBLICATION-01": lambda: with_log(publication=None),
    "DOC-PUBLICATION-02": lambda: with_publication(tables={"public.outbox_heartbeat": None}),
    "DOC-PUBLICATION-03": lambda: with_publication(operations=frozenset()),
    "DOC-PUBLICATION-04": lambda: with_publication(operations=frozenset({"insert", "truncate"})),
    "DOC-PUBLICATION-05": lambda: with_table(partitioned=True),
    "DOC-SLOT-01": lambda: with_log(slot=None),
    "DOC-SLOT-02": lambda: with_slot(wal_status="lost", active=False, reader=None, safe_bytes=None, retained=None),
    "DOC-SLOT-03": lambda: with_slot(plugin="test_decoding"),
    "DOC-SLOT-04": lambda: with_slot(active=False, reader=None, inactive_seconds=7200.0),
    "DOC-SLOT-05": lambda: with_slot(reader=ObservedReader("x", "pg_recvlogical", "10.0.0.9", 8)),
    "DOC-SLOT-06": lambda: with_slot(lag=2 * GIB),
    "DOC-SLOT-07": lambda: with_slot(safe_bytes=GIB // 16, retained=GIB),
    "DOC-SLOT-08": lambda: with_log(others=[slot(name="old", active=False, retained=2 * GIB)]),
    "DOC-SLOT-09": lambda: with_log(standbys=2),
    "DOC-SLOT-10": lambda: with_slot(confirmed=200),
    "DOC-BINLOG-01": lambda: with_setting(MYSQL, server_id="0"),
    "DOC-BINLOG-02": lambda: with_setting(MYSQL, binlog_row_image="MINIMAL"),
    "DOC-BINLOG-03": lambda: with_database(MYSQL, binary_log=BinaryLog("b.2", ("b.2",), GIB, 3600.0)),
    "DOC-BINLOG-04": lambda: with_database(MYSQL, binary_log=BinaryLog("b.9", ("b.8", "b.9"), 9, None)),
    "DOC-WORKER-01": lambda: with_connect(plugins=connect(HEALTHY.outbox).plugins[1:]),  # type: ignore[index]
    "DOC-WORKER-02": lambda: with_connect(plugins=[*plugins_of(), *plugins_of("3.6.0.Final")]),
    "DOC-WORKER-03": lambda: with_connect(plugins=plugins_of("3.5.0.Final")),
    "DOC-WORKER-04": lambda: with_connect(worker={"version": "3.4.1", "kafka_cluster_id": "k"}),
    "DOC-WORKER-05": lambda: with_connect(worker={"version": "4.3.1", "kafka_cluster_id": "other"}),
    "DOC-CONNECTOR-01": lambda: with_connect(status=ConnectorStatus("UNKNOWN", (), ())),
    "DOC-CONNECTOR-02": lambda: with_connect(status=failed("org.E: top\nCaused by: java.E: is active for PID 7")),
    "DOC-CONNECTOR-03": lambda: with_connect(drift=[ConfigChange("poll.interval.ms", "5", "50")]),
    "DOC-CONNECTOR-04": lambda: with_connect(complaints={"database.hostname": ["password authentication failed"]}),
    "DOC-CONNECTOR-05": lambda: with_connect(peers={"other-outbox": PEER}),
    "DOC-CONNECTOR-06": lambda: with_connect(offsets=[{"partition": {"server": "old"}, "offset": {"lsn": 100}}]),
    "DOC-RELAY-01": lambda: with_relay(running=False),
    "DOC-RELAY-02": lambda: with_relay(dead=2, last_cause="too large"),
    "DOC-RELAY-04": lambda: with_relay(first_read=FirstRead("shop_outbox_first_read", 7, 90.0, 80.0)),
    "DOC-RELAY-03": lambda: with_relay(waiting=1, oldest=waiting()),
    "DOC-SETTINGS-01": lambda: with_worker(**{"cleanup.policy": "delete"}),
    "DOC-SETTINGS-02": lambda: with_worker(brokers=3),
    "DOC-SETTINGS-03": lambda: with_worker({"config.providers": "file"}),
    "DOC-SETTINGS-04": lambda: with_worker({"topic.creation.enable": "false"}, events=False),
    "DOC-SETTINGS-05": lambda: with_worker({"producer.acks": "1"}),
    "DOC-CAPTURE-01": lambda: captured(missing=["dbo.outbox"]),
    "DOC-CAPTURE-02": lambda: captured(risks=[ServerRisk("the capture job does not exist", "create it")]),
    "DOC-CAPTURE-03": lambda: captured(heartbeat_seconds=4000.0),
    "DOC-CAPTURE-04": lambda: with_objects(flaws=[ServerRisk("login shop_outbox is disabled", "enable it")]),
    "DOC-CAPTURE-05": lambda: with_objects(lacking=[LackingPrivilege("shop_outbox", "select on dbo.outbox", "grant")]),
    "DOC-ACLS-01": lambda: replace(with_worker(), principal="User:connect", acls=ACLS[:-1]),
    "DOC-DELIVERY-01": lambda: replace(
        HEALTHY, probed=True, canary=SentCanary(uuid.UUID(int=7), "shop.canary", None, 20_000)
    ),
    "DOC-TOPICS-01": lambda: replace(HEALTHY, kafka=ObservedKafka("kafka.internal:9092", "k", 1, {}, {})),
    "DOC-TOPICS-02": lambda: with_topic(partitions=8),
    "DOC-TOPICS-03": lambda: with_topic_setting("cleanup.policy", "compact,delete"),
    "DOC-TOPICS-04": lambda: with_topic_setting("max.message.bytes", "1000"),
    "DOC-TOPICS-05": lambda: with_topic_setting("retention.ms", "3600000"),
    "DOC-TOPICS-06": lambda: replace(HEALTHY, kafka=replace(kafka(HEALTHY.outbox), brokers=3)),
    "DOC-TOPICS-07": lambda: with_topic(leaderless=2),
    "DOC-TOPICS-08": lambda: with_topic("shop.public.outbox"),
    "DOC-TOPICS-09": lambda: with_topic_setting("retention.ms", "604800000", HISTORY, MYSQL),
    "DOC-TOPICS-10": lambda: with_topic_setting("retention.ms", str(15 * 86_400_000), seen=WITH_INBOX),
}


def plugins_of(version: str = "3.6.1.Final") -> list[dict[str, str]]:
    return [{**plugin, "version": version} for plugin in connect(HEALTHY.outbox).plugins or ()]
