"""Every rule finds what it is there for, is silent where nothing is wrong, and is not passed where nothing was seen."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.observed import LackingPrivilege, ObservedTable, UnreadSubject
from outbox_kit.doctor.needs import INAPPLICABLE, MET, SystemNeed
from outbox_kit.doctor.observation import Question, SystemObservation, SystemPart
from outbox_kit.doctor.report import report
from outbox_kit.doctor.rule import RULES, SystemRule, findings
from outbox_kit.errors import ConnectUnreachable, DatabaseUnreachable, KafkaUnreachable
from outbox_kit.findings import formats
from outbox_kit.findings.policy import Policy
from outbox_kit.findings.report import Report
from outbox_kit.findings.rule import Severity
from outbox_kit.findings.verdict import Verdict
from outbox_kit.kafka.describe import ObservedKafka
from tests.support.faults import FAULTS
from tests.support.observations import (
    ACLS,
    BY_RELAY,
    CASES,
    GIB,
    HEALTHY,
    HISTORY,
    MYSQL,
    connect,
    kafka,
    log,
    observation,
    outbox_of,
    silent,
    slot,
    with_connect,
    with_database,
    with_slot,
    with_topic_setting,
    with_worker,
)

UNNAMED = {SystemNeed.worker_config, SystemNeed.principal}
ALSO = {  # findings that follow from the same fault
    "DOC-CONNECTOR-01": {"DOC-SLOT-05"},  # who reads the slot, if there is no connector?
    "DOC-SERVER-05": {"DOC-SLOT-01"},
    "DOC-SETTINGS-04": {"DOC-TOPICS-01"},
}


@pytest.mark.parametrize("rule", sorted(CASES))
def test_it_finds_its_fault_and_no_other(rule: str) -> None:
    found, _ = findings(CASES[rule]())
    assert {finding.id for finding in found} == {rule} | ALSO.get(rule, set())
    assert all(finding.fix and not finding.fix.endswith(".") for finding in found)


@pytest.mark.parametrize(
    "seen",
    [
        HEALTHY,
        with_worker(),
        replace(with_worker(), principal="User:connect", acls=ACLS),
        replace(HEALTHY, principal="User:connect", acls=None),
        with_worker({"producer.enable.idempotence": "true", "producer.max.in.flight.requests.per.connection": "5"}),
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
    assert set(unchecked.values()) <= {need.value for need in {*INAPPLICABLE, *UNNAMED}}


def test_what_the_user_may_not_see_is_not_passed() -> None:
    seen = with_database(
        unread=set(UnreadSubject), slot_log=log(slot=slot(reader=None)), role_examined=False, role=None
    )
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
        kafka=ObservedKafka("k:9092", "k", 1, {}, {}),
        answered=frozenset(Question) - {Question.drift, Question.offsets, Question.topics},
    )
    found, unchecked = findings(seen)
    assert {finding.id: finding.severity for finding in found} == dict.fromkeys(
        ("DOC-OUTBOX-01", "DOC-CONNECTOR-01", "DOC-CONNECTOR-04", "DOC-TOPICS-01"), Severity.info
    )
    assert set(unchecked.values()) <= {need.value for need in {*INAPPLICABLE, *UNNAMED}}


@pytest.mark.parametrize("name", formats.names())
def test_every_format_writes_the_report(name: str) -> None:
    seen = with_database(lacking=[LackingPrivilege("app", "INSERT on public.outbox", "grant insert ...;")])
    text = formats.render(name, reported(seen))
    assert name == "github" or "DOC-ROLES-04" in text


def test_every_fault_that_is_documented_is_injected() -> None:
    ring = Path(__file__).parents[2]
    own = ("database/test_doctor.py", "live/test_doctor.py", "live/test_existing_kafka.py")
    modules = (*own, "database/test_relay_stop.py", "live/test_tls.py")
    sources = "".join((ring / module).read_text() for module in modules)
    assert [fault for fault in FAULTS if f'"{fault}"' not in sources] == []
