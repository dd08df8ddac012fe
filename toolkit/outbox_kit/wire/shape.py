"""The options that decide what a message is: transformations, predicates and converters; no raw ones. Pure."""

import re
from collections.abc import Mapping

from outbox_kit.router import options
from outbox_kit.router.settings import Placement
from outbox_kit.router.transforms import HEADER_FROM, INSERT_FIELD
from outbox_kit.schema.columns import tombstones
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.words import GROUP, PLACEHOLDER
from outbox_kit.versions import Version
from outbox_kit.wire import cloudevents
from outbox_kit.wire.columns import ROUTER_STEP, declared_columns
from outbox_kit.wire.connector_topics import connector_topics

STRING = "org.apache.kafka.connect.storage.StringConverter"
JSON = "org.apache.kafka.connect.json.JsonConverter"

Config = dict[str, str]


def shape(outbox: Outbox) -> Config:
    """The transformations, predicates and converters that the schema file asks for; no raw option is among them."""
    return {**_transforms(outbox), **_converters(outbox)}


def in_release(written: Config, release: Version) -> Config:
    """The options of a config that a Debezium release reads and that have a value, in that release's words."""
    return {
        name: option.value_for(release, value)
        for name, value in written.items()
        if value and (option := options.resolve(written, name).option) and option.is_supported(release)
    }


def flag(value: bool) -> str:
    """A boolean as Kafka Connect writes it."""
    return "true" if value else "false"


def _transforms(outbox: Outbox) -> Config:
    steps = {**_attributes(cloudevents.constants(outbox)), **_decoding(outbox), ROUTER_STEP: _router(outbox)}
    return {
        "transforms": ",".join(steps),
        **{f"transforms.{step}.{name}": value for step in steps for name, value in steps[step].items()},
        **{f"transforms.{step}.predicate": "isOutbox" for step in steps},
        "predicates": "isOutbox",
        "predicates.isOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
        "predicates.isOutbox.pattern": re.escape(connector_topics(outbox).rows),
    }


def _router(outbox: Outbox) -> Config:
    capture, read = outbox.dialect.capture, declared_columns(outbox)
    return {
        "type": capture.router,
        f"{capture.option_prefix}.field.event.id": read.id,
        f"{capture.option_prefix}.field.event.key": read.key,
        f"{capture.option_prefix}.field.event.payload": read.payload,
        f"{capture.option_prefix}.fields.additional.placement": ",".join(map(_entry, read.placements)),
        f"{capture.option_prefix}.expand.json.payload": flag(expands(outbox)),
        "table.op.invalid.behavior": "warn",
        "route.by.field": read.route,
        "route.topic.regex": outbox.routing.pattern or "(.*)",
        "route.topic.replacement": _replacement(outbox),
        "route.tombstone.on.empty.payload": flag(tombstones(outbox)),
    }


def _entry(placement: Placement) -> str:
    """A placement as the option has it."""
    alias = f":{placement.alias}" if placement.place == "header" else ""
    return f"{placement.column}:{placement.place}{alias}"


def _attributes(constants: Mapping[str, str]) -> dict[str, Config]:
    """Headers that are the same on every event, in two steps before the router: a field of the change, made a header.

    InsertHeader would be one, but sends 1.0 as 1.
    """
    if not constants:
        return {}
    fields = {
        cloudevents.inserting(header): {"type": INSERT_FIELD, "static.field": header, "static.value": value}
        for header, value in constants.items()
    }
    moved = {"type": HEADER_FROM, "operation": "move"} | dict.fromkeys(("fields", "headers"), ",".join(constants))
    return {**fields, "attributes": moved}


def _decoding(outbox: Outbox) -> dict[str, Config]:
    """What makes a row of a message in the log; its nulls are columns too."""
    if outbox.table.storage == "table":
        return {}
    decoder = outbox.dialect.capture.decoder
    return {"decode": {"type": decoder, "fields.null.include": "true"}}


def _replacement(outbox: Outbox) -> str:
    """The topic's pattern as the router takes it: the service's name written out, the column or its group as `$1`."""

    def group(placeholder: re.Match[str]) -> str:
        name = placeholder[1]
        return outbox.service if name == "service" else f"${name if GROUP.fullmatch(name) else 1}"

    return PLACEHOLDER.sub(group, outbox.routing.topic)


def expands(outbox: Outbox) -> bool:
    """Whether the payload is a document, which becomes JSON only on its way; elsewhere it is sent as it was written."""
    return outbox.dialect.documents and outbox.table.payload == "json"


def _converters(outbox: Outbox) -> Config:
    value = {"value.converter": STRING}
    if outbox.table.payload == "bytes":
        value = {
            "value.converter": "io.debezium.converters.BinaryDataConverter",
            "value.converter.delegate.converter.type": JSON,
            "value.converter.delegate.converter.type.schemas.enable": "false",
        }
    elif expands(outbox):
        value = {"value.converter": JSON, "value.converter.schemas.enable": "false"}
    return {
        "key.converter": STRING,
        "header.converter": "org.apache.kafka.connect.storage.SimpleHeaderConverter",
        **value,
    }
