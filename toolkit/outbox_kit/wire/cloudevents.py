"""CloudEvents over Kafka: which headers carry an event's attributes, and where each comes from. Pure.

After version 1.0.2 of the specification and of its protocol binding for Kafka.
"""

import re

from outbox_kit.schema.model import Outbox

VERSION = "1.0"
MEDIA_TYPE = "application/cloudevents"  # what the content type of a structured event begins with
CONTENT_TYPE = "content-type"
PREFIX = "ce_"
REQUIRED = ("specversion", "id", "source", "type")
PAYLOADS = {"json": "application/json", "text": "application/json", "bytes": "application/octet-stream"}
FRAMED = {"json": "application/json", "avro": "avro/binary", "protobuf": "application/protobuf"}  # by table.registry
TIME = r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})"  # RFC 3339


def constants(outbox: Outbox) -> dict[str, str]:
    """The headers that are the same on every event, by name; a column of the table that is sent so wins."""
    declared = outbox.cloudevents
    if declared is None:
        return {}
    if declared.mode == "structured":
        headers = {CONTENT_TYPE: f"{MEDIA_TYPE}+json"}
    else:
        content_type = FRAMED.get(outbox.table.registry or "", PAYLOADS[outbox.table.payload])
        source, payload = declared.source or f"/{outbox.service}", declared.content_type or content_type
        headers = {f"{PREFIX}specversion": VERSION, f"{PREFIX}source": source, CONTENT_TYPE: payload}
    raw, extra = outbox.connect.config, _extra(outbox)
    return {
        name: raw.get(f"transforms.{inserting(name)}.static.value", value).strip()
        for name, value in headers.items()
        if name not in extra
    }


def inserting(header: str) -> str:
    """The name of the transformation that adds a header: `ceSource` for `ce_source`."""
    first, *rest = re.split("[_-]", header)
    return first + "".join(map(str.capitalize, rest))


def columns(outbox: Outbox, event_id: str, key: str) -> dict[str, str]:
    """The headers that are columns, by name; a column of the table that is sent so wins.

    event_id, key: the columns that become the header `id` and the message key.
    """
    if outbox.cloudevents is None or outbox.cloudevents.mode == "structured":
        return {}
    c = outbox.table.columns
    attributes = {
        "id": event_id,
        "type": c.type,
        "time": c.created_at,
        "subject": c.aggregate_id,
        "partitionkey": key,
    }
    headers = {f"{PREFIX}{name}": column for name, column in attributes.items() if column is not None}
    return {name: column for name, column in headers.items() if name not in _extra(outbox)}


def _extra(outbox: Outbox) -> set[str]:
    """The headers of the table's extra columns."""
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
