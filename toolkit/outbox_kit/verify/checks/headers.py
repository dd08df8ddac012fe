"""Whether headers are there, once, as plain text, and as declared."""

from collections.abc import Sequence
from functools import partial

from outbox_kit.findings.rule import Group
from outbox_kit.verify.checks import CHECKS, ERROR, EVENTS, INFO, TABLE, WARNING, Check
from outbox_kit.verify.contract import TRACEPARENT, Contract, HeaderContract
from outbox_kit.verify.needs import Need
from outbox_kit.verify.record import ID_PATTERNS, STANDARD, Headers, Violations, encoded, number, shown, shown_name
from outbox_kit.verify.transitions import NO_NUMBER

define = partial(CHECKS.define, group=Group("Headers", ("headers",), rank=2))


MISSING = define(
    id="HDR-01",
    severity=ERROR,
    title="a required header is missing",
    fix="the column is not placed as a header",
    needs=EVENTS,
)
REPEATED = define(
    id="HDR-02",
    severity=ERROR,
    title="a header comes twice",
    fix="a placement that repeats it, or a second transform",
    needs=EVENTS,
)
INVALID = define(
    id="HDR-03",
    severity=ERROR,
    title="a header's value breaks its contract",
    fix="the writer's value, or the contract, is wrong",
    needs=EVENTS,
)
ENCODED = define(
    id="HDR-04",
    severity=ERROR,
    title="a header is encoded",
    fix="a JSON header converter quotes it; use SimpleHeaderConverter",
    needs=EVENTS,
)
UNDECLARED = define(
    id="HDR-05",
    severity=INFO,
    title="a header that nobody declares",
    fix="declare it as a column, or find who adds it",
    needs=EVENTS,
)
NOT_THE_ROWS = define(
    id="HDR-06",
    severity=ERROR,
    title="a header contradicts the outbox row",
    fix="another column is placed there, or the row was changed: an UPDATE is no event",
    needs=TABLE | {Need.events, Need.row_type},
)
INVALID_TRACEPARENT = define(
    id="HDR-07",
    severity=WARNING,
    title="a traceparent that is none",
    fix="version-trace-parent-flags, in lower-case hexadecimal",
    needs=EVENTS | {Need.traceparent},
)


def names(contract: Contract, listed: Sequence[tuple[str, bytes | None]]) -> Violations:
    """Headers that come twice, and headers that nobody has declared. listed: in the record's order."""
    names = [name for name, _ in listed]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield REPEATED, f"one '{shown_name(name)}'", f"{names.count(name)} of them"
    for name in sorted(set(names) - contract.declared):
        yield undeclared(name)


def undeclared(name: str) -> tuple[Check, str, str]:
    """A header that nobody has declared."""
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
            yield INVALID, f"'{header.name}' to match {header.pattern}", shown(value)
