"""Events that come again on the real pipeline and what sent them; events that never come, and rows that change."""

import json
import time
import uuid
from pathlib import Path

import psycopg
import pytest
import requests

from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.stack import Stack
from outbox_kit.verify.checks import duplicates
from tests.live.arrivals import PARTITIONS, arrived, offsets, settled, verified
from tests.live.conftest import Database, Kit
from tests.support.waiting import until

INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, 'OrderPlaced', %s)"
)


def again(kit: Kit) -> None:
    """Let the connector forget where it was, so that it reads the table anew."""
    kit("remove", "--reset-offsets", "--allow-destructive")
    kit("deploy-connector", "--yes", "--stable-for", "0")


def test_a_second_first_read_is_told_by_its_order_and_by_the_rows_that_are_gone(
    stack: Stack, database: Database, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    one, other = [key for key in map(str, range(99)) if partition_of(key.encode(), PARTITIONS) == 0][:2]
    for number in range(20):
        rows.execute(INSERT, (uuid.uuid4(), str(number), "{}"))
    with psycopg.connect(database.dsn) as slower:
        slower.execute(INSERT, (uuid.uuid4(), one, "{}"))  # the lower number, and the later commit
        rows.execute(INSERT, (uuid.uuid4(), other, "{}"))
    settled(stack, outbox, 22)
    again(kit)
    until(lambda: arrived(stack, outbox) == 44)
    found, said, _ = verified(kit)
    assert found.keys() <= {"DUP-01", "DUP-02"}
    assert sum(found.values()) == 22
    assert said and all("a repeated snapshot: the order differs from the first publication" in one for one in said), (
        said
    )


def test_a_second_first_read_leaves_out_what_the_cleanup_took(
    stack: Stack, database: Database, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    ids = [uuid.uuid4() for _ in range(20)]
    for number, event_id in enumerate(ids):
        rows.execute(INSERT, (event_id, str(number % 4), "{}"))
    settled(stack, outbox, 20)
    again(kit)
    until(lambda: arrived(stack, outbox) == 40)
    found, said, _ = verified(kit)
    assert (sum(found.values()), found.keys() <= {"DUP-01", "DUP-02"}) == (20, True)
    assert all("likely cause: a restart, or a repeated snapshot" in one for one in said), said
    rows.execute("delete from outbox where id = any(%s)", (ids[8:12],))
    again(kit)
    until(lambda: arrived(stack, outbox) == 56)
    found, said, _ = verified(kit, code=1)
    assert found == {"DUP-02": 36, "LOS-03": 4}
    assert any("in between missing, as if the rows had been deleted" in one for one in said), said


def test_an_offset_that_was_set_back_is_told_by_how_much_came_again(
    stack: Stack, database: Database, kit: Kit, outbox: str, rows: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duplicates, "STORED_MS", 3000)  # this worker stores its offsets every second
    monkeypatch.setattr(duplicates, "LATE_MS", 500)
    slot, connector = f"{outbox}_outbox", f"{stack.connect_url}/connectors/{outbox}-outbox"
    for number in range(10):
        rows.execute(INSERT, (uuid.uuid4(), str(number), "{}"))
    settled(stack, outbox, 10)
    time.sleep(1)
    early = offsets(stack, outbox)
    rows.execute("select pg_copy_logical_replication_slot(%s, %s)", (slot, f"{slot}_early"))
    for number in range(40):
        rows.execute(INSERT, (uuid.uuid4(), str(number % 10), "{}"))
        time.sleep(0.1)  # for longer than the worker goes without storing its offsets
    settled(stack, outbox, 50)
    requests.put(f"{connector}/stop", timeout=120).raise_for_status()
    until(lambda: not requests.get(f"{connector}/status", timeout=120).json()["tasks"])
    until(lambda: not slot_is_read(rows, slot))
    rows.execute("select pg_drop_replication_slot(%s)", (slot,))
    rows.execute("select pg_copy_logical_replication_slot(%s, %s)", (f"{slot}_early", slot))
    rows.execute("select pg_drop_replication_slot(%s)", (f"{slot}_early",))
    requests.patch(f"{connector}/offsets", json=early, timeout=120).raise_for_status()
    requests.put(f"{connector}/resume", timeout=120).raise_for_status()
    until(lambda: arrived(stack, outbox) == 90)
    kit("deploy-connector", "--yes", "--stable-for", "0")
    found, said, counts = verified(kit)
    assert (found, counts["distinct"], len(said) > 0) == ({"DUP-02": 40}, 50, True)
    assert all("likely cause: an offset reset: " in one for one in said), said


def slot_is_read(rows: psycopg.Connection, name: str) -> bool:
    row = rows.execute("select active from pg_replication_slots where slot_name = %s", (name,)).fetchone()
    return bool(row and row[0])


DROPPING = {
    "transforms": "outbox,drop",
    "transforms.drop.type": "org.apache.kafka.connect.transforms.Filter",
    "transforms.drop.predicate": "isPaid",
    "predicates": "isOutbox,isPaid",
    "predicates.isPaid.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.isPaid.pattern": ".*OrderPaid",
}


def test_what_a_transformation_drops_is_lost_by_name_and_a_row_that_was_changed_is_named(
    stack: Stack, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    path = Path("outbox.yaml")
    changed = path.read_text().replace("{service}.{aggregate}", "{service}.{type}")
    path.write_text(changed.replace("config: {", f"config: {json.dumps(DROPPING)[:-1]}, "))
    kit("deploy-connector", "--yes", "--stable-for", "0", "--allow-destructive")
    ids = [uuid.uuid4() for _ in range(6)]
    for number, event_id in enumerate(ids):
        rows.execute(INSERT, (event_id, str(number), "{}"))
        paid = INSERT.replace("OrderPlaced", "OrderPaid")
        rows.execute(paid, (uuid.uuid4(), str(number), "{}")) if number < 3 else None
    lost = [str(row[0]) for row in rows.execute("select id from outbox where type = 'OrderPaid'")]
    report = json.loads(kit("verify", "--format", "json", code=1).stdout)
    found = {one["id"]: one for one in report["findings"]}
    assert found.keys() == {"RUN-08", "RTE-05", "LOS-01"}  # the canary's topic had the name of before
    assert found["LOS-01"]["count"] == 3
    assert all(event_id in str(found["LOS-01"]) for event_id in lost)
    rows.execute("delete from outbox where type = 'OrderPaid'")
    kit("verify")
    rows.execute("update outbox set aggregateid = 'another' where id = %s", (ids[0],))  # no event: the router warns
    found = {one["id"]: one for one in json.loads(kit("verify", "--format", "json", code=1).stdout)["findings"]}
    assert found.keys() == {"RUN-08", "RTE-05", "KEY-02"}
    assert str(ids[0]) in str(found["KEY-02"]) and "an update is not published" in found["KEY-02"]["why"]
