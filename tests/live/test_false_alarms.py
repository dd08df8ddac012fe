"""A clean pipeline that is disturbed while it works: nothing but copies may ever be found.

`OUTBOX_KIT_RUNS=50` makes it as many runs; `OUTBOX_KIT_SEED` chooses others.
"""

import json
import os
import random
import threading
import uuid

import psycopg
import requests

from outbox_kit.stack import Stack
from tests.live.conftest import Database, Kit
from tests.live.test_pipeline import INSERT

RUNS = int(os.environ.get("OUTBOX_KIT_RUNS", "3"))
SEED = int(os.environ.get("OUTBOX_KIT_SEED", "1"))


def write(database: Database, chance: random.Random, over: threading.Event, counts: list[int]) -> None:
    """Transactions of a few events each until it is over; some are rolled back. counts: how many were committed."""
    committed = 0
    with psycopg.connect(database.dsn) as connection:
        while not over.wait(0.002):
            rows = [
                (str(uuid.uuid4()), str(chance.randrange(50)), "OrderPlaced", "{}")
                for _ in range(chance.randrange(1, 30))
            ]
            with connection.cursor() as cursor:
                cursor.executemany(INSERT, rows)
            if chance.random() < 0.1:
                connection.rollback()
                continue
            connection.commit()
            committed += len(rows)
    counts.append(committed)


def disturb(stack: Stack, connector: str, kind: str) -> None:
    """One thing that happens to pipelines, and their being well again."""
    match kind:
        case "worker killed":
            stack.kill("connect")
            stack.start("connect")
        case "broker killed":
            stack.kill("kafka")
            stack.start("kafka")
        case "task restarted":
            requests.post(f"{stack.connect_url}/connectors/{connector}/tasks/0/restart", timeout=30)
        case "connector paused":
            requests.put(f"{stack.connect_url}/connectors/{connector}/pause", timeout=30)
            requests.put(f"{stack.connect_url}/connectors/{connector}/resume", timeout=30)


def test_a_clean_pipeline_gives_no_false_alarm(stack: Stack, database: Database, kit: Kit, outbox: str) -> None:
    chance, total = random.Random(SEED), 0
    kinds = ["worker killed", "broker killed", "task restarted", "connector paused", "nothing"]
    for run in range(RUNS):
        kind, over, counts = chance.choice(kinds), threading.Event(), list[int]()
        writer = threading.Thread(target=write, args=(database, random.Random(chance.random()), over, counts))
        writer.start()
        over.wait(chance.random())
        disturb(stack, f"{outbox}-outbox", kind)
        over.wait(chance.random())
        over.set()
        writer.join()
        total += counts[0]
        kit("deploy-connector")  # waits until it runs and events flow
        result = json.loads(kit("verify", "--format", "json", "--catch-up", "120", code=None).stdout)
        what = f"run {run} of seed {SEED}, {kind}: {json.dumps(result['findings'])} {result['notes']}"
        assert result["verdict"] == "pass", what
        assert {one["id"] for one in result["findings"]} <= {"DUP-01", "DUP-02", "LOS-07"}, what
        assert result["counts"]["distinct"] == result["counts"]["outbox_rows"] == total, what
