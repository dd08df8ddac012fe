"""What is wrong with one record, in findings. Slow and thorough; called for records that the fast pass stops at."""

import base64
import binascii
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from outbox_kit.finding import Findings, Place
from outbox_kit.kafka import frame
from outbox_kit.kafka.frame import Fault, Unread
from outbox_kit.kafka.headers import UNREADABLE
from outbox_kit.kafka.placement import partition_of, partitioner
from outbox_kit.printable import printable
from outbox_kit.verify import cloudevents
from outbox_kit.verify.columns import encoded
from outbox_kit.verify.contract import STANDARD, TRACEPARENT, Contract, EventContract, known, pair
from outbox_kit.verify.jsontext import DEEPEST, JUDGED, NotJSON, Parsed, deeper, pruned
from outbox_kit.verify.paths import NO_NUMBER

UUID = re.compile(rb"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
IDS = {"uuid": UUID, "bigint": re.compile(rb"-?[0-9]{1,19}"), "objectid": re.compile(rb"[0-9a-f]{24}")}
IDS["text"] = re.compile(rb"[^\x00-\x20\x7f]{1,255}")
OWN_HEADERS = "__debezium."  # Debezium's context headers, where they were not switched off
SHOWN_BYTES = 32
SHOWN_NAME = 100  # characters
WRAPPER = {"schema", "payload"}
UNSURE = {"anyOf", "oneOf", "not", "if", "then", "else", "contains", "enum", "const", "uniqueItems"} | {
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependentSchemas",
}  # words by which a value further down decides
FAULTS = {
    Fault.unframed: "PAY-06",
    Fault.unknown: "PAY-06",
    Fault.silent: "RUN-12",
    Fault.unreadable: "PAY-01",
    Fault.broken: "PAY-02",
}


def place(topic: str, partition: int, record: Any) -> Place:
    """A record's coordinates."""
    return Place(topic, partition, record.offset())


def number(text: bytes | None) -> int:
    """A header's text as a number; NO_NUMBER where it is none that a BIGINT can hold."""
    plain = (text or b"").removeprefix(b"-")
    found = int(text or b"") if plain.isdigit() and len(plain) < 20 else NO_NUMBER
    return found if -(2**63) < found < 2**63 else NO_NUMBER


def route_of(contract: Contract, event: EventContract, route: bytes | None) -> str | None:
    """The topic that an event belongs on; None where that cannot be said. route: the header that decides."""
    if event.topic is not None or contract.route_header is None or contract.routes.assumed:
        return event.topic
    return contract.routes.topic((route or b"").decode(errors="replace"))


def shown(value: bytes | None) -> str:
    """A few bytes for a report: as text where they are text, else in hexadecimal."""
    if value is None:
        return "null"
    cut = value[:SHOWN_BYTES]
    try:
        text = repr(cut.decode())
    except UnicodeDecodeError:
        text = f"0x{cut.hex()}"
    return text + ("..." if len(value) > SHOWN_BYTES else "")


def named(header: str) -> str:
    """A header's name for a report, on one line."""
    return printable(header if len(header) <= SHOWN_NAME else header[:SHOWN_NAME] + "...")


@dataclass(frozen=True)
class Explainer:
    """Turns what is wrong with a record into findings."""

    contract: Contract
    findings: Findings

    def record(self, topic: str, partition: int, record: Any) -> bool:
        """Routing, key and headers; whether it is an event, however faulty."""
        whole, where = record.headers() or (), place(topic, partition, record)
        if whole is UNREADABLE:
            self.findings.add("HDR-04", where, "names as text", "a name that is no UTF-8; no header can be read")
            return True
        listed = [(name, value) for name, value in whole if not name.startswith(OWN_HEADERS)]
        headers = dict(listed)
        if "id" not in headers:
            return self._stray(where, headers, record.value())
        for name in sorted({name for name, _ in listed if [n for n, _ in listed].count(name) > 1}):
            self.findings.add("HDR-02", where, f"one '{named(name)}'", f"{[n for n, _ in listed].count(name)} of them")
        for name in sorted(headers.keys() - self.contract.declared):
            self.undeclared(where, name)
        self._standard_headers(where, headers)
        self._ruled_headers(where, headers)
        for check, expected, actual in cloudevents.amiss(self.contract.outbox, headers, record.key(), record.value()):
            self.findings.add(check, where, expected, actual)
        if not record.key():
            self.findings.add("KEY-01", where, "a key", shown(record.key()))
        self._route(where, headers)
        return True

    def undeclared(self, where: Place, name: str) -> None:
        """A header that nobody has declared."""
        self.findings.add("HDR-05", where, "", f"'{named(name)}'")

    def _stray(self, where: Place, headers: dict[str, bytes | None], value: bytes | None) -> bool:
        """A record without an id: a raw change record, an event that has lost its id, or somebody else's record.

        Whether it is an event.
        """
        own = [name for name in STANDARD if name in headers and name in self.contract.names]
        if _raw(value):
            self.findings.add("RTE-04", where, "an event", "a change record with before, after and op")
            return False
        if own:
            self.findings.add("HDR-01", where, "a header 'id'", f"none, beside '{own[0]}'")
        else:
            self.findings.add("RTE-03", where, "a header 'id'", "none")
        return bool(own)

    def _standard_headers(self, where: Place, headers: dict[str, bytes | None]) -> None:
        for name in self.contract.names:
            value = headers.get(name)
            if value is None and name in STANDARD:
                self.findings.add("HDR-01", where, f"a header '{name}'", "null" if name in headers else "none")
            elif value is not None and name not in self.contract.attributes:
                ids = self.contract.outbox.table.ids
                braced = value[:1] == b"{" and not (name == "id" and ids == "text")
                if value[:1] == b'"' or braced or (name not in STANDARD and encoded(value)):
                    self.findings.add("HDR-04", where, f"'{name}' as plain text", shown(value))
                elif name == "id" and not IDS[ids].fullmatch(value):
                    self.findings.add("HDR-03", where, f"'id' as a {ids.upper()}", shown(value))
                elif name == "sequence" and number(value) == NO_NUMBER:
                    self.findings.add("HDR-03", where, "'sequence' as a number", shown(value))

    def _ruled_headers(self, where: Place, headers: dict[str, bytes | None]) -> None:
        for rule in self.contract.headers:
            value = headers.get(rule.name)
            if rule.name in self.contract.attributes:
                continue
            if value is None:
                if rule.required:
                    self.findings.add("HDR-01", where, f"a header '{rule.name}'", shown(value))
            elif rule.values and value not in rule.values:
                allowed = ", ".join(sorted(one.decode() for one in rule.values))
                self.findings.add("HDR-03", where, f"'{rule.name}' as one of {allowed}", shown(value))
            elif not rule.matches(value.decode(errors="replace")):
                if rule.pattern == TRACEPARENT:
                    self.findings.add("HDR-07", where, "00-<32 digits>-<16 digits>-<2 digits>", shown(value))
                else:
                    self.findings.add("HDR-03", where, f"'{rule.name}' to match {rule.pattern}", shown(value))

    def _route(self, where: Place, headers: dict[str, bytes | None]) -> None:
        aggregate, kind = pair(headers)
        says_aggregate = self.contract.outbox.table.columns.aggregate_type is not None
        if kind is None or (says_aggregate and aggregate is None):
            return
        event = self.contract.event(headers)
        if event is None:
            said = f"{shown(kind)} of {shown(aggregate)}" if says_aggregate else shown(kind)
            self.findings.add("RTE-02", where, "a declared event", said)
            return
        expected = route_of(self.contract, event, headers.get(self.contract.route_header or ""))
        if expected is not None and expected != where.topic:
            self.findings.add("RTE-01", where, expected, where.topic)

    def key(self, topic: str, partition: int, record: Any, partitions: int) -> None:
        """A key's encoding and its partition."""
        key, where = record.key(), place(topic, partition, record)
        if encoded(key):
            self.findings.add("KEY-03", where, "the column's text", shown(key))
        if self.contract.routes.by_key and (expected := partition_of(key, partitions)) != partition:
            by = partitioner(key, partition, partitions)
            said = f"partition {partition}" + (f", where {by} puts it" if by else "")
            self.findings.add("KEY-04", where, f"partition {expected} of {partitions}", said)

    def payload(self, topic: str, partition: int, record: Any, event: EventContract) -> None:
        """The value against the event's contract; values themselves are never shown."""
        value, where = record.value(), place(topic, partition, record)
        if value is None:
            if not event.event.tombstone:
                self.findings.add("PAY-05", where, f"a payload of {event.event.type}", "null")
            return
        try:
            parsed = event.read(value)
        except Unread as unread:
            self.findings.add(FAULTS[unread.fault], where, unread.expected, unread.found)
            return
        except NotJSON as why:
            meant = event.validator is not None or bool(event.rules) or event.enveloped
            if (schema := frame.schema(value)) and self.contract.outbox.table.payload != "bytes":
                self.findings.add("PAY-06", where, "JSON", f"a registry's frame, {schema}")
            elif self.contract.outbox.table.payload == "json" or meant:
                self.findings.add("PAY-01", where, "JSON", f"{len(value)} bytes that are none: {why}")
            return
        document = parsed.document
        self._odd(where, parsed)
        if self.contract.outbox.table.registry is not None:
            self._meaning(where, record, parsed, event)
        elif isinstance(document, str) and _json(document):
            self.findings.add("PAY-03", where, "JSON", "a JSON string that holds JSON")
        elif isinstance(document, str) and _base64_of_json(document):
            self.findings.add("PAY-08", where, "JSON", "a JSON string that holds base64 of JSON")
        elif isinstance(document, dict) and document.keys() == WRAPPER and not _declares(event, WRAPPER):
            self.findings.add("PAY-04", where, "the payload", "schema and payload")
        else:
            self._meaning(where, record, parsed, event)

    def _odd(self, where: Place, parsed: Parsed) -> None:
        """What is JSON, and not to every reader."""
        for pointer in parsed.beyond:
            self.findings.add("PAY-09", where, "a number that a double holds", f"a larger one at {pointer or '/'}")
        for pointer in parsed.halves:
            self.findings.add("PAY-13", where, "whole characters", f"half a surrogate pair at {pointer or '/'}")
        if parsed.depth > DEEPEST:
            self.findings.add("PAY-13", where, f"at most {DEEPEST} levels", f"{parsed.depth}")

    def _meaning(self, where: Place, record: Any, parsed: Parsed, event: EventContract) -> None:
        for check, expected, actual in meaning(event, record, parsed):
            self.findings.add(check, where, expected, actual)


def meaning(event: EventContract, record: Any, parsed: Parsed) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a document by its schema and its rules: the check, what was expected, and what was there."""
    document, schema = parsed.document, event.validator
    deep = deeper(document, JUDGED)
    upper = pruned(document, JUDGED) if deep else document
    for error in _errors(schema, upper, deep) if schema is not None else ():
        pointer = "/".join(["", *map(str, error.instance_path)]) or "/"
        rule = "/".join(map(str, error.schema_path))
        yield "PAY-02", f"{event.event.type} to keep {rule}", f"broken at {pointer}"
        return  # a rule counts on the schema
    if deep and (event.rules or schema is not None):
        yield "RUN-16", f"at most {JUDGED} levels, which its schema and rules are asked of", "a payload of more levels"
    message = known(record, pruned(document, JUDGED)) if event.rules else {}
    for one in event.rules:
        if why := one.why_not(message):
            yield "PAY-07", one.text, why


def _errors(schema: Any, document: Any, cut: bool) -> Iterator[Any]:
    """The first error of a document. cut: deeper levels were left out; errors that may depend on them do not count."""
    sure = (
        error
        for error in schema.iter_errors(document)
        if not cut or (len(error.instance_path) < JUDGED - 1 and not UNSURE & set(map(str, error.schema_path)))
    )
    return itertools.islice(sure, 1)


def _raw(value: bytes | None) -> bool:
    """Whether a value is a change record as Debezium writes it without the router."""
    try:
        document = orjson.loads(value or b"null")
    except ValueError:
        document = None
    inner = document.get("payload", document) if isinstance(document, dict) else None
    raw = isinstance(inner, dict) and {"before", "after", "op"} <= inner.keys()
    return raw or (value or b"").startswith(b"Struct{after=")


def _json(text: str) -> bool:
    """Whether a text is a document of JSON, and no mere value."""
    try:
        return isinstance(orjson.loads(text), dict | list)
    except ValueError:
        return False


def _base64_of_json(text: str) -> bool:
    try:
        return isinstance(orjson.loads(base64.b64decode(text, validate=True)), dict | list)
    except (binascii.Error, ValueError):
        return False


def _declares(event: EventContract, names: set[str]) -> bool:
    """Whether an event's own schema has properties of these names."""
    schema = event.event.payload
    return isinstance(schema, dict) and names <= schema.get("properties", {}).keys()
