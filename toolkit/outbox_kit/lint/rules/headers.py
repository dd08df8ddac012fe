"""Headers, and the other places that columns are sent to."""

from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lint.rule import Edit, Violation, rule
from outbox_kit.lint.subject import JSON, Subject
from outbox_kit.router.javatext import split
from outbox_kit.schema.nearest import closest
from outbox_kit.versions import Version

PLACEMENT = "{}.fields.additional.placement"
PLACES = ("header", "envelope", "partition")


def _entries(subject: Subject) -> Iterator[list[str]]:
    """The placement's entries, as parts."""
    for entry in split(subject.router_option(PLACEMENT) or "", ","):
        yield split(entry, ":")


@rule(
    "placement-form",
    Severity.error,
    evidence="D02 N10",
    fix="write column:place or column:place:alias, with commas between",
)
def placement_form(subject: Subject) -> Iterator[Violation]:
    """An entry of the placement does not have two or three parts.

    The task fails at its start.
    """
    if subject.router and subject.router_option(PLACEMENT) is not None:
        for parts in _entries(subject):
            if len(parts) not in (2, 3):
                yield Violation(subject.router_key(PLACEMENT), f"'{':'.join(parts)}' is no column:place[:alias]")


@rule("placement-word", Severity.error, evidence="D02", fix="write header, envelope or partition")
def placement_word(subject: Subject) -> Iterator[Violation]:
    """An entry of the placement names no place.

    Connect takes it; the task fails with a null pointer on the first event.
    """
    for entry, parts in zip(subject.placement, _entries(subject), strict=False):
        if entry.place is None:
            word = parts[1].strip()
            near = closest(word.lower(), PLACES)
            hint = f"; did you mean '{near}'?" if near else ""
            yield Violation(
                subject.router_key(PLACEMENT),
                f"'{word}' is no place for '{entry.column}'{hint}",
                _corrected(subject, word, near),
            )


def _corrected(subject: Subject, word: str, near: str | None) -> Edit | None:
    text = subject.router_option(PLACEMENT) or ""
    if not near or text.count(f":{word}") != 1:
        return None
    return Edit(subject.router_key(PLACEMENT), value=text.replace(f":{word}", f":{near}"))


@rule("placement-blanks", Severity.error, evidence="D03", until="2.4", fix="take the blanks out")
def placement_blanks(subject: Subject) -> Iterator[Violation]:
    """The placement holds blanks.

    Before 2.5 they belong to the names: the first event stops the task.
    """
    text = subject.router_option(PLACEMENT) or ""
    if " " in text:
        yield Violation(
            subject.router_key(PLACEMENT),
            "blanks in the placement",
            Edit(subject.router_key(PLACEMENT), value=text.replace(" ", "")),
        )


@rule("duplicate-id-header", Severity.warning, evidence="D05", fix="give it another alias; the id is always sent as id")
def duplicate_id_header(subject: Subject) -> Iterator[Violation]:
    """A placement sends a second header called id.

    Headers are a list: consumers that look for one id find two.
    """
    for entry in subject.placement:
        if entry.place == "header" and entry.alias == "id":
            yield Violation(subject.router_key(PLACEMENT), f"'{entry.column}' becomes a second header 'id'")


@rule("duplicate-placement", Severity.error, evidence="D05", fix="give each envelope field a name of its own")
def duplicate_placement(subject: Subject) -> Iterator[Violation]:
    """Two fields of the envelope have one name, or one is called payload.

    The task fails on the first event.
    """
    names = [entry.alias for entry in subject.placement if entry.place == "envelope"]
    for name in sorted({name for name in names if names.count(name) > 1 or name == "payload"}):
        yield Violation(subject.router_key(PLACEMENT), f"the envelope would have the field '{name}' twice")


@rule("no-type-header", Severity.info, evidence="D01", fix="place the type's column: type:header:eventType")
def no_type_header(subject: Subject) -> Iterator[Violation]:
    """Nothing tells consumers the event's type: only the header id is sent.

    A topic with several kinds of events cannot be read without looking into payloads.
    """
    if subject.router and not subject.placement and subject.router_option("{}.field.event.type") is not None:
        yield Violation(subject.router_key("{}.field.event.type"), "the type is not placed in a header")


@rule("json-header-converter", Severity.warning, evidence="D07", fix="use SimpleHeaderConverter")
def json_header_converter(subject: Subject) -> Iterator[Violation]:
    """The JsonConverter writes headers in quotes.

    The id arrives as "…" with its quote marks.
    """
    if subject.router and subject.converter("header") == JSON:
        yield Violation("header.converter", "header values arrive in quotes")


@rule("binary-header-converter", Severity.error, evidence="D06", fix="use SimpleHeaderConverter")
def binary_header_converter(subject: Subject) -> Iterator[Violation]:
    """A converter for bytes as header converter never gets its delegate: Connect configures it another way.

    The header id is text, so the first event stops the task.
    """
    if subject.router and subject.converter("header").startswith("io.debezium.converters."):
        yield Violation("header.converter", "it cannot write the header id, whatever its delegate")


@rule("binary-id", Severity.warning, evidence="D06 B03", fix="keep the id as text, or set binary.handling.mode")
def binary_id(subject: Subject) -> Iterator[Violation]:
    """The event's id looks like a binary column.

    Its header is base64, or Java's name of a buffer.
    """
    mode = (subject.setting("binary.handling.mode") or "bytes").lower()
    column = subject.columns.get("id", "")
    if subject.router and mode == "bytes" and ("bin" in column.lower() or "bytes" in column.lower()):
        yield Violation(subject.router_key("{}.field.event.id"), f"'{column}' looks like bytes")


@rule(
    "tracing-without-column",
    Severity.info,
    evidence="D13",
    fix="send a traceparent column as a header; it needs no agent",
)
def tracing_without_column(subject: Subject) -> Iterator[Violation]:
    """Tracing options do nothing unless the OpenTelemetry classes are on the plugin path and the column is there.

    Otherwise they are ignored, and the column is not sent either.
    """
    if subject.router:
        for name in subject.router.options:
            if name.startswith("tracing."):
                yield Violation(
                    subject.router.key(name), f"'{name}' has an effect only with OpenTelemetry beside the router"
                )


@rule("partition-column-type", Severity.error, evidence="E01", fix="make the column an INTEGER")
def partition_column_type(subject: Subject) -> Iterator[Violation]:
    """The column that goes to the partition is no 32-bit integer.

    The task fails on the first event: is not of type INT32.
    """
    if subject.outbox:
        kinds = {extra.name: extra.kind for extra in subject.outbox.table.extra}
        for entry in subject.placement:
            if entry.place == "partition" and kinds.get(entry.column, "text") != "integer":
                yield Violation(subject.router_key(PLACEMENT), f"'{entry.column}' is no integer column")


@rule("partition-alias", Severity.info, evidence="E03", fix="take the alias out")
def partition_alias(subject: Subject) -> Iterator[Violation]:
    """An alias on a partition placement means nothing."""
    for entry in subject.placement:
        if entry.place == "partition" and entry.alias != entry.column:
            yield Violation(subject.router_key(PLACEMENT), f"the alias '{entry.alias}' is ignored")


@rule("partition-before-2.0", Severity.error, evidence="E03", until="1.9", fix="run a later release")
def partition_before(subject: Subject) -> Iterator[Violation]:
    """The placement `partition` does not exist before 2.0."""
    for entry in subject.placement:
        if entry.place == "partition":
            yield Violation(subject.router_key(PLACEMENT), "partition is no place yet")


@rule(
    "missing-column-behaviour",
    Severity.error,
    evidence="D04",
    since="3.6",
    fix="write table.field.additional.missing=ignore",
)
def missing_column_behaviour(subject: Subject) -> Iterator[Violation]:
    """The option that let a placed column be absent was renamed in 3.6, without an alias.

    The default holds instead: the first row without the column stops the task.
    """
    old = subject.router_key("{}.fields.additional.error.on.missing")
    new = subject.router_key("{}.field.additional.missing")
    if subject.config.get(old, "").strip().lower() == "false" and new not in subject.config:
        yield Violation(old, "a missing column stops the task from 3.6 on", Edit(old, rename=new, value="ignore"))


@rule(
    "context-headers",
    Severity.info,
    evidence="D01",
    since="3.2.1",
    fix="set extended.headers.enabled=false where the headers are a contract",
)
def context_headers(subject: Subject) -> Iterator[Violation]:
    """Debezium adds headers of its own, one of which changes with every restart.

    A consumer that checks for exactly its headers breaks, and a re-sent message differs from the first.
    """
    if subject.router and subject.placement and "extended.headers.enabled" not in subject.config:
        if subject.release >= Version.of("3.2.1") and subject.option("extended.headers.enabled"):
            yield Violation(subject.router_key(PLACEMENT), "__debezium.context.* headers come before id")
