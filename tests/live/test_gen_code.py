"""Programs with the generated code write into a real database, handle each message once, and pass on the real topic."""

import json
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from outbox_kit.kafka import read as kafka
from outbox_kit.render.code import targets
from outbox_kit.stack import Stack
from tests.live import programs
from tests.live.conftest import Database, Kit


def place(dsn: str) -> programs.Place:
    given = conninfo_to_dict(dsn)
    host, port, user, password, name = (str(given[n]) for n in ("host", "port", "user", "password", "dbname"))
    return programs.Place("postgres", host, int(port), user, password, name)


def parents(stack: Stack, topic: str) -> dict[str, str]:
    """The header traceparent of each message, by its header id."""
    log = kafka.Cluster(stack.bootstrap)
    there = log.pin([(topic, p) for p in range(log.topics()[topic])])
    batches = log.read(kafka.Reading(there), time.monotonic() + 60)
    found = [dict(one.headers()) for _, _, records in batches for one in records]
    return {one["id"].decode(): one["traceparent"].decode() for one in found}


@pytest.mark.parametrize("outbox", [programs.EXTRA], indirect=True)
def test_what_the_generated_code_writes_arrives_and_passes(
    stack: Stack, database: Database, kit: Kit, outbox: str, tmp_path: Path
) -> None:
    schema = Path("outbox.yaml")
    given, text = schema.read_text(), "payload: schemas/order-placed.json"
    assert given.count(text) == 1
    schema.write_text(given.replace(text, f"payload: {json.dumps(programs.PAYLOAD)}"))
    with psycopg.connect(database.dsn, autocommit=True) as connection:

        def ask(statement: str) -> list[Any]:
            asked = connection.execute(statement)
            return asked.fetchall() if asked.description else []

        sent = programs.written(place(database.dsn), tmp_path, kit, ask)

    verdict = json.loads(kit("verify", "--format", "json").stdout)

    assert (verdict["verdict"], verdict["findings"]) == ("pass", [])
    assert verdict["counts"]["distinct"] == verdict["counts"]["outbox_rows"] == len(sent)
    assert parents(stack, f"{outbox}.Order") == sent


def test_every_stack_has_a_program_but_where_nothing_at_hand_would_run_it() -> None:
    without = {name for name in targets.ALL if not (programs.HERE / name).exists()}
    assert without == {"csharp-efcore", "python-pymongo", "node-mongodb"}
