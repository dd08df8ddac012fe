"""MongoDB's script, run by a JavaScript engine, and the ledger's questions, answered by another query engine."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from outbox_kit.databases.mongodb import catalogue, ledger
from outbox_kit.render import ddl
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.parts import MessagePart
from tests.code.mongosh import run
from tests.support import hostile
from tests.support.documents import OUTBOXES

# a shell's `db` that remembers what it is told and answers as it is told to
SHELL = """
import { readFileSync } from "node:fs";
const { script, there, code } = JSON.parse(readFileSync(0, "utf8"));
const asked = [];
const db = { getSiblingDB: (database) => ({
  getCollectionInfos: (filter) => there,
  runCommand: (command) => {
    asked.push({ database, command });
    if (code) throw Object.assign(new Error("refused"), { code });
  },
}) };
let failed = null;
try { new Function("db", script)(db); } catch (error) { failed = error.message; }
console.log(JSON.stringify({ asked, failed }));
"""
ASK = """
import { readFileSync } from "node:fs";
import { Aggregator } from "mingo";
const { pipelines, documents } = JSON.parse(readFileSync(0, "utf8"));
for (const document of documents) document.created_at = new Date(document.created_at);
console.log(JSON.stringify(pipelines.map((pipeline) => new Aggregator(pipeline).run(documents))));
"""
EXISTS, OTHER = 48, 13


def asked(script: str, tmp_path: Path, there: list[Any] | None = None, code: int = 0) -> dict[str, Any]:
    return run(SHELL, {"script": script, "there": there or [], "code": code}, tmp_path)  # type: ignore[no-any-return]


@pytest.mark.parametrize("remove", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("made", [ddl.OUTBOX, ddl.INBOX], ids=["outbox", "inbox"])
@pytest.mark.parametrize("service", OUTBOXES)
def test_the_script_runs_the_very_commands_that_the_driver_runs(
    service: str, made: ddl.Script, remove: bool, tmp_path: Path
) -> None:
    outbox = OUTBOXES[service]
    found = asked((ddl.down if remove else ddl.up)(outbox, made), tmp_path)
    steps = [json.loads(line) for line in ddl.body(outbox, made, remove=remove).splitlines()]
    assert found["failed"] is None
    assert found["asked"] == [{"database": step["database"], "command": step["command"]} for step in steps]


def test_the_script_goes_on_where_it_is_there_already_and_on_nothing_else(tmp_path: Path) -> None:
    script = ddl.up(OUTBOXES["orders-mongo"])
    there = asked(script, tmp_path, code=EXISTS)
    assert ([next(iter(one["command"])) for one in there["asked"]], there["failed"]) == (
        ["create", "collMod"],
        "refused",
    )
    refused = asked(script, tmp_path, code=OTHER)
    assert (len(refused["asked"]), refused["failed"]) == (1, "refused")


@pytest.mark.parametrize(
    "there", [{"type": "timeseries", "options": {}}, {"type": "collection", "options": {"capped": True}}]
)
def test_the_script_refuses_a_collection_of_another_kind(there: dict[str, Any], tmp_path: Path) -> None:
    found = asked(ddl.up(OUTBOXES["orders-mongo"]), tmp_path, there=[there])
    assert (found["asked"], found["failed"]) == ([], "it exists and is not a plain collection")


def document(number: int, aggregate: str = "Order") -> dict[str, Any]:
    event_id = str(uuid.UUID(int=0x1234_5678_9ABC_4DEF_8000_0000_0000_0000 + number * 0x1_0000_F00D))
    own = {"_id": event_id, "aggregatetype": aggregate, "aggregateid": f"o-{number}", "type": "OrderPlaced"}
    return own | {"payload": {}, "sequence": number, "created_at": 1_700_000_000_000 + number}


def outbox() -> Outbox:
    return OUTBOXES["orders-mongo"]


def test_the_ledger_s_questions_are_answered_as_another_engine_reads_them(tmp_path: Path) -> None:
    events = [document(number) for number in range(1, 30)]
    ids = {"_id": {"$in": [events[2]["_id"], "nobody"]}}
    key = MessagePart("key", "", "aggregateid", "text")
    pipelines = [ledger.rows(outbox(), {}), ledger.rows(outbox(), ids, [key])]
    given = {"pipelines": pipelines, "documents": [*events, document(99, "outbox-kit.canary")]}
    every, by_id = run(ASK, given, tmp_path)
    assert {one["event_id"] for one in every} == {event["_id"] for event in events}
    assert by_id == [
        {
            "event_id": events[2]["_id"],
            "aggregate": "Order",
            "type": "OrderPlaced",
            "key": "o-3",
            "sequence": 3,
            "route": "Order",
            "milliseconds": 1_700_000_000_003,
            "value0": "o-3",
        }
    ]


def test_the_catalogue_is_told_the_names_and_types_of_fields_and_no_values(tmp_path: Path) -> None:
    pipeline = [{"$project": {"_id": 0, "fields": catalogue.FIELDS}}]
    given = {"_id": "a", "n": 1, "of": {"a": 1}, "many": [1], "none": None, "yes": True, "created_at": 0}
    (answer,) = run(ASK, {"pipelines": [pipeline], "documents": [given, {"created_at": 0}]}, tmp_path)
    types = {"_id": "string", "n": "int", "of": "object", "many": "array", "none": "null", "yes": "bool"}
    assert [{field["name"]: field["type"] for field in one["fields"]} for one in answer] == [
        {**types, "created_at": "date"},
        {"created_at": "date"},
    ]
    assert {name for one in answer for field in one["fields"] for name in field} == {"name", "type"}


@pytest.mark.parametrize("made", [ddl.OUTBOX, ddl.INBOX], ids=["outbox", "inbox"])
def test_hostile_names_are_texts_in_the_script_and_nothing_else(made: ddl.Script, tmp_path: Path) -> None:
    for what, outbox in hostile.outboxes("mongodb"):
        for write in (ddl.up, ddl.down):
            found = asked(write(outbox, made), tmp_path)
            steps = [json.loads(line) for line in ddl.body(outbox, made, remove=write is ddl.down).splitlines()]
            assert found["failed"] is None, what
            assert found["asked"] == [{"database": x["database"], "command": x["command"]} for x in steps], what
