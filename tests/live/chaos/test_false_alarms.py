"""A clean pipeline that is disturbed while it works, with and without a cleanup job: only copies may be found.

The first half of the rows is older than rows are kept, as after an outage. `OUTBOX_KIT_RUNS=50` makes it as many runs;
`OUTBOX_KIT_SEED` chooses others.
"""

import json
import os
import random
import threading
import uuid
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
import requests

from outbox_kit.stack import Stack
from tests.live import cleanup
from tests.live.conftest import Database, Kit
from tests.live.repeated import repeated

RUNS = int(os.environ.get("OUTBOX_KIT_RUNS", "1"))
SEED = int(os.environ.get("OUTBOX_KIT_SEED", "1"))


INSERT = (
    "insert into outbox (id, aggregatetype, aggregateid, type, payload, created_at) "
    "values (%s, 'Order', %s, 'OrderPlaced', '{}', %s)"
)


@dataclass
class Writer:
    """Writes transactions of a few events each; some are rolled back. old: whether rows are from before an outage.

    rows, kept: how many were committed, and how many of them no cleanup takes.
    """

    database: Database
    old: bool = True
    rows: int = 0
    kept: int = 0

    def write(self, chance: random.Random, over: threading.Event) -> None:
        with psycopg.connect(self.database.dsn) as connection:
            while not over.wait(0.01):
                old, count = self.old, chance.randrange(1, 30)
                at = datetime.now(UTC) - (cleanup.OLD if old else timedelta())
                with connection.cursor() as cursor:
                    cursor.executemany(INSERT, [(uuid.uuid4(), str(chance.randrange(50)), at) for _ in range(count)])
                if chance.random() < 0.1:
                    connection.rollback()
                    continue
                connection.commit()
                self.rows += count
                self.kept += 0 if old else count


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
            requests.post(f"{stack.connect_url}/connectors/{connector}/tasks/0/restart", timeout=120)
        case "connector paused":
            requests.put(f"{stack.connect_url}/connectors/{connector}/pause", timeout=120)
            requests.put(f"{stack.connect_url}/connectors/{connector}/resume", timeout=120)


SETTINGS = {
    "keep": "table: {retention: forever}\n",
    "delete": "table: {retention: delete, keep_days: 1}\n",
    "partition": "table: {retention: partition, keep_days: 1}\n",
}


@pytest.mark.parametrize("outbox", SETTINGS.values(), indirect=True, ids=SETTINGS)
def test_a_clean_pipeline_gives_no_false_alarm(
    stack: Stack, database: Database, kit: Kit, outbox: str, request: pytest.FixtureRequest
) -> None:
    retention = request.node.callspec.id
    chance, own = random.Random(f"{SEED} {retention}"), Writer(database)
    kinds = ["worker killed", "broker killed", "task restarted", "connector paused", "nothing"]
    job = cleanup.JOBS[retention](database.dsn) if retention in cleanup.JOBS else None
    with repeated(job) if job else nullcontext():
        for run in range(RUNS):
            kind, over = chance.choice(kinds), threading.Event()
            writer = threading.Thread(target=own.write, args=(random.Random(chance.random()), over))
            writer.start()
            over.wait(chance.random())
            disturb(stack, f"{outbox}-outbox", kind)
            own.old = run < RUNS // 2
            over.wait(chance.random())
            over.set()
            writer.join()
            kit("deploy-connector", "--yes", "--stable-for", "0")  # waits until it runs and events flow
            result = json.loads(kit("verify", "--format", "json", "--catch-up-timeout", "120", code=None).stdout)
            what = f"run {run} of seed {SEED}, {kind}: {json.dumps(result['findings'])} {result['notes']}"
            assert result["verdict"] == "pass", what
            allowed = {"DUP-01", "DUP-02"} | ({"LOS-07"} if job else set())
            assert {one["id"] for one in result["findings"]} <= allowed, what
            assert result["counts"]["distinct"] == own.rows, what
            assert own.kept <= result["counts"]["outbox_rows"] <= own.rows, what
            assert job or result["counts"]["outbox_rows"] == own.rows, what
