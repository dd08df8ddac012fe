"""What is said to MongoDB, by a client that remembers it; and servers that are not there, or say nothing, for real."""

import base64
import importlib
import json
import socket
import sys
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bson
import pymongo
import pytest
from pymongo.errors import ExecutionTimeout, OperationFailure

from outbox_kit import source
from outbox_kit.errors import (
    DatabaseRefused,
    DatabaseUnreachable,
    OutboxKitError,
    OutOfTime,
    TableDiffers,
    UsageProblem,
)
from outbox_kit.render import ddl
from outbox_kit.schema.parts import Part
from outbox_kit.schema.read import read
from outbox_kit.source import digest
from outbox_kit.source.ledger import Held
from outbox_kit.source.mongodb import apply, has_password, ledger, probe, server
from outbox_kit.source.mongodb.ledger import Table, rows
from tests.unit.render.test_documents import accepts

EXAMPLES = Path(__file__).parents[2] / "examples"
OUTBOXES = {outbox.service: outbox for outbox in read(EXAMPLES / "mongodb.yaml").outboxes}
OUTBOX = OUTBOXES["orders-mongo"]
MAILS = OUTBOXES["letters-mongo"]
GONE = object()
DSN = "mongodb://boss@db.internal:27018/shop?replicaSet=rs0"
DAYS = 7 * 86_400


class Server:
    """As much of a server as answers these commands; what it is told stands in `told`."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []
        self.given: dict[str, Any] = {}
        self.collections: dict[str, dict[str, Any]] = {}
        self.indexes: dict[str, dict[str, Any]] = {}
        self.roles: dict[str, list[Any]] = {}
        self.users: set[str] = set()
        self.hello: dict[str, Any] = {"setName": "rs0", "operationTime": bson.Timestamp(1_700_000_000, 3)}
        self.log = {"hours": 20, "size": 1000}
        self.refuses: tuple[str, int] | None = None
        self.documents: list[dict[str, Any]] = []
        self.found: list[dict[str, Any]] = []

    def __call__(self, dsn: str, **settings: Any) -> "Server":
        self.given = {"dsn": dsn, **settings}
        return self

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None: ...

    def __getitem__(self, name: str) -> "Named":
        return Named(self, name)

    def answer(self, database: str, command: dict[str, Any]) -> dict[str, Any]:
        word, what = next(iter(command.items()))
        self.told.append((database, word))
        if self.refuses and self.refuses[0] == word:
            raise OperationFailure("not allowed", self.refuses[1], {"errmsg": "not allowed", "code": self.refuses[1]})
        return getattr(self, f"_{word}")(what, command) or {}

    def _hello(self, *_: Any) -> dict[str, Any]:
        return self.hello

    def _listCollections(self, _: Any, command: dict[str, Any]) -> dict[str, Any]:
        name = command["filter"]["name"]
        found = self.collections.get(name)
        return {"cursor": {"firstBatch": [] if found is None else [{"name": name, "type": "collection", **found}]}}

    def _find(self, collection: str, command: dict[str, Any]) -> dict[str, Any]:
        if collection == "oplog.rs":
            now, hours = self.hello["operationTime"].time, self.log["hours"]
            way = command["sort"]["$natural"]
            return {"cursor": {"firstBatch": [{"ts": bson.Timestamp(now - 3600 * hours * (way == 1), 1)}]}}
        return {"cursor": {"firstBatch": self.found}}

    def _collStats(self, *_: Any) -> dict[str, Any]:
        return {"size": self.log["size"], "maxSize": 1000}

    def _create(self, name: str, _: Any) -> None:
        if name in self.collections:
            raise OperationFailure("there already", 48)
        self.collections[name] = {"options": {}}

    def _collMod(self, name: str, command: dict[str, Any]) -> None:
        if changed := command.get("index"):
            self.indexes[changed["name"]] |= changed
        else:
            self.collections[name] = {"options": {"validator": command["validator"]}}

    def _createIndexes(self, _: Any, command: dict[str, Any]) -> None:
        for index in command["indexes"]:
            if self.indexes.get(index["name"], index) != index:
                raise OperationFailure("other options", 85)
            self.indexes[index["name"]] = dict(index)

    def _dropIndexes(self, _: Any, command: dict[str, Any]) -> None:
        if command["index"] not in self.indexes:
            raise OperationFailure("no such index", 27)
        del self.indexes[command["index"]]

    def _listIndexes(self, *_: Any) -> dict[str, Any]:
        return {"cursor": {"firstBatch": [{"name": "_id_"}, *self.indexes.values()]}}

    def _createRole(self, role: str, command: dict[str, Any]) -> None:
        if role in self.roles:
            raise OperationFailure("there already", 51002)
        self.roles[role] = command["privileges"]

    def _updateRole(self, role: str, command: dict[str, Any]) -> None:
        self.roles[role] = command["privileges"]

    def _rolesInfo(self, asked: dict[str, str], _: Any) -> dict[str, Any]:
        return {"roles": [{"privileges": p} for role, p in self.roles.items() if role == asked["role"]]}

    def _usersInfo(self, asked: dict[str, str], _: Any) -> dict[str, Any]:
        return {"users": [{}] if asked["user"] in self.users else []}

    def _createUser(self, user: str, command: dict[str, Any]) -> None:
        assert command["roles"] == [user]
        self.users.add(user)

    def _updateUser(self, user: str, _: Any) -> None:
        assert user in self.users

    def _drop(self, name: str, _: Any) -> None:
        del self.collections[name]
        self.indexes.clear()

    def _dropUser(self, user: str, _: Any) -> None:
        if user not in self.users:
            raise OperationFailure("no such user", 11)
        self.users.remove(user)

    def _dropRole(self, role: str, _: Any) -> None:
        del self.roles[role]


class Named:
    """A database of it, or a collection."""

    def __init__(self, server: Server, name: str) -> None:
        self.server, self.name = server, name

    def __getitem__(self, name: str) -> "Named":
        return Named(self.server, f"{self.name}.{name}")

    def command(self, command: dict[str, Any]) -> dict[str, Any]:
        return self.server.answer(self.name, command)

    def insert_one(self, document: dict[str, Any]) -> None:
        self.server.documents.append(document)

    def delete_one(self, condition: dict[str, Any]) -> None:
        self.server.documents = [d for d in self.server.documents if d["_id"] != condition["_id"]]

    def aggregate(self, pipeline: list[Any], **options: Any) -> Iterator[dict[str, Any]]:
        self.server.told.append((self.name, json.dumps([pipeline, options])))
        if self.server.refuses:
            raise ExecutionTimeout("too late", 50, {"errmsg": "too late"})
        return iter(self.server.found)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Server:
    own = Server()
    monkeypatch.setattr(pymongo, "MongoClient", own)
    return own


def test_applying_says_what_is_new_and_says_nothing_the_second_time(fake: Server) -> None:
    changes = [f"{c.sign} {c.fact}" for c in apply(DSN, OUTBOX, ddl.body(OUTBOX), password="x")]  # noqa: S106
    assert [change for change in changes if "validator" not in change] == [
        "+ collection outbox",
        "+ index _id_ on outbox",
        "+ index outbox_version on outbox",
        f"+ index outbox_created_at on outbox, expires after {DAYS} s",
        "+ grant changeStream, find on shop.outbox to orders_mongo_outbox",
        "+ grant listCollections on shop to orders_mongo_outbox",
        "+ user orders_mongo_outbox",
        "~ password of user orders_mongo_outbox",
    ]
    assert apply(DSN, OUTBOX, ddl.body(OUTBOX)) == []
    assert ("admin", "updateUser") not in fake.told


def test_a_longer_retention_changes_the_index_that_is_there(fake: Server) -> None:
    apply(DSN, OUTBOX, ddl.body(OUTBOX))
    longer = OUTBOX.model_copy(update={"table": OUTBOX.table.model_copy(update={"keep_days": 14})})
    assert [f"{c.sign} {c.fact}" for c in apply(DSN, longer, ddl.body(longer))] == [
        f"- index outbox_created_at on outbox, expires after {DAYS} s",
        f"+ index outbox_created_at on outbox, expires after {2 * DAYS} s",
    ]


def test_removing_takes_all_of_it_and_needs_no_user_to_be_there(fake: Server) -> None:
    apply(DSN, OUTBOX, ddl.body(OUTBOX))
    gone = apply(DSN, OUTBOX, ddl.body(OUTBOX, remove=True), keep_table=False)
    assert {change.sign for change in gone} == {"-"}
    assert (fake.collections, fake.roles) == ({}, {})


def test_a_refusal_says_what_was_changed_before_it(fake: Server) -> None:
    fake.refuses = "createRole", 13
    with pytest.raises(DatabaseRefused) as refused:
        apply(DSN, OUTBOX, ddl.body(OUTBOX))
    assert refused.value.why == "not allowed"
    assert "grant that right" in refused.value.fix
    assert "  + collection outbox" in refused.value.details


def mails(*changes: dict[str, Any]) -> list[dict[str, Any]]:
    """Documents of a collection of somebody else's."""
    whole = {"_id": bson.ObjectId(), "kind": "MailSent", "body": {"to": "a"}, "sentAt": datetime.now(UTC)}
    return [{name: held for name, held in {**whole, **one}.items() if held is not GONE} for one in changes]


def test_an_owner_s_collection_is_looked_at_and_left_as_it_is(fake: Server) -> None:
    fake.collections, fake.found = {"mails": {}}, mails({}, {"read": [1, "x"]})
    changes = [f"{c.sign} {c.fact}" for c in apply(DSN, MAILS, ddl.body(MAILS))]
    assert changes == [
        "+ grant changeStream, find on shop.mails to letters_mongo_outbox",
        "+ grant listCollections on shop to letters_mongo_outbox",
    ]
    apply(DSN, MAILS, ddl.body(MAILS, remove=True), keep_table=False)
    assert (fake.collections, fake.roles) == ({"mails": {}}, {})


@pytest.mark.parametrize(
    ("documents", "told"),
    [
        (mails({"body": GONE}), "'body' is missing in 1 of the newest 1 documents"),
        (mails({}, {}, {"kind": GONE, "kinds": "MailSent"}), "'kind' is missing in 1 of the newest 3 documents"),
        (mails({"body": GONE, "bode": {}}), "did you mean 'bode'"),
        (mails({"body": '{"to": "a"}'}), "'body' is string; object is needed"),
        (mails({"_id": uuid.uuid4()}), "'_id' is binData; objectId is needed"),
        (mails({"_id": str(uuid.uuid4())}), "'_id' is string; objectId is needed"),
        (mails({"sentAt": 1_700_000_000_000}), "'sentAt' is int; date is needed"),
        (mails({}, {"kind": None}), "'kind' is null; objectId or string is needed"),
    ],
)
def test_documents_that_the_router_would_die_of_are_named(
    fake: Server, documents: list[dict[str, Any]], told: str
) -> None:
    fake.collections, fake.found = {"mails": {}}, documents
    with pytest.raises(TableDiffers) as refused:
        apply(DSN, MAILS, ddl.body(MAILS))
    assert any(told in line for line in refused.value.details), refused.value.details
    assert fake.roles == {}


def test_an_owner_s_collection_must_be_there(fake: Server) -> None:
    with pytest.raises(TableDiffers, match="there is no collection"):
        apply(DSN, MAILS, ddl.body(MAILS))


@pytest.mark.parametrize(
    ("hello", "there", "error", "said"),
    [
        ({}, {}, DatabaseRefused, "keeps no oplog"),
        ({"setName": "rs0"}, {"outbox": {"options": {"capped": True}}}, TableDiffers, "'shop.outbox' is capped"),
        ({"msg": "isdbgrid"}, {"outbox": {"type": "timeseries"}}, TableDiffers, "'shop.outbox' is timeseries"),
    ],
)
def test_what_cannot_be_watched_is_refused_before_anything_is_changed(
    fake: Server, hello: dict[str, Any], there: dict[str, Any], error: type[OutboxKitError], said: str
) -> None:
    fake.hello, fake.collections = hello, there
    with pytest.raises(error) as refused:
        apply(DSN, OUTBOX, ddl.body(OUTBOX))
    assert said in refused.value.what
    assert {word for _, word in fake.told} <= {"hello", "listCollections"}


@pytest.mark.parametrize("service", [name for name, one in OUTBOXES.items() if not one.table.existing])
def test_the_canary_is_what_the_validator_takes(fake: Server, service: str) -> None:
    outbox, event_id = OUTBOXES[service], uuid.uuid4()
    found = probe.document(outbox, event_id, datetime.now(UTC))
    assert accepts(outbox, found), found


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ({"hours": 20, "size": 1000}, ["the server's log goes back 20.0 h"]),
        ({"hours": 20, "size": 500}, []),  # young: nothing has been deleted from it yet
        ({"hours": 96, "size": 1000}, []),
    ],
)
def test_a_log_that_is_soon_deleted_is_warned_of(fake: Server, log: dict[str, int], said: list[str]) -> None:
    fake.log = log
    assert [told.partition(",")[0] for told in probe.warnings(DSN)] == said


def test_a_log_that_may_not_be_seen_is_passed_over(fake: Server) -> None:
    fake.refuses = ("collStats", 13)
    assert probe.warnings(DSN) == []


def test_the_canary_goes_as_it_came(fake: Server) -> None:
    event_id = uuid.uuid4()
    probe.write_canary(DSN, OUTBOX, event_id)
    assert [(d["_id"], d["payload"]) for d in fake.documents] == [(str(event_id), {})]
    probe.remove_canary(DSN, OUTBOX, event_id)
    assert fake.documents == []


def token(seconds: int, place: int) -> str:
    data = f"82{seconds:08X}{place:08X}2B0229296E04"
    return base64.b64encode(bson.encode({"_data": data})).decode()


def test_a_position_is_the_token_s_where_there_is_one(fake: Server) -> None:
    fence = probe.log_position(DSN, OUTBOX)
    assert fence == 1_700_000_000 << 32 | 3
    assert probe.position({"sec": 5, "ord": 1, "resume_token": token(1_700_000_000, 3)}) == fence
    assert probe.position({"sec": 0, "ord": -1, "resume_token": token(1_700_000_000, 4)}) == fence + 1
    assert probe.position({"sec": 1_700_000_000, "ord": 2}) == fence - 1
    assert probe.position({"sec": 1_700_000_000, "ord": 2, "initsync": True}) is None
    assert probe.position({}) is None


def test_a_collection_that_is_not_there_is_no_empty_one(fake: Server) -> None:
    with pytest.raises(DatabaseRefused, match="no collection 'outbox' in the database 'shop'"):
        Table(DSN, OUTBOX).snapshot((), 3.0)
    fake.collections = {"outbox": {}}
    assert Table(DSN, OUTBOX).snapshot((), 3.0).rows == 0


def test_the_ledger_asks_in_time_and_reads_what_it_is_told(fake: Server) -> None:
    table = Table(DSN, OUTBOX)
    flag, key = Part("header", "urgent", "urgent", "boolean"), Part("key", "", "aggregateid", "text")
    row = {"event_id": "A", "aggregate": "Order", "type": "OrderPlaced", "key": "1", "sequence": 3, "route": "Order"}
    fake.found = [{**row, "milliseconds": 5, "value0": True, "value1": "1"}]
    number = digest.number(b"a", [b"true", b"1"])
    found = table.snapshot([flag, key], 3.0)
    assert (found.rows, found.oldest, found.buckets) == (1, 5, {number % digest.BUCKETS: (1, number)})
    where, asked = fake.told[-1]
    assert (where, json.loads(asked)) == (
        "shop.outbox",
        [rows(OUTBOX, {}, [flag, key]), {"maxTimeMS": 3000, "allowDiskUse": True}],
    )
    assert (fake.given["readConcernLevel"], fake.given["socketTimeoutMS"]) == ("majority", 8000)
    ((read_back,),) = table.read([flag, key], [number % digest.BUCKETS], 3.0)
    assert (read_back.sequence, read_back.milliseconds, read_back.transaction) == ("3", 5, None)
    assert (read_back.event_id, read_back.values) == ("a", ("true", "1"))
    fake.found = [{**row, "milliseconds": 5}]
    assert list(table.rows_of(["a"], 3.0)) == ["a"]
    assert json.loads(fake.told[-1][1])[0] == rows(OUTBOX, {"_id": {"$in": ["a"]}})
    assert table.rows_of([], 3.0) == {}
    fake.found = [{"found": 5}]
    assert (table.oldest(3.0), table.lowest(1, 3.0)) == (5, 5)
    payload = Part("payload", "", "payload", "document")
    assert table.held([key, payload], 3.0) == Held((key,), (payload,))


def test_an_owner_s_ids_are_asked_for_as_they_are_stored(fake: Server) -> None:
    asked = ledger.stored(MAILS, "6564e2c8000000000000abcd")
    assert asked == bson.ObjectId("6564e2c8000000000000abcd")
    numbered = MAILS.model_copy(update={"table": MAILS.table.model_copy(update={"ids": "bigint"})})
    assert ledger.stored(numbered, "17") == 17


def test_a_ledger_that_is_not_read_in_time_is_given_up(fake: Server) -> None:
    fake.refuses = "aggregate", 50
    with pytest.raises(OutOfTime) as late:
        Table(DSN, OUTBOX).snapshot((), 1.0)
    assert (late.value.where, late.value.why) == ("db.internal:27018/shop", "too late")


def test_user_and_password_are_looked_for_where_the_connector_s_are(
    fake: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONGODB_PASSWORD", "of-a-test")
    probe.log_position(DSN, OUTBOX)
    assert [fake.given[name] for name in ("username", "password", "authSource")] == ["boss", "of-a-test", "admin"]
    probe.log_position("mongodb://boss:own@db/shop?authSource=shop", OUTBOX)
    assert not {"username", "password", "authSource"} & {*fake.given}


def test_an_address_is_read_without_a_driver() -> None:
    assert server(DSN) == ("db.internal", 27018, "shop")
    assert server("mongodb://a:1,b:2/?replicaSet=rs0") == ("a", 1, None)
    assert server("postgresql://a/b") == (None, None, None)
    assert [has_password(dsn) for dsn in (DSN, "mongodb://boss:x@db/shop", "mongodb+srv://db")] == [False, True, False]


@pytest.mark.parametrize("dsn", ["db.internal", "mysql://db/shop", "mongodb://", "mongodb://db:port/shop"])
def test_an_address_that_is_none_is_a_usage_problem(dsn: str) -> None:
    with pytest.raises(UsageProblem) as refused:
        probe.log_position(dsn, OUTBOX)
    assert "malformed" in refused.value.what


def test_a_missing_driver_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymongo", None)
    monkeypatch.setitem(sys.modules, "pymongo.errors", None)
    with pytest.raises(UsageProblem) as refused:
        source.named("mongodb").probe.log_position(DSN, OUTBOX)
    assert refused.value.fix == "pip install 'outbox-kit[mongodb]'"


@pytest.mark.parametrize("listening", [False, True], ids=["closed", "silent"])
def test_a_server_that_is_not_there_or_says_nothing_is_given_up(
    listening: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("outbox_kit.source.mongodb.session"), "CONNECT_TIMEOUT_SECONDS", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        if listening:
            taken.listen()
        before = time.monotonic()
        with pytest.raises(DatabaseUnreachable) as lost:
            probe.log_position(f"mongodb://boss@127.0.0.1:{taken.getsockname()[1]}/shop", OUTBOX)
        assert time.monotonic() - before < 60
    assert "MONGODB_PASSWORD" in lost.value.fix
    assert "Topology" not in lost.value.why
