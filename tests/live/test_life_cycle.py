"""A connector's life between its deployment and its removal, on the real Kafka Connect."""

import json
from pathlib import Path

import psycopg
import pytest

from outbox_kit.connect.client import Connect
from outbox_kit.connect.status import connector_status
from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.support.waiting import until


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
