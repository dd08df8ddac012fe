"""The same faulty topics, remembered in every way there is: the findings are the same, to the byte."""

import json
import os
import signal
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from outbox_kit.kafka import scratch
from outbox_kit.kafka.read import Cluster, Range
from outbox_kit.stack import Stack
from outbox_kit.verify import run, selftest, workers
from outbox_kit.verify.report import FORMATS
from outbox_kit.verify.result import Request
from outbox_kit.verify.run import Verification


@pytest.fixture(scope="module")
def faulty(stack: Stack) -> Iterator[Request]:
    """Every anomaly that the selftest knows, in topics of their own."""
    own = selftest.outbox(f"engines-{uuid.uuid4().hex[:8]}")
    with scratch.topics(stack.bootstrap, own.topics, selftest.PARTITIONS):
        scratch.write(stack.bootstrap, list(selftest.messages(own)))
        yield Request(own, Cluster(stack.bootstrap), None, timeout=120, settle=1)


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are started however little there is to be read."""
    monkeypatch.setattr(run, "WORTH_A_PROCESS", 0)


def told(request: Request) -> dict[str, Any]:
    report = json.loads(FORMATS["json"](Verification(request, lambda _: None).run()))
    return {name: value for name, value in report.items() if name != "run"}


@pytest.mark.parametrize("changes", [{"engine": "spool"}, {"workers": 2}, {"workers": 8}, {"memory": 1}])
@pytest.mark.usefixtures("any_size")
def test_every_engine_finds_the_same(faulty: Request, changes: dict[str, Any]) -> None:
    assert told(replace(faulty, **changes)) == told(replace(faulty, engine="memory"))


@pytest.mark.usefixtures("any_size")
def test_a_worker_that_is_killed_makes_its_partitions_unread_and_no_others(
    faulty: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = workers._started

    def killed(work: workers.Work) -> workers.Worker:
        worker = started(work)
        if work.ranges[0] == lost[0]:
            os.kill(worker.process.pid, signal.SIGKILL)
        return worker

    lost: list[Range] = []
    groups = workers.groups

    def noted(ranges: Any, count: int) -> list[list[Range]]:
        found = groups(ranges, count)
        lost.extend(found[0])
        return found

    monkeypatch.setattr(workers, "_started", killed)
    monkeypatch.setattr(workers, "groups", noted)
    report = Verification(replace(faulty, workers=3), lambda _: None).run()
    unread = {
        (sample.place.topic, sample.place.partition)
        for finding in report.findings
        if finding.check == "RUN-01"
        for sample in finding.samples
    }
    assert unread == {(r.topic, r.partition) for r in lost if r.end > r.start}
    assert "its worker ended" in json.dumps(json.loads(FORMATS["json"](report)))
