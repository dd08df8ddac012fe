"""A change of the schema file, and what those who read the topics notice of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.compat.diff import changes, findings
from outbox_kit.compat.schemas import Assumption
from outbox_kit.schema.read import read

BASE = """service: shop
database: {dialect: postgres}
table: {extra: [{name: tenant}, {name: note, required: false}]}
headers: [{name: tenant, values: [eu, us]}]
events:
  - type: OrderPlaced
    aggregate: Order
    payload: {type: object, required: [id], properties: {id: {type: string}, total: {type: number}}}
  - {type: OrderGone, aggregate: Order}
"""
NEXT = "  - {type: OrderPaid, aggregate: Order}\n"

# what is written in place of what, or appended; and the checks that speak, with a part of what they say
CASES: dict[str, tuple[str, str, dict[str, str]]] = {
    "nothing": ("", "", {}),
    "an event more": ("", NEXT, {}),
    "a description": ("{type: OrderGone,", "{type: OrderGone, description: it went,", {}),
    "an optional member more": ("total: {type: number}", "total: {type: number}, note: {type: string}", {}),
    "a required member more": (
        "required: [id], properties: {",
        "required: [id, at], properties: {at: {type: string}, ",
        {"CMP-01": "rejected: required property 'at' is missing"},
    ),
    "a required member less": (
        "required: [id]",
        "required: []",
        {"CMP-02": "rejected: required property 'id' is missing"},
    ),
    "another type": (
        "{type: number}",
        "{type: string}",
        {"CMP-01": "/total is not of type string", "CMP-02": "/total is not of type number"},
    ),
    "a place in its aggregate's life": (
        "{type: OrderGone,",
        "{type: OrderGone, follows: [OrderPlaced],",
        {"CMP-01": "as the first of its aggregate or after any event: new consumers"},
    ),
    "a rule more": ("{type: OrderGone,", "{type: OrderGone, rules: [payload.id == key],", {}),
    "a narrower type": ("{type: number}", "{type: integer}", {"CMP-01": "1.5"}),
    "an event less": ("  - {type: OrderGone, aggregate: Order}\n", "", {"CMP-07": "OrderGone of Order"}),
    "an event renamed": ("OrderGone", "OrderDeleted", {"CMP-07": "OrderGone of Order"}),
    "another aggregate": (
        "{type: OrderGone, aggregate: Order}",
        "{type: OrderGone, aggregate: Cart}",
        {"CMP-07": "OrderGone of Order"},
    ),
    "an event that is a tombstone now": (
        "{type: OrderGone, aggregate: Order}",
        "{type: OrderGone, aggregate: Order, tombstone: true}",
        {"CMP-01": "null", "CMP-02": ""},
    ),
    "a schema where none was": (
        "{type: OrderGone, aggregate: Order}",
        "{type: OrderGone, aggregate: Order, payload: {type: object}}",
        {"CMP-04": "had none before"},
    ),
    "no schema any more": (
        "    payload: {type: object, required: [id], properties: {id: {type: string}, total: {type: number}}}\n",
        "",
        {"CMP-02": "example: "},
    ),
    "another topic": (
        "",
        'routing: {topic: "shop.{aggregate}"}\n',
        {"CMP-05": "the topic changes from outbox.event.Order to shop.Order"},
    ),
    "another key": ("", "routing: {key: tenant}\n", {"CMP-05": "the key of the same row changes from 1001 to "}),
    "a key in quotes": (
        "",
        "connect: {config: {key.converter: org.apache.kafka.connect.json.JsonConverter,"
        " key.converter.schemas.enable: false}}\n",
        {"CMP-05": 'from 1001 to "1001"'},
    ),
    "a payload in quotes": (
        "",
        "connect: {config: {value.converter: org.apache.kafka.connect.json.JsonConverter,"
        " value.converter.schemas.enable: false}}\n",
        {"CMP-05": "the bytes of the same payload change"},
    ),
    "more partitions": (
        "",
        "connect: {topics: {partitions: 12}}\n",
        {"CMP-05": "the number of partitions changes from 6 to 12"},
    ),
    "a column renamed": ("table: {", "table: {columns: {payload: data, aggregate_id: order_id}, ", {}),
    "a header less": (
        "extra: [{name: tenant}, {name: note, required: false}]}\nheaders: [{name: tenant, values: [eu, us]}]\n",
        "extra: [{name: note, required: false}]}\n",
        {"CMP-06": "the header 'tenant' is removed"},
    ),
    "a header renamed": ("{name: note,", "{name: note, as: remark,", {"CMP-06": "the header 'note' is removed"}),
    "a header's new word": ("[eu, us]", "[eu, us, ap]", {"CMP-06": '"tenant": "ap"'}),
    "a header's word less": ("[eu, us]", "[eu]", {"CMP-06": '"tenant": "us"'}),
    "a header that may be absent": (
        "{name: tenant}, ",
        "{name: tenant, required: false}, ",
        {"CMP-06": "required property 'tenant' is missing"},
    ),
    "a header more": ("{name: tenant}, ", "{name: tenant}, {name: trace, required: false}, ", {}),
    "no numbers any more": ("", "ordering: {sequence: null}\n", {"CMP-06": "the header 'sequence' is removed"}),
    "a registry's frame": (
        "table: {extra",
        "table: {payload: bytes, registry: avro, extra",
        {"CMP-05": "the Schema Registry of payloads changes from none to avro"},
    ),
    "duplicates": ("service: shop\n", "service: shop\ndelivery_guarantee: exactly-once\n", {}),
    "storage that the reader does not see": ("table: {", "table: {payload: text, ", {}),
}


def written(folder: Path, old: str, new: str) -> tuple[Path, Path]:
    before, after = folder / "old.yaml", folder / "new.yaml"
    before.write_text(old)
    after.write_text(new)
    return before, after


@pytest.mark.parametrize("name", CASES)
def test_what_a_reader_notices(name: str, tmp_path: Path) -> None:
    place, text, expected = CASES[name]
    new = BASE.replace(place, text) if place else BASE + text
    assert (new == BASE) is not bool(place or text)
    before, after = written(tmp_path, BASE, new)
    found = changes(read(before).outboxes, read(after).outboxes, Assumption.tolerant)
    assert {change.rule.id for change in found} == set(expected)
    said = CliRunner().invoke(app, ["diff", str(after), "--against", str(before)])
    severities = {finding.severity for finding in findings(found)}
    assert said.exit_code == (1 if "error" in severities else 3 if "inconclusive" in severities else 0)
    for part in expected.values():
        assert part in said.stdout


def test_exactly_once_no_more_is_noticed(tmp_path: Path) -> None:
    before, after = written(tmp_path, BASE.replace("database", "delivery_guarantee: exactly-once\ndatabase", 1), BASE)
    found = changes(read(before).outboxes, read(after).outboxes, Assumption.tolerant)
    assert [(change.rule.id, change.before) for change in found] == [("CMP-05", "exactly-once")]


def test_debezium_s_own_headers_are_noticed_when_they_go_and_not_when_they_come(tmp_path: Path) -> None:
    own = f"{BASE}connect: {{config: {{extended.headers.enabled: true}}}}\n"
    with_own, without = written(tmp_path, own, BASE)
    found = changes(read(with_own).outboxes, read(without).outboxes, Assumption.tolerant)
    assert {change.rule.id for change in found} == {"CMP-06"}
    assert any(change.message == "the header '__debezium.context.runId' is removed" for change in found)
    assert changes(read(without).outboxes, read(with_own).outboxes, Assumption.tolerant) == []


def test_a_service_that_is_gone_takes_its_events_along(tmp_path: Path) -> None:
    two = f"{BASE}---\n{BASE.replace('service: shop', 'service: billing')}"
    before, after = written(tmp_path, two, f"{BASE}---\n{BASE.replace('service: shop', 'service: other')}")
    found = changes(read(before).outboxes, read(after).outboxes, Assumption.tolerant)
    assert [change.rule.id for change in found] == ["CMP-07", "CMP-07"]


def test_what_cannot_be_decided_ends_in_three(tmp_path: Path) -> None:
    hard = "{type: object, properties: {id: {type: string, pattern: '%s'}}}"
    plain = "{type: object, required: [id], properties: {id: {type: string}, total: {type: number}}}"
    old = BASE.replace(plain, hard % "^(?=.*a)(?!.*b).*$")
    before, after = written(tmp_path, old, BASE.replace(plain, hard % "^(?=.*c)(?!.*d).*$"))
    result = CliRunner().invoke(app, ["diff", str(after), "--against", str(before), "--format", "json"])
    found: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    assert result.exit_code in (1, 3)
    assert found
    assert all(one["id"] == "CMP-04" or one["witness"] for one in found)


def test_what_the_model_does_not_know_is_no_proof_that_nothing_changes(tmp_path: Path) -> None:
    own = "connect: {config: {transforms: 'outbox,own', transforms.own.type: com.example.Own}}\n"
    files = [tmp_path / name for name in ("old.yaml", "same.yaml", "new.yaml")]
    for file, more in zip(files, ("", "lint: {}\n", "routing: {topic: 'new.{aggregate}'}\n"), strict=True):
        file.write_text(BASE + own + more)
    old, same, new = (read(file).outboxes for file in files)
    assert changes(old, same, Assumption.tolerant) == []
    assert {(one.id, one.severity) for one in findings(changes(old, new, Assumption.tolerant))} == {
        ("CMP-04", "inconclusive")
    }


# what is written in place of what, or appended; and what is listed as changed
LISTED: dict[str, tuple[str, str, list[str]]] = {
    "nothing": ("", "", []),
    "an optional property": (
        "total: {type: number}",
        "total: {type: number}, fee: {type: number}",
        ["OrderPlaced of Order: optional property 'fee' added"],
    ),
    "a type": ("{type: number}", "{type: string}", ["OrderPlaced of Order: /total changed from number to string"]),
    "a property that is required": (
        "required: [id]",
        "required: [id, total]",
        ["OrderPlaced of Order: property 'total' is required now"],
    ),
    "an event": ("", NEXT, ["event OrderPaid of Order added"]),
    "the topic": (
        "",
        'routing: {topic: "shop.{aggregate}"}\n',
        ["routing.topic changed from outbox.event.{aggregate} to shop.{aggregate}"],
    ),
    "a column": ("{name: tenant}, ", "{name: tenant}, {name: trace, required: false}, ", ["table.extra.trace added"]),
    "a nested property": (
        "total: {type: number}",
        "total: {type: number}, lines: {type: array, items: {properties: {sku: {}}}}",
        ["OrderPlaced of Order: optional property 'lines' added"],
    ),
}


@pytest.mark.parametrize("name", LISTED)
def test_every_change_is_listed_also_one_that_no_consumer_notices(name: str, tmp_path: Path) -> None:
    place, text, expected = LISTED[name]
    before, after = written(tmp_path, BASE, BASE.replace(place, text) if place else BASE + text)
    result = CliRunner().invoke(app, ["diff", str(after), "--against", str(before), "--format", "json"])
    document = json.loads(result.stdout)
    assert document["changes"] == expected
    count = "no changes" if not expected else f"{len(expected)} change"
    assert count in document["headline"]
    text = CliRunner().invoke(app, ["diff", str(after), "--against", str(before)]).stdout
    assert text.splitlines()[1 : len(expected) + 1] == [f"  {line}" for line in expected]
