"""Rules about payloads that are bytes, and converters of bytes."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.payload import CONVERTER, DELEGATE
from outbox_kit.lint.subject import BINARY, BYTES, JSON, STRING, Subject
from outbox_kit.router.javatext import trim

BYTES_TYPE = lazy_pattern(r"bytea|(?:tiny|medium|long)?blob|(?:var)?binary|raw|image")
TEXT_TYPE = lazy_pattern(r"jsonb?|(?:tiny|medium|long)?text|n?(?:var)?char|character|n?clob|varchar2")
"""Types of columns, as a statement writes them."""


@rule(
    "binary-payload-as-text",
    Consequence.wrong,
    severity=Severity.error,
    evidence="A17 A18",
    fix="use the BinaryDataConverter with a JSON delegate",
)
def binary_payload_as_text(subject: Subject) -> Iterator[Violation]:
    """The value converter can write a payload that is stored as bytes.

    The StringConverter sends `java.nio.HeapByteBuffer[...]` for every event, the JsonConverter quoted base64.
    """
    if subject.outbox and subject.outbox.table.payload == "bytes" and subject.converter("value") in (STRING, JSON):
        yield Violation(CONVERTER, "table.payload is bytes, which this converter cannot write")
    if BYTES_TYPE.match(_payload_type(subject)) and subject.converter("value") in (STRING, JSON):
        if (subject.setting("binary.handling.mode") or "bytes") == "bytes":
            yield Violation(CONVERTER, "the payload's column is binary, which this converter cannot write")


def _payload_type(subject: Subject) -> str:
    """The type of the payload's column in the table that the file creates; empty if it is not known."""
    table = subject.created_table
    return table.columns.get(subject.columns.get("payload", "").lower(), "") if table and subject.router else ""


@rule(
    "text-payload-as-bytes",
    Consequence.stop,
    evidence="A17 A18",
    fix="use the StringConverter, or a delegate converter, or a binary column",
)
def text_payload_as_bytes(subject: Subject) -> Iterator[Violation]:
    """The value converter can write a payload that is stored as text.

    Converters of bytes accept bytes only: the task fails on the first event.
    """
    delegated = DELEGATE in subject.config
    refuses = subject.converter("value") == BYTES or (subject.converter("value") in BINARY and not delegated)
    if refuses and TEXT_TYPE.match(_payload_type(subject)) and not subject.expands:
        yield Violation(CONVERTER, "the payload's column is text, which this converter refuses")


@rule(
    "binary-made-text",
    Consequence.wrong,
    evidence="A17 A18",
    fix="leave binary.handling.mode at bytes",
)
def binary_made_text(subject: Subject) -> Iterator[Violation]:
    """Binary payloads stay bytes for a converter of bytes.

    Another binary.handling.mode makes text of them before the converter sees them: a converter of bytes refuses them,
    or its delegate writes the text.
    """
    mode = trim(subject.config.get("binary.handling.mode", "bytes")).lower()
    converters = [subject.converter("value"), *subject.document.settings.values()]  # Server does not read some of these
    if subject.router and mode != "bytes" and subject.says("binary.handling.mode"):
        if any(name.strip() in (BYTES, *BINARY) for name in converters):
            yield Violation("binary.handling.mode", f"'{mode}' makes text of binary payloads")
