"""Deployments while workers of a group start, join and are killed."""

import itertools
import socket
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from outbox_kit.connect import client
from outbox_kit.connect.client import Answer, Connect
from outbox_kit.stack import Stack, processes, services
from tests.live.conftest import Kit
from tests.support.waiting import until

AFTER_THE_KILL = 2


def test_a_deployment_waits_for_a_worker_that_starts(stack: Stack, kit: Kit, outbox: str) -> None:
    path = Path("outbox.yaml")
    path.write_text(path.read_text().replace("heartbeat_ms: 500", "heartbeat_ms: 700"))
    stack.kill("connect")
    assert "Kafka Connect does not answer" in kit("deploy-connector", "--yes", code=4).stderr
    stack._launch("connect")
    kit("deploy-connector", "--yes", "--stable-for", "0", "--wait-for-worker", "120")
    assert kit("plan").stdout.startswith("NO CHANGES")
    stack._await("connect")


def test_changes_get_through_while_workers_join_and_are_killed(
    stack: Stack, kit: Kit, outbox: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: Counter[int] = Counter()
    judged = client._transient

    def counted(answer: Answer) -> bool:
        answers[answer.status] += 1
        return judged(answer)

    monkeypatch.setattr(client, "_transient", counted)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder := tmp_path / "second").mkdir()
    place, service = replace(stack.place, folder=folder, connect_port=port), services.SERVICES["connect"]
    service.set_up(place)
    workers = [Connect(stack.connect_url), Connect(f"http://127.0.0.1:{port}")]
    name, number = f"{outbox}-outbox", itertools.count(700)
    config = workers[0].config(name) or {}

    def change(worker: Connect) -> None:
        value = str(next(number))
        worker.put_config(name, {**config, "heartbeat.interval.ms": value})
        # the leader writes it, and this worker reads it from the topic of configs
        until(lambda: (worker.config(name) or {})["heartbeat.interval.ms"] == value, "the worker has read the config")

    environment = service.environment(place)
    second = processes.start(service.command(place), folder / "log", owned=True, environment=environment)
    try:
        while not service.ready(place):
            assert second.alive(), processes.tail(folder / "log")
            change(workers[0])
        for worker in (*workers, *workers):
            change(worker)
    finally:
        second.kill()
    for _ in range(AFTER_THE_KILL):
        change(workers[0])
    assert answers[200] > AFTER_THE_KILL, answers
    kit("deploy-connector", "--yes", "--stable-for", "0")
    assert kit("plan").stdout.startswith("NO CHANGES")
