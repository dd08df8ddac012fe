"""The steps of a hand-over, from every state in which it may begin."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from outbox_kit.connect.client import Connect
from outbox_kit.connect.deploy import Deployment
from outbox_kit.connect.plan import ConfigChange
from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.failures import FailureCounts
from outbox_kit.databases.hand_over import RelayTables
from outbox_kit.databases.interface import Slot, SlotReader
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.state import HandOverState
from outbox_kit.delivery.handover.to_connector import ToConnector
from outbox_kit.delivery.handover.to_relay import ToRelay
from outbox_kit.errors import ConnectorUnhealthy, DatabaseRefused, UnsafeChange, UsageProblem
from tests.support.records import outbox_of

OFFSET = {"lsn": 90, "lsn_commit": 100, "txId": 7, "messageType": "INSERT"}
RUNNING = ConnectorStatus("RUNNING", ("RUNNING",), ("w",))
STOPPED, PAUSED = ConnectorStatus("STOPPED", (), ("w",)), ConnectorStatus("PAUSED", ("PAUSED",), ("w",))
FAILED, UNKNOWN = ConnectorStatus("RUNNING", ("FAILED",), ("w",)), ConnectorStatus("UNKNOWN", (), ())
DEBEZIUM, RELAY = SlotReader(1, "Debezium Streaming"), SlotReader(2, "outbox-kit relay")
HIDDEN = SlotReader(3, None)
SLOT = Slot(True, "pgoutput", "shop", "reserved", confirmed=100, retained=4096, behind=2048)
TABLES = RelayTables((), FailureCounts(0, 0), False, None)
PUBLISHES = HandOverState(RUNNING, {"a": "b"}, OFFSET, 100, SLOT, DEBEZIUM, TABLES)
RELAYED = replace(PUBLISHES, status=STOPPED, reader=RELAY)
KEPT = replace(TABLES, connector_offset=OFFSET)
STOP, KEEP, SET, RESUME = "stop-connector", "keep-offset", "set-offset", "resume-connector"
AWAIT, CREATE, UPDATE = "await-relay", "create-connector", "update-connector"


@pytest.fixture(autouse=True)
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "preflight", lambda _: None)


def to_relay() -> ToRelay:
    return ToRelay(Debezium(outbox_of(), Connect("http://127.0.0.1:1"), config={}), lambda _: None, lambda: math.inf)


def to_connector(**more: Any) -> ToConnector:
    return ToConnector(
        Debezium(outbox_of(), Connect("http://127.0.0.1:1"), config={}),
        lambda _: None,
        lambda: math.inf,
        lambda: math.inf,
        **more,
    )


@pytest.mark.parametrize(
    ("state", "names"),
    [
        (PUBLISHES, [STOP, KEEP]),
        (replace(PUBLISHES, tables=KEPT), [STOP, KEEP]),
        (replace(PUBLISHES, status=PAUSED), [STOP, KEEP]),
        (replace(PUBLISHES, status=FAILED, reader=None), [STOP, KEEP]),
        (replace(PUBLISHES, status=STOPPED), [STOP, KEEP]),  # the slot is not free yet
        (replace(PUBLISHES, status=STOPPED, reader=HIDDEN), [STOP, KEEP]),
        (replace(PUBLISHES, status=STOPPED, reader=None), [KEEP]),
        (replace(PUBLISHES, status=STOPPED, reader=None, tables=KEPT), []),
        (RELAYED, []),
        (replace(RELAYED, status=RUNNING), [STOP]),  # resumed beside the relay
    ],
)
def test_to_the_relay(state: HandOverState, names: list[str]) -> None:
    operation = to_relay()
    operation.refuse(state)
    assert [step.name for step in operation.steps(state)] == names


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        (replace(PUBLISHES, config=None, status=UNKNOWN), UsageProblem),
        (replace(PUBLISHES, offset=None, reached=None), ConnectorUnhealthy),  # within its initial snapshot
        (
            replace(PUBLISHES, tables=replace(TABLES, missing=["table public.outbox_relay does not exist"])),
            DatabaseRefused,
        ),
    ],
)
def test_what_a_relay_cannot_take_over_is_refused(state: HandOverState, problem: type[Exception]) -> None:
    with pytest.raises(problem):
        to_relay().refuse(state)


@pytest.mark.parametrize(
    ("state", "edits", "names"),
    [
        (PUBLISHES, {}, []),
        (replace(PUBLISHES, reader=HIDDEN), {}, [STOP, SET, RESUME]),  # it may be a relay
        (RELAYED, {}, [AWAIT, SET, RESUME]),
        (RELAYED, {"tasks.max": "1"}, [AWAIT, UPDATE, SET, RESUME]),
        (replace(RELAYED, status=RUNNING), {}, [STOP, AWAIT, SET, RESUME]),
        (replace(RELAYED, status=FAILED), {}, [STOP, AWAIT, SET, RESUME]),
        (replace(RELAYED, reader=None), {}, [RESUME]),  # no relay has published
        (replace(RELAYED, reader=None, reached=101), {}, [RESUME]),  # never to an earlier position
        (replace(RELAYED, reader=None, reached=99), {}, [SET, RESUME]),
        (replace(RELAYED, reader=None, reached=None), {}, [SET, RESUME]),
        (
            replace(RELAYED, config=None, status=UNKNOWN, offset=None, reached=None),
            {"a": "b"},
            [AWAIT, CREATE, SET, RESUME],
        ),
        (replace(PUBLISHES, status=PAUSED), {}, [STOP, SET, RESUME]),
    ],
)
def test_to_the_connector(
    state: HandOverState, edits: Mapping[str, str], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [ConfigChange(key, None, value) for key, value in edits.items()]
    monkeypatch.setattr(ToConnector, "_deployment", lambda _: Deployment("shop-outbox", edits=changes))
    operation = to_connector()
    operation.refuse(state)
    assert [step.name for step in operation.steps(state)] == names


def test_failed_events_are_left_only_if_that_is_allowed() -> None:
    state = replace(RELAYED, tables=replace(TABLES, failures=FailureCounts(1, 2)))
    with pytest.raises(UnsafeChange, match="1 dead letter and 2 waiting events"):
        to_connector().refuse(state)
    to_connector(leave_failed=True).refuse(state)
    to_connector().refuse(replace(state, tables=replace(TABLES, failures=None)))
