"""Following the real thing: what is wrong is told once, and whatever ends a follower, the next one goes on."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient
from prometheus_client.parser import text_string_to_metric_families

from outbox_kit.databases.postgres import ledger
from outbox_kit.findings.rule import Severity
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Cluster
from outbox_kit.stack import Stack
from outbox_kit.verify.follow import Follower, WindowResult
from outbox_kit.verify.reading.window import Bound, Window
from outbox_kit.verify.state import follower as state
from outbox_kit.verify.window_report import RENDERED
from tests.live import cleanup
from tests.live.conftest import Database, Kit
from tests.live.repeated import repeated
from tests.live.scratch import PARTITIONS, Message
from tests.live.shop import INSERT, Shop
from tests.support.request import request_of, with_settings
from tests.support.waiting import until

PATIENCE = 300  # seconds for a process to end, on a busy machine
ORDER = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, 'OrderPlaced', '{}')"
)


@dataclass
class Watch:
    """A follower of a shop's topics in this process."""

    shop: Shop
    folder: Path
    catch_up: float = 20
    printed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        scratch = self.shop.scratch
        begin = Window(Bound(back=0))
        self.request = request_of(
            scratch.outbox,
            Cluster(scratch.stack.bootstrap),
            self.shop.dsn,
            timeout=60,
            settle=0,
            catch_up=self.catch_up,
            window=begin,
        )
        with state.locked(self.folder):
            self.follower = Follower(
                self.request, self.folder, 20, lambda _: None, RENDERED["json"], self.printed.append
            )

    def window(self) -> dict[str, int]:
        """What is new in the next window."""
        return {f.id: f.count for f in self.told().fresh if f.severity is not Severity.info}

    def windows(self) -> dict[str, int]:
        """What is new in the windows until all that is written by now has been compared."""
        found, moment = Counter(self.window()), self.follower.state.ahead[-1]
        deadline = time.monotonic() + 120
        while moment in self.follower.state.ahead:
            assert time.monotonic() < deadline, "it was not compared"
            found += Counter(self.window())
        return dict(found)

    def told(self) -> WindowResult:
        return self.follower.window()


@pytest.fixture
def watch(shop: Shop, tmp_path: Path) -> Watch:
    return Watch(shop, tmp_path / "state")


def test_a_lost_row_is_told_once(watch: Watch) -> None:
    own = watch.shop
    with own.confirming():
        own.publish(own.write())
        assert watch.windows() == {}
        own.write()
        assert watch.windows() == {"LOS-01": 1}
        own.publish(own.write())
        assert watch.windows() == {}


def test_rows_from_before_it_began_are_not_its_business(shop: Shop, tmp_path: Path) -> None:
    shop.write()
    watch = Watch(shop, tmp_path / "state")
    with shop.confirming():
        assert watch.windows() == {}
        shop.write()
        assert watch.windows() == {"LOS-01": 1}


def test_rows_that_the_connector_has_not_passed_are_judged_when_it_has(watch: Watch) -> None:
    own = watch.shop
    one, two = own.write(), own.write()
    assert [watch.window() for _ in range(2)] == [{}, {}]
    watch.follower.request = with_settings(watch.request, catch_up=0)
    assert [watch.window() for _ in range(2)] == [{"RUN-10": 1}, {}]
    own.publish(one)
    assert watch.told().result.verdict == "inconclusive"
    watch.follower.request = watch.request
    with own.confirming():
        assert watch.windows() == {"LOS-01": 1}
        own.publish(two)
        assert watch.windows() == {}
    assert watch.told().result.verdict == "pass"


@pytest.mark.parametrize("lost", [False, True])
def test_a_transaction_that_is_open_for_several_windows_is_judged_when_it_has_committed(
    watch: Watch, *, lost: bool
) -> None:
    own, event_id = watch.shop, str(uuid.uuid4())
    with own.confirming():
        with psycopg.connect(own.dsn) as connection:
            row = connection.execute(INSERT, (event_id, "1", datetime.now(UTC))).fetchone()
            own.publish(own.write("2"))
            assert [watch.window() for _ in range(4)] == [{}] * 4
        assert row is not None
        if not lost:
            own.publish(Message(sequence=row[0], event_id=event_id))
        assert watch.windows() == ({"LOS-01": 1} if lost else {})
        assert watch.windows() == {}


def test_a_message_that_is_read_before_its_row_is_seen_is_no_phantom(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are committed all the while: this one between the ledger's moment and the reading."""
    marked, own = ledger.TableLedger.mark, watch.shop

    def mark(table: ledger.TableLedger, seconds: float, after: str = "") -> str:
        found = marked(table, seconds, after)
        own.publish(own.write())
        return found

    with own.confirming():
        with monkeypatch.context() as patched:
            patched.setattr(ledger.TableLedger, "mark", mark)
            assert watch.windows() == {}
        assert watch.windows() == {}
    assert watch.follower.state.totals.events[own.scratch.topic] > 1


def test_a_phantom_is_told_once(watch: Watch) -> None:
    own = watch.shop
    with own.confirming():
        own.publish(own.write())
        assert watch.windows() == {}
        gone = own.write()
        own.publish(gone)
        own.delete(gone)
        assert watch.windows() == {"LOS-03": 1}
        own.publish(own.write())
        assert watch.windows() == {}


def test_events_whose_rows_are_deleted_as_they_are_written_are_no_phantoms(watch: Watch) -> None:
    own = watch.shop
    with own.confirming():
        for _ in range(2):
            gone = own.write()
            own.publish(gone)
            own.delete(gone)
            assert watch.windows() == {"RUN-15": 1}  # a table without rows proves nothing of these events


def test_rows_written_in_a_savepoint_are_compared(watch: Watch) -> None:
    own = watch.shop
    with own.confirming():
        assert watch.windows() == {}
        with psycopg.connect(own.dsn) as connection, connection.transaction(), connection.transaction():
            connection.execute(INSERT, (str(uuid.uuid4()), "1", datetime.now(UTC)))
        assert watch.windows() == {"LOS-01": 1}


def test_copies_disorder_and_another_column_s_key_are_found_across_windows(watch: Watch) -> None:
    own = watch.shop
    one, two, three = own.write(), own.write(), own.write()
    own.publish(one)
    own.publish(three)
    assert watch.window() == {}
    own.publish(two)
    assert watch.window() == {"ORD-01": 1}
    own.publish(one)
    assert watch.window() == {"DUP-01": 1}
    own.publish(replace(own.write("7"), key=b"8"))
    with own.confirming():
        assert watch.windows() == {"KEY-02": 1}
        assert watch.windows() == {}


def test_a_database_that_is_away_leaves_the_topics_judged_and_its_rows_for_later(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = watch.shop
    lost = own.write()
    broken = replace(lost, event_id=str(uuid.uuid4()), value=b"{", sequence=lost.sequence + 100)
    with monkeypatch.context() as patched:
        away = replace(watch.request, dsn="host=127.0.0.1 port=1 dbname=x")
        patched.setattr(watch.follower, "request", away)
        own.publish(broken)
        assert [watch.window() for _ in range(2)] == [{"PAY-01": 1, "RUN-10": 1}, {}]
    assert watch.follower.state.totals.problems == 2
    with own.confirming():
        assert watch.windows() == {"LOS-01": 1, "LOS-03": 1}
        assert watch.windows() == {}


def test_rows_whose_messages_retention_took_before_they_were_compared_are_not_called_lost(
    watch: Watch,
    admin: AdminClient,
) -> None:
    own = watch.shop
    for _ in range(3):
        own.publish(own.write())
    assert watch.window() == {}
    where = TopicPartition(own.scratch.topic, partition_of(b"1", PARTITIONS), 2)
    for done in admin.delete_records([where]).values():
        done.result()
    assert watch.window() == {"RUN-10": 1}
    with own.confirming():
        own.write()
        assert watch.windows() == {"LOS-01": 1}


# --- as a process


class Process:
    """`verify follow --format json` as a user runs it, against a service that is deployed."""

    def __init__(self, stack: Stack, database: str, folder: Path, *more: str) -> None:
        self.out, self.err = (folder / f"{uuid.uuid4().hex}.{kind}" for kind in ("ndjson", "err"))
        command = [sys.executable, "-m", "outbox_kit", "verify", "follow", "--format", "json", *more]
        environment = {**os.environ, **stack.environment(database)}
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(command, env=environment, stdout=out, stderr=err, cwd=folder)

    @property
    def windows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.read_text().splitlines(keepends=True) if line.endswith("\n")]

    def end(self, sign: signal.Signals) -> int:
        self.process.send_signal(sign)
        return self.process.wait(PATIENCE)


@pytest.fixture
def started(stack: Stack, database: Database, tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts followers; what a failed test leaves running is ended."""
    every: list[Process] = []

    def start(*more: str) -> Process:
        every.append(Process(stack, database.name, tmp_path, *more))
        return every[-1]

    yield start
    for one in every:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait(PATIENCE)
        print(one.err.read_text()[-2000:], *one.windows[-3:], sep="\n")  # shown where a test fails


@dataclass
class Writing:
    """A writer that commits orders until it is told to stop. age: of the rows."""

    dsn: str
    age: timedelta = timedelta()
    written: int = 0
    over: Event = field(default_factory=Event)

    def __enter__(self) -> "Writing":
        self.thread = Thread(target=self._write)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()

    def _write(self) -> None:
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            while not self.over.wait(0.02):
                with connection.transaction():
                    for n in range(3):
                        at = datetime.now(UTC) - self.age
                        connection.execute(INSERT, (uuid.uuid4(), str((self.written + n) % 17), at))
                self.written += 3


def events(windows: list[dict[str, Any]]) -> int:
    return sum({one["window"]: one["counts"]["events"] for one in windows}.values())


def checks(windows: list[dict[str, Any]], *severities: str) -> list[str]:
    each = {one["window"]: one["findings"] for one in windows}
    return [f["id"] for findings in each.values() for f in findings if f["severity"] in severities]


@pytest.mark.usefixtures("outbox")
@pytest.mark.parametrize("outbox", ["table: {retention: delete, keep_days: 1}\n"], indirect=True)
def test_a_follower_that_is_killed_again_and_again_reads_everything_once(
    database: Database, started: Callable[..., Process], tmp_path: Path
) -> None:
    windows: list[dict[str, Any]] = []
    begin = ("--interval", "0.1", "--state", "state", "--dedup-windows", "3")
    first = started(*begin, "--windows", "1")
    assert first.process.wait(PATIENCE) == 3  # no topic exists before the first event
    assert checks(first.windows, "inconclusive") == ["RUN-06"]
    with repeated(cleanup.by_age(database.dsn)), Writing(database.dsn, cleanup.OLD) as writing:
        for pause in (0.0, 0.13, 0.31, 0.07, 0.19):
            writing.age = timedelta() if pause > 0.2 else writing.age  # from then on, rows that are kept
            one = started(*begin)
            until(lambda one=one: len(one.windows) >= 2)
            time.sleep(pause)
            one.end(signal.SIGKILL)
            windows += one.windows
            json.loads((tmp_path / "state" / state.FILE).read_text())
    last = started(*begin)
    until(lambda: events(windows + last.windows) >= writing.written)
    until(lambda: last.windows and last.windows[-1]["counts"]["events"] == 0)
    assert last.end(signal.SIGTERM) == 143
    windows += last.windows
    assert writing.written > 100
    assert events(windows) == writing.written
    # a table without rows proves nothing
    assert set(checks(windows, "error", "inconclusive", "warning")) <= {"RUN-08", "RUN-15"}
    folders = {one.name for one in (tmp_path / "state" / state.ROWS).iterdir()}
    assert len(folders) <= 2 * 3


@pytest.mark.usefixtures("outbox")
def test_metrics_are_served_and_written_and_say_what_was_counted(
    kit: Kit, database: Database, started: Callable[..., Process], tmp_path: Path
) -> None:
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        for n in range(20):
            connection.execute(ORDER, (uuid.uuid4(), str(n)))
    kit("verify")  # the topic is there: while the connector makes it, a follower may meet a partition without a leader
    options = ("--from", "beginning", "--interval", "0.2", "--report", "json=report.json", "--offsets-out", "o.json")
    one = started(*options, "--metrics", "0", "--metrics", "kit.prom")
    until(lambda: events(one.windows) == 20)
    until(lambda: one.windows[-1]["counts"]["events"] == 0 and one.windows[-1]["verdict"] == "pass")
    address = re.search(r"http://127.0.0.1:\d+/metrics", one.err.read_text())
    assert address
    with urllib.request.urlopen(address[0], timeout=30) as answer:  # noqa: S310 - this machine's
        served = answer.read().decode()
    assert one.end(signal.SIGINT) == 130
    assert "Traceback" not in one.err.read_text()
    for text in (served, (tmp_path / "kit.prom").read_text()):
        found = {
            (sample.name, *sorted(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }
        own = ("service", database.name)
        assert found["outbox_kit_events_total", own, ("topic", f"{database.name}.Order")] == 20
        assert found["outbox_kit_verdict", own, ("verdict", "pass")] == 1
        assert found["outbox_kit_problems_total", own] == 0
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == "pass"
    kit("verify", "--from", "offsets:o.json", "--no-table", code=3)  # nothing has come since
