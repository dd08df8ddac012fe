"""The steps of a hand-over with relays that read the table, from every state in which it may begin."""

import math
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from outbox_kit.connect.client import Connect
from outbox_kit.connect.deploy import Deployment
from outbox_kit.connect.plan import ConfigChange
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.failures import FailureCounts
from outbox_kit.databases.hand_over import TableRelays
from outbox_kit.databases.interface import Slot, SlotReader
from outbox_kit.databases.postgres import table_hand_over
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover import offset_to_table, slot_to_table
from outbox_kit.delivery.handover.connector_start import ConnectorStart
from outbox_kit.delivery.handover.offset_to_table import OffsetToTable
from outbox_kit.delivery.handover.operation import AnyHandOver, start_connector, start_relay
from outbox_kit.delivery.handover.slot_to_table import SlotToTable
from outbox_kit.delivery.handover.table_to_offset import TableToOffset
from outbox_kit.delivery.handover.table_to_slot import TableToSlot
from outbox_kit.delivery.handover.tables import TableState
from outbox_kit.delivery.handover.to_connector import ToConnector
from outbox_kit.delivery.handover.to_relay import ToRelay
from outbox_kit.errors import (
    ConnectorUnhealthy,
    ConnectRefused,
    DatabaseRefused,
    SlotInUse,
    UnsafeChange,
    UsageProblem,
)
from outbox_kit.schema.model import Outbox

OFFSET = {"lsn": 90, "lsn_commit": 100, "txId": 7, "messageType": "INSERT"}
RUNNING = ConnectorStatus("RUNNING", ("RUNNING",), ("w",))
STOPPED, FAILED = ConnectorStatus("STOPPED", (), ("w",)), ConnectorStatus("RUNNING", ("FAILED",), ("w",))
UNKNOWN = ConnectorStatus("UNKNOWN", (), ())
DEBEZIUM, LOG_RELAY = SlotReader(1, "Debezium Streaming"), SlotReader(2, "outbox-kit relay")
SLOT = Slot(True, "pgoutput", "shop", "reserved", confirmed=100, retained=4096, behind=2048)
NONE = TableRelays(True, (), FailureCounts(0, 0))
RUNS = replace(NONE, running=("host 7",))
PUBLISHES = TableState(RUNNING, {"a": "b"}, OFFSET, 100, SLOT, DEBEZIUM, NONE, ())
HANDED = replace(PUBLISHES, status=STOPPED, slot=None, reader=None)
RELAYED = replace(HANDED, table_relays=RUNS)
BINLOG = replace(PUBLISHES, offset={"file": "binlog.000001", "pos": 4}, reached=(1 << 40) + 4, slot=None, reader=None)
DELETED = replace(BINLOG, status=STOPPED, offset=None, reached=None)
STOP, RECORD, DROP, RESUME, RESET = (
    "stop-connector",
    "record-published",
    "drop-slot",
    "resume-connector",
    "reset-offset",
)
CREATE_SLOT, PUBLISHED, AWAIT, SETTLE, SET = (
    "create-slot",
    "await-published",
    "await-relay",
    "settle-slot",
    "set-offset",
)


def outbox(dialect: str = "postgres", **delivery: Any) -> Outbox:
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": dialect},
            "delivery": {"source": "table", "record": "position" if dialect == "postgres" else "delete", **delivery},
            "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
        }
    )


def delivery(of: Outbox) -> Debezium:
    return Debezium(of, Connect("http://127.0.0.1:1"), "host=127.0.0.1 dbname=shop", {"topic.prefix": "shop"})


def never() -> float:
    return math.inf


def to_relay(dialect: str = "postgres") -> AnyHandOver[Any]:
    return start_relay(delivery(outbox(dialect, by="relay")), lambda _: None, never)


def to_connector(dialect: str = "postgres", **more: Any) -> AnyHandOver[Any]:
    given = {} if dialect == "postgres" else {"source": "log", "record": "position"}  # as if nothing was written down
    return start_connector(delivery(outbox(dialect, **given)), lambda _: None, never, never, **more)


@pytest.fixture(autouse=True)
def servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "preflight", lambda _: None)
    monkeypatch.setattr(slot_to_table, "existing_slot", lambda _: SLOT)
    monkeypatch.setattr(table_hand_over, "may_read_log", lambda *_: True)
    monkeypatch.setattr(Debezium, "point", lambda _: 1 << 50)
    monkeypatch.setattr(ConnectorStart, "_deployment", lambda _: Deployment("shop-outbox"))


@pytest.mark.parametrize(
    ("of", "kind"),
    [
        (outbox(by="relay", source="log"), ToRelay),
        (outbox(by="relay"), SlotToTable),
        (outbox("mysql", by="relay"), OffsetToTable),
        (outbox("mariadb", by="relay"), OffsetToTable),
        (outbox(source="log"), ToConnector),
        (outbox(), TableToSlot),
        (outbox("mysql", source="log"), TableToOffset),
    ],
)
def test_the_kind_follows_from_the_database_and_what_its_relays_read(of: Outbox, kind: type[Any]) -> None:
    made = delivery(of)
    by_relay = of.delivery.by == "relay"
    found = start_relay(made, print, never) if by_relay else start_connector(made, print, never, never)
    assert type(found) is kind


@pytest.mark.parametrize(
    ("dialect", "state", "names"),
    [
        ("postgres", PUBLISHES, [STOP, RECORD, DROP]),
        ("postgres", replace(PUBLISHES, status=FAILED, reader=None), [STOP, RECORD, DROP]),
        ("postgres", replace(PUBLISHES, status=STOPPED), [STOP, RECORD, DROP]),  # the slot is not free yet
        ("postgres", replace(PUBLISHES, status=STOPPED, reader=None), [RECORD, DROP]),
        ("postgres", HANDED, []),
        ("postgres", RELAYED, []),
        ("mysql", BINLOG, ["delete-published", STOP, RESET]),
        ("mysql", replace(BINLOG, status=STOPPED), [RESUME, "delete-published", STOP, RESET]),
        ("mysql", DELETED, []),
        ("mysql", replace(DELETED, table_relays=RUNS), []),
    ],
)
def test_to_relays(dialect: str, state: TableState, names: list[str]) -> None:
    operation = to_relay(dialect)
    operation.refuse(state)
    assert [step.name for step in operation.steps(state)] == names


@pytest.mark.parametrize(
    ("dialect", "state", "problem"),
    [
        ("postgres", replace(PUBLISHES, config=None, status=UNKNOWN), UsageProblem),
        ("postgres", replace(PUBLISHES, table_relays=RUNS), UnsafeChange),
        ("postgres", replace(PUBLISHES, defects=["table public.outbox_lane does not exist"]), DatabaseRefused),
        ("postgres", replace(PUBLISHES, offset=None, reached=None), ConnectorUnhealthy),
        ("postgres", replace(PUBLISHES, reader=LOG_RELAY), SlotInUse),
        ("mysql", replace(BINLOG, config=None, status=UNKNOWN), UsageProblem),
        ("mysql", replace(BINLOG, table_relays=RUNS), UnsafeChange),
        ("mysql", replace(BINLOG, defects=["table shop.outbox_lane does not exist"]), DatabaseRefused),
        ("mysql", replace(BINLOG, reached=1 << 51), ConnectRefused),  # another server's
        ("mysql", replace(BINLOG, status=FAILED), ConnectorUnhealthy),
        ("mysql", replace(BINLOG, offset=None, reached=None), ConnectorUnhealthy),
    ],
)
def test_what_relays_cannot_take_over_is_refused(dialect: str, state: TableState, problem: type[Exception]) -> None:
    with pytest.raises(problem):
        to_relay(dialect).refuse(state)


@pytest.mark.parametrize(
    ("dialect", "state", "names"),
    [
        ("postgres", PUBLISHES, []),
        ("postgres", RELAYED, [CREATE_SLOT, PUBLISHED, AWAIT, SETTLE, SET, RESUME]),
        ("postgres", HANDED, [CREATE_SLOT, PUBLISHED, SETTLE, SET, RESUME]),
        ("postgres", replace(RELAYED, slot=SLOT, reached=90), [PUBLISHED, AWAIT, SETTLE, SET, RESUME]),
        ("postgres", replace(HANDED, slot=SLOT, reached=90), [SETTLE, SET, RESUME]),
        ("postgres", replace(HANDED, slot=SLOT), [RESUME]),  # its offset is set
        ("postgres", replace(PUBLISHES, table_relays=RUNS), [STOP, PUBLISHED, AWAIT, SETTLE, SET, RESUME]),
        ("mysql", BINLOG, []),
        ("mysql", DELETED, [RESUME]),
        ("mysql", replace(DELETED, status=RUNNING), [RESUME]),  # within its initial snapshot
        ("mysql", replace(DELETED, table_relays=RUNS), [AWAIT, RESUME]),
        ("mysql", replace(BINLOG, status=STOPPED, table_relays=RUNS), [RESET, AWAIT, RESUME]),
        ("mysql", replace(BINLOG, table_relays=RUNS), [STOP, RESET, AWAIT, RESUME]),
        ("mysql", replace(DELETED, config=None, status=UNKNOWN), ["create-connector", RESUME]),
    ],
)
def test_to_a_connector(dialect: str, state: TableState, names: list[str]) -> None:
    operation = to_connector(dialect)
    operation.refuse(state)
    assert [step.name for step in operation.steps(state)] == names


@pytest.mark.parametrize(
    ("dialect", "state", "problem"),
    [
        ("postgres", replace(RELAYED, table_relays=replace(NONE, present=False)), UsageProblem),
        ("postgres", replace(RELAYED, reader=LOG_RELAY, slot=SLOT), SlotInUse),
        ("postgres", replace(RELAYED, table_relays=replace(RUNS, failures=FailureCounts(1, 2))), UnsafeChange),
        ("mysql", replace(DELETED, table_relays=replace(NONE, present=False)), UsageProblem),
        ("mysql", replace(DELETED, table_relays=replace(RUNS, failures=FailureCounts(1, 2))), UnsafeChange),
        ("mysql", replace(BINLOG, status=STOPPED), UnsafeChange),  # whether a relay has published since is not known
    ],
)
def test_what_a_connector_cannot_take_over_is_refused(
    dialect: str, state: TableState, problem: type[Exception]
) -> None:
    with pytest.raises(problem):
        to_connector(dialect).refuse(state)


def test_rows_that_a_connector_would_leave_out_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    of = outbox("mysql", source="log", record="position")
    late = of.model_copy(update={"connect": of.connect.model_copy(update={"snapshot": "no_data"})})
    operation = start_connector(delivery(late), print, never, never)
    with pytest.raises(UsageProblem, match=r"invalid connect\.snapshot 'no_data'"):
        operation.refuse(DELETED)
    operation.refuse(BINLOG)  # it publishes
    monkeypatch.setattr(table_hand_over, "may_read_log", lambda *_: False)
    with pytest.raises(DatabaseRefused, match="role 'shop_outbox'"):
        to_connector().refuse(RELAYED)


def test_failed_events_are_left_only_if_that_is_allowed() -> None:
    to_connector(leave_failed=True).refuse(replace(RELAYED, table_relays=replace(RUNS, failures=FailureCounts(1, 2))))


@pytest.mark.parametrize("edits", [{"tasks.max": "1"}])
def test_a_changed_configuration_is_updated(edits: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [ConfigChange(key, None, value) for key, value in edits.items()]
    monkeypatch.setattr(ConnectorStart, "_deployment", lambda _: Deployment("shop-outbox", edits=changes))
    assert next(step.name for step in to_connector().steps(RELAYED)) == "update-connector"


@pytest.mark.parametrize("dialect", ["mongodb", "sqlserver", "oracle"])
def test_other_databases_have_no_hand_over(dialect: str) -> None:
    of = Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": dialect},
            "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
        }
    )
    with pytest.raises(UsageProblem, match="no hand-over with"):
        start_connector(delivery(of), print, never, never)


@pytest.mark.parametrize("by", ["connector", "relay"])
def test_marked_rows_are_not_handed_over_without_slots(by: str) -> None:
    of = outbox("mysql", by=by, record="mark", mark={"published_at": "published_at"})
    with pytest.raises(UsageProblem, match="relays that mark rows"):
        start_relay(delivery(of), print, never)
    with pytest.raises(UsageProblem, match="relays that mark rows"):
        start_connector(delivery(of), print, never, never)


@pytest.mark.parametrize(
    ("stored", "deleted", "repeated"),
    [
        ([5, 5, 35], ["a", "b", "c"], 0),
        ([5, 15], ["a"], 2),  # a task that its worker has ended stores nothing more
        ([None], [], 3),
    ],
)
def test_only_what_the_stored_offset_has_passed_is_deleted(
    stored: list[int | None], deleted: list[str], repeated: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, lines, points = list[Any](), list[str](), iter([10, 20, 30])
    rows = iter([["a"], ["a", "b"], ["a", "b", "c"]])
    tables = SimpleNamespace(
        committed_rows=lambda *_: next(rows), delete_rows=lambda _, __, ids: calls.append(sorted(ids))
    )
    positions = iter(stored)
    monkeypatch.setattr(offset_to_table, "PASS_SECONDS", 0.01)
    monkeypatch.setattr(offset_to_table, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(offset_to_table, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(offset_to_table, "STORE_SECONDS", 0.5)
    monkeypatch.setattr(offset_to_table, "offset_hand_over", lambda _: tables)
    monkeypatch.setattr(offset_to_table, "await_stopped", lambda *_: None)
    monkeypatch.setattr(Connect, "stop", lambda *_: calls.append("stop"))
    monkeypatch.setattr(Debezium, "status", lambda _: STOPPED)
    monkeypatch.setattr(Debezium, "point", lambda _: next(points))
    monkeypatch.setattr(Debezium, "stored_position", lambda _: next(positions, stored[-1]))
    monkeypatch.setattr(Debezium, "probe", SimpleNamespace(write_heartbeat=lambda *_: calls.append("heartbeat")))
    operation = start_relay(delivery(outbox("mysql", by="relay")), lines.append, never)
    assert isinstance(operation, OffsetToTable)
    operation._stop_and_delete()
    assert calls == ["heartbeat", "stop", deleted]
    assert sum(f"at most {repeated} events will be published twice" in line for line in lines) == bool(repeated)
