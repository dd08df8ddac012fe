"""The same faulty topics, remembered in every way there is: the findings are the same, to the byte."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.errors import UsageProblem
from outbox_kit.kafka import scratch
from outbox_kit.kafka.read import Cluster, Range
from outbox_kit.stack import Stack
from outbox_kit.verify import scenarios, selftest
from outbox_kit.verify.reading import read_pass, shard, workers
from outbox_kit.verify.request import Request
from outbox_kit.verify.run import Verification
from outbox_kit.wire.routes import Routes
from tests.live.reported import report_of
from tests.support.load import outbox_of, produce
from tests.support.reports import rendered
from tests.support.request import with_settings


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are started however little there is to be read."""
    monkeypatch.setattr(read_pass, "WORTH_A_PROCESS", 0)


@pytest.mark.parametrize("changes", [{"engine": "disk"}, {"workers": 2}, {"workers": 8}, {"memory": 1}])
@pytest.mark.usefixtures("any_size")
def test_every_engine_finds_the_same(faulty: Request, changes: dict[str, Any]) -> None:
    assert report_of(with_settings(faulty, **changes)) == report_of(with_settings(faulty, engine="memory"))


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
    report = Verification(with_settings(faulty, workers=3), lambda _: None).run()
    unread = {
        (sample.location.topic, sample.location.partition)
        for finding in report.findings
        if finding.id == "RUN-01"
        for sample in finding.samples
    }
    assert unread == {(r.topic, r.partition) for r in lost if r.end > r.start}
    assert "the process that read it ended" in json.dumps(json.loads(rendered("json", report)))


def test_shards_judged_together_find_the_same_also_what_came_since(
    stack: Stack, faulty: Request, tmp_path: Path
) -> None:
    folders = [tmp_path / str(number) for number in (1, 2, 3)]
    for number, folder in enumerate(folders, 1):
        read_pass.shard(with_settings(faulty, engine="disk"), number, 3, folder, lambda _: None)
    shards = shard.load(folders, faulty.outbox)
    assert report_of(with_settings(faulty, shards=shards)) == report_of(faulty)
    late = scenarios.ScenarioMessage(sequence=5, event=1)
    scratch.write(Cluster(stack.bootstrap), [selftest.written(faulty.outbox, 0, "no anomaly", late)])
    after = report_of(with_settings(faulty, shards=shards))
    assert after == report_of(faulty)
    assert ("DUP-01", Routes(faulty.outbox).topic("S0")) in {(one["id"], one["topic"]) for one in after["findings"]}


def test_shards_that_do_not_go_together_are_refused(faulty: Request, tmp_path: Path) -> None:
    request = with_settings(faulty, engine="disk")
    for name, number in (("one", 1), ("same", 1)):
        read_pass.shard(request, number, 2, tmp_path / name, lambda _: None)
    with pytest.raises(UsageProblem, match="is in two shards"):
        shard.load([tmp_path / "one", tmp_path / "same"], faulty.outbox)
    with pytest.raises(UsageProblem, match="another schema file"):
        shard.load([tmp_path / "one"], selftest.outbox("another"))
    (tmp_path / "one" / "shard.json").write_text("{}")
    with pytest.raises(UsageProblem, match="expected a folder of verify shard"):
        shard.load([tmp_path / "one"], faulty.outbox)


def test_a_machine_s_part_and_the_judgement_at_a_terminal(stack: Stack, tmp_path: Path) -> None:
    file = tmp_path / "outbox.yaml"
    aggregate = f"Order{uuid.uuid4().hex[:8]}"  # its topic is outbox.event.<aggregate>, whatever the service is
    file.write_text(
        f"service: engines\ndatabase: {{dialect: postgres}}\nevents: [{{type: OrderPlaced, aggregate: {aggregate}}}]\n"
    )
    common = ["-f", str(file), "-b", stack.bootstrap]
    folders = [str(tmp_path / number) for number in "12"]
    for number, folder in enumerate(folders, 1):
        result = CliRunner().invoke(app, ["verify", "shard", "--of", f"{number}/2", "-o", folder, *common])
        assert (result.exit_code, "0 offsets of 0 partitions" in result.output) == (0, True), result.output
    result = CliRunner().invoke(app, ["verify", "merge", *folders, "--no-table", *common])
    assert (result.exit_code, "RUN-06" in result.output) == (3, True), result.output
    assert CliRunner().invoke(app, ["verify", "merge", *common]).exit_code == 2
    assert CliRunner().invoke(app, ["verify", "shard", "--of", "3/2", "-o", folders[0], *common]).exit_code == 2
    again = CliRunner().invoke(app, ["verify", "shard", "--of", "1/2", "-o", folders[0], *common])
    assert (again.exit_code, "the folder is not empty" in again.output) == (2, True)


def test_a_ctrl_c_ends_the_workers_with_a_report_and_leaves_nothing_behind(stack: Stack, tmp_path: Path) -> None:
    topic = f"engines-{uuid.uuid4().hex[:8]}"
    produce(stack.bootstrap, topic, 200_000)
    file, report, spools = tmp_path / "outbox.yaml", tmp_path / "report.json", tmp_path / "spools"
    spools.mkdir()
    file.write_text(outbox_of(topic).model_dump_json(by_alias=True, exclude_unset=True))
    command = ["verify", "-f", str(file), "-b", stack.bootstrap, "--no-table", "--workers", "2"]
    run = subprocess.Popen(
        [sys.executable, "-m", "outbox_kit", *command, "--report", f"json={report}", "--temp-dir", str(spools)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 300
    while len(list(spools.glob("*/spill-*"))) < 3 and run.poll() is None:  # one folder each: the run and two workers
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGINT)
    output, _ = run.communicate(timeout=300)
    admin = AdminClient({"bootstrap.servers": stack.bootstrap})
    admin.delete_topics([topic])[topic].result()
    assert (run.returncode, "Traceback" in output) == (130, False), output
    assert json.loads(report.read_text())["run"]["interrupted"]
    assert not list(spools.iterdir())
