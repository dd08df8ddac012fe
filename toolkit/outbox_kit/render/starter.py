"""The smallest good schema file, with every other choice in a comment, and the files beside it. Pure."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit import databases
from outbox_kit.render import text
from outbox_kit.schema.jsonschema import jsonschema

SCHEMA_FILE = "schemas/outbox-kit.schema.json"


@dataclass(frozen=True)
class DatabaseAddress:
    """The database of the starter."""

    dialect: str
    database: str
    host: str
    port: int


@dataclass(frozen=True)
class StarterEvent:
    """An event of the starter: its type and aggregate."""

    type: str
    aggregate: str

    @property
    def path(self) -> str:
        """Where its JSON Schema goes: `OrderPlaced` becomes `schemas/order-placed.json`."""
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", self.type)
        return f"schemas/{re.sub(r'[^a-z0-9]+', '-', words.lower()).strip('-')}.json"


def document(service: str, address: DatabaseAddress, events: Sequence[StarterEvent]) -> dict[str, object]:
    """What the starter will mean, to be checked before anything is written."""
    declared = [{"type": event.type, "aggregate": event.aggregate, "payload": event.path} for event in events]
    database = {
        "dialect": address.dialect,
        "name": address.database,
        "host": address.host,
        "port": address.port,
    }
    return {"service": service, "database": database, "events": declared}


def files(service: str, address: DatabaseAddress, events: Sequence[StarterEvent]) -> dict[str, str]:
    """All files of a starter by their path relative to the schema file; the schema file comes first."""
    dialect, snake = databases.get(address.dialect), service.replace("-", "_")
    outbox = text.starter(
        "starter/outbox.yaml.j2",
        service=service,
        address=address,
        dialect=dialect,
        schema=(dialect.naming.schema or "").format(service=snake),
        role=f"{snake}_outbox",
        events=events,
        schema_file=SCHEMA_FILE,
    )
    contracts = {event.path: _json(_contract(event)) for event in events}
    return {"outbox.yaml": outbox, **contracts, SCHEMA_FILE: _json(jsonschema())}


def _contract(event: StarterEvent) -> dict[str, object]:
    """An open JSON Schema that asks for nothing but an object, to be filled in."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": event.type,
        "type": "object",
        "properties": {},
        "required": [],
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
