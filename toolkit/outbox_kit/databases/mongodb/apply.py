"""Run commands that cannot be rolled back: the server is examined first; an error lists the changes made before it."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from outbox_kit.databases.ddl import DatabaseChange, between, irreversible
from outbox_kit.databases.mongodb import existing
from outbox_kit.databases.mongodb.session import Session, address, driver, session
from outbox_kit.errors import DatabaseRefused, TableDiffers
from outbox_kit.schema.model import Outbox


def apply(
    dsn: str, outbox: Outbox, statements: str, *, keep_table: bool = True, password: str | None = None
) -> list[DatabaseChange]:
    """See `Apply`: one command after the other, a line of JSON each. Problems say what was changed before.

    keep_table: whether the collection is to be there afterwards. password: creates the user.
    """
    with session(dsn) as client:
        if keep_table:
            _expect(client, dsn, outbox)
        before = _facts(client, outbox)
    with irreversible(before, lambda: _after(dsn, outbox)), session(dsn) as client:
        for line in statements.splitlines():
            _run(client, **json.loads(line))
        secret = [_set_password(client, outbox.names.role, password)] if password else []
    return [*between(before, _after(dsn, outbox)), *secret]


def _run(client: Session, *, database: str, command: dict[str, Any], passes: Sequence[int], why: str) -> None:  # noqa: ARG001
    try:
        client[database].command(command)
    except driver().errors.OperationFailure as cause:
        if cause.code not in passes:
            raise


def _set_password(client: Session, role: str, password: str) -> DatabaseChange:
    """Make the connector's user with its role, or give it another password; the server keeps that from its own logs."""
    admin = client["admin"]
    users = admin.command({"usersInfo": {"user": role, "db": "admin"}})["users"]
    admin.command({"updateUser" if users else "createUser": role, "pwd": password, "roles": [role]})
    return DatabaseChange("~", f"password of user {role}")


def _expect(client: Session, dsn: str, outbox: Outbox) -> None:
    """Refuse a server without change streams, and a collection of another kind."""
    hello = client["admin"].command({"hello": 1})
    if "setName" not in hello and hello.get("msg") != "isdbgrid":
        raise DatabaseRefused(
            "the server has no oplog; nothing was changed",
            where=address(dsn),
            why="it is not part of a replica set or sharded cluster, so it has no change streams",
            fix="start it with --replSet, then call rs.initiate()",
        )
    collection = _collection(client, outbox)
    if outbox.table.existing:
        existing.expect(client, outbox, collection)
    kind = (
        "capped"
        if collection and collection.get("options", {}).get("capped")
        else (collection or {}).get("type", "collection")
    )
    if kind != "collection":
        raise TableDiffers(
            f"'{outbox.names.database}.{outbox.table.name}' is {kind}; nothing was changed",
            why="such a collection loses events, or cannot be watched",
            fix="name another collection in table.name",
        )


def _collection(client: Session, outbox: Outbox) -> dict[str, Any] | None:
    command = {"listCollections": 1, "filter": {"name": outbox.table.name}}
    collections = client[outbox.names.database].command(command)["cursor"]["firstBatch"]
    return collections[0] if collections else None


def _after(dsn: str, outbox: Outbox) -> list[str]:
    with session(dsn) as client:
        return list(_facts(client, outbox))


def _facts(client: Session, outbox: Outbox) -> list[str]:
    return list(_existing_parts(client, outbox))


def _existing_parts(client: Session, outbox: Outbox) -> Iterator[str]:
    """What there is, a sentence each."""
    derived, table = outbox.names, outbox.table.name
    collection = _collection(client, outbox)
    if collection:
        yield f"collection {table}"
        if rules := collection.get("options", {}).get("validator"):
            yield f"validator {_digest(rules)} on {table}"
        for index in client[derived.database].command({"listIndexes": table})["cursor"]["firstBatch"]:
            after = index.get("expireAfterSeconds")
            yield f"index {index['name']} on {table}" + (f", expires after {after} s" if after is not None else "")
    admin = client["admin"]
    role = {"role": derived.role, "db": "admin"}
    for server_role in admin.command({"rolesInfo": role, "showPrivileges": True})["roles"]:
        for right in server_role["privileges"]:
            where = ".".join(filter(None, [right["resource"].get("db"), right["resource"].get("collection")]))
            yield f"grant {', '.join(sorted(right['actions']))} on {where} to {derived.role}"
    if admin.command({"usersInfo": {"user": derived.role, "db": "admin"}})["users"]:
        yield f"user {derived.role}"


def _digest(rules: object) -> str:
    return hashlib.sha256(json.dumps(rules, sort_keys=True, default=str).encode()).hexdigest()[:6]
