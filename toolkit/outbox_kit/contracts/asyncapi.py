"""A schema file as an AsyncAPI 3 document: channels, messages, keys, headers, payloads, each message with an example.

Examples are what the model of the router makes of a sample row, so that they are what really arrives. What AsyncAPI has
no place for is in `x-outbox`, at the place that it is about. Pure.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router.chain import Message
from outbox_kit.router.options import holds_secret
from outbox_kit.schema.fields import EventType
from outbox_kit.schema.model import Outbox
from outbox_kit.secret import shown
from outbox_kit.wire.cloudevents import CONTENT_TYPE, FRAMED, constants
from outbox_kit.wire.connector import config
from outbox_kit.wire.event import send_event
from outbox_kit.wire.headers import HeaderSpec, as_schema, header_specs, text_schema
from outbox_kit.wire.routes import Routes

Document = dict[str, Any]
SPECIFICATION = "3.0.0"
KAFKA_BINDING = "0.5.0"
# of the schema file, what readers may know: no host, no role, no reference to a secret, no raw option
PUBLIC: Any = {
    "service": True,
    "database": {"dialect"},
    "table": {"storage", "existing", "ids", "payload", "registry", "extra", "columns"},
    "routing": True,
    "ordering": True,
    "delivery_guarantee": True,
    "headers": True,
    "cloudevents": True,
    "connect": {"topics"},
}
OWN = {"follows", "initial", "rules"}  # keys of an event for which AsyncAPI has no place
NOT_IN_A_NAME = lazy_pattern(r"[^A-Za-z0-9._-]")
TEXTS = {"integer": r"-?\d+", "bigint": r"-?\d+", "boolean": "true|false", "objectid": "[0-9a-f]{24}"}


def document(outbox: Outbox, version: str, *, public: bool = False) -> Document:
    """The whole document. version: the contract's own, as its readers know it.

    public: without what only the writers' side needs; a schema file that is made of it again has its defaults there.
    """
    routes = Routes(outbox)
    specs = header_specs(routes)
    events = [event for event in outbox.events if routes.route(event) is not None]
    channels = {channel(topic): _channel(routes, topic, events) for topic in routes.topics}
    return {
        "asyncapi": SPECIFICATION,
        "info": {"title": outbox.service, "version": version, "description": _described(routes)},
        "defaultContentType": _media_type(outbox),
        "channels": channels,
        "operations": {f"publish-{name}": _operation(name, entry["messages"]) for name, entry in channels.items()},
        "components": {"messages": {message(event): _message(routes, specs, event) for event in outbox.events}},
        "x-outbox": {
            "schema-file": _outbox_extension(outbox, public=public),
            "delivery-guarantee": outbox.delivery_guarantee,
            "order": {"by": "header sequence"} if outbox.ordering.sequence else None,
            "deduplicate": {"by": "header id"},
        },
    }


def schemas(outbox: Outbox) -> Iterator[tuple[str, Any]]:
    """The JSON Schema of each event's payload, by file name, for readers that want no more."""
    for event in outbox.events:
        if isinstance(event.payload, Mapping):
            yield f"{message(event)}.schema.json", {**event.payload, "title": event.payload.get("title", event.type)}


def _outbox_extension(outbox: Outbox, *, public: bool) -> Document:
    """What the schema file says besides its events, so that it can be made again from the document.

    Raw options of the connector that hold a secret are left out: readers get this document.
    """
    document = outbox.model_dump(mode="json", by_alias=True, exclude_unset=True, include=PUBLIC if public else None)
    raw = document.get("connect", {}).get("config")
    if raw:
        connector_config = config(outbox)
        document["connect"]["config"] = {
            key: value
            for key, value in raw.items()
            if shown(value, secret=holds_secret(connector_config, key)) == value
        }
    return {name: value for name, value in document.items() if name != "events"}


def channel(topic: str) -> str:
    """A topic's name among the channels."""
    return NOT_IN_A_NAME.sub("_", topic)


def message(event: EventType) -> str:
    """An event's name among the messages."""
    return NOT_IN_A_NAME.sub("_", f"{event.aggregate}.{event.type}")


def _described(routes: Routes) -> str:
    outbox = routes.outbox
    promise = {
        "at-least-once": "Delivery is at-least-once: ignore an event whose header id was processed before.",
        "exactly-once": "Delivery is exactly-once for consumers with isolation.level=read_committed.",
    }[outbox.delivery_guarantee]
    order = "The events of an aggregate are in order." if outbox.ordering.sequence else ""
    caveat = f"The topics are {routes.caveat}." if routes.caveat else ""
    return " ".join(filter(None, [f"Events of {outbox.service}.", promise, order, caveat]))


def _channel(routes: Routes, topic: str, events: list[EventType]) -> Document:
    topics = routes.outbox.connect.topics
    carried = [event for event in events if routes.of_event(event) == topic]
    binding: Document = {"topic": topic, "partitions": topics.partitions, "bindingVersion": KAFKA_BINDING}
    if topics.replication_factor > 0:
        binding["replicas"] = topics.replication_factor
    return {
        "address": topic,
        "messages": {message(event): {"$ref": f"#/components/messages/{message(event)}"} for event in carried},
        "bindings": {"kafka": binding | {"topicConfiguration": {"cleanup.policy": ["delete"]}}},
    }


def _operation(name: str, messages: Mapping[str, Any]) -> Document:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "messages": [{"$ref": f"#/channels/{name}/messages/{message}"} for message in messages],
    }


def _message(routes: Routes, specs: Sequence[HeaderSpec], event: EventType) -> Document:
    outbox = routes.outbox
    document: Document = {
        "name": event.type,
        "title": event.type,
        "summary": event.description or f"{event.type} of {event.aggregate}",
        "contentType": constants(outbox).get(CONTENT_TYPE, _media_type(outbox)),
        "headers": _headers(specs, event),
        "payload": _payload(event),
        "correlationId": {"location": "$message.header#/id"},
        "bindings": {"kafka": {"key": {"type": "string"}, **_frame(outbox), "bindingVersion": KAFKA_BINDING}},
        "x-outbox": {
            "aggregate": event.aggregate,
            "key": {"column": routes.key},
            "tombstone": event.tombstone,
            **event.model_dump(mode="json", include=OWN, exclude_unset=True),
        },
    }
    example = _example(outbox, event)
    return document | {"examples": [example]} if example else document


def _media_type(outbox: Outbox) -> str:
    return FRAMED.get(outbox.table.registry or "", "application/json")


def _frame(outbox: Outbox) -> Document:
    """Where the id of a payload's schema is; the schema that stands here is of what the payload says."""
    if outbox.table.registry is None:
        return {}
    return {"schemaIdLocation": "payload", "schemaIdPayloadEncoding": "confluent"}


def _payload(event: EventType) -> Any:
    """The payload's schema where it stands in the document; a tombstone may be null."""
    root = f"#/components/messages/{message(event)}/payload"
    if not event.tombstone:
        return moved(event.payload or {}, root)
    return {"anyOf": [NULL, moved(event.payload, f"{root}/anyOf/1")]} if event.payload else NULL


NULL = {"type": "null"}


def moved(schema: Any, root: str, old: str = "#") -> Any:
    """A schema whose references below `old` hold where its root is now. root, old: JSON pointers after a hash."""
    if isinstance(schema, list):
        return [moved(part, root, old) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {name: _moved(name, part, root, old) for name, part in schema.items()}


def _moved(name: str, part: Any, root: str, old: str) -> Any:
    if name == "$ref" and isinstance(part, str) and part.startswith(old):
        return root + part.removeprefix(old)
    return moved(part, root, old)


def _headers(specs: Sequence[HeaderSpec], event: EventType) -> Document:
    """The headers of an event as the schema of an object of texts."""
    fixed = {"eventType": event.type, "aggregateType": event.aggregate}
    return as_schema(specs, lambda spec: _header(spec, fixed.get(spec.name)))


def _header(spec: HeaderSpec, fixed: str | None) -> Document:
    if fixed is not None:
        return {"type": "string", "const": fixed}
    shaped = spec if spec.pattern else replace(spec, pattern=TEXTS.get(spec.kind))
    return text_schema(shaped) | ({"format": "uuid"} if spec.kind == "uuid" else {})


def _example(outbox: Outbox, event: EventType) -> Document | None:
    """What a sample row of the event is on its topic; None where no sample can be made."""
    try:
        outcome = send_event(outbox, event, {})
    except UsageProblem:
        return None
    if not isinstance(outcome, Message):
        return None
    headers = {name: (value or b"").decode(errors="replace") for name, value in outcome.headers if value is not None}
    try:
        payload = json.loads(outcome.value) if outcome.value is not None else None
    except ValueError:
        return None
    return {"name": "sample", "headers": headers, "payload": payload}
