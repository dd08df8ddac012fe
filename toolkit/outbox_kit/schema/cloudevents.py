"""CloudEvents over Kafka: which headers carry an event's attributes, and where each comes from. Pure.

After version 1.0.2 of the specification and of its protocol binding for Kafka.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outbox_kit.schema.model import Outbox

VERSION = "1.0"
MEDIA_TYPE = "application/cloudevents"  # what the content type of a structured event begins with
CONTENT_TYPE = "content-type"
PREFIX = "ce_"
REQUIRED = ("specversion", "id", "source", "type")
PAYLOADS = {"json": "application/json", "text": "application/json", "bytes": "application/octet-stream"}
FRAMED = {"json": "application/json", "avro": "avro/binary", "protobuf": "application/protobuf"}  # by table.registry
TIME = r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})"  # RFC 3339


def constants(outbox: "Outbox") -> dict[str, str]:
    """The headers that are the same on every event, by name; a column of the table that is sent so wins."""
    said = outbox.cloudevents
    if said is None:
        return {}
    if said.mode == "structured":
        found = {CONTENT_TYPE: f"{MEDIA_TYPE}+json"}
    else:
        written = FRAMED.get(outbox.table.registry or "", PAYLOADS[outbox.table.payload])
        source, payload = said.source or f"/{outbox.service}", said.content_type or written
        found = {f"{PREFIX}specversion": VERSION, f"{PREFIX}source": source, CONTENT_TYPE: payload}
    return {name: value for name, value in found.items() if name not in _own(outbox)}


def columns(outbox: "Outbox") -> dict[str, str]:
    """The headers that are columns, by name; a column of the table that is sent so wins."""
    if outbox.cloudevents is None or outbox.cloudevents.mode == "structured":
        return {}
    c = outbox.table.columns
    attributes = {
        "id": c.id,
        "type": c.type,
        "time": c.created_at,
        "subject": c.aggregate_id,
        "partitionkey": outbox.key_column,
    }
    found = {f"{PREFIX}{name}": column for name, column in attributes.items() if column is not None}
    return {name: column for name, column in found.items() if name not in _own(outbox)}


def _own(outbox: "Outbox") -> set[str]:
    return {column.alias or column.name for column in outbox.table.extra if column.to == "header"}


def envelope() -> dict[str, object]:
    """The JSON Schema of a structured event, as far as it is the same for all."""
    text = {"type": "string", "minLength": 1}
    attributes = {name: text for name in REQUIRED} | {"specversion": {"const": VERSION}}
    return {
        "type": "object",
        "required": list(REQUIRED),
        "properties": attributes | {"time": {"type": "string", "pattern": f"^{TIME}$"}},
    }
