"""A topic that was changed on purpose: the events on the old one are lost only if it is not declared."""

import json
import uuid
from pathlib import Path
from typing import Any

import psycopg
from confluent_kafka.admin import AdminClient

from tests.live.conftest import Kit
from tests.support.waiting import until

INSERT = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, %s, '{}')"
EVENTS, KEYS = 12, 4


def insert(rows: psycopg.Connection, kind: str) -> None:
    for number in range(EVENTS):
        rows.execute(INSERT, (str(uuid.uuid4()), str(number % KEYS), kind))


def change(text: str, into: str) -> None:
    path = Path("outbox.yaml")
    assert text in path.read_text()
    path.write_text(path.read_text().replace(text, into))


def verified(kit: Kit, *arguments: str, code: int) -> dict[str, Any]:
    """The JSON report. code: the exit code."""
    report: dict[str, Any] = json.loads(kit("verify", "--format", "json", *arguments, code=code).stdout)
    return report


def found(report: dict[str, Any]) -> dict[str, int]:
    """The findings that fail or leave the verdict open, without baseline and infos."""
    return {one["id"]: one["count"] for one in report["findings"] if one["severity"] in ("error", "inconclusive")}


def test_a_topic_that_was_changed_is_declared(
    kit: Kit, outbox: str, rows: psycopg.Connection, admin: AdminClient
) -> None:
    old, new = f"{outbox}.Order", f"{outbox}.v2.Order"
    insert(rows, "OrderPlaced")
    assert found(verified(kit, code=0)) == {}

    change("{service}.{aggregate}", "{service}.v2.{aggregate}")
    refused = kit("deploy-connector", "--yes", code=2)
    assert "--allow-destructive" in refused.stderr
    kit("deploy-connector", "--yes", "--allow-destructive", "--probe", "--stable-for", "0")
    insert(rows, "OrderPaid")
    lost = verified(kit, code=1)
    assert found(lost) == {"LOS-01": EVENTS}
    assert "routing.previous_topics" in json.dumps(lost)

    change('v2.{aggregate}"', 'v2.{aggregate}", previous_topics: ["{service}.{aggregate}"]')
    kit("plan")  # the key is not the connector's
    report = verified(kit, code=0)
    assert found(report) == {}
    assert {topic["name"]: (topic["previous"], topic["events"] >= EVENTS) for topic in report["topics"]} == {
        old: (True, True),
        new: (False, True),
    }
    assert "ORD-01" not in report["not_checked"]

    for number in ("1", "2"):
        kit("verify", "shard", "--of", f"{number}/2", "--out", f"part-{number}")
    assert "PASS" in kit("verify", "merge", "part-1", "part-2").stdout
    assert "PASS" in kit("verify", "--workers", "2", "--engine", "disk").stdout
    followed = kit("verify", "follow", "--from", "beginning", "--windows", "2", "--interval", "1", "--state", "state")
    assert f"PASS window 1: {2 * EVENTS} events" in followed.stdout

    admin.delete_topics([old])[old].result()
    until(lambda: old not in admin.list_topics(timeout=60).topics, "the old topic is deleted")
    report = verified(kit, code=0)
    assert found(report) == {}
    assert any(f"the previous topic '{old}' does not exist" in note for note in report["notes"])
    assert report["compared"]["rows_not_judged"] == EVENTS
    assert "LOS-01" in report["not_checked"]
