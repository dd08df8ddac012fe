"""What the generated Python writes into MongoDB: documents that the validator takes, and each message handled once."""

import importlib
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import bson
import pytest
from pymongo import MongoClient
from pymongo.client_session import ClientSession
from pymongo.errors import DuplicateKeyError, InvalidOperation

from outbox_kit.render import code, documents
from outbox_kit.render.code import targets
from tests.support.documents import OUTBOXES, Validator, accepts

GIVEN: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "orders-mongo": ("OrderPlaced", ({"at": 1_700_000_000_000},), {"sequence": 1, "tenant": "blue", "urgent": False}),
    "odd": ("ItSPlaced", (b"frame",), {"version": 2**40, "destination": "paris", "slot": 5}),
    "texts": ("NoteTaken", (), {}),
}
PACKAGES = count()


class Server:
    """A database that keeps what it is given, with a client whose sessions are the driver's own: they reach nobody."""

    def __init__(self) -> None:
        self.client: MongoClient[Any] = MongoClient(connect=False)
        self.kept: list[tuple[str, dict[str, Any]]] = []

    def __getitem__(self, collection: str) -> Any:
        return SimpleNamespace(
            insert_one=lambda document, session: self.insert(collection, document, session),
            insert_many=lambda documents, session: [self.insert(collection, one, session) for one in documents],
        )

    def insert(self, collection: str, document: dict[str, Any], session: ClientSession) -> None:
        assert session.in_transaction
        found = bson.decode(bson.encode(document))
        if any(place == collection and _key(one) == _key(found) for place, one in self.kept):
            raise DuplicateKeyError("E11000", 11000)
        self.kept.append((collection, found))


def _key(document: dict[str, Any]) -> list[Any]:
    return [document.get(name) for name in ("_id", "consumer", "message_id")]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Any]:
    """A module of the generated code, by service."""
    package = f"written{next(PACKAGES)}"
    monkeypatch.syspath_prepend(str(tmp_path))

    def imported(service: str, name: str) -> Any:
        (tmp_path / package).mkdir(exist_ok=True)
        for path, text in code.files(OUTBOXES[service], targets.get("python-pymongo")).items():
            (tmp_path / package / path).write_text(text)
        return importlib.import_module(f"{package}.{name}")

    return imported


@pytest.mark.parametrize("service", GIVEN)
def test_the_validator_takes_what_is_published(service: str, module: Callable[[str, str], Any]) -> None:
    server, (event, payload, columns) = Server(), GIVEN[service]
    events, outbox = module(service, "events"), module(service, "outbox")

    with server.client.start_session() as session, session.start_transaction():
        published = outbox.publish(server, session, "1001", getattr(events, event)(*payload), **columns)

    ((collection, document),) = server.kept
    names = OUTBOXES[service].table.columns
    assert isinstance(published, UUID)
    assert (collection, document[names.id]) == (OUTBOXES[service].table.name, str(published))
    assert document[names.payload] == (payload[0] if payload else None)
    assert accepts(OUTBOXES[service], document)


def test_several_events_are_published_in_their_order(module: Callable[[str, str], Any]) -> None:
    server, (event, payload, columns) = Server(), GIVEN["orders-mongo"]
    events, outbox = module("orders-mongo", "events"), module("orders-mongo", "outbox")
    rows = [outbox.OutboxRow(key, getattr(events, event)(*payload), **columns) for key in ("1001", "1002")]

    with server.client.start_session() as session, session.start_transaction():
        ids = outbox.publish_many(server, session, rows)
        assert outbox.publish_many(server, session, []) == []

    names = OUTBOXES["orders-mongo"].table.columns
    assert [(one[names.id], one[names.aggregate_id]) for _, one in server.kept] == [
        (str(ids[0]), "1001"),
        (str(ids[1]), "1002"),
    ]


def test_nothing_is_published_outside_of_a_transaction_or_over_the_limit(module: Callable[[str, str], Any]) -> None:
    server, (_, _, columns) = Server(), GIVEN["orders-mongo"]
    events, outbox = module("orders-mongo", "events"), module("orders-mongo", "outbox")
    with server.client.start_session() as session:
        with pytest.raises(InvalidOperation, match="within the session's transaction"):
            outbox.publish(server, session, "1001", events.OrderDeleted(), **columns)
        with session.start_transaction(), pytest.raises(ValueError, match="900000 are allowed"):
            outbox.publish(server, session, "1001", events.OrderPlaced({"a": "x" * 900_000}), **columns)
    assert server.kept == []


def test_a_message_is_handled_once_for_each_consumer(module: Callable[[str, str], Any]) -> None:
    server, once = Server(), module("orders-mongo", "inbox").once
    own = UUID(int=1)
    handled: list[bool] = []
    ((rules,),) = [filter(None, (one.command.get("validator") for one in documents.inbox(OUTBOXES["orders-mongo"])))]

    def handle(session: ClientSession) -> None:
        handled.append(session.in_transaction)

    assert [once(server, name, own, handle) for name in ("billing", "billing", "mail")] == [True, False, True]
    assert handled == [True, True]
    assert [(place, one["consumer"], one["message_id"]) for place, one in server.kept] == [
        ("inbox", name, str(own)) for name in ("billing", "mail")
    ]
    assert all(Validator(rules["$jsonSchema"]).is_valid(one) for _, one in server.kept)


def test_a_duplicate_of_the_handler_s_own_is_no_message_that_was_handled(module: Callable[[str, str], Any]) -> None:
    def handle(session: ClientSession) -> None:
        raise DuplicateKeyError("E11000 of an invoice", 11000)

    with pytest.raises(DuplicateKeyError, match="invoice"):
        module("orders-mongo", "inbox").once(Server(), "billing", str(UUID(int=1)), handle)
