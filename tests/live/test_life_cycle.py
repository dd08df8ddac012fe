"""A connector's life between its deployment and its removal, on the real Kafka Connect."""

import json
import time
import uuid
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from confluent_kafka.admin import AdminClient

from outbox_kit.cli import status
from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.delivery.lifecycle import log_level
from outbox_kit.stack import Stack
from tests.live.arrivals import PARTITIONS, settled, verified
from tests.live.conftest import Database, Kit, made
from tests.live.consumed import ids_on
from tests.live.repeated import repeated
from tests.support.waiting import create_topics, until

INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, 'OrderPlaced', '{}')"
)


def states(stack: Stack, service: str) -> str:
    return str(connector_status(Connect(stack.connect_url).status(f"{service}-outbox")))


def slot_is_read(rows: psycopg.Connection, service: str) -> bool:
    query = "select active from pg_replication_slots where slot_name = %s"
    return bool((rows.execute(query, (f"{service}_outbox",)).fetchone() or (False,))[0])


def test_pause_stop_resume_and_restart_take_effect_before_they_end_and_can_be_repeated(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    def steps(*command: str) -> list[str]:
        return [step["name"] for step in json.loads(kit(*command, "--format", "json").stdout)["steps"]]

    assert steps("pause", "--dry-run") == ["pause-connector"] and "RUNNING" in states(stack, outbox)
    paused = kit("pause")
    assert states(stack, outbox) == "connector PAUSED, task 0 PAUSED"
    assert "retains WAL meanwhile" in paused.stdout and "outbox-kit resume" in paused.stdout
    assert steps("pause") == []

    assert steps("stop") == ["stop-connector"]
    assert states(stack, outbox) == "connector STOPPED, no task" and not slot_is_read(rows, outbox)
    assert steps("stop") == []
    assert "is STOPPED" in kit("pause", code=2).stderr
    assert "a restart does not resume it" in kit("restart", code=2).stderr

    assert "has passed a new row" in kit("resume").stderr
    assert steps("resume") == [] and steps("restart") == []
    started = rows.execute("select pid, backend_start from pg_stat_replication").fetchall()
    assert steps("restart", "--all") == ["restart-connector"]
    assert rows.execute("select pid, backend_start from pg_stat_replication").fetchall() != started


def test_a_failed_task_is_restarted_and_no_command_takes_the_connector_of_another_outbox(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    connect, name = Connect(stack.connect_url), f"{outbox}-outbox"
    rows.execute(f"drop publication {outbox}_outbox".encode())
    connect.restart(name)
    until(lambda: connector_status(connect.status(name)).failed, "the task fails")
    assert f"publication '{outbox}_outbox' does not exist" in kit("resume", code=4).stderr
    kit("gen-ddl", "--apply")
    assert "its task FAILED" in kit("resume", code=4).stderr
    assert "task 0 RUNNING" in kit("restart").stderr

    path = Path("outbox.yaml")
    text = path.read_text()
    path.write_text(text.replace("heartbeat_ms: 500", f"heartbeat_ms: 500, connector: {name}, slot: another_slot"))
    for command in ("pause", "stop", "restart", "resume"):
        assert "slot.name is" in kit(command, code=2).stderr
    path.write_text(text.replace("heartbeat_ms: 500", "heartbeat_ms: 500, connector: nowhere"))
    assert "'nowhere' is not registered" in kit("stop", code=4).stderr
    path.write_text(f"{text}delivery: {{by: relay}}\n")
    for command in ("pause", "stop", "restart", "resume"):
        assert "a relay publishes the events" in kit(command, code=2).stderr
    path.write_text(text)


def test_offsets_are_shown_deleted_and_restored_and_a_wrong_one_is_refused(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    name = f"{outbox}-outbox"
    for _ in range(3):
        rows.execute(INSERT, (uuid.uuid4(), "1"))
    settled(stack, outbox, 3)
    stored = Path("stored.json")

    def refused(change: str, **offset: object) -> None:
        document = json.loads(stored.read_text())
        partition = {"server": "another"} if change == "partition" else document["offsets"][0]["partition"]
        offset = {**document["offsets"][0]["offset"], **offset}
        Path("wrong.json").write_text(json.dumps({"offsets": [{"partition": partition, "offset": offset}]}))
        assert change in kit("offsets", "restore", "--from", "wrong.json", "--yes", code=2).stderr

    kit("stop")
    shown = json.loads(kit("offsets", "show", "--out", "stored.json", "--format", "json").stdout)
    assert shown["problems"] == [] and shown["offsets"] == json.loads(stored.read_text())["offsets"]
    refused("invalid lsn '0/16B3748': expected integer", lsn="0/16B3748")
    refused("is beyond the end of the server's WAL: it is the offset of another server", lsn=1 << 60)
    refused("has confirmed LSN", lsn=1, lsn_commit=1)
    refused("partition")
    assert "outbox-kit resend" in kit("offsets", "rewind", "--to", "0/16B3748", code=2).stderr

    assert "not confirmed" in kit("offsets", "reset", code=2).stderr
    assert Connect(stack.connect_url).offsets(name) == shown["offsets"]
    assert kit("offsets", "reset", "--yes", "--save", "old.json").stdout.endswith("outbox-kit verify\n")
    assert Connect(stack.connect_url).offsets(name) == []
    assert "nothing to do" in kit("offsets", "reset", "--yes").stderr
    kit("offsets", "restore", "--from", "old.json", "--yes")
    assert Connect(stack.connect_url).offsets(name) == shown["offsets"]
    kit("resume")
    assert not {"DUP-01", "DUP-02"} & verified(kit)[0].keys()

    again = kit("offsets", "reset", "--yes")
    assert "every row that the table still has is published again" in again.stdout
    settled(stack, outbox, 6)
    findings, _, counts = verified(kit)
    assert sum(findings.get(each, 0) for each in ("DUP-01", "DUP-02")) and "ORD-01" not in findings, counts


def test_events_are_sent_again_from_their_rows_and_verified_as_duplicates(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    events = [(uuid.uuid4(), key) for key in ("it's", "2", "it's", "2", "it's")]
    for event in events:
        rows.execute(INSERT, event)
    settled(stack, outbox, 5)
    columns = "select * from outbox order by sequence"
    before, first = rows.execute(columns).fetchall(), str(events[0][0])

    shown = kit("resend", "--id", first, "--dry-run").stdout
    assert f"{outbox}.Order: 1 event OrderPlaced again" in shown and "2 newer events of 1 key are before them" in shown
    assert "not confirmed" in kit("resend", "--id", first, code=2).stderr
    assert "is not in table" in kit("resend", "--id", str(uuid.uuid4()), "--yes", code=2).stderr
    assert "another type than its column" in kit("resend", "--id", "x'; --", "--yes", code=2).stderr
    assert "more than 2" in kit("resend", "--since", "2020-01-01", "--limit", "2", "--yes", code=2).stderr
    kit("resend", "--id", first, "--yes")
    settled(stack, outbox, 6)
    findings, _, counts = verified(kit)
    assert findings.keys() & {"DUP-01", "DUP-02", "ORD-01", "LOS-01"} == {"DUP-01"}, counts

    kit("resend", "--key", "it's", "--from-id", str(events[2][0]), "--yes")
    kit("resend", "--since", "2020-01-01T00:00Z", "--to-id", str(events[1][0]), "--until", "2099-01-01", "--yes")
    settled(stack, outbox, 10)
    assert rows.execute(columns).fetchall() == before
    findings, _, counts = verified(kit)
    assert not findings.keys() & {"ORD-01", "LOS-01", "DUP-03", "DUP-04"}, counts
    copies = Counter(ids_on(stack, f"{outbox}.Order", 5))
    assert [copies[str(event)] for event, _ in events] == [3, 2, 2, 1, 2]


def test_a_renamed_connector_publishes_each_event_once_while_events_are_written(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    connect, path, old = Connect(stack.connect_url), Path("outbox.yaml"), f"{outbox}-outbox"
    for _ in range(20):
        rows.execute(INSERT, (uuid.uuid4(), "1"))
    settled(stack, outbox, 20)
    text = path.read_text()
    assert "has this name in the schema file already" in kit("rename", "--from", old, code=2).stderr
    path.write_text(text.replace("heartbeat_ms: 500", "heartbeat_ms: 500, connector: renamed"))
    assert "neither connector" in kit("rename", "--from", "nowhere", code=4).stderr
    shown = json.loads(kit("rename", "--from", old, "--dry-run", "--format", "json").stdout)
    assert [step["name"] for step in shown["steps"]] == [
        "stop-former",
        "create-connector",
        "copy-offsets",
        "delete-former",
        "resume-connector",
    ]
    with repeated(lambda: rows.execute(INSERT, (uuid.uuid4(), "1")), 0.01):
        kit("rename", "--from", old)
    assert connect.config(old) is None and connector_status(connect.status("renamed")).running
    assert "nothing to do" in kit("rename", "--from", old).stderr
    findings, _, counts = verified(kit)
    assert not findings.keys() & {"LOS-01", "ORD-01", "DUP-01", "DUP-02"} and counts["outbox_rows"] > 20, counts


def test_a_log_level_is_changed_for_a_time_and_set_back_after_an_interruption(
    stack: Stack, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, logger = Connect(stack.connect_url), f"io.debezium.{uuid.uuid4().hex}"
    levels: list[str | None] = []

    def interrupted(_: float) -> None:
        until(lambda: connect.log_level(logger) == "DEBUG", "the level is set")
        levels.append(connect.log_level(logger))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(log_level, "time", SimpleNamespace(sleep=interrupted, monotonic=time.monotonic))
        assert "interrupted in step 1" in kit("log-level", "debug", "--logger", logger, code=130).stderr
    until(lambda: connect.log_level(logger) == "INFO", "the level is set back")
    assert levels == ["DEBUG"]
    kit("log-level", "DEBUG", "--logger", logger, "--for", "1")
    until(lambda: connect.log_level(logger) == "INFO", "the level is set back")
    assert "nothing to do" in kit("log-level", "INFO", "--logger", logger).stderr


def test_a_poisoned_event_is_skipped_corrected_and_sent_again(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    connect, name = Connect(stack.connect_url), f"{outbox}-outbox"
    config = connect.config(name)
    assert "nothing to do" in kit("skip-poisoned", "--yes").stderr
    for (check,) in rows.execute(
        "select conname from pg_constraint where conrelid = 'outbox'::regclass and contype = 'c'"
    ):
        rows.execute(f'alter table outbox drop constraint "{check}"'.encode())
    poisoned, after = uuid.uuid4(), uuid.uuid4()
    rows.execute(INSERT.replace("'{}'", "to_json(repeat('x', 12000000))"), (poisoned, "1"))
    rows.execute(INSERT, (after, "1"))
    until(lambda: connector_status(connect.status(name)).failed, "the task fails")

    assert "is not published" in kit("skip-poisoned", "--dry-run").stdout
    assert "not confirmed" in kit("skip-poisoned", code=2).stderr
    kit("skip-poisoned", "--yes")
    assert connect.config(name) == config and connector_status(connect.status(name)).running
    settled(stack, outbox, 1)
    rows.execute("update outbox set payload = '{}' where id = %s", (poisoned,))
    findings, _, counts = verified(kit, code=1)
    assert findings["LOS-01"] == 1, counts
    kit("resend", "--id", str(poisoned), "--yes")
    settled(stack, outbox, 2)
    assert {*ids_on(stack, f"{outbox}.Order", 2)} == {str(poisoned), str(after)}
    kit("gen-ddl", "--apply")


def test_all_outboxes_are_on_one_screen_that_is_refreshed(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows.execute(INSERT, (uuid.uuid4(), "1"))
    settled(stack, outbox, 1)

    def line() -> dict[str, object]:
        shown = json.loads(kit("status", "--all", "--format", "json", code=None).stdout)
        vanished = "Broker: Unknown topic or partition"  # another test's topic, which was deleted after it was listed
        assert [each for each in shown["unanswered"] if each["why"] != vanished] == []
        return next(each for each in shown["connectors"] if each["connector"] == f"{outbox}-outbox")

    assert line()["problems"] == [] and line()["events_per_minute"] in (0, 1, 2)  # the canary too, within a minute
    assert 0 <= float(str(line()["offset_seconds"])) < 60 and line()["slot"] == f"{outbox}_outbox"
    kit("stop")
    assert line()["problems"] == ["it is STOPPED and publishes no events: outbox-kit resume"]

    screens: list[float] = []

    def ended(seconds: float) -> None:
        screens.append(seconds)
        if len(screens) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(status, "_ticks", lambda seconds: (ended(seconds) for _ in iter(int, 1)))
        shown = kit("status", "--all", "--watch", "--interval", "7", code=130).stdout
    assert f"{outbox}-outbox" in shown and screens == [7, 7]


@pytest.mark.parametrize("more", ["", ", source: table", ", source: table, record: mark"])
def test_a_relay_sends_events_again(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, admin: AdminClient, more: str
) -> None:
    with made(stack, database, kit, f"delivery: {{by: relay{more}}}\n") as service:
        create_topics(admin, f"{service}.Order", partitions=PARTITIONS)
        if not more:
            kit("relay", "--once")  # it creates its slot
        events = [uuid.uuid4() for _ in range(3)]
        for event in events:
            rows.execute(INSERT, (event, "1"))
        kit("relay", "--once")
        shown = kit("resend", "--id", str(events[0]), "--yes").stdout
        assert "2 newer events of 1 key are before them" in shown
        kit("relay", "--once")
        assert ids_on(stack, f"{service}.Order", 3) == [*map(str, events), str(events[0])]
        findings, _, counts = verified(kit)
        assert findings.keys() & {"DUP-01", "ORD-01", "LOS-01"} == {"DUP-01"}, counts
        rows.execute(
            "select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = %s", (service,)
        )


SIGNALS = """config: {{signal.enabled.channels: kafka, signal.kafka.topic: {topic}, signal.kafka.groupId: {topic},
  signal.kafka.bootstrap.servers: "{bootstrap}", read.only: "true", signal.poll.interval.ms: "300",
  signal.kafka.poll.timeout.ms: "200", """


def test_a_signal_starts_an_incremental_snapshot_of_a_key(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, admin: AdminClient
) -> None:
    with made(stack, database, kit) as service:
        path, topic = Path("outbox.yaml"), f"signals.{service}"
        kit("deploy-connector", "--yes", "--stable-for", "0")
        assert "reads no signals from Kafka" in kit("snapshot", "start", code=2).stderr
        kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
        path.write_text(
            path.read_text().replace(
                "config: {", SIGNALS.format(topic=topic, bootstrap=stack.bootstrap).replace("\n", "")
            )
        )
        kit("deploy-connector", "--yes", "--stable-for", "0")
        try:
            assert "does not exist" in kit("snapshot", "stop", code=4).stderr
            create_topics(admin, topic, partitions=1)
            for key in ("it's", "2", "it's"):
                rows.execute(INSERT, (uuid.uuid4(), key))
            settled(stack, service, 3)
            assert "3 rows published again" in kit("snapshot", "start", "--dry-run").stdout
            shown = kit("snapshot", "start", "--key", "it's", "--since", "2020-01-01", "--until", "2099-01-01", "--yes")
            assert "2 rows published again" in shown.stdout
            settled(stack, service, 5)
            findings, _, counts = verified(kit)
            assert findings.keys() & {"DUP-01", "DUP-02"} and "ORD-01" not in findings, counts
            assert counts["copies"] == 2
        finally:
            kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
