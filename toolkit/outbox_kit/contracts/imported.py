"""An AsyncAPI 3 document as a schema file. One that we wrote comes back as it was; of others, what cannot be said in a
schema file is told and left out. Pure.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from outbox_kit import databases
from outbox_kit.contracts.asyncapi import NULL, OWN, moved
from outbox_kit.errors import BadConfigFile

Document = Mapping[str, Any]
OURS = ("id", "eventType", "aggregateType", "sequence")
JSON_FORMATS = ("application/vnd.aai.asyncapi", "application/schema+json", "application/schema+yaml")


@dataclass
class Imported:
    """A schema file's document, and what could not be brought along, a sentence each."""

    outbox: dict[str, Any] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)


def imported(document: Any, source: str) -> Imported:
    """The schema file of an AsyncAPI document. source: its name, for messages. Raises BadConfigFile."""
    if not isinstance(document, Mapping) or "asyncapi" not in document:
        raise BadConfigFile(
            f"invalid AsyncAPI document '{source}': expected a member asyncapi",
            fix="name a document that begins with asyncapi: 3.0.0",
        )
    version = str(document["asyncapi"])
    if not version.startswith("3."):
        raise BadConfigFile(
            f"unsupported AsyncAPI {version} in '{source}': expected 3.0 or 3.1", fix="convert it: asyncapi convert"
        )
    try:
        return _Import(document).imported()
    except (KeyError, TypeError, AttributeError, ValueError) as cause:
        why = f"'{cause.args[0]}' is missing" if isinstance(cause, KeyError) else str(cause)
        raise BadConfigFile(f"invalid AsyncAPI document '{source}'", why=why) from None


class _Import:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._imported = Imported()

    def imported(self) -> Imported:
        schema_file = self._document.get("x-outbox", {}).get("schema-file")
        channels = dict(self._channels())
        if isinstance(schema_file, Mapping):
            self._imported.outbox = {
                **schema_file,
                "events": [self._own_event(*entry) for entry in self._of_components()],
            }
        elif channels:
            self._foreign(channels)
        else:
            raise ValueError("the document has no channels")
        return self._imported

    # -- the document -------------------------------------------------------------------------------------------------

    def _resolved(self, node: Any) -> Any:
        """A node, or what its reference into this document points to."""
        for _ in range(20):
            if not (isinstance(node, Mapping) and isinstance(node.get("$ref"), str)):
                return node
            node = self._at(node["$ref"])
        raise ValueError("circular references")

    def _at(self, reference: str) -> Any:
        if not reference.startswith("#/"):
            raise ValueError(f"'{reference}' is in another file: bundle the document first")
        node: Any = self._document
        for step in reference[2:].split("/"):
            node = self._resolved(node)[step.replace("~1", "/").replace("~0", "~")]
        return node

    def _channels(self) -> Iterator[tuple[str, Document]]:
        """The channels that the application sends to, by address; all of them where no operation says."""
        channels = {name: self._resolved(channel) for name, channel in (self._document.get("channels") or {}).items()}
        operations = [self._resolved(operation) for operation in (self._document.get("operations") or {}).values()]
        sent = [self._resolved(operation["channel"]) for operation in operations if operation.get("action") == "send"]
        for name, channel in channels.items():
            if not sent or any(channel is other for other in sent):
                kafka = (channel.get("bindings") or {}).get("kafka") or {}
                yield str(kafka.get("topic") or channel.get("address") or name), channel

    def _of_components(self) -> Iterator[tuple[str, Document]]:
        for name, message in ((self._document.get("components") or {}).get("messages") or {}).items():
            yield name, self._resolved(message)

    def _own_event(self, name: str, message: Document) -> dict[str, Any]:
        """An event as we wrote it: its payload's references point into the document, and did not before."""
        root = f"#/components/messages/{name}/payload"
        extension = message["x-outbox"]
        settings = {name: extension[name] for name in sorted(OWN) if name in extension}
        return self._event({**message, "payload": None}, extension["aggregate"]) | _stood(message, root) | settings

    # -- documents of other tools --------------------------------------------------------------------------------------

    def _foreign(self, channels: Mapping[str, Document]) -> None:
        title = re.sub(r"[^a-z0-9]+", "-", str(self._document["info"]["title"]).lower()).strip("-")[:40]
        pattern, aggregates = _pattern(list(channels))
        events, extra, rules = [], dict[str, dict[str, Any]](), dict[str, dict[str, Any]]()
        for address, channel in channels.items():
            for name, reference in (channel.get("messages") or {}).items():
                message = self._resolved(reference)
                complete = {**message, "name": message.get("name") or message.get("title") or name}
                events.append(self._event(complete, self._aggregate(message) or aggregates[address]))
                self._columns(message, extra, rules)
        topics = self._topics(channels)
        self._imported.outbox = {
            "service": title if re.match(r"[a-z]", title) else f"s-{title}"[:40],
            "database": {"dialect": databases.DEFAULT},
            **({"table": {"extra": list(extra.values())}} if extra else {}),
            "routing": {"topic": pattern},
            **({"headers": list(rules.values())} if rules else {}),
            "events": events,
            **({"connect": {"topics": topics}} if topics else {}),
        }

    def _aggregate(self, message: Document) -> str | None:
        """What the message itself says of its aggregate."""
        properties = self._resolved(message.get("headers") or {}).get("properties") or {}
        constant: str | None = self._resolved(properties.get("aggregateType") or {}).get("const")
        return constant

    def _event(self, message: Document, aggregate: str) -> dict[str, Any]:
        kind = str(message["name"])
        event: dict[str, Any] = {"type": kind, "aggregate": aggregate}
        payload = self._payload(kind, message.get("payload"))
        if payload == NULL:
            event["tombstone"] = True
        elif payload:
            event["payload"] = payload
        description = message.get("summary") or message.get("description")
        return (
            event | {"description": description} if description and description != f"{kind} of {aggregate}" else event
        )

    def _payload(self, kind: str, payload: Any) -> Any:
        payload = self._resolved(payload)
        if isinstance(payload, Mapping) and "schemaFormat" in payload:
            if not str(payload["schemaFormat"]).startswith(JSON_FORMATS):
                self._imported.skipped.append(f"the payload of '{kind}' is {payload['schemaFormat']}, not JSON Schema")
                return None
            payload = self._resolved(payload["schema"])
        return self._whole(payload, {}) if isinstance(payload, Mapping) else None

    def _whole(self, schema: Any, defined: dict[str, Any], *, top: bool = True) -> Any:
        """A self-contained schema: what it refers to in the document becomes a definition."""
        if isinstance(schema, list):
            return [self._whole(part, defined, top=False) for part in schema]
        if not isinstance(schema, Mapping):
            return schema
        reference = schema.get("$ref")
        if isinstance(reference, str):
            name = re.sub(r"[^A-Za-z0-9._-]", "_", reference.rsplit("/", 1)[-1])
            if name not in defined:
                defined[name] = True  # met again on the way down, it is there
                defined[name] = self._whole(self._at(reference), defined, top=False)
            return {"$ref": f"#/$defs/{name}"}
        inlined = {
            key: self._whole(part, defined, top=False)
            for key, part in schema.items()
            if key not in ("$defs", "definitions")
        }
        return inlined | {"$defs": defined} if top and defined else inlined

    def _columns(self, message: Document, extra: dict[str, dict[str, Any]], rules: dict[str, dict[str, Any]]) -> None:
        """Other headers become columns, with the constraints on their values."""
        headers = self._resolved(message.get("headers") or {})
        required = headers.get("required") or []
        for name, reference in (headers.get("properties") or {}).items():
            schema = self._resolved(reference)
            if name in OURS:
                continue
            column = re.sub(r"[^a-z0-9_]", "_", name.lower())
            kind = "uuid" if schema.get("format") == "uuid" else "text"
            entry = {"name": column, "kind": kind, "required": name in required}
            extra.setdefault(name, entry | ({} if column == name else {"as": name}))
            rule = {"name": name} | {"values": list(schema["enum"])} if schema.get("enum") else {"name": name}
            if schema.get("pattern"):
                rule["pattern"] = schema["pattern"]
            if len(rule) > 1:
                rules.setdefault(name, rule | ({} if name in required else {"required": False}))

    def _topics(self, channels: Mapping[str, Document]) -> dict[str, int]:
        bindings = [(channel.get("bindings") or {}).get("kafka") or {} for channel in channels.values()]
        topics = {}
        for ours, theirs in (("partitions", "partitions"), ("replication_factor", "replicas")):
            values_of_setting = {int(binding[theirs]) for binding in bindings if theirs in binding}
            if len(values_of_setting) > 1:
                self._imported.skipped.append(
                    f"topics have different {theirs}: {sorted(values_of_setting)}; the largest value is used"
                )
            if values_of_setting:
                topics[ours] = max(values_of_setting)
        return topics


def _stood(message: Document, root: str) -> dict[str, Any]:
    """The payload of a message that outbox-kit wrote; its root is kept."""
    payload = message["payload"]
    if not message["x-outbox"]["tombstone"]:
        return {"payload": moved(payload, "#", root)} if payload else {}
    if payload == NULL:
        return {"tombstone": True}
    return {"tombstone": True, "payload": moved(payload["anyOf"][1], "#", f"{root}/anyOf/1")}


def _pattern(addresses: list[str]) -> tuple[str, dict[str, str]]:
    """A topic's pattern that gives all of these, and each one's aggregate."""
    if len(addresses) == 1:
        return addresses[0], {addresses[0]: re.split(r"[._-]", addresses[0])[-1]}
    heads = {address.rpartition(".")[0] for address in addresses}
    if len(heads) == 1 and "" not in heads:
        head = next(iter(heads))
        return f"{head}.{{aggregate}}", {address: address.rpartition(".")[2] for address in addresses}
    return "{aggregate}", {address: address for address in addresses}
