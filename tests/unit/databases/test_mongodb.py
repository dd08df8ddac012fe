"""What is said to MongoDB, by a client that remembers it; and servers that are not there, or say nothing, for real."""

import base64
import importlib
import json
import socket
import sys
import time
import uuid
from datetime import UTC, datetime
from typing import Any

import bson
import pymongo
import pytest

from outbox_kit.databases import digest, servers
from outbox_kit.databases.ledger import ComparableParts
from outbox_kit.databases.mongodb import ledger, objects, probe
from outbox_kit.databases.mongodb.apply import apply
from outbox_kit.databases.mongodb.ledger import TableLedger, rows
from outbox_kit.databases.mongodb.session import endpoint, has_password
from outbox_kit.errors import (
    DatabaseRefused,
    DatabaseUnreachable,
    OutboxKitError,
    OutOfTime,
    TableDiffers,
    UsageProblem,
)
from outbox_kit.render import ddl
from outbox_kit.wire.parts import MessagePart
from tests.support.documents import OUTBOXES, accepts
from tests.unit.databases.mongodb import Server

OUTBOX = OUTBOXES["orders-mongo"]
MAILS = OUTBOXES["letters-mongo"]
GONE = object()
DSN = "mongodb://boss@db.internal:27018/shop?replicaSet=rs0"
DAYS = 7 * 86_400


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
    assert "grant the privilege" in refused.value.fix
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
        (mails({"body": '{"to": "a"}'}), "'body' is string; expected object"),
        (mails({"_id": uuid.uuid4()}), "'_id' is binData; expected objectId"),
        (mails({"_id": str(uuid.uuid4())}), "'_id' is string; expected objectId"),
        (mails({"sentAt": 1_700_000_000_000}), "'sentAt' is int; expected date"),
        (mails({}, {"kind": None}), "'kind' is null; expected objectId or string"),
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
    with pytest.raises(TableDiffers, match="does not exist"):
        apply(DSN, MAILS, ddl.body(MAILS))


@pytest.mark.parametrize(
    ("hello", "there", "error", "said"),
    [
        ({}, {}, DatabaseRefused, "has no oplog"),
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
        ({"hours": 20, "size": 1000}, ["the oplog goes back 20.0 h"]),
        ({"hours": 20, "size": 500}, []),  # young: nothing has been deleted from it yet
        ({"hours": 96, "size": 1000}, []),
    ],
)
def test_a_log_that_is_soon_deleted_is_warned_of(fake: Server, log: dict[str, int], said: list[str]) -> None:
    fake.log = log
    assert [risk.text.partition(",")[0] for risk in probe.risks(DSN)] == said


def test_a_log_that_may_not_be_seen_is_passed_over(fake: Server) -> None:
    fake.refuses = ("collStats", 13)
    assert probe.risks(DSN) == []


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
    with pytest.raises(DatabaseRefused, match="collection 'outbox' does not exist in database 'shop'"):
        TableLedger(DSN, OUTBOX).snapshot((), 3.0)
    fake.collections = {"outbox": {}}
    assert TableLedger(DSN, OUTBOX).snapshot((), 3.0).rows == 0


def test_the_ledger_asks_in_time_and_reads_what_it_is_told(fake: Server) -> None:
    table = TableLedger(DSN, OUTBOX)
    flag, key = MessagePart("header", "urgent", "urgent", "boolean"), MessagePart("key", "", "aggregateid", "text")
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
    payload = MessagePart("payload", "", "payload", "document")
    assert table.comparable_parts([key, payload], 3.0) == ComparableParts((key,), (payload,))


def test_an_owner_s_ids_are_asked_for_as_they_are_stored(fake: Server) -> None:
    asked = ledger.stored(MAILS, "6564e2c8000000000000abcd")
    assert asked == bson.ObjectId("6564e2c8000000000000abcd")
    numbered = MAILS.model_copy(update={"table": MAILS.table.model_copy(update={"ids": "bigint"})})
    assert ledger.stored(numbered, "17") == 17


def test_a_ledger_that_is_not_read_in_time_is_given_up(fake: Server) -> None:
    fake.refuses = "aggregate", 50
    with pytest.raises(OutOfTime) as late:
        TableLedger(DSN, OUTBOX).snapshot((), 1.0)
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
    assert endpoint(DSN) == ("db.internal", 27018, "shop")
    assert endpoint("mongodb://a:1,b:2/?replicaSet=rs0") == ("a", 1, None)
    assert endpoint("postgresql://a/b") == (None, None, None)
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
        servers.get("mongodb").probe.log_position(DSN, OUTBOX)
    assert refused.value.fix == "pip install 'outbox-kit[mongodb]'"


@pytest.mark.parametrize("listening", [False, True], ids=["closed", "silent"])
def test_a_server_that_is_not_there_or_says_nothing_is_given_up(
    listening: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("outbox_kit.databases.mongodb.session"), "CONNECT_TIMEOUT_SECONDS", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        if listening:
            taken.listen()
        before = time.monotonic()
        with pytest.raises(DatabaseUnreachable) as lost:
            probe.log_position(f"mongodb://boss@127.0.0.1:{taken.getsockname()[1]}/shop", OUTBOX)
        assert time.monotonic() - before < 60
    assert "OUTBOX_KIT_DSN" in lost.value.fix
    assert "Topology" not in lost.value.why


def test_doctor_examines_collection_validator_and_user(fake: Server) -> None:
    def stated() -> list[str]:
        seen = objects.examine(DSN, OUTBOX)
        return [*(flaw.fix for flaw in seen.flaws), *(each.sql for each in seen.lacking)]

    assert stated() == ["outbox-kit gen-ddl --apply"] and not objects.examine(DSN, OUTBOX).user_exists
    apply(DSN, OUTBOX, ddl.body(OUTBOX), password="x")  # noqa: S106
    assert stated() == [] and objects.examine(DSN, OUTBOX).user_exists
    options = fake.collections["outbox"]["options"]
    options["validationAction"] = "warn"
    assert '"validationAction": "error"' in stated()[0]
    del options["validator"]
    assert stated() == ["outbox-kit gen-ddl --apply"]
    options["capped"] = True
    assert stated() == ["name another one in table.name"]
    options.clear()
    options["validator"] = {"$jsonSchema": {}}
    everything = fake.roles[OUTBOX.names.role]
    fake.roles[OUTBOX.names.role] = everything[:1]
    assert "listCollections" in stated()[0] and "grantPrivilegesToRole" in stated()[0]
    fake.roles[OUTBOX.names.role] = [{"resource": {"db": "", "collection": ""}, "actions": ["find", "listCollections"]}]
    assert stated()[0].count("changeStream") == 1 and '"find"' not in stated()[0]
    fake.roles[OUTBOX.names.role] = [
        {"resource": {"anyResource": True}, "actions": ["find", "changeStream"]},
        everything[1],
    ]
    assert stated() == []
    fake.refuses = ("usersInfo", 13)
    assert not objects.examine(DSN, OUTBOX).examined and stated() == []
    fake.refuses = ("usersInfo", 6)
    with pytest.raises(DatabaseRefused):
        objects.examine(DSN, OUTBOX)
