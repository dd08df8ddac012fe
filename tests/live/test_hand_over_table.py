"""Hand-overs between a real connector and relays that read the table: no event is lost, and duplicates are counted."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any

import psycopg
import pytest
from confluent_kafka.admin import AdminClient

from outbox_kit.connect.client import Connect
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.handover.operation import Operation, start_connector, start_relay
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.wire import connector
from tests.live.committed import Committed
from tests.live.conftest import Database, Kit, made
from tests.support.waiting import create_topics, until

RELAY, CONNECTOR = ("-f", "outbox.yaml"), ("-f", "connector.yaml")
DOUBLED = re.compile(r"(\d+) events? will be published twice")


@contextmanager
def shared(stack: Stack, database: Database, kit: Kit, record: str) -> Iterator[str]:
    """An outbox with two schema files, for relays and for a connector; its service."""
    more = f"delivery: {{by: connector, source: table, record: {record}, lanes: 4}}\n"
    with made(stack, database, kit, more) as service:
        create_topics(AdminClient({"bootstrap.servers": stack.bootstrap}), f"{service}.Order", partitions=3)
        text = Path("outbox.yaml").read_text()
        Path("connector.yaml").write_text(text)
        Path("outbox.yaml").write_text(text.replace("by: connector", "by: relay"))
        kit("gen-ddl", "--apply", *RELAY)
        try:
            yield service
        finally:
            kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive", *CONNECTOR)


@contextmanager
def relay(environment: dict[str, str], runs: Callable[[], object]) -> Iterator[subprocess.Popen[bytes]]:
    """A relay. runs: whether it is a member."""
    command = [sys.executable, "-m", "outbox_kit", "--quiet", "relay", *RELAY]
    process = subprocess.Popen(command, env={**os.environ, **environment})
    try:
        until(runs, "the relay runs")
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(60)


def operation(stack: Stack, database: Database, file: str, report: Callable[[str], None] = print) -> Operation[Any]:
    """The hand-over to what a schema file names."""
    outbox = read(Path(file)).outbox(None)
    workers = Connect(stack.environment(database.name)["OUTBOX_KIT_CONNECT"])
    delivery = Debezium(outbox, workers, database.dsn, connector.config(outbox))
    soon = lambda: time.monotonic() + 90  # noqa: E731
    if outbox.delivery.by == "relay":
        return start_relay(delivery, report, soon)
    return start_connector(delivery, report, soon, soon)


def taken(handed: Operation[Any]) -> list[str]:
    """The names of the steps that are taken if each is followed by an interruption, and a new start."""
    names: list[str] = []
    while True:
        state = handed.observe()
        handed.refuse(state)
        steps = handed.steps(state)
        if not steps:
            return names
        steps[0].run()
        names.append(steps[0].name)


@dataclass
class Reported:
    """The lines of a hand-over, and what is done beside it when one comes."""

    actions: dict[str, Callable[[], object]]
    """By a part of the line."""
    lines: list[str] = field(default_factory=list)

    def __call__(self, line: str) -> None:
        self.lines.append(line)
        for part, action in self.actions.items():
            if part in line:
                action()


def doubled(lines: Iterable[str]) -> int:
    """How many events a hand-over has reported as published twice."""
    return sum(int(count) for line in lines for count in DOUBLED.findall(line))


@pytest.mark.random
@pytest.mark.parametrize("record", ["position", "delete", "mark"])
def test_rounds_under_load_lose_nothing(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, record: str, pytestconfig: pytest.Config
) -> None:
    """Also transactions that are open while a side stops, and commit when the other one has begun."""
    committed = Committed(lambda: psycopg.connect(database.dsn))

    def one(query: str) -> Any:
        return (rows.execute(query).fetchone() or (None,))[0]

    with shared(stack, database, kit, record) as service, ExitStack() as opened:
        kit("deploy-connector", "--stable-for", "0", *CONNECTOR)
        with committed.written(pytestconfig.getoption("--case-seed")):
            with committed.late("open while the connector stops") as commit:
                lines = kit("hand-over", "--yes", *RELAY).stderr.splitlines()
                commit()
            assert one("select count(*) from pg_replication_slots where database = current_database()") == 0
            environment = stack.environment(database.name)
            with (
                relay(environment, lambda: one("select count(*) from outbox_member")) as process,
                committed.late("open while the slot is created") as commit,
            ):
                late: list[Callable[[], None]] = []
                Timer(1, commit).start()
                report = Reported(
                    {
                        "created replication slot": lambda: late.append(
                            opened.enter_context(committed.late("open while the relay stops"))
                        ),
                        "have published everything": process.terminate,
                        "the replication slot ": lambda: [commit_late() for commit_late in late],
                    }
                )
                handed = operation(stack, database, "connector.yaml", report)
                for step in handed.steps(handed.observe()):
                    step.run()
        duplicates = committed.duplicates(stack, f"{service}.Order")
        reported = doubled([*lines, *report.lines])
        print(lines, report.lines, "DUPLICATES", duplicates, "of", len(committed.ids), "REPORTED", reported)
        assert duplicates <= reported
        document = json.loads(kit("verify", "--format", "json", *CONNECTOR, code=None).stdout)
        assert document["verdict"] == "pass", document
