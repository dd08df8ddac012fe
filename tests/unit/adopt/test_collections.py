"""What `adopt` makes of MongoDB's collections, of a server that answers from what it holds: found, told, proposed."""

import json
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bson
import pymongo
import pytest
from pymongo.errors import ExecutionTimeout, OperationFailure
from typer.testing import CliRunner, Result

from outbox_kit.cli import app
from outbox_kit.databases.catalogue import Catalogue, CatalogueColumn, CatalogueTable
from outbox_kit.databases.mongodb import catalogue, existing
from outbox_kit.errors import UsageProblem
from outbox_kit.render import ddl
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.wire import connector
from outbox_kit.wire.effective import router_columns
from outbox_kit.wire.event import send_event
from tests.unit.databases.mongodb import Named, Server

DSN = "mongodb://db.internal:27018/shop?replicaSet=rs0"
SECRET = "hunter2"  # noqa: S105 - what no report may show
NOW = datetime(2026, 1, 2, tzinfo=UTC)
EVENT = {
    "_id": bson.ObjectId("6564e2c8000000000000abcd"),
    "aggregateType": "Order",
    "aggregateId": "7",
    "version": 1,
    "eventType": "OrderPlaced",
    "payload": {"orderId": SECRET},
    "createdAt": NOW,
}
RULES = {
    "bsonType": "object",
    "required": ["_id", "type", "payload"],
    "properties": {
        "_id": {"bsonType": "string"},
        "type": {"bsonType": "string"},
        "key": {"bsonType": "string"},
        "payload": {"bsonType": ["object", "null"]},
    },
}


class Shop(Server):
    """A server that holds documents. kept: of each collection, the newest last."""

    def __init__(self, **kept: list[dict[str, Any]]) -> None:
        super().__init__()
        self.kept = kept
        self.about: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, list[dict[str, Any]]] = {}
        self.forbidden: set[str] = set()
        self.late = False

    def __getitem__(self, name: str) -> "Collection":
        return Collection(self, name)

    def _buildInfo(self, *_: Any) -> dict[str, Any]:
        return {"version": "8.0.4"}


class Collection(Named):
    """A database of it, or a collection."""

    server: Shop

    def __getitem__(self, name: str) -> "Collection":
        return Collection(self.server, f"{self.name}.{name}")

    @property
    def own(self) -> str:
        return self.name.partition(".")[2]

    def list_collections(self) -> Iterator[dict[str, Any]]:
        return ({"name": name, "type": "collection"} | self.server.about.get(name, {}) for name in self.server.kept)

    def estimated_document_count(self) -> int:
        if self.own in self.server.forbidden:
            raise OperationFailure("not authorized", 13)
        return len(self.server.kept[self.own])

    def list_indexes(self) -> list[dict[str, Any]]:
        return [{"key": {"_id": 1}}, *self.server.keys.get(self.own, [])]

    def find(self, *, sort: list[Any], limit: int, projection: Any = None, **limits: Any) -> Iterator[Any]:
        self.server.told.append((self.own, json.dumps([sort, limit, limits])))
        if self.server.late:
            raise ExecutionTimeout("operation exceeded time limit", 50, {"errmsg": "operation exceeded time limit"})
        for document in self.server.kept[self.own][: -limit - 1 : -1]:
            if projection:
                assert projection == {"_id": 0, "fields": catalogue.FIELDS}
                kinds = {name: existing.type_of(value) for name, value in document.items()}
                yield {"fields": [{"name": name, "type": kind} for name, kind in kinds.items()]}
            else:
                yield document


def serving(monkeypatch: pytest.MonkeyPatch, **kept: list[dict[str, Any]]) -> Shop:
    own = Shop(**kept)
    monkeypatch.setattr(pymongo, "MongoClient", own)
    return own


def adopt(*arguments: str) -> Result:
    return CliRunner(env={"OUTBOX_KIT_DSN": DSN}).invoke(app, ["adopt", *arguments])


def adopted(tmp_path: Path, *arguments: str) -> Outbox:
    """The proposed file, read back, of which the commands and the connector are made."""
    out = tmp_path / "outbox.yaml"
    result = adopt("--out", str(out), *arguments)
    assert out.exists(), result.output
    assert SECRET not in result.output + out.read_text()
    (outbox,) = read(out).outboxes
    assert all("command" in json.loads(line) for line in ddl.body(outbox).splitlines())
    assert connector.config(outbox)["mongodb.connection.string"] == "mongodb://db.internal:27018/?replicaSet=rs0"
    (sent,) = {type(send_event(outbox, event, {})) for event in outbox.events}
    assert sent is Message
    return outbox


def columns(table: CatalogueTable) -> Mapping[str, CatalogueColumn]:
    return {column.name: column for column in table.columns}


def named(given: Catalogue, name: str) -> CatalogueTable:
    return next(table for table in given.tables if table.name == name)


def test_an_outbox_is_found_among_other_collections_and_captured_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server = serving(monkeypatch, users=[{"_id": 1, "name": "a"}], outbox=[EVENT, EVENT | {"eventType": "OrderPaid"}])
    server.keys["outbox"] = [{"key": {"aggregateId": 1, "version": 1}, "unique": True}]
    outbox = adopted(tmp_path)
    assert (outbox.database.replica_set, outbox.database.name, outbox.database.version) == ("rs0", "shop", "8.0")
    assert (outbox.table.name, outbox.table.ids, outbox.table.payload) == ("outbox", "objectid", "json")
    assert outbox.table.columns.created_at == "createdAt" and router_columns(outbox).key == "aggregateId"
    assert {event.type for event in outbox.events} == {"OrderPlaced", "OrderPaid"}
    assert list(existing._amiss(outbox, [EVENT])) == []


def test_a_sharded_cluster_has_no_replica_set(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serving(monkeypatch, outbox=[EVENT])
    server.hello = {"msg": "isdbgrid"}
    assert catalogue.read(DSN).replica_set is None


@pytest.mark.parametrize(
    ("payload", "kind"), [(json.dumps({"to": SECRET}), "text"), (bson.Binary(b"\1\2"), "bytes"), ({"a": 1}, "json")]
)
def test_a_payload_is_what_the_router_makes_of_it(
    payload: Any, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    document = EVENT | {"_id": "a", "payload": payload}
    serving(monkeypatch, outbox=[document])
    outbox = adopted(tmp_path)
    assert (outbox.table.payload, outbox.table.ids) == (kind, "uuid")
    assert list(existing._amiss(outbox, [document])) == []


def test_a_time_that_some_documents_lack_is_not_counted_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    serving(monkeypatch, outbox=[EVENT, {name: value for name, value in EVENT.items() if name != "createdAt"}])
    assert adopted(tmp_path).table.columns.created_at is None


def test_a_number_orders_only_where_it_is_unique_in_its_aggregate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server = serving(monkeypatch, outbox=[EVENT | {"sequence": 7}])
    assert adopted(tmp_path).ordering.sequence is None
    server.keys["outbox"] = [{"key": {"aggregateId": 1, "sequence": 1}, "unique": True}]
    assert adopted(tmp_path, "--force").ordering.sequence == "sequence"
    server.keys["outbox"][0]["sparse"] = True
    assert adopted(tmp_path, "--force").ordering.sequence is None


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"_id": bson.Binary(uuid.UUID(int=1).bytes, 4)}, "id-is-binary"),
        ({"_id": bson.Decimal128("1")}, "no-id"),
        ({"payload": [{"eventType": "A", "orderId": SECRET}]}, "no-payload"),
        ({"payload": json.dumps([{"eventType": "A", "orderId": SECRET}])}, "multiple-events-per-row"),
    ],
)
def test_what_a_trigger_would_solve_elsewhere_is_the_code_s_to_solve(
    change: dict[str, Any], rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving(monkeypatch, outbox=[EVENT | change])
    result = adopt("--table", "outbox")
    assert result.exit_code == 1 and f" {rule} " in result.output
    assert "none: outbox-kit generates no trigger for MongoDB" in result.output
    one = json.loads(adopt("--table", "outbox", "--format", "json").stdout)
    additions = " ".join(finding["fix"] for finding in one["findings"])
    assert not {word for word in ("trigger", "source:", "NOT NULL", "CHECK") if word in additions}
    assert SECRET not in result.output + json.dumps(one)


def test_fields_and_their_types_are_learnt_from_documents_and_validators(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = [{"_id": "a", "n": 1, "odd": 1}, {"_id": "b", "n": bson.Int64(2), "odd": "x", "gone": None}]
    server = serving(monkeypatch, mixed=mixed, empty=[], ruled=[{"_id": "a", "type": "A", "payload": {}, "key": "k"}])
    server.about = {name: {"options": {"validator": {"$jsonSchema": RULES}}} for name in ("empty", "ruled")}
    found = catalogue.read(DSN)
    learnt = columns(named(found, "mixed"))
    assert {name: (column.type, column.nullable) for name, column in learnt.items()} == {
        "_id": ("string", False),
        "n": ("long", False),
        "odd": ("int or string", False),
        "gone": ("null", True),
    }
    for name in ("empty", "ruled"):
        learnt = columns(named(found, name))
        assert {name: column.type for name, column in learnt.items()} == {
            "_id": "string",
            "type": "string",
            "key": "string",
            "payload": "object",
        }
        assert {name for name, column in learnt.items() if column.nullable} == {"key", "payload"}


def test_what_is_no_ordinary_collection_is_told_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serving(monkeypatch, **{"view": [EVENT], "round": [EVENT], "secret": [EVENT], "system.views": [EVENT]})
    server.about = {"view": {"type": "view"}, "round": {"options": {"capped": True}}}
    server.forbidden = {"secret"}
    found = catalogue.read(DSN)
    assert {table.name: table.kind for table in found.tables} == {
        "view": "view",
        "round": "capped collection",
        "secret": "table",
    }
    assert not any(table.columns for table in found.tables)
    assert not [told for told in server.told if told[0] in ("view", "round", "secret")]
    result = adopt("--table", "shop.view")
    assert "unsupported-table-kind" in result.output and "source:" not in result.output


def test_documents_are_read_newest_first_and_no_longer_than_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serving(monkeypatch, outbox=[EVENT] * 3)
    (table,) = catalogue.read(DSN).tables
    assert len(catalogue.sample(DSN, table, "createdAt", rows=2, seconds=3).rows) == 2
    assert server.told[-1] == ("outbox", json.dumps([[["createdAt", -1]], 2, {"max_time_ms": 3000}]))
    told = len(server.told)
    assert catalogue.sample(DSN, table, None, rows=0, seconds=3).rows == () and len(server.told) == told
    big = "x" * 99_999
    server.kept["outbox"] = [{"text": big, "bytes": big.encode(), "document": {"a": big}, "none": None, "at": NOW}]
    ((row),) = catalogue.sample(DSN, table, None, rows=9, seconds=3).rows
    assert {name: len(value or "") for name, value in row.items()} == {
        **dict.fromkeys(("text", "bytes", "document"), catalogue.CUT),
        "none": 0,
        "at": 25,
    }
    assert isinstance(row["bytes"], bytes) and isinstance(row["document"], str)


def test_documents_that_are_not_read_in_time_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    server = serving(monkeypatch, outbox=[EVENT])
    (table,) = (found := catalogue.read(DSN)).tables
    monkeypatch.setattr(catalogue, "read", lambda _: found)
    server.late = True
    result = adopt("--table", table.title)
    assert "no rows could be read: operation exceeded time limit" in result.output


def test_an_address_must_name_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    serving(monkeypatch)
    with pytest.raises(UsageProblem) as refused:
        catalogue.read("mongodb://db.internal:27018/")
    assert "names no database" in refused.value.what
