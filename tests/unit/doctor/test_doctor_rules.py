"""Every rule finds what it is there for, is silent where nothing is wrong, and is not passed where nothing was seen."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.connect.observed import ObservedConnect
from outbox_kit.connect.plan import ConfigChange
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.failures import FailedEvent, StoredEvent, WaitingLane
from outbox_kit.databases.observed import (
    BinaryLog,
    HorizonHolder,
    LackingPrivilege,
    ObservedDatabase,
    ObservedPublication,
    ObservedRole,
    ObservedSlot,
    ObservedTable,
    ReplicationLog,
    ServerSetting,
    SlotReader,
    Unread,
)
from outbox_kit.doctor.needs import INAPPLICABLE, MET, SystemNeed
from outbox_kit.doctor.observation import ObservedRelay, Question, SystemObservation, SystemPart
from outbox_kit.doctor.report import report
from outbox_kit.doctor.rule import RULES, SystemRule, findings
from outbox_kit.errors import ConnectUnreachable, DatabaseUnreachable, KafkaUnreachable
from outbox_kit.findings import formats
from outbox_kit.findings.policy import Policy
from outbox_kit.findings.report import Report
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict
from outbox_kit.kafka.describe import ObservedKafka, ObservedTopic
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector
from tests.support.faults import FAULTS

GIB = 1 << 30
SETTINGS = {
    "wal_level": "logical",
    "max_replication_slots": "10",
    "max_wal_senders": "10",
    "max_slot_wal_keep_size": "51200MB",
    "idle_replication_slot_timeout": "0s",
    "autovacuum": "on",
}


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
        reader=SlotReader("shop_outbox", "Debezium Streaming", "10.0.0.1", 7),
        wal_status="reserved",
        confirmed=100,
        retained=1000,
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
    )
    if not outbox.dialect.capture.uses_slot:
        kept = BinaryLog("b.2", ("b.1", "b.2"), 1000, 30 * 86400.0)
        healthy = replace(healthy, settings=settings(binlog_format="ROW", server_id="1"), binary_log=kept)
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
        bytes_per_second=1000.0,
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
    return ObservedKafka("k", 1, {"shop.Order": ObservedTopic(6, 1, 0, own), topic: replace(healthy, **changes)}, {})


RELAY = ObservedRelay(running=True, started=True, dead=0, last_cause="", waiting=0, oldest=None)


def observation(dialect: str = "postgres", delivery: str = "connector", **more: Any) -> SystemObservation:
    """A system in which nothing is wrong."""
    outbox = outbox_of(dialect, delivery, **more)
    by_relay = delivery == "relay"
    seen = database(outbox)
    if by_relay and seen.slot_log:
        reader = SlotReader("shop_outbox", "outbox-kit relay", "10.0.0.1", 7)
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


def with_topic_setting(name: str, value: str, topic: str = "shop.Order", seen: Any = HEALTHY) -> SystemObservation:
    own = {"cleanup.policy": "delete", "max.message.bytes": "1048588", "retention.ms": str(30 * 86_400_000)}
    return with_topic(topic, seen, partitions=1 if "history" in topic else 6, settings={**own, name: value})


def with_relay(**changes: Any) -> SystemObservation:
    return replace(BY_RELAY, relay=replace(RELAY, **changes))


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
    "DOC-SERVER-07": lambda: with_database(holders=[HorizonHolder("the transaction of x", 3600.0, 9, "end;")]),
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
    "DOC-SLOT-05": lambda: with_slot(reader=SlotReader("x", "pg_recvlogical", "10.0.0.9", 8)),
    "DOC-SLOT-06": lambda: with_slot(lag=2 * GIB),
    "DOC-SLOT-07": lambda: with_slot(safe_bytes=1000, retained=GIB),
    "DOC-SLOT-08": lambda: with_log(others=[slot(name="old", active=False, retained=2 * GIB)]),
    "DOC-SLOT-09": lambda: with_log(standbys=2),
    "DOC-SLOT-10": lambda: with_slot(confirmed=200),
    "DOC-BINLOG-01": lambda: with_setting(MYSQL, server_id="0"),
    "DOC-BINLOG-02": lambda: with_setting(MYSQL, binlog_row_image="MINIMAL"),
    "DOC-BINLOG-03": lambda: with_database(MYSQL, binary_log=BinaryLog("b.2", ("b.2",), 9, 3600.0)),
    "DOC-BINLOG-04": lambda: with_database(MYSQL, binary_log=BinaryLog("b.9", ("b.8", "b.9"), 9, None)),
    "DOC-WORKER-01": lambda: with_connect(plugins=connect(HEALTHY.outbox).plugins[1:]),  # type: ignore[index]
    "DOC-WORKER-02": lambda: with_connect(plugins=[*_plugins(), *_plugins("3.6.0.Final")]),
    "DOC-WORKER-03": lambda: with_connect(plugins=_plugins("3.5.0.Final")),
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
    "DOC-RELAY-03": lambda: with_relay(waiting=1, oldest=waiting()),
    "DOC-TOPICS-01": lambda: replace(HEALTHY, kafka=ObservedKafka("k", 1, {}, {})),
    "DOC-TOPICS-02": lambda: with_topic(partitions=8),
    "DOC-TOPICS-03": lambda: with_topic_setting("cleanup.policy", "compact,delete"),
    "DOC-TOPICS-04": lambda: with_topic_setting("max.message.bytes", "1000"),
    "DOC-TOPICS-05": lambda: with_topic_setting("retention.ms", "3600000"),
    "DOC-TOPICS-06": lambda: replace(HEALTHY, kafka=replace(kafka(HEALTHY.outbox), brokers=3)),
    "DOC-TOPICS-07": lambda: with_topic(leaderless=2),
    "DOC-TOPICS-08": lambda: with_topic("shop.public.outbox"),
    "DOC-TOPICS-09": lambda: with_topic_setting("retention.ms", "604800000", HISTORY, MYSQL),
}
ALSO = {  # findings that follow from the same fault
    "DOC-CONNECTOR-01": {"DOC-SLOT-05"},  # who reads the slot, if there is no connector?
    "DOC-SERVER-05": {"DOC-SLOT-01"},
}


def _plugins(version: str = "3.6.1.Final") -> list[dict[str, str]]:
    return [{**plugin, "version": version} for plugin in connect(HEALTHY.outbox).plugins or ()]


@pytest.mark.parametrize("rule", sorted(CASES))
def test_it_finds_its_fault_and_no_other(rule: str) -> None:
    found, _ = findings(CASES[rule]())
    assert {finding.id for finding in found} == {rule} | ALSO.get(rule, set())
    assert all(finding.fix and not finding.fix.endswith(".") for finding in found)


@pytest.mark.parametrize(
    "seen",
    [
        HEALTHY,
        MYSQL,
        BY_RELAY,
        observation("mariadb"),
        observation("postgres", delivery="relay"),
        with_topic_setting("retention.ms", str(2**63 - 1), HISTORY, MYSQL),
        with_slot(safe_bytes=None),  # no limit, which is another rule's
        with_slot(active=True, safe_bytes=2 * GIB, retained=GIB),
    ],
)
def test_nothing_is_found_where_nothing_is_wrong(seen: SystemObservation) -> None:
    found, unchecked = findings(seen)
    assert found == []
    assert set(unchecked.values()) <= {need.value for need in INAPPLICABLE}


def test_what_the_user_may_not_see_is_not_passed() -> None:
    seen = with_database(unread=set(Unread), slot_log=log(slot=slot(reader=None)), role_examined=False, role=None)
    found, unchecked = findings(seen)
    assert found == []
    hidden = {"DOC-SERVER-07", "DOC-OUTBOX-07", "DOC-OUTBOX-11", "DOC-SLOT-05", "DOC-ROLES-01", "DOC-ROLES-04"}
    assert hidden <= {rule for rule, reason in unchecked.items() if reason not in {need.value for need in INAPPLICABLE}}


def test_an_old_worker_names_no_converters() -> None:
    plugins = [{"class": HEALTHY.config["connector.class"], "type": "source", "version": "3.6.1.Final"}]
    assert findings(with_connect(plugins=plugins))[0] == []


def test_every_rule_has_a_case_and_every_need_is_examined() -> None:
    assert set(CASES) == set(RULES.rules)
    assert set(MET) == set(SystemNeed)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_why_and_what_to_do(rule: SystemRule) -> None:
    assert rule.title and not rule.title.endswith(".")
    assert rule.why.endswith(".")
    assert rule.fix and not rule.fix.endswith(".")


def reported(seen: SystemObservation) -> Report:
    found, unchecked = findings(seen)
    return report(seen, Policy().apply(found), unchecked, Severity.error, 0.0)


PARTS = [
    (SystemPart.database, DatabaseUnreachable, {"database": None, "relay": None}),
    (SystemPart.connect, ConnectUnreachable, {"connect": None, "answered": frozenset({Question.database})}),
    (SystemPart.kafka, KafkaUnreachable, {"kafka": None}),
]


@pytest.mark.parametrize(("part", "problem", "gone"), PARTS)
def test_a_part_that_does_not_answer_is_not_passed(part: SystemPart, problem: Any, gone: dict[str, Any]) -> None:
    result = reported(replace(silent(part, problem), **gone))
    assert result.verdict is Verdict.inconclusive
    families = {SystemPart.database: "SERVER", SystemPart.connect: "CONNECTOR", SystemPart.kafka: "TOPICS"}
    assert not any(f"-{families[part]}-" in rule for rule in result.passed())
    assert result.unexamined()


def test_a_fault_outweighs_a_part_that_does_not_answer() -> None:
    broken = with_database(role=None)
    result = reported(replace(broken, kafka=None, unanswered=silent(SystemPart.kafka, KafkaUnreachable).unanswered))
    assert result.verdict is Verdict.failed


@pytest.mark.parametrize(("part", "problem", "gone"), PARTS)
def test_a_part_that_was_not_named_is_stated(part: SystemPart, problem: Any, gone: dict[str, Any]) -> None:
    del problem
    result = reported(replace(HEALTHY, addressed=frozenset(SystemPart) - {part}, **gone))
    assert result.verdict is Verdict.passed
    assert any(f"{part} was not examined: set OUTBOX_KIT_" in note for note in result.notes)


@pytest.mark.parametrize("dialect", ["sqlserver", "oracle", "mongodb"])
def test_a_database_without_queries_is_stated(dialect: str) -> None:
    outbox = outbox_of(dialect)
    seen = SystemObservation(outbox, frozenset(SystemPart), frozenset(Question), None, connect(outbox), kafka(outbox))
    result = reported(seen)
    assert any("the database was not examined: outbox-kit has no queries for" in note for note in result.notes)
    assert "outbox-kit has no queries for this database" in result.unexamined()


def test_before_the_first_deployment_nothing_is_an_error() -> None:
    new = with_database(
        role=None,
        table=ObservedTable(exists=False),
        slot_log=log(slot=None, publication=None),
        absent_tables=["public.outbox_heartbeat"],
    )
    complaint = {"database.hostname": ["password authentication failed"]}
    status = ConnectorStatus("UNKNOWN", (), ())
    seen = replace(
        new,
        connect=connect(new.outbox, status=status, drift=None, offsets=None, complaints=complaint, topics=()),
        kafka=ObservedKafka("k", 1, {}, {}),
        answered=frozenset(Question) - {Question.drift, Question.offsets, Question.topics},
    )
    found, unchecked = findings(seen)
    assert {finding.id: finding.severity for finding in found} == dict.fromkeys(
        ("DOC-OUTBOX-01", "DOC-CONNECTOR-01", "DOC-CONNECTOR-04", "DOC-TOPICS-01"), Severity.info
    )
    assert set(unchecked.values()) <= {need.value for need in INAPPLICABLE}


@pytest.mark.parametrize("name", formats.names())
def test_every_format_writes_the_report(name: str) -> None:
    seen = with_database(lacking=[LackingPrivilege("app", "INSERT on public.outbox", "grant insert ...;")])
    text = formats.render(name, reported(seen))
    assert name == "github" or "DOC-ROLES-04" in text


def test_every_fault_that_is_documented_is_injected() -> None:
    ring = Path(__file__).parents[2]
    sources = "".join((ring / name / "test_doctor.py").read_text() for name in ("database", "live"))
    assert [fault for fault in FAULTS if f'"{fault}"' not in sources] == []
