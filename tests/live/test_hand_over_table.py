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
from tests.live.handed import Reported, doubled, operation, relay, taken
from tests.support.waiting import create_topics

STOP, RECORD, DROP, RESUME = "stop-connector", "record-published", "drop-slot", "resume-connector"
CREATE, PUBLISHED, AWAIT, SETTLE, SET = "create-slot", "await-published", "await-relay", "settle-slot", "set-offset"
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
def test_rounds_under_load_lose_nothing(
    stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection, pytestconfig: pytest.Config
) -> None:
    """Also transactions that are open while a side stops, and a hand-over that is interrupted."""
    committed = Committed(lambda: psycopg.connect(database.dsn))

    def one(query: str) -> Any:
        return (rows.execute(query).fetchone() or (None,))[0]

    with shared(stack, database, kit, "position") as service, ExitStack() as opened:
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
                        "the replication slot ": lambda: late and late.pop()(),
                    }
                )
                to_connector = operation(environment, "connector.yaml", report)
                assert taken(to_connector) == [CREATE, PUBLISHED, AWAIT, SETTLE, SET, RESUME]
        to_relay = operation(environment, "outbox.yaml", report)
        assert taken(to_relay, 1) == [STOP, RECORD, DROP]
        assert taken(to_relay, 1) == taken(to_relay) == [RECORD, DROP]
        assert taken(to_relay) == []
        assert "changed" in kit("hand-over", "--dry-run", *CONNECTOR).stderr
        assert taken(to_connector, 1) == [CREATE, PUBLISHED, SETTLE, SET, RESUME]
        with committed.late("behind the slot") as commit:
            commit()
        kit("relay", "--once", *RELAY)
        assert taken(to_connector, 1) == taken(to_connector, 2) == [SETTLE, SET, RESUME]
        assert taken(to_connector) == [RESUME]
        assert taken(to_connector) == []
        assert committed.duplicates(stack, f"{service}.Order") <= doubled([*lines, *report.lines])
        document = json.loads(kit("verify", "--format", "json", *CONNECTOR, code=None).stdout)
        assert document["verdict"] == "pass", document


def test_what_is_not_possible_is_refused(stack: Stack, database: Database, kit: Kit, rows: psycopg.Connection) -> None:
    def refused(code: int, *arguments: str) -> str:
        return kit("hand-over", "--yes", *arguments, code=code).stderr

    with shared(stack, database, kit, "position") as service:
        assert f"connector '{service}-outbox' is not registered" in refused(2, *RELAY)
        assert "not confirmed" in kit("hand-over", *CONNECTOR, code=2).stderr
        rows.execute("insert into outbox_member values (gen_random_uuid(), 'host 7', now() + interval '1 hour')")
        shown = json.loads(kit("hand-over", "--dry-run", "--format", "json", *CONNECTOR).stdout)
        assert shown["before"]["relays"] == ["host 7"] and shown["before"]["slot"] is None and not shown["done"]
        names = [step["name"] for step in shown["steps"]]
        assert names == ["create-connector", CREATE, PUBLISHED, AWAIT, SETTLE, SET, RESUME]
        deployed = kit("deploy-connector", "--yes", *CONNECTOR, code=4).stderr
        assert "relays read table 'outbox'; nothing was changed" in deployed and "running: host 7" in deployed
        message = refused(4, "--wait", "0", *CONNECTOR)
        assert "relays still publish" in message and "left  step 4: wait until the relays have stopped" in message
        rows.execute("delete from outbox_member")
        text = Path("connector.yaml").read_text()
        Path("forgotten.yaml").write_text(text.replace("source: table, ", ""))
        assert "keep delivery.source: table" in refused(2, "-f", "forgotten.yaml")
        rows.execute(f"alter role {service}_outbox noreplication")
        assert f"role '{service}_outbox' does not exist, or may not read the log" in refused(4, *CONNECTOR)
        rows.execute(f"alter role {service}_outbox replication")
        Path("lanes.yaml").write_text(text.replace("lanes: 4", "lanes: 5"))
        assert "invalid delivery.lanes '5': expected 4" in refused(2, "-f", "lanes.yaml")
