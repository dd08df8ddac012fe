"""What is decided about a replacement without asking a system: the steps, the trial's config, the comparison."""

from dataclasses import replace
from typing import Any

import pytest

from outbox_kit.connect.status import ConnectorStatus
from outbox_kit.databases.interface import Slot
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.replacement.comparison import Compared, PublishedMessage, compare
from outbox_kit.delivery.replacement.duplicates import MOST_EVENTS, Pending
from outbox_kit.delivery.replacement.replacement import Replacement
from outbox_kit.delivery.replacement.state import ConnectorSide, ReplacementState
from outbox_kit.delivery.replacement.trial import Trial
from outbox_kit.delivery.replacement.trial_config import trial_of
from outbox_kit.errors import ConnectorUnhealthy, DatabaseRefused, OutOfTime, UnsafeChange, UsageProblem
from outbox_kit.kafka.read import Cluster
from outbox_kit.wire import connector
from tests.support.records import outbox_of

RUNNING, STOPPED = ConnectorStatus("RUNNING", ("RUNNING",), ("w",)), ConnectorStatus("STOPPED", (), ("w",))
FAILED = ConnectorStatus("RUNNING", ("FAILED",), ("w",))
UNKNOWN = ConnectorStatus("UNKNOWN", (), ("w",))


def slot(confirmed: int, *, active: bool = False, wal_status: str = "reserved") -> Slot:
    return Slot(active, "pgoutput", "shop", wal_status, confirmed=confirmed, retained=0, behind=0)


BLUE = ConnectorSide("blue", {}, RUNNING, slot(10, active=True), 10)
ENDED = replace(BLUE, status=STOPPED, slot=slot(10))
NO_BLUE = ConnectorSide("blue", None, UNKNOWN, None, None)
NO_GREEN = ConnectorSide("green", None, UNKNOWN, None, None)
CREATED = ConnectorSide("green", {}, STOPPED, None, None)
SET = replace(CREATED, slot=slot(10), reached=10)
GREEN = replace(SET, status=RUNNING, slot=slot(12, active=True), reached=12)
COPIES = ["copy-slot", "copy-offset", "resume-connector", "drop-former-slot", "delete-former"]
SWITCH = ["stop-former", *COPIES]


@pytest.mark.parametrize(
    ("former", "new", "more", "steps"),
    [
        (BLUE, NO_GREEN, {}, ["run-trial", "create-connector", *SWITCH]),
        (BLUE, NO_GREEN, {"trial_left": True}, ["remove-trial", "run-trial", "create-connector", *SWITCH]),
        (BLUE, CREATED, {}, SWITCH),
        (BLUE, CREATED, {"matches": False}, ["discard-connector", "run-trial", "create-connector", *SWITCH]),
        (ENDED, CREATED, {}, COPIES),
        (ENDED, replace(CREATED, slot=slot(10)), {}, COPIES[1:]),
        (ENDED, replace(CREATED, reached=10), {}, COPIES),  # the slot was dropped when the former was resumed
        (ENDED, SET, {}, COPIES[2:]),
        (BLUE, SET, {}, SWITCH),  # the former was resumed by hand
        (replace(ENDED, slot=slot(11), reached=11), SET, {}, COPIES),  # and stopped again
        (replace(ENDED, reached=11), SET, {}, COPIES[1:]),  # and its last confirmation was lost
        (ENDED, GREEN, {}, COPIES[2:]),
        (ENDED, replace(GREEN, status=FAILED), {}, COPIES[2:]),
        (ENDED, GREEN, {"matches": False}, COPIES[2:]),
        (replace(ENDED, slot=None), GREEN, {}, ["resume-connector", "delete-former"]),
        (NO_BLUE, GREEN, {}, []),
        (NO_BLUE, replace(GREEN, status=STOPPED), {}, ["resume-connector"]),
        (NO_BLUE, GREEN, {"trial_left": True}, ["remove-trial"]),
        (replace(BLUE, status=FAILED), CREATED, {}, SWITCH),
    ],
)
def test_the_steps_follow_from_the_state(
    former: ConnectorSide, new: ConnectorSide, more: dict[str, bool], steps: list[str]
) -> None:
    state = ReplacementState(former, new, **{"trial_left": False, "matches": new.config is not None, **more})
    state.refuse("url")
    assert state.steps() == steps


@pytest.mark.parametrize(
    ("former", "new", "error", "text"),
    [
        (NO_BLUE, NO_GREEN, ConnectorUnhealthy, "neither connector 'blue' nor 'green'"),
        (BLUE, GREEN, ConnectorUnhealthy, "both registered, and 'green' is"),
        (BLUE, replace(SET, status=ConnectorStatus("PAUSED", ("PAUSED",), ("w",))), ConnectorUnhealthy, "'green' is"),
        (replace(BLUE, slot=None), NO_GREEN, DatabaseRefused, "does not exist"),
        (replace(BLUE, slot=slot(1, wal_status="lost")), NO_GREEN, DatabaseRefused, "wal_status=lost"),
        (BLUE, replace(NO_GREEN, slot=slot(1)), DatabaseRefused, "'green' exists"),
        (ENDED, NO_GREEN, ConnectorUnhealthy, "'blue' does not run"),
        (replace(BLUE, status=FAILED), NO_GREEN, ConnectorUnhealthy, "'blue' does not run"),
        (replace(BLUE, reached=None), NO_GREEN, ConnectorUnhealthy, "has stored no offset"),
    ],
)
def test_states_from_which_nothing_is_replaced(
    former: ConnectorSide, new: ConnectorSide, error: type[Exception], text: str
) -> None:
    state = ReplacementState(former, new, trial_left=False, matches=new.config is not None)
    with pytest.raises(error, match=text):
        state.refuse("url")


def test_a_connector_that_has_published_is_not_replaced_by_the_former_one() -> None:
    def published(former: ConnectorSide, new: ConnectorSide) -> bool:
        return ReplacementState(former, new, trial_left=False, matches=True).published

    assert not published(ENDED, SET) and not published(BLUE, SET)
    assert published(ENDED, GREEN) and published(replace(ENDED, slot=None), GREEN)
    assert published(ENDED, replace(SET, slot=slot(11)))


def test_nothing_of_the_trial_reaches_the_topics_of_events() -> None:
    raw = {
        "connect": {"config": {"signal.enabled.channels": "kafka", "transforms": "outbox, last", "slot.name": "own"}}
    }
    outbox = outbox_of(**raw)
    trial = trial_of(Debezium(outbox, config=connector.config(outbox)))
    config: dict[str, Any] = trial.config or {}
    last = config["transforms"].split(",")[-1]
    assert config["transforms"] == f"outbox,last,{last}"
    assert config[f"transforms.{last}.replacement"] == f"{outbox.names.connector}.trial.$1"
    assert f"transforms.{last}.predicate" not in config and "signal.enabled.channels" not in config
    assert config["slot.name"] == trial.outbox.names.slot == f"{outbox.names.slot}_trial"
    assert config["topic.prefix"] == f"{outbox.names.topic_prefix}-trial" and trial.name.endswith("-trial")


A = PublishedMessage("orders", 0, b"1", (("id", b"a"),), b"{}")


@pytest.mark.parametrize(
    ("new", "parts"),
    [
        (A, []),
        (A._replace(topic="other"), ["topic"]),
        (A._replace(partition=1), ["partition"]),
        (A._replace(key=None, value=b"\0"), ["key", "value"]),
        (A._replace(headers=(*A.headers, ("kind", None))), ["headers"]),
    ],
)
def test_messages_are_compared_part_by_part(new: PublishedMessage, parts: list[str]) -> None:
    def compared(sized: str) -> list[str]:
        both = {"a": A, "before": A}, {"a": new, "after": A}
        return [*compare(*both, expected_of_new={"a"}, expected_of_former={"a"}, sized={sized}).differing]

    assert compared("orders") == parts
    assert compared("another") == [part for part in parts if part != "partition"]


def test_an_event_of_only_one_connector_is_a_difference() -> None:
    compared = compare({"a": A}, {"b": A}, expected_of_new=["a"], expected_of_former=["b"], sized=())
    assert (compared.missing, compared.additional, compared.messages, compared.complete) == (["a"], ["b"], 0, False)
    assert [line.partition(" such")[0] for line in compared.lines()] == [
        "1 event not published by the new connector,",
        "1 event published only by it,",
    ]


SAME = Compared(3, {}, [], [], [])


@pytest.mark.parametrize(
    ("compared", "accept", "error"),
    [
        (SAME, False, None),
        (replace(SAME, differing={"headers": ["a"]}), True, None),
        (replace(SAME, differing={"headers": ["a"]}), False, UnsafeChange),
        (replace(SAME, missing=["a"]), True, UnsafeChange),
        (replace(SAME, additional=["a"]), True, UnsafeChange),
        (replace(SAME, messages=0), True, OutOfTime),
    ],
)
def test_differences_are_accepted_and_lost_events_never(
    compared: Compared, accept: bool, error: type[Exception] | None
) -> None:
    lines: list[str] = []
    delivery = Debezium(outbox_of())
    trial = Trial(delivery, delivery, Cluster("x:1"), 0, lambda: 0, lines.append, accept=accept)
    if error is None:
        trial._judge(compared)
        assert "compared 3 messages" in lines[-1] and ("equal" in lines[-1]) is not accept
    else:
        with pytest.raises(error):
            trial._judge(compared)


def test_what_was_not_counted_is_not_zero() -> None:
    assert Pending(2, 1).text == "2 events behind the stored offset, of which 1 will be published twice"
    assert Pending(2, None).text.endswith("not counted: how many of them are published twice")
    assert f"more than {MOST_EVENTS:,}" in Pending(None, None).text


@pytest.mark.parametrize("dialect", ["mysql", "mariadb"])
def test_databases_without_a_slot_are_refused(dialect: str) -> None:
    outbox = outbox_of(database={"dialect": dialect})
    operation = Replacement(Trial(Debezium(outbox), Debezium(outbox), Cluster("x:1"), 0, lambda: 0, print))
    with pytest.raises(UsageProblem, match="'replace' does not support"):
        operation.plan()
