"""Whether messages are CloudEvents, after the protocol binding for Kafka."""

import re
from collections.abc import Callable
from functools import partial

import orjson

from outbox_kit.findings.rule import Group
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS, ERROR, EVENTS, SETTINGS, WARNING
from outbox_kit.verify.checks import headers as header_checks
from outbox_kit.verify.contract import TWINS
from outbox_kit.verify.needs import Need
from outbox_kit.verify.reading.jsontext import parsed
from outbox_kit.verify.record import Headers, Violations, encoded
from outbox_kit.wire import cloudevents
from outbox_kit.wire.cloudevents import CONTENT_TYPE, MEDIA_TYPE, PREFIX, REQUIRED, VERSION

define = partial(CHECKS.define, group=Group("CloudEvents", rank=3))
CLOUD = EVENTS | {Need.cloudevents}
BINARY = CLOUD | {Need.binary}
STRUCTURED = CLOUD | {Need.structured}

OTHER_MODE = define(
    id="CE-01",
    severity=ERROR,
    title="a CloudEvent in another mode",
    fix="content-type decides: application/cloudevents is structured",
    needs=CLOUD,
)
ATTRIBUTE_MISSING = define(
    id="CE-02",
    severity=ERROR,
    title="a CloudEvent without what it must have",
    fix="specversion, id, source and type, all of them texts",
    needs=CLOUD,
)
ATTRIBUTE_HIDDEN = define(
    id="CE-03",
    severity=ERROR,
    title="an attribute that readers will not find",
    fix="its header is ce_ and its name, in plain UTF-8",
    needs=BINARY,
)
OTHER_CONTENT_TYPE = define(
    id="CE-04",
    severity=ERROR,
    title="a content type that is not the data's",
    fix="content_type in the schema file, or who adds the header",
    needs=BINARY,
)
MODE_UNSTATED = define(
    id="CE-05",
    severity=WARNING,
    title="a structured CloudEvent that does not say so",
    fix="without content-type, readers take it for binary",
    needs=STRUCTURED,
)
INVALID_TIME = define(
    id="CE-06",
    severity=ERROR,
    title="a time that is none",
    fix="RFC 3339, as 2026-11-20T10:00:00Z",
    needs=CLOUD,
)
OTHER_PARTITION_KEY = define(
    id="CE-07",
    severity=ERROR,
    title="a partition key that is not the record's",
    fix="partitionkey and the key's column differ",
    needs=CLOUD,
)
COMPACTED_TOMBSTONES = define(
    id="CE-08",
    severity=WARNING,
    title="tombstones among binary CloudEvents on a compacted topic",
    fix="compaction takes the event, which is only headers",
    needs=SETTINGS | {Need.cloudevents, Need.binary, Need.tombstones},
)

TIME = re.compile(cloudevents.TIME)
ROUTER_HEADERS = {"id"}  # names that the router's own headers have


def violations(outbox: Outbox, headers: Headers, key: bytes | None, value: bytes | None) -> Violations:
    """What is wrong with a message as a CloudEvent; nothing where the outbox has none."""
    if outbox.cloudevents is None:
        return
    declared, content_type = outbox.cloudevents.mode, _text(headers.get(CONTENT_TYPE)).lower()
    mode = "structured" if content_type.startswith(MEDIA_TYPE) else "binary"
    if declared == "structured" and not content_type and f"{PREFIX}specversion" not in headers:
        yield MODE_UNSTATED, f"a header '{CONTENT_TYPE}'", "none"
        mode = declared
    if mode != declared:
        stated = f", as '{CONTENT_TYPE}' says" if content_type else ""
        yield OTHER_MODE, f"{declared} mode", f"{mode} mode{stated}"
    elif declared == "binary":
        yield from _binary(outbox, headers, key)
    elif value is not None:
        yield from _structured(value, key)


def _binary(outbox: Outbox, headers: Headers, key: bytes | None) -> Violations:
    for attribute in REQUIRED:
        if headers.get(f"{PREFIX}{attribute}") is None:
            bare = attribute in headers and attribute not in ROUTER_HEADERS
            check = ATTRIBUTE_HIDDEN if bare else ATTRIBUTE_MISSING
            yield check, f"a header '{PREFIX}{attribute}'", f"'{attribute}'" if bare else "none"
    for name, value in headers.items():
        if name.startswith(PREFIX) and value is not None and encoded(value):
            yield ATTRIBUTE_HIDDEN, f"'{name}' as plain text", "JSON, or bytes that are no text"
    for name, constant in cloudevents.constants(outbox).items():
        value = headers.get(name)
        if name == CONTENT_TYPE and value != constant.encode():
            yield OTHER_CONTENT_TYPE, f"'{CONTENT_TYPE}' {constant}", _text(value) or "none"
        elif value not in (None, constant.encode()):
            yield header_checks.INVALID, f"'{name}' {constant}", _text(value)
    for name, twin in TWINS.items():
        if headers.get(name) not in (None, headers.get(twin)):
            yield header_checks.NOT_THE_ROWS, f"'{name}' as '{twin}'", "another"
    yield from _attributes(lambda attribute: headers.get(f"{PREFIX}{attribute}"), key)


def _structured(value: bytes, key: bytes | None) -> Violations:
    try:
        event = parsed(orjson.loads, value).document
    except ValueError:
        return  # PAY-01
    if not isinstance(event, dict):
        yield ATTRIBUTE_MISSING, "an event in JSON", "no object"
        return
    for attribute in REQUIRED:
        if not isinstance(event.get(attribute), str) or not event[attribute]:
            yield ATTRIBUTE_MISSING, f"the attribute '{attribute}'", "no text" if attribute in event else "none"
    if event.get("specversion", VERSION) != VERSION:
        yield ATTRIBUTE_MISSING, f"specversion {VERSION}", "another"
    yield from _attributes(lambda attribute: str(event[attribute]).encode() if attribute in event else None, key)


def _attributes(value_of: Callable[[str], bytes | None], key: bytes | None) -> Violations:
    """What holds in both modes. value_of: an attribute's bytes by its name, or None."""
    time, partition_key = value_of("time"), value_of("partitionkey")
    if time is not None and not TIME.fullmatch(_text(time)):
        yield INVALID_TIME, "a time as in RFC 3339", _text(time)[:40]
    if partition_key not in (None, key):
        yield OTHER_PARTITION_KEY, "partitionkey as the record's key", "another"


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode(errors="replace")
