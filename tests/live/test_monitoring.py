"""exporter, lag and the files of gen-monitoring, on the real stack."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from outbox_kit.connect.client import Connect
from outbox_kit.exporter.collection import Collection
from outbox_kit.operate.drill.measured_worker import MeasuredWorker
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit, made
from tests.live.relays import MANY
from tests.support.monitored import OF_LIMIT, queried, scraped, values
from tests.support.servers import jmx
from tests.support.silent import silent
from tests.support.waiting import until

SECONDS = 5.0
PASSWORD = "x"  # noqa: S105 - of a role that lives as long as a test


def schema() -> Outbox:
    return read(Path("outbox.yaml")).outboxes[0]


@contextmanager
def collecting(database: Database, connect: str | None) -> Iterator[Collection]:
    """The figures, again and again."""
    workers = Connect(connect) if connect else None
    with closing(Collection(schema(), database.dsn, workers, SECONDS)) as collection:
        yield collection


def test_figures_follow_the_connector(
    stack: Stack, database: Database, outbox: str, kit: Kit, rows: psycopg.Connection
) -> None:
    until(lambda: kit("lag", code=None).exit_code == 0, "lag reports no threshold")
    document = json.loads(kit("lag", "--format", "json").stdout)
    assert (document["schema"], document["passed"], document["unknown"]) == ("outbox-kit/lag/v1", [], [])
    assert "never fire" in document["never_fires"][0]
    with collecting(database, stack.connect_url) as collection:
        healthy = collection.collect()
        assert (healthy.unanswered, healthy.unread) == ({}, {})
        assert [name for name, value in values(healthy.samples, "slot_status").items() if value] == ["reserved"]
        assert (
            values(healthy.samples, "task_state")["RUNNING"]
            == values(healthy.samples, "slot_active")[f"{outbox}_outbox"]
            == 1
        )
        kit("pause")
        rows.execute(MANY, (70,))
        assert values(collection.collect().samples, "pending_events") == {"": 70}
        until(lambda: values(collection.collect().samples, "oldest_seconds")[""] > 1, "the age of the rows grows")
        paused = collection.collect().samples
        assert (
            values(paused, "task_state")["PAUSED"] == 1
            and values(paused, "slot_unconfirmed_bytes")[f"{outbox}_outbox"] > 0
        )
        report = kit("lag", code=1).stdout
        assert re.search("pending events +70\n", report) and "OutboxTaskNotRunning" in report
        kit("stop")
        stopped = collection.collect().samples
        assert values(stopped, "task_state")["ABSENT"] == 1 and values(stopped, "slot_active")[f"{outbox}_outbox"] == 0
        assert values(stopped, "pending_events") == {"": 70}
        kit("resume")
        until(lambda: values(collection.collect().samples, "pending_events") == {"": 0}, "all rows are confirmed")
        assert values(collection.collect().samples, "oldest_seconds") == {"": 0}


def test_a_part_or_a_system_without_an_answer_has_no_figures(
    stack: Stack, database: Database, tables: str, kit: Kit, rows: psycopg.Connection
) -> None:
    rows.execute("select pg_create_logical_replication_slot(%s, 'pgoutput')", (f"{tables}_outbox",))
    with collecting(database, "http://127.0.0.1:1") as collection, psycopg.connect(database.dsn) as locking:
        locking.execute("lock table outbox_heartbeat in access exclusive mode")
        collected = collection.collect()
        assert set(collected.unanswered) == {"connect"} and set(collected.unread) == {"heartbeat"}
        assert values(collected.samples, "up") == {"database": 1, "connect": 0}
        assert (
            values(collected.samples, "part_up")["heartbeat"] == 0 and values(collected.samples, "part_up")["slot"] == 1
        )
        assert not values(collected.samples, "connector_state") and not values(collected.samples, "heartbeat_seconds")
    role = f"{tables}_reader"
    rows.execute(f"create role {role} login password '{PASSWORD}'")
    try:
        reader = psycopg.conninfo.make_conninfo(database.dsn, user=role, password=PASSWORD)
        with closing(Collection(schema(), reader, None, SECONDS)) as collection:
            assert "pg_read_all_stats" in collection.collect().unread["horizon"]
    finally:
        rows.execute(f"drop role {role}")
    rows.execute("select pg_drop_replication_slot(%s)", (f"{tables}_outbox",))
    absent = json.loads(kit("lag", "--wait", "0", "--format", "json", code=1).stdout)
    assert {each["alert"] for each in absent["passed"]} >= {"OutboxSlotAbsent", "OutboxConnectorNotRunning"}
    assert "oldest_seconds" in absent["unknown"]
    kit("lag", "--dsn", psycopg.conninfo.make_conninfo(database.dsn, dbname="postgres", password=""), code=None)
    with silent() as port:
        place = f"postgresql://postgres@127.0.0.1:{port}/{database.name}"
        with closing(Collection(schema(), place, Connect(f"http://127.0.0.1:{port}"), 1.0)) as collection:
            began = time.monotonic()
            samples = [collection.collect().samples for _ in range(2)]
            assert time.monotonic() - began < 20
            assert [values(each, "up") for each in samples] == [{"database": 0, "connect": 0}] * 2
            assert not any(values(each, "slot_status") for each in samples)


@pytest.fixture
def worker(stack: Stack, database: Database, tmp_path: Path) -> Iterator[MeasuredWorker]:
    """A worker of a group of its own with the JMX exporter."""
    folder = tmp_path / "worker"
    folder.mkdir()
    started = MeasuredWorker.begun(stack, f"{database.name}_jmx", jmx.agent(), folder)
    try:
        yield started
    finally:
        started.end()


def page_of(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 - of this machine
        text: str = answer.read().decode()
    return text


@contextmanager
def exporting(stack: Stack, database: Database, *arguments: str, **environment: str) -> Iterator[str]:
    """A process of the command line that serves metrics; their address."""
    command = [sys.executable, "-m", "outbox_kit", *arguments]
    variables = {**os.environ, **stack.environment(database.name), **environment}
    process = subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        address = re.search(r"http://\S+", line)
        assert address, line
        yield address[0]
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture
def file_of_jmx(stack: Stack, database: Database, kit: Kit) -> Iterator[str]:
    with made(stack, database, kit, "monitoring: {jmx: true}\n") as service:
        yield service


def test_every_metric_of_the_files_is_in_a_scrape(
    stack: Stack, database: Database, file_of_jmx: str, worker: MeasuredWorker, kit: Kit, rows: psycopg.Connection
) -> None:
    url = worker.url
    kit("deploy-connector", "--yes", "--probe", "--stable-for", "0", "--connect", url)
    rows.execute("create table inbox (consumer text, message_id uuid)")
    with exporting(stack, database, "exporter", "--listen", "0", OUTBOX_KIT_CONNECT=url) as address:
        rows.execute(MANY, (10,))
        page = f"http://127.0.0.1:{worker.metrics_port}/metrics"
        until(lambda: "debezium_streaming_milli_seconds_behind_source" in page_of(page), "the connector has streamed")
        kit("verify", "follow", "--windows", "1", "--metrics", "verify.prom", "--from", "beginning", code=None)
        pages = [page_of(address), page_of(page), Path("verify.prom").read_text()]
    absent = queried(schema()) - OF_LIMIT - {name for page in pages for name in scraped(page)}
    assert not absent
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive", "--connect", url)


@pytest.mark.parametrize("source", ["log", "table"])
def test_every_metric_of_a_relay_s_files_is_in_a_scrape(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, source: str
) -> None:
    with made(stack, database, kit, f"delivery: {{by: relay, source: {source}}}\n") as service:
        rows.execute(MANY, (10,))
        with (
            exporting(stack, database, "relay", "--listen", "0") as relay,
            exporting(stack, database, "exporter", "--listen", "0") as address,
        ):
            until(
                lambda: f'outbox_kit_pending_events{{service="{service}"}} 0.0' in page_of(address), "all is published"
            )
            kit("verify", "follow", "--windows", "1", "--metrics", "verify.prom", "--from", "beginning", code=None)
            pages = [page_of(address), page_of(relay), Path("verify.prom").read_text()]
        rows.execute(
            "insert into outbox_failure (lane, event_id, row_text, cause, attempts, dead, send_at) "
            "values ('a', '1', '{}', 'refused', 5, true, now())"
        )
        (dead,) = (
            each
            for each in json.loads(kit("lag", "--wait", "0", "--format", "json", code=1).stdout)["passed"]
            if each["alert"] == "OutboxDeadLetters"
        )
        assert dead["value"] == 1
        optional = {"outbox_kit_relay_hangs"}  # one series for each relay that hangs
        assert not queried(schema()) - OF_LIMIT - optional - {name for page in pages for name in scraped(page)}
        if source == "log":
            rows.execute(
                "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s",
                (f"{service}_outbox",),
            )
