"""As much of a MongoDB server as the kit's commands need; it remembers them."""

import json
from collections.abc import Iterator
from typing import Any

import bson
from pymongo.errors import ExecutionTimeout, OperationFailure


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
        user = asked["user"]
        return {"users": [{"inheritedPrivileges": self.roles.get(user, [])}] if user in self.users else []}

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
