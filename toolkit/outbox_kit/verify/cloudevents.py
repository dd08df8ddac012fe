"""What is wrong with a message as a CloudEvent, after the protocol binding for Kafka. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from outbox_kit.schema import cloudevents
from outbox_kit.schema.cloudevents import CONTENT_TYPE, MEDIA_TYPE, PREFIX, REQUIRED, VERSION
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.columns import encoded
from outbox_kit.verify.jsontext import parsed

Headers = Mapping[str, bytes | None]
Amiss = Iterator[tuple[str, str, str]]
TIME = re.compile(cloudevents.TIME)
ALSO_OURS = {"id"}  # names that the router's own headers have
PARTITION_KEY = f"{PREFIX}partitionkey"
TWINS = {f"{PREFIX}id": "id", f"{PREFIX}type": "eventType"}


def amiss(outbox: Outbox, headers: Headers, key: bytes | None, value: bytes | None) -> Amiss:
    """Each thing that is wrong: the check, what was expected, and what was there; never a value of the payload."""
    if outbox.cloudevents is None:
        return
    wanted, kind = outbox.cloudevents.mode, _text(headers.get(CONTENT_TYPE)).lower()
    found = "structured" if kind.startswith(MEDIA_TYPE) else "binary"
    if wanted == "structured" and not kind and f"{PREFIX}specversion" not in headers:
        yield "CE-05", f"a header '{CONTENT_TYPE}'", "none"
        found = wanted
    if found != wanted:
        yield "CE-01", f"{wanted} mode", f"{found} mode" + (f", as '{CONTENT_TYPE}' says" if kind else "")
    elif wanted == "binary":
        yield from _binary(outbox, headers, key)
    elif value is not None:
        yield from _structured(value, key)


def _binary(outbox: Outbox, headers: Headers, key: bytes | None) -> Amiss:
    for attribute in REQUIRED:
        if headers.get(f"{PREFIX}{attribute}") is None:
            bare = attribute in headers and attribute not in ALSO_OURS
            yield "CE-03" if bare else "CE-02", f"a header '{PREFIX}{attribute}'", f"'{attribute}'" if bare else "none"
    for name, one in headers.items():
        if name.startswith(PREFIX) and one is not None and encoded(one):
            yield "CE-03", f"'{name}' as plain text", "JSON, or bytes that are no text"
    for name, fixed in cloudevents.constants(outbox).items():
        there = headers.get(name)
        if name == CONTENT_TYPE and there != fixed.encode():
            yield "CE-04", f"'{CONTENT_TYPE}' {fixed}", _text(there) or "none"
        elif there not in (None, fixed.encode()):
            yield "HDR-03", f"'{name}' {fixed}", _text(there)
    for name, twin in TWINS.items():
        if headers.get(name) not in (None, headers.get(twin)):
            yield "HDR-06", f"'{name}' as '{twin}'", "another"
    yield from _said(lambda attribute: headers.get(f"{PREFIX}{attribute}"), key)


def _structured(value: bytes, key: bytes | None) -> Amiss:
    try:
        event = parsed(orjson.loads, value).document
    except ValueError:
        return  # has a finding of its own
    if not isinstance(event, dict):
        yield "CE-02", "an event in JSON", "no object"
        return
    for attribute in REQUIRED:
        if not isinstance(event.get(attribute), str) or not event[attribute]:
            yield "CE-02", f"the attribute '{attribute}'", "no text" if attribute in event else "none"
    if event.get("specversion", VERSION) != VERSION:
        yield "CE-02", f"specversion {VERSION}", "another"
    yield from _said(lambda attribute: str(event[attribute]).encode() if attribute in event else None, key)


def _said(of: Any, key: bytes | None) -> Amiss:
    """What holds in either mode. of: gives an attribute's bytes by its name, or None."""
    time, partition_key = of("time"), of("partitionkey")
    if time is not None and not TIME.fullmatch(_text(time)):
        yield "CE-06", "a time as in RFC 3339", _text(time)[:40]
    if partition_key not in (None, key):
        yield "CE-07", "partitionkey as the record's key", "another"


def elsewhere(record: Any, event: Any) -> bool:
    """Whether a structured event names another partition key than its record has."""
    return "partitionkey" in event and str(event["partitionkey"]).encode() != record.key()


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode(errors="replace")
