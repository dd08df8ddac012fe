"""What is decided about a connector without asking a system: the form of offsets, failures at events, topics, ages."""

from typing import Any

import pytest

from outbox_kit import databases
from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.overview import OutboxConnector, _age, _has_events, _seconds
from outbox_kit.delivery.debezium.ownership import expect_own
from outbox_kit.delivery.lifecycle.offsets import entries_of
from outbox_kit.delivery.lifecycle.poisoned import _of_event
from outbox_kit.errors import BadConfigFile, UsageProblem
from tests.support.records import outbox_of

SHOP = {"server": "shop"}


@pytest.mark.parametrize(
    ("dialect", "partition", "offset", "flaw"),
    [
        ("postgres", SHOP, {"lsn": 7, "txId": 1}, None),
        ("postgres", SHOP, {"lsn": "0/16B3748"}, "invalid lsn '0/16B3748': expected integer"),
        ("postgres", SHOP, {"lsn": True}, "invalid lsn 'True'"),
        ("postgres", SHOP, {"lsn": -1}, "expected a number that is not negative"),
        ("postgres", SHOP, {"foo": "bar"}, "the offset has no 'lsn': expected integer; found foo"),
        ("postgres", SHOP, {"file": "binlog.000001", "pos": 4}, "the offset has no 'lsn'"),
        ("postgres", {"server": "other"}, {"lsn": 7}, "the partition is of topic.prefix 'other'"),
        ("postgres", {"sever": "shop"}, {"lsn": 7}, "invalid partition: expected the keys server; found sever"),
        ("postgres", SHOP, None, "expected an object 'partition' and an object 'offset'"),
        ("mysql", SHOP, {"file": "binlog.000001", "pos": 4, "gtids": "a:1"}, None),
        ("mariadb", SHOP, {"file": "binlog.000001", "pos": "4"}, "invalid pos '4': expected integer"),
        ("sqlserver", {**SHOP, "database": "d"}, {"commit_lsn": "0:1:2"}, None),
        ("sqlserver", SHOP, {"commit_lsn": "0:1:2"}, "expected the keys server, database"),
        ("oracle", SHOP, {"scn": "123"}, None),
    ],
)
def test_the_form_of_a_stored_offset(dialect: str, partition: Any, offset: Any, flaw: str | None) -> None:
    flaws = databases.ALL[dialect].capture.offset.flaws(partition, offset, "shop")
    assert flaws == [] if flaw is None else flaw in flaws[0]


@pytest.mark.parametrize("document", [None, [], {}, {"offsets": 7}, {"offsets": [7]}])
def test_a_file_without_offsets_is_refused(document: Any) -> None:
    with pytest.raises(BadConfigFile, match="has no stored offsets"):
        entries_of(document, "saved.json")


@pytest.mark.parametrize(
    ("trace", "expected"),
    [
        ("x: Tolerance exceeded in error handler\n\tat a.b(C.java)\nCaused by: y.DataException: no field", True),
        ("x: Unrecoverable exception\nCaused by: org.apache.kafka.common.errors.RecordTooLargeException: z", True),
        ("x: Tolerance exceeded in error handler\n\tat java.io.Reader.read(R.java)\nCaused by: y: bad", True),
        ("x: Tolerance exceeded in error handler\nCaused by: java.net.ConnectException: refused", False),
        ("x: Unrecoverable exception\nCaused by: e.TopicAuthorizationException: Not authorized", False),
        ("x: The publication does not exist", False),
        ("", False),
    ],
)
def test_a_failure_is_that_of_an_event(trace: str, expected: bool) -> None:
    assert _of_event(trace) is expected


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("shop.Order", True),
        ("shop.outbox-kit.canary", True),
        ("shop.heartbeat.shop", False),
        ("shop.public.outbox_heartbeat", False),
        ("public.outbox", True),
    ],
)
def test_topics_of_events(topic: str, expected: bool) -> None:
    config = {
        "topic.prefix": "shop",
        "topic.heartbeat.prefix": "shop.heartbeat",
        "table.include.list": r"public\.outbox, public\.outbox_heartbeat",
    }
    assert _has_events(topic, config) is expected


def test_times_and_ages() -> None:
    offsets = ({"ts_usec": 2_000_000}, {"ts_ms": 2000}, {"ts_sec": 2}, {"lsn": 2}, {"ts_sec": True})
    assert [_seconds(offset) for offset in offsets] == [2, 2, 2, None, None]
    assert [_age(seconds) for seconds in (None, 0, 119, 120, 7200, 200_000)] == [
        "-",
        "0 s",
        "119 s",
        "2 min",
        "2 h",
        "2 d",
    ]


RUNNING, STOPPED = ConnectorStatus("RUNNING", ("RUNNING",), ("w",)), ConnectorStatus("STOPPED", (), ("w",))
LOST = Slot(False, "pgoutput", "shop", "lost", confirmed=1, retained=2048, behind=1)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"status": RUNNING}, None),
        ({"status": RUNNING, "slot_name": "s"}, None),
        ({"status": RUNNING, "slot_name": "s", "slot_examined": True}, "replication slot 's' does not exist"),
        ({"status": RUNNING, "slot_name": "s", "slot_examined": True, "slot": LOST}, "is lost"),
        ({"status": STOPPED}, "outbox-kit resume"),
        ({"status": ConnectorStatus("RUNNING", (), ("w",))}, "it does not run"),
        ({"status": ConnectorStatus("RUNNING", ("FAILED",), ("w",))}, "outbox-kit restart"),
    ],
)
def test_each_problem_of_the_overview_is_named(more: dict[str, Any], problem: str | None) -> None:
    problems = list(OutboxConnector("shop-outbox", **more).problems())
    assert problems == [] if problem is None else problem in problems[0]


def test_the_connector_of_another_outbox_is_refused() -> None:
    own = {"connector.class": "a", "topic.prefix": "shop", "slot.name": "shop_outbox"}
    delivery = Debezium(outbox_of(), Connect("http://127.0.0.1:1"), config=own)
    expect_own(delivery, {**own, "max.batch.size": "7"})
    for option in own:
        with pytest.raises(UsageProblem, match="is not the connector of this outbox") as refused:
            expect_own(delivery, {**own, option: "other"})
        assert f"{option} is 'other', expected '{own[option]}'" in refused.value.why
    expect_own(delivery, {**own, "slot.name": "other"}, slot=False)
    expect_own(delivery, {**own, "topic.prefix": "${env:PREFIX}"})  # which cannot be compared
