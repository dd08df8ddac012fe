"""Whether messages are CloudEvents, after the protocol binding for Kafka."""

from collections.abc import Callable
from functools import partial

import orjson

from outbox_kit.findings.rule import Group
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.model import Outbox
from outbox_kit.verify.checks import CHECKS, COMPARE, ERROR, EVENTS, SETTINGS, WARNING
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
    title="every CloudEvent is in the declared mode",
    problem="the CloudEvent is in another mode than declared",
    why="The header content-type decides: application/cloudevents is structured mode, any other value is binary mode.",
    fix="align cloudevents.mode in the schema file with the connector: outbox-kit plan",
    needs=CLOUD,
)
ATTRIBUTE_MISSING = define(
    id="CE-02",
    severity=ERROR,
    title="every CloudEvent has the required attributes",
    problem="a required attribute is missing or invalid",
    why="CloudEvents libraries reject the message: specversion, id, source and type must be texts.",
    fix=COMPARE,
    needs=CLOUD,
)
ATTRIBUTE_HIDDEN = define(
    id="CE-03",
    severity=ERROR,
    title="every attribute is a ce_ header in plain UTF-8",
    problem="an attribute is not a ce_ header in plain UTF-8",
    why="CloudEvents libraries do not find the attribute.",
    fix="name the header ce_ and the attribute's name, and set "
    "header.converter=org.apache.kafka.connect.storage.SimpleHeaderConverter",
    needs=BINARY,
)
OTHER_CONTENT_TYPE = define(
    id="CE-04",
    severity=ERROR,
    title="every CloudEvent has the declared content-type",
    problem="the content-type differs from the declared one",
    why="Consumers decode the data by it. Possible causes: cloudevents.content_type in the schema file, or a "
    "transformation that sets the header.",
    fix=COMPARE,
    needs=BINARY,
)
MODE_UNSTATED = define(
    id="CE-05",
    severity=WARNING,
    title="every structured CloudEvent has the content-type of structured mode",
    problem="the structured CloudEvent has no content-type",
    why="Consumers read it as a CloudEvent in binary mode.",
    fix=COMPARE,
    needs=STRUCTURED,
)
INVALID_TIME = define(
    id="CE-06",
    severity=ERROR,
    title="the time of every CloudEvent is valid",
    problem="invalid time",
    why="CloudEvents libraries reject the message.",
    fix="write the time as RFC 3339 defines it, such as 2026-11-20T10:00:00Z",
    needs=CLOUD,
)
OTHER_PARTITION_KEY = define(
    id="CE-07",
    severity=ERROR,
    title="the partitionkey of every CloudEvent is the message key",
    problem="the partitionkey differs from the message key",
    why="The attribute and the key are written from different columns.",
    fix=COMPARE,
    needs=CLOUD,
)
COMPACTED_TOMBSTONES = define(
    id="CE-08",
    severity=WARNING,
    title="no compacted topic has tombstones of binary CloudEvents",
    problem="a compacted topic has tombstones of binary CloudEvents",
    why="Such an event is only headers, and compaction deletes it.",
    fix="set cleanup.policy=delete on the topic, or cloudevents.mode: structured in the schema file",
    needs=SETTINGS | {Need.cloudevents, Need.binary, Need.tombstones},
)

TIME = lazy_pattern(cloudevents.TIME)
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
        stated = f", according to '{CONTENT_TYPE}'" if content_type else ""
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
            yield ATTRIBUTE_HIDDEN, f"'{name}' as plain text", "JSON, or bytes that are not UTF-8"
    for name, constant in cloudevents.constants(outbox).items():
        value = headers.get(name)
        if name == CONTENT_TYPE and value != constant.encode():
            yield OTHER_CONTENT_TYPE, f"'{CONTENT_TYPE}' {constant}", _text(value) or "none"
        elif value not in (None, constant.encode()):
            yield header_checks.INVALID, f"'{name}' {constant}", _text(value)
    for name, twin in TWINS.items():
        if headers.get(name) not in (None, headers.get(twin)):
            yield header_checks.NOT_THE_ROWS, f"'{name}' equal to '{twin}'", "another value"
    yield from _attributes(lambda attribute: headers.get(f"{PREFIX}{attribute}"), key)


def _structured(value: bytes, key: bytes | None) -> Violations:
    try:
        event = parsed(orjson.loads, value).document
    except ValueError:
        return  # PAY-01
    if not isinstance(event, dict):
        yield ATTRIBUTE_MISSING, "a JSON object", "another JSON value"
        return
    for attribute in REQUIRED:
        if not isinstance(event.get(attribute), str) or not event[attribute]:
            yield (
                ATTRIBUTE_MISSING,
                f"the attribute '{attribute}'",
                "an empty or other value" if attribute in event else "none",
            )
    if event.get("specversion", VERSION) != VERSION:
        yield ATTRIBUTE_MISSING, f"specversion {VERSION}", "another version"
    yield from _attributes(lambda attribute: str(event[attribute]).encode() if attribute in event else None, key)


def _attributes(value_of: Callable[[str], bytes | None], key: bytes | None) -> Violations:
    """What holds in both modes. value_of: an attribute's bytes by its name, or None."""
    time, partition_key = value_of("time"), value_of("partitionkey")
    if time is not None and not TIME.fullmatch(_text(time)):
        yield INVALID_TIME, "a time in the format of RFC 3339", _text(time)[:40]
    if partition_key not in (None, key):
        yield OTHER_PARTITION_KEY, "partitionkey equal to the message key", "another value"


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode(errors="replace")
