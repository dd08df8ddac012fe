"""Hand-overs between a real connector and relays that read the table: no event is lost, and duplicates are counted."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import psycopg
import pytest
from confluent_kafka.admin import AdminClient

from outbox_kit.stack import Stack
from tests.live.committed import Committed
from tests.live.conftest import Database, Kit, made
from tests.live.handed import Reported, doubled, operation, relay
from tests.support.waiting import create_topics

RELAY, CONNECTOR = ("-f", "outbox.yaml"), ("-f", "connector.yaml")


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
        kit("deploy-connector", "--yes", "--stable-for", "0", *CONNECTOR)
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
                handed = operation(environment, "connector.yaml", report)
                for step in handed.steps(handed.observe()):
                    step.run()
        duplicates = committed.duplicates(stack, f"{service}.Order")
        reported = doubled([*lines, *report.lines])
        print(lines, report.lines, "DUPLICATES", duplicates, "of", len(committed.ids), "REPORTED", reported)
        assert duplicates <= reported
        document = json.loads(kit("verify", "--format", "json", *CONNECTOR, code=None).stdout)
        assert document["verdict"] == "pass", document
