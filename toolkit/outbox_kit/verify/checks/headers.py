"""Whether headers are there, once, as plain text, and as declared."""

from collections.abc import Sequence
from functools import partial

from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import CHECKS, COMPARE, ERROR, EVENTS, INFO, TABLE, WARNING, Check
from outbox_kit.verify.contract import TRACEPARENT, Contract, HeaderContract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.record import ID_PATTERNS, STANDARD, Headers, Violations, encoded, number, shown, shown_name
from outbox_kit.verify.transitions import NO_NUMBER

define = partial(CHECKS.define, group=Group("Headers", ("headers",), rank=2))


MISSING = define(
    id="HDR-01",
    severity=ERROR,
    title="every required header is present",
    problem="a required header is missing",
    why="Consumers cannot identify the event. Possible causes: the message was published before the column became a "
    "header, the running connector does not place the column as a header, or another transformation removes it.",
    fix=f"{COMPARE}; accept messages from before the change with a baseline: --baseline FILE --update-baseline",
    needs=EVENTS,
)
REPEATED = define(
    id="HDR-02",
    severity=ERROR,
    title="every header occurs once",
    problem="a header occurs more than once",
    why="Consumers read the first or the last value, depending on the client library. Possible causes: a "
    "placement that repeats the header, or a second transformation that adds it.",
    fix=COMPARE,
    needs=EVENTS,
)
INVALID = define(
    id="HDR-03",
    severity=ERROR,
    title="every header has an allowed value",
    problem="a header has an invalid value",
    why="Consumers that rely on the declared values fail.",
    fix="fix the producer, or allow the value in the schema file",
    needs=EVENTS,
)
ENCODED = define(
    id="HDR-04",
    severity=ERROR,
    title="every header is plain text",
    problem="a header is encoded",
    why="Consumers find quotation marks or JSON in place of the text. A JSON header converter encodes it.",
    fix="set header.converter=org.apache.kafka.connect.storage.SimpleHeaderConverter",
    needs=EVENTS,
)
UNDECLARED = define(
    id="HDR-05",
    severity=INFO,
    title="every header is declared",
    problem="a header is not declared",
    why="Consumers may begin to rely on it.",
    fix="declare it as a column under table.extra, or find the transformation that adds it",
    needs=EVENTS,
)
NOT_THE_ROWS = define(
    id="HDR-06",
    severity=ERROR,
    title="the headers of every message are those of its outbox row",
    problem="a header differs from the outbox row",
    why="Possible causes: the row was updated after the insert (an update is not published), also by a migration that "
    "fills a new column, or another column is used by the running connector (every message differs).",
    fix=f"do not update outbox rows: publish a correction as a new event; {COMPARE}; accept "
    "messages from before a migration with a baseline: --baseline FILE --update-baseline",
    needs=TABLE | {Need.events, Need.row_type},
)
INVALID_TRACEPARENT = define(
    id="HDR-07",
    severity=WARNING,
    title="every traceparent is valid",
    problem="invalid traceparent",
    why="Tracing tools ignore it, so the trace ends at the outbox.",
    fix="write version-trace-parent-flags in lower-case hexadecimal, as W3C Trace Context defines it",
    needs=EVENTS | {Need.traceparent},
)


def names(contract: Contract, listed: Sequence[tuple[str, bytes | None]]) -> Violations:
    """Repeated headers and undeclared headers. listed: in the record's order."""
    names = [name for name, _ in listed]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield REPEATED, f"'{shown_name(name)}' once", f"{names.count(name)} times"
    for name in sorted(set(names) - contract.declared):
        yield undeclared(name)


def undeclared(name: str) -> tuple[Check, str, str]:
    """An undeclared header."""
    return UNDECLARED, "", f"'{shown_name(name)}'"


def values(contract: Contract, headers: Headers) -> Violations:
    """Headers that are missing, encoded, or not as declared."""
    for name in contract.names:
        if headers.get(name) is None and name in STANDARD:
            yield MISSING, f"a header '{name}'", "null" if name in headers else "none"
        elif headers.get(name) is not None and name not in contract.attributes:
            yield from _standard(contract, name, headers[name] or b"")
    for header in contract.headers:
        if header.name not in contract.attributes:
            yield from _declared(header, headers.get(header.name))


def _standard(contract: Contract, name: str, value: bytes) -> Violations:
    """A header that comes with every event."""
    ids = contract.outbox.table.ids
    braced = value[:1] == b"{" and not (name == "id" and ids == "text")
    if value[:1] == b'"' or braced or (name not in STANDARD and encoded(value)):
        yield ENCODED, f"'{name}' as plain text", shown(value)
    elif name == "id" and not ID_PATTERNS[ids].fullmatch(value):
        yield INVALID, f"'id' as a {ids.upper()}", shown(value)
    elif name == "sequence" and number(value) == NO_NUMBER:
        yield INVALID, "'sequence' as a number", shown(value)


def _declared(header: HeaderContract, value: bytes | None) -> Violations:
    """A header that the schema file describes."""
    if value is None:
        if header.required:
            yield MISSING, f"a header '{header.name}'", shown(value)
    elif header.values and value not in header.values:
        allowed = ", ".join(sorted(each.decode() for each in header.values))
        yield INVALID, f"'{header.name}' as one of {allowed}", shown(value)
    elif not header.matches(value.decode(errors="replace")):
        if header.pattern == TRACEPARENT:
            yield INVALID_TRACEPARENT, "00-<32 digits>-<16 digits>-<2 digits>", shown(value)
        else:
            yield INVALID, f"'{header.name}' that matches {header.pattern}", shown(value)
