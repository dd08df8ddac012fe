"""What a verification examined, when and with what: an archived report without it would prove nothing."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from outbox_kit import __version__
from outbox_kit.databases import servers
from outbox_kit.kafka.read import Cluster
from outbox_kit.moments import moment
from outbox_kit.verify.reading.captured import CapturedLog
from outbox_kit.verify.request import Request
from outbox_kit.verify.result import Result


def provenance(request: Request, result: Result, schema_file: Path) -> Mapping[str, str]:
    """The facts by their names, without credentials. schema_file: which was read."""
    outbox = request.outbox
    facts = {
        "date": moment(result.timing.began_ms, "%Y-%m-%d %H:%M:%S UTC"),
        "outbox-kit": __version__,
        "schema file": str(schema_file),
        "schema file sha256": _sha256(schema_file),
        "kafka": _source(request),
        "database": _database(request),
        "kafka connect": request.connect.url if request.connect else "not named",
        "connector": outbox.names.connector,
    }
    return {name: fact for name, fact in facts.items() if fact}


def _source(request: Request) -> str:
    """Where the messages were read, if they are not of a cluster in words."""
    match request.log:
        case Cluster(bootstrap=bootstrap):
            return bootstrap
        case CapturedLog(source=source):
            return source
    return "other messages"


def _sha256(path: Path) -> str:
    """The hash of a file; empty if it can be read only once, as a pipe can."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _database(request: Request) -> str:
    """The database that was named, never its password."""
    if request.dsn is None:
        return "not named"
    dialect = request.outbox.dialect
    endpoint = servers.get(request.outbox.database.dialect).endpoint(request.dsn)
    host = ":".join(str(part) for part in (endpoint.host, endpoint.port) if part) or "the default host"
    return f"{dialect.title} at {host}, database {endpoint.database or request.outbox.names.database}"
