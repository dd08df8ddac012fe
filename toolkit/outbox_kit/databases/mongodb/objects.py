"""The collection, its validator, and the user and role of a connector; see `databases.observed`."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from outbox_kit.databases.mongodb.session import Session, driver, session
from outbox_kit.databases.observed import LackingPrivilege, ObservedObjects, ServerRisk
from outbox_kit.schema.model import Outbox

UNAUTHORIZED = 13
APPLY = "outbox-kit gen-ddl --apply"
Granted = Mapping[tuple[str, str], Collection[str]]
"""Actions by database and collection; an empty name stands for all."""


def examine(dsn: str, outbox: Outbox) -> ObservedObjects:
    """The objects that the connector uses. Raises UsageProblem, DatabaseUnreachable, DatabaseRefused."""
    with session(dsn) as client:
        flaws = list(collection_flaws(outbox, _collection(client, outbox)))
        try:
            granted = _granted(client, outbox)
        except driver().errors.OperationFailure as cause:
            if cause.code != UNAUTHORIZED:
                raise
            return ObservedObjects(flaws=flaws, examined=False)
    if granted is None:
        return ObservedObjects(flaws=flaws, user_exists=False)
    return ObservedObjects(flaws=flaws, lacking=list(lacking(outbox, granted)))


def collection_flaws(outbox: Outbox, collection: Mapping[str, Any] | None) -> Iterator[ServerRisk]:
    """What is not as `gen-ddl` creates it. collection: as the server lists it; None if it does not exist. Pure."""
    name = f"{outbox.names.database}.{outbox.table.name}"
    if collection is None:
        yield ServerRisk(f"collection {name} does not exist", APPLY)
        return
    options = collection.get("options", {})
    kind = "capped" if options.get("capped") else collection.get("type", "collection")
    if kind != "collection":
        yield ServerRisk(f"{name} is {kind}: events are lost, or cannot be watched", "name another one in table.name")
    elif outbox.table.existing:
        return
    elif not options.get("validator"):
        yield ServerRisk(f"collection {name} has no validator: invalid documents are accepted", APPLY)
    elif options.get("validationAction", "error") != "error" or options.get("validationLevel", "strict") != "strict":
        text = f"the validator of collection {name} does not reject every invalid document"
        modified = json.dumps({"collMod": outbox.table.name, "validationAction": "error", "validationLevel": "strict"})
        database = json.dumps(outbox.names.database)
        yield ServerRisk(text, f"db.getSiblingDB({database}).runCommand({modified})")


def lacking(outbox: Outbox, granted: Granted) -> Iterator[LackingPrivilege]:
    """The actions that the connector's user may not take. Pure."""
    names, table = outbox.names, outbox.table.name
    for collection, needed in ((table, ("find", "changeStream")), ("", ("listCollections",))):
        places = {(database, of) for database in ("", names.database) for of in ("", collection)}
        actions = {action for place in places for action in granted.get(place, ())}
        missing = [action for action in needed if action not in actions]
        if missing:
            place = f"{names.database}.{collection}" if collection else f"database {names.database}"
            right = {"resource": {"db": names.database, "collection": collection}, "actions": missing}
            command = json.dumps({"grantPrivilegesToRole": names.role, "privileges": [right]})
            sql = f'db.getSiblingDB("admin").runCommand({command})'
            yield LackingPrivilege(names.role, f"{', '.join(missing)} on {place}", sql)


def _collection(client: Session, outbox: Outbox) -> dict[str, Any] | None:
    command = {"listCollections": 1, "filter": {"name": outbox.table.name}}
    collections = client[outbox.names.database].command(command)["cursor"]["firstBatch"]
    return collections[0] if collections else None


def _granted(client: Session, outbox: Outbox) -> Granted | None:
    """What the connector's user may do, by all of its roles; None if it does not exist."""
    user = {"user": outbox.names.role, "db": "admin"}
    users = client["admin"].command({"usersInfo": user, "showPrivileges": True})["users"]
    if not users:
        return None
    granted: dict[tuple[str, str], set[str]] = {}
    for right in users[0]["inheritedPrivileges"]:
        resource = {"db": "", "collection": ""} if "anyResource" in right["resource"] else right["resource"]
        if "db" in resource:
            granted.setdefault((resource["db"], resource["collection"]), set()).update(right["actions"])
    return granted
