"""MongoDB's migrations, run by a JavaScript engine on collections that a query library keeps: nothing is lost, and what
both codes write is taken. It is no MongoDB: its validators are asked in Python, and nobody watches."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl, documents, migration
from outbox_kit.render.migration import Phase
from outbox_kit.schema.columns import Column, columns
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from tests.code.mongosh import run
from tests.support.documents import Validator
from tests.support.pairs import NOTHING, PAIRS

SERVER = (Path(__file__).parent / "server.mjs").read_text()
MADE = {name: pair for name, pair in PAIRS.items() if not any("retention: partition" in text for text in pair)}
MADE |= {
    "another role and table": (NOTHING, f"{NOTHING}\ntable: {{name: other}}\n---user"),
    "kept for longer": (f"{NOTHING}\ntable: {{keep_days: 3}}", NOTHING),
}
BACK = " back"
REFUSED = ("names change places", f"names change places{BACK}", f"another id and a column{BACK}")
NAMES = [name for each in MADE for name in (each, f"{each}{BACK}") if name not in REFUSED]
WHEN = datetime(2026, 1, 2, tzinfo=UTC)


def outbox(more: str) -> Outbox:
    more, _, other = more.partition("\n---")
    database = f"{{dialect: mongodb, name: shop{', user: other' if other else ''}}}"
    return Outbox.model_validate(YAML(typ="safe").load(f"service: shop\ndatabase: {database}\n{more}"))


def value(outbox: Outbox, event: EventType, column: Column, number: int) -> Any:
    c = outbox.table.columns
    own = {c.aggregate_type: event.aggregate, c.type: event.type, c.aggregate_id: "o-1"}
    payload = None if event.tombstone else {"json": {"a": 1}, "document": "{}", "bytes": {"bytes": "e30="}}
    if column.name == c.payload:
        return payload and payload[column.kind]
    texts = {"text": f"text-{number}", "uuid": f"00000000-0000-4000-8000-{number:012}"}
    others = {"bigint": number, "integer": 1, "boolean": True, "instant": {"when": 1_767_312_000_000 + number}}
    return own.get(column.name) or (texts | others)[column.kind]


def written(outbox: Outbox, first: int) -> list[dict[str, Any]]:
    """What an application writes: two of each of its events."""
    every = list(enumerate([*outbox.events, *outbox.events], first))
    found = [{x.name: value(outbox, event, x, number) for x in columns(outbox)} for number, event in every]
    return [{"_id": f"own {number}", **one} for number, one in enumerate(found, first)]


def accepts(rules: documents.Command, document: dict[str, Any]) -> bool:
    """What the server would say, but for the payload's size."""
    if "$or" in rules:
        return any(accepts(one, document) for one in rules["$or"])
    kinds = {name: WHEN if "when" in held else b"" for name, held in document.items() if _is_marked(held)}
    return bool(Validator(rules["$jsonSchema"]).is_valid(document | kinds))


def _is_marked(held: Any) -> bool:
    return isinstance(held, dict) and held.keys() in ({"when"}, {"bytes"})


def states(jobs: list[list[dict[str, Any]]], folder: Path) -> list[list[Any]]:
    """What is in a server of each job after each action, which is a script, or documents for a collection."""
    return run(SERVER, jobs, folder)  # type: ignore[no-any-return]


def pair(name: str) -> tuple[Outbox, Outbox]:
    """Two outboxes by a pair's name; with an ending, the other way."""
    was, now = map(outbox, MADE[name.removesuffix(BACK)])
    return (now, was) if name.endswith(BACK) else (was, now)


def life(name: str) -> list[dict[str, Any]]:
    """A migration while both codes write, each phase twice; and all of it once more, with what takes something away."""
    old, new = pair(name)
    phases = {phase: migration.script(old, new, phase=phase) for phase in Phase}
    return [
        {"script": ddl.up(old)},
        {"collection": old.table.name, "insert": written(old, 1)},
        {"script": phases[Phase.expand]},
        {"collection": old.table.name, "insert": written(old, 11)},
        {"collection": new.table.name, "insert": written(new, 21)},
        *[{"script": phases[phase]} for phase in (Phase.migrate, Phase.contract) for _ in range(2)],
        *[{"script": migration.script(old, new, destructive=True)} for _ in range(2)],
    ]


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """By pair: the states of a migration, and a server where nothing was before the new file."""
    jobs = [*(life(name) for name in NAMES), *([{"script": ddl.up(pair(name)[1])}] for name in NAMES)]
    done = states(jobs, tmp_path_factory.mktemp("lives"))
    return {name: (done[at], done[at + len(NAMES)][-1]) for at, name in enumerate(NAMES)}


@pytest.mark.parametrize("name", NAMES)
def test_both_codes_write_while_the_one_becomes_the_other(name: str, lives: Any) -> None:
    old, new = pair(name)
    expanded = lives[name][0][2]["collections"]
    for outbox, first in ((old, 11), (new, 21)):
        assert all(accepts(expanded[outbox.table.name]["validator"], one) for one in written(outbox, first))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_that_was_not_allowed_to(name: str, lives: Any) -> None:
    old, new = pair(name)
    contracted = lives[name][0][-3]["collections"].values()
    there = {one["_id"]: one for each in contracted for one in each["documents"]}
    for one in (*written(old, 1), *written(old, 11), *written(new, 21)):
        assert there[one["_id"]] == there[one["_id"]] | one


@pytest.mark.parametrize("name", NAMES)
def test_the_end_is_what_a_new_one_would_be(name: str, lives: Any) -> None:
    _, new = pair(name)
    end, fresh = lives[name][0][-1], lives[name][1]
    collection = end["collections"][new.table.name]
    rules = collection["validator"]["$jsonSchema"]
    for one in collection["documents"]:
        assert {*rules["required"]} <= {*one} <= {*rules["properties"], "_id"}
    assert end == {**fresh, "collections": {new.table.name: {**collection, **_without_documents(fresh, new)}}}


def _without_documents(state: Any, outbox: Outbox) -> dict[str, Any]:
    found = state["collections"][outbox.table.name]
    return {name: found[name] for name in ("validator", "indexes")}


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (*PAIRS["names change places"], "'aggregatetype' was the name of another field"),
        (*PAIRS["another id and a column"][::-1], "the '_id' of a document cannot be changed"),
    ],
)
def test_what_no_document_can_tell_is_refused(was: str, now: str, told: str) -> None:
    with pytest.raises(UsageProblem, match=told) as refused:
        migration.script(outbox(was), outbox(now))
    assert "table.name" in refused.value.fix


def test_more_documents_than_a_batch_are_all_filled(tmp_path: Path) -> None:
    old, new = map(outbox, PAIRS["columns more"])
    script = migration.script(old, new, phase=Phase.migrate)
    assert ".limit(5000)" in script
    script = script.replace(".limit(5000)", ".limit(2)")
    many = [{**written(old, 1)[0], "_id": str(number), "aggregateid": str(number)} for number in range(7)]
    actions = [{"script": ddl.up(old)}, {"collection": "outbox", "insert": many}, {"script": script}]
    ((*_, end),) = states([actions], tmp_path)
    assert all(found["t"] == "" and found["maybe"] is None for found in end["collections"]["outbox"]["documents"])


def test_numbers_from_before_come_before_the_application_s(tmp_path: Path) -> None:
    old, new = map(outbox, PAIRS["a version of the application's"])
    late, early = ({**written(old, number)[0], "_id": name} for number, name in ((9, "late"), (3, "early")))
    script = migration.script(old, new, phase=Phase.migrate)
    actions = [{"script": ddl.up(old)}, {"collection": "outbox", "insert": [late, early]}, {"script": script}]
    ((*_, end),) = states([actions], tmp_path)
    assert {one["_id"]: one["version"] for one in end["collections"]["outbox"]["documents"]} == {"early": -1, "late": 0}


def test_a_connector_reads_no_field_that_is_missing() -> None:
    more, less, renamed = ("columns more", "columns less", "other names")
    changes = migration.ConnectorChanges(("~ a = b",))
    when = {
        name: [step.timing for step in migration.steps(*map(outbox, PAIRS[name]), changes) if not step.part]
        for name in (more, less, renamed)
    }
    assert "after the old version of the application has stopped" in when[more][0]
    assert "before the new version of the application is deployed" in when[less][0]
    assert "while all writers are stopped" in when[renamed][0]
