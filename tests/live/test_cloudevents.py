"""Events that the real connector makes CloudEvents of, from a line in the schema file."""

import json
import time
import uuid
from pathlib import Path

import psycopg

from outbox_kit.kafka import read as kafka
from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit

INSERT = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', '7', %s, %s)"


def deployed(kit: Kit, folder: Path, lines: str) -> None:
    """Change the outbox's schema file, and bring the change to its connector."""
    file = folder / "outbox.yaml"
    file.write_text(f"{file.read_text()}{lines}\n")
    kit("deploy-connector", "--yes", "--stable-for", "0", "--allow-destructive")


def headers(stack: Stack, topic: str) -> list[dict[str, str]]:
    """The headers of what is on a topic."""
    log = kafka.Cluster(stack.bootstrap)
    there = log.pin([(topic, p) for p in range(log.topics()[topic])])
    batches = log.read(kafka.Reading(there), time.monotonic() + 60)
    return [{n: v.decode() for n, v in one.headers()} for _, _, records in batches for one in records]


def test_binary_mode(stack: Stack, database: Database, kit: Kit, outbox: str, tmp_path: Path) -> None:
    deployed(kit, tmp_path, "cloudevents: {source: 'urn:shop:1.0'}")
    event_id = str(uuid.uuid4())
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(INSERT, (event_id, "OrderPlaced", '{"n": 1}'))

    assert json.loads(kit("verify", "--format", "json").stdout)["findings"] == []
    (found,) = headers(stack, f"{outbox}.Order")
    written = found.pop("ce_time")
    assert written.endswith("Z")
    assert {name: value for name, value in found.items() if name.startswith("ce_") or name == "content-type"} == {
        "ce_specversion": "1.0",
        "ce_source": "urn:shop:1.0",
        "content-type": "application/json",
        "ce_id": event_id,
        "ce_type": "OrderPlaced",
        "ce_subject": "7",
        "ce_partitionkey": "7",
    }


def test_structured_mode(rows: psycopg.Connection, kit: Kit, outbox: str, tmp_path: Path) -> None:
    deployed(kit, tmp_path, "cloudevents: {mode: structured}")
    event = {"specversion": "1.0", "id": "1", "type": "OrderPlaced", "data": {}}

    rows.execute(INSERT, (uuid.uuid4(), "OrderPlaced", json.dumps(event | {"source": "/shop"})))
    assert json.loads(kit("verify", "--format", "json").stdout)["findings"] == []

    rows.execute(INSERT, (uuid.uuid4(), "OrderPlaced", json.dumps(event)))
    report = json.loads(kit("verify", "--format", "json", code=1).stdout)
    assert [(finding["id"], finding["count"]) for finding in report["findings"]] == [("CE-02", 1)]
