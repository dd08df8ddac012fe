"""A session with MongoDB; the driver's errors become ours here and nowhere else."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, unquote

from outbox_kit import deadline, secret
from outbox_kit.address import flaw
from outbox_kit.databases.connecting import next_step
from outbox_kit.databases.driver import missing
from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.databases.url import Endpoint, malformed
from outbox_kit.errors import DatabaseRefused, DatabaseUnreachable, OutOfTime, UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.model import Outbox
from outbox_kit.waiting import announced

CONNECT_TIMEOUT_SECONDS = 10.0
PATIENCE_SECONDS = 60.0
FORM = "mongodb://user@host:27017/database?replicaSet=rs0"
DSN = lazy_pattern(
    r"mongodb(?:\+srv)?://(?:(?P<user>[^:@/?]*)(?::(?P<password>[^@/?]*))?@)?"
    r"(?P<hosts>(?:\[[0-9a-fA-F:.]+\]|[^/?@:,\[\]]+)(?::\d+)?(?:,(?:\[[0-9a-fA-F:.]+\]|[^/?@:,\[\]]+)(?::\d+)?)*)"
    r"(?:/(?P<database>[^?]*))?(?:\?(?P<options>.*))?"
)
OWN = ("admin", "local", "config")  # the server's databases
UNAUTHENTICATED = {18, 8000}  # the server's, and Atlas's
TIME_IS_UP = 50
NEXT_STEPS = {
    13: "grant the privilege to the user, or use another user in OUTBOX_KIT_DSN",
    26: "create the missing objects: outbox-kit gen-ddl --apply",
    121: "correct the document: the error names the condition of the validator that it violates",
}

Session = Any  # the driver's client, in UTC: the driver is imported where it is needed, and need not be there


def driver() -> Any:
    """The driver. Raises UsageProblem where it is not installed."""
    try:
        import pymongo.errors
    except ImportError as cause:
        raise missing(MONGODB, cause) from None
    return pymongo


@announced("MongoDB", lambda dsn: address(dsn))
@contextmanager
def session(dsn: str, *, seconds: float = PATIENCE_SECONDS) -> Iterator[Session]:
    """A client for the length of a block; each command is executed on its own, with write concern majority.

    dsn: `mongodb://user@host:port/database?replicaSet=rs0`; the password is in MONGODB_PASSWORD where it is left out,
    and the user in the database `admin` where no authSource says otherwise.
    seconds: for each answer of the server; one that has not answered by then is hung up on.
    Raises UsageProblem (no such address, no driver), DatabaseUnreachable, DatabaseRefused, OutOfTime.
    """
    place, pymongo = address(dsn), driver()
    try:
        client = pymongo.MongoClient(dsn, **_settings(dsn, seconds))
    except (pymongo.errors.PyMongoError, ValueError) as cause:
        raise UsageProblem(
            "the database's address is malformed", where=place, why=secret.hidden(words(cause))
        ) from None
    try:
        with client:
            yield client
    except pymongo.errors.OperationFailure as cause:
        if cause.code in UNAUTHENTICATED:
            raise _unreachable(place, cause) from cause
        if cause.code == TIME_IS_UP:
            raise OutOfTime("the database did not answer in time", where=place, why=words(cause)) from cause
        fix = NEXT_STEPS.get(cause.code or 0, "")
        raise DatabaseRefused("the database refused a command", where=place, why=words(cause), fix=fix) from cause
    except pymongo.errors.NetworkTimeout as cause:
        raise OutOfTime("the database did not answer in time", where=place, why=words(cause)) from cause
    except pymongo.errors.PyMongoError as cause:
        raise _unreachable(place, cause) from cause


def database_names(dsn: str, outbox: Outbox) -> tuple[str, ...]:  # noqa: ARG001 - as Oracle's
    """The database of an address, unless it is the users': commands name the outbox's themselves."""
    database = endpoint(dsn).database
    return (database,) if database and database not in OWN else ()


def expect_collection(dsn: str, outbox: Outbox) -> None:
    """Raise DatabaseRefused where the collection is not there: to the server one that is not there is an empty one."""
    database, collection = outbox.names.database, outbox.table.name
    with session(dsn) as client:
        command = {
            "listCollections": 1,
            "filter": {"name": collection},
            "nameOnly": True,
            "authorizedCollections": True,
        }
        answer = client[database].command(command)
    if not answer["cursor"]["firstBatch"]:
        problem = f"collection '{collection}' does not exist in database '{database}'"
        raise DatabaseRefused(problem, where=address(dsn), fix=NEXT_STEPS[26])


def endpoint(dsn: str) -> Endpoint:
    """Host, port and database of an address, without connecting."""
    match = DSN.fullmatch(dsn)
    if not match or flaw(dsn, several=False):
        return Endpoint()
    host, _, port = match["hosts"].split(",")[0].partition(":")
    return Endpoint(host or None, int(port) if port.isdecimal() else None, unquote(match["database"] or "") or None)


def address(dsn: str) -> str:
    """Hosts and database, never the password. Raises UsageProblem."""
    secret.remember_address(dsn)
    match, why = DSN.fullmatch(dsn), flaw(dsn, several=False)
    if not match or why:
        raise malformed(FORM, why)
    return f"{match['hosts']}/{match['database'] or ''}"


def has_password(dsn: str) -> bool:
    """Whether an address spells a password out."""
    match = DSN.fullmatch(dsn)
    return bool(match and match["password"])


def words(error: Exception) -> str:
    """What the server or the driver said, on one line and without the driver's view of the cluster."""
    details = getattr(error, "details", None)
    message = details.get("errmsg") if isinstance(details, dict) else None
    return " ".join(str(message or error).partition(", Timeout: ")[0].partition(" (configured timeouts: ")[0].split())


def _settings(dsn: str, seconds: float) -> dict[str, Any]:
    match = DSN.fullmatch(dsn)
    assert match is not None  # noqa: S101 - its address was asked before
    seconds = deadline.allowed(seconds, grace=True)
    milliseconds = round(min(CONNECT_TIMEOUT_SECONDS, seconds) * 1000)
    settings: dict[str, Any] = {
        "appname": "outbox-kit",
        "tz_aware": True,
        "w": "majority",
        "readConcernLevel": "majority",
        "serverSelectionTimeoutMS": milliseconds,
        "connectTimeoutMS": milliseconds,
        "socketTimeoutMS": max(1, round(seconds * 1000)),
    }
    if match["user"] and "authsource" not in {name.lower() for name in parse_qs(match["options"] or "")}:
        settings["authSource"] = "admin"
    if match["user"] and not match["password"]:
        password = secret.Secret(os.environ.get(MONGODB.access.variable, ""))
        settings |= {"username": unquote(match["user"]), "password": password.reveal()}
    return settings


def _unreachable(place: str, cause: Exception) -> DatabaseUnreachable:
    fix = next_step(MONGODB.access, words(cause))
    return DatabaseUnreachable("no connection to the database", where=place, why=words(cause), fix=fix)
