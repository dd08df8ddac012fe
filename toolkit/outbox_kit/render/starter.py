"""A minimal schema file with all other settings as comments, and the files that belong to it. Pure."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit import databases
from outbox_kit.render import text
from outbox_kit.schema.jsonschema import jsonschema

SCHEMA_FILE = "schemas/outbox-kit.schema.json"
FIRST_RUN = (
    ("outbox-kit check", "find mistakes in the schema file"),
    ("outbox-kit gen-ddl --apply --password-env OUTBOX_DB_PASSWORD", "create the table and the connector's role"),
    ("outbox-kit deploy-connector --probe", "register the connector and send a test row through it"),
    ("insert an event", "in a transaction of your application"),
    ("outbox-kit verify", "compare the topics with the table"),
)
"""The steps after `init`, in this order, and what each does. The documentation has the same, held equal by a test."""


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
        """The path of its JSON Schema: `OrderPlaced` becomes `schemas/order-placed.json`."""
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", self.type)
        return f"schemas/{re.sub(r'[^a-z0-9]+', '-', words.lower()).strip('-')}.json"


def document(service: str, address: DatabaseAddress, events: Sequence[StarterEvent]) -> dict[str, object]:
    """The content of the starter, to be validated before it is written."""
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
        next_steps=next_steps(),
    )
    contracts = {event.path: _json(_contract(event)) for event in events}
    return {"outbox.yaml": outbox, **contracts, SCHEMA_FILE: _json(jsonschema())}


def next_steps() -> list[str]:
    """The steps of `FIRST_RUN`, numbered, one in each line."""
    width = max(len(step) for step, _ in FIRST_RUN)
    return [f"{number}. {step:{width}}  {why}" for number, (step, why) in enumerate(FIRST_RUN, 1)]


def _contract(event: StarterEvent) -> dict[str, object]:
    """A JSON Schema that accepts any object, to be completed by the user."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": event.type,
        "type": "object",
        "properties": {},
        "required": [],
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
