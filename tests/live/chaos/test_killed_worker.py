"""Workers that are killed at work: nothing is lost, and what comes twice is said to come of a restart."""

import json
import threading
import uuid
from pathlib import Path

import psycopg

from outbox_kit.stack import Stack
from tests.live.arrivals import arrived, settled, verified
from tests.live.conftest import Database, Kit
from tests.live.consumed import ids_on
from tests.support.waiting import until

ROWS = 20_000
INSERT = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', %s, %s, %s)"
AT_ONCE = """insert into outbox (id, aggregatetype, aggregateid, type, payload)
    select gen_random_uuid(), 'Order', (n %% 40)::text, 'OrderPlaced', '{}' from generate_series(1, %s) n"""


def test_a_worker_killed_amid_20000_inserts_loses_nothing_and_its_copies_are_named(
    stack: Stack, database: Database, kit: Kit, outbox: str
) -> None:
    half_way = threading.Event()
    committed: list[str] = []

    def write() -> None:
        with psycopg.connect(database.dsn) as connection:
            for first in range(0, ROWS, 20):
                rows = [(str(uuid.uuid4()), str(n % 97), "OrderPlaced", "{}") for n in range(first, first + 20)]
                with connection.cursor() as cursor:
                    cursor.executemany(INSERT, rows)
                if first % 700 == 0:
                    connection.rollback()
                    continue
                connection.commit()
                committed.extend(row[0] for row in rows)
                if len(committed) > ROWS // 2:
                    half_way.set()

    writer = threading.Thread(target=write)
    writer.start()
    assert half_way.wait(120)
    stack.kill("connect")
    writer.join()
    stack.start("connect")
    kit("deploy-connector", "--yes", "--stable-for", "0")  # the same command again waits until it runs and events flow

    seen = ids_on(stack, f"{outbox}.Order", len(committed))
    verdict = json.loads(kit("verify", "--format", "json").stdout)

    assert verdict["verdict"] == "pass"
    assert verdict["counts"]["distinct"] == verdict["counts"]["outbox_rows"] == len(committed)
    assert set(seen) == set(committed)
    assert verdict["counts"]["copies"] == len(seen) - len(committed)
    named = {finding["id"]: finding["count"] for finding in verdict["findings"]}
    assert named.keys() <= {"DUP-01", "DUP-02"}
    assert sum(named.values()) == verdict["counts"]["copies"]


def test_a_killed_worker_s_copies_look_like_a_restart_also_within_one_transaction(
    stack: Stack, database: Database, kit: Kit, outbox: str, rows: psycopg.Connection
) -> None:
    written, copies = 0, 0
    for _ in range(10):
        rows.execute(AT_ONCE, (300,))
        written += 300
        settled(stack, outbox, written)
        there = arrived(stack, outbox)
        rows.execute(AT_ONCE, (300,))
        written += 300
        until(
            lambda there=there: arrived(stack, outbox) > there
        )  # some of one statement's rows, which share a position
        stack.kill("connect")
        stack.start("connect")
        kit("deploy-connector", "--yes", "--stable-for", "0")
        found, said, counts = verified(kit)
        assert counts["distinct"] == counts["outbox_rows"] == written
        assert found.keys() <= {"DUP-01", "DUP-02"}, found
        if copies := found.get("DUP-02", 0):
            break
    assert copies and all("likely cause: a restart: " in one for one in said), said
    path = Path("outbox.yaml")
    path.write_text(path.read_text() + "delivery_guarantee: exactly-once\n")
    found, _, _ = verified(kit, code=1)
    assert found["DUP-02"] == copies
