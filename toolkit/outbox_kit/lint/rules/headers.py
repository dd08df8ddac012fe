"""Rules about headers and the other places of columns: envelope and partition."""

from collections.abc import Iterator

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.rule import Consequence, Edit, Violation, at, rule
from outbox_kit.lint.subject import BYTES, JSON, Subject
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
    "placement-syntax",
    Consequence.stop,
    evidence="D02 N10",
    fix="write column:place or column:place:alias, separated by commas",
)
def placement_syntax(subject: Subject) -> Iterator[Violation]:
    """Every entry of the placement has the form column:place or column:place:alias.

    The task fails when it starts.
    """
    if subject.router and subject.router_option(PLACEMENT) is not None:
        for parts in _entries(subject):
            if len(parts) not in (2, 3):
                yield Violation(
                    subject.router_key(PLACEMENT), f"invalid entry '{':'.join(parts)}': expected column:place[:alias]"
                )


@rule("unknown-placement", Consequence.stop, evidence="D02", fix="write header, envelope or partition")
def unknown_placement(subject: Subject) -> Iterator[Violation]:
    """Every entry of the placement names a valid place.

    Kafka Connect accepts the config; the task fails with a NullPointerException on the first event.
    """
    for entry, parts in zip(subject.placement, _entries(subject), strict=False):
        if entry.place is None:
            word = parts[1].strip()
            near = closest(word.lower(), PLACES)
            hint = f"; did you mean '{near}'?" if near else ""
            yield Violation(
                subject.router_key(PLACEMENT),
                f"invalid place '{word}' for column '{entry.column}'{hint}",
                _corrected(subject, word, near),
            )


def _corrected(subject: Subject, word: str, near: str | None) -> Edit | None:
    text = subject.router_option(PLACEMENT) or ""
    if not near or text.count(f":{word}") != 1:
        return None
    return Edit(subject.router_key(PLACEMENT), value=text.replace(f":{word}", f":{near}"))


@rule("placement-whitespace", Consequence.stop, evidence="D03", until="2.4", fix="remove the blanks")
def placement_whitespace(subject: Subject) -> Iterator[Violation]:
    """The placement contains no blanks.

    Before Debezium 2.5 blanks are part of the names: the task fails on the first event.
    """
    text = subject.router_option(PLACEMENT) or ""
    if " " in text:
        yield Violation(
            subject.router_key(PLACEMENT),
            "the placement contains blanks",
            Edit(subject.router_key(PLACEMENT), value=text.replace(" ", "")),
        )


@rule(
    "duplicate-id-header", Consequence.wrong, evidence="D05", fix="use another alias; the event id is always sent as id"
)
def duplicate_id_header(subject: Subject) -> Iterator[Violation]:
    """No column is placed in a header named id.

    The event id is always sent as the header id, so consumers find two headers of that name.
    """
    for entry in subject.placement:
        if entry.place == "header" and entry.alias == "id":
            yield Violation(subject.router_key(PLACEMENT), f"'{entry.column}' is sent as a second header 'id'")


@rule("duplicate-envelope-field", Consequence.stop, evidence="D05", fix="give each envelope field its own name")
def duplicate_envelope_field(subject: Subject) -> Iterator[Violation]:
    """Every field of the envelope has a unique name other than payload.

    The task fails on the first event.
    """
    names = [entry.alias for entry in subject.placement if entry.place == "envelope"]
    for name in sorted({name for name in names if names.count(name) > 1 or name == "payload"}):
        yield Violation(subject.router_key(PLACEMENT), f"the envelope field '{name}' is defined twice")


@rule(
    "no-type-header",
    Consequence.advice,
    of_names=True,
    evidence="D01",
    fix="place the type column in a header: type:header:eventType",
)
def no_type_header(subject: Subject) -> Iterator[Violation]:
    """The event type is sent as a header.

    Without it consumers of a topic with several event types have to examine the payload.
    """
    key, type_column = subject.router_key(PLACEMENT), subject.router_option("{}.field.event.type")
    if subject.router and type_column is None and subject.says(key) and not carries_type(subject):
        yield at(subject, key, "no header has the event type")


NAMES_OF_TYPES = ("type", "event", "eventname", "kind", "operation", "action")
"""How columns end that tell one type of event from another."""


def carries_type(subject: Subject) -> bool:
    """Whether a header, the envelope or the topic has the event type."""
    names = [name for entry in subject.placement for name in (entry.column, entry.alias or "")]
    constant = "$" not in (subject.effective("route.topic.replacement") or "$")
    return any(map(_is_type, [*names, *([] if constant else [subject.columns.get("route", "")])]))


def _is_type(name: str) -> bool:
    plain = name.lower().replace("_", "")
    return plain.endswith(NAMES_OF_TYPES) and "aggregate" not in plain


@rule("json-header-converter", Consequence.wrong, evidence="D07", fix="use SimpleHeaderConverter")
def json_header_converter(subject: Subject) -> Iterator[Violation]:
    """The header converter writes text without quotes.

    The JsonConverter writes header values in quotes: the id arrives as "…" with its quote marks.
    """
    if subject.router and subject.converter("header") == JSON and not subject.writes_cloudevents:
        yield Violation("header.converter", "the JsonConverter writes header values in quotes")


@rule("binary-header-converter", Consequence.stop, evidence="D06", fix="use SimpleHeaderConverter")
def binary_header_converter(subject: Subject) -> Iterator[Violation]:
    """The header converter can write text.

    Kafka Connect configures a header converter differently, so a converter for bytes never gets its delegate. The
    header id is text: the task fails on the first event.
    """
    if subject.router and subject.converter("header") == BYTES:
        yield Violation("header.converter", "the converter for bytes cannot write the header id, which is a text")
    if subject.router and subject.converter("header").startswith("io.debezium.converters."):
        yield Violation("header.converter", "the converter cannot write the header id, even with a delegate")


@rule("binary-id", Consequence.wrong, evidence="D06 B03", fix="store the id as text, or set binary.handling.mode")
def binary_id(subject: Subject) -> Iterator[Violation]:
    """The event id is not a binary column.

    A binary id is sent as base64, or as the name of a Java buffer.
    """
    mode = (subject.setting("binary.handling.mode") or "bytes").lower()
    column = subject.columns.get("id", "")
    if subject.router and mode == "bytes" and ("bin" in column.lower() or "bytes" in column.lower()):
        yield Violation(subject.router_key("{}.field.event.id"), f"'{column}' appears to be a binary column")


@rule(
    "tracing-options",
    Consequence.advice,
    strict=True,
    of_names=True,
    evidence="D13",
    fix="send a traceparent column as a header; that requires no agent",
)
def tracing_options(subject: Subject) -> Iterator[Violation]:
    """Tracing options are set only if OpenTelemetry is available.

    Without the OpenTelemetry classes on the plugin path and the column in the table the options are ignored, and the
    column is not sent either.
    """
    if subject.router:
        for name in subject.router.options:
            if name.startswith("tracing."):
                yield Violation(subject.router.key(name), f"'{name}' has no effect without the OpenTelemetry classes")


INTEGER = lazy_pattern(r"(?:int|int4|integer|serial|serial4|mediumint|number\([5-9]\))\b(?!.*unsigned)")


@rule("partition-column-type", Consequence.stop, evidence="E01", fix="make the column an INTEGER")
def partition_column_type(subject: Subject) -> Iterator[Violation]:
    """The column that sets the partition is a 32-bit integer.

    The task fails on the first event: is not of type INT32.
    """
    created = subject.created_table
    for entry in subject.placement if created else ():
        kind = created.columns.get(entry.column.lower(), "") if created else ""
        if entry.place == "partition" and kind and not INTEGER.match(kind):
            message = f"'{entry.column}' is {kind.partition(' ')[0]}, not an integer column"
            yield Violation(subject.router_key(PLACEMENT), message)
    if subject.outbox:
        kinds = {extra.name: extra.kind for extra in subject.outbox.table.extra}
        for entry in subject.placement:
            if entry.place == "partition" and kinds.get(entry.column, "text") != "integer":
                yield Violation(subject.router_key(PLACEMENT), f"'{entry.column}' is not an integer column")


@rule("partition-alias", Consequence.advice, evidence="E03", fix="remove the alias")
def partition_alias(subject: Subject) -> Iterator[Violation]:
    """A partition placement has no alias.

    The alias has no effect.
    """
    for entry in subject.placement:
        if entry.place == "partition" and entry.alias != entry.column:
            yield Violation(subject.router_key(PLACEMENT), f"the alias '{entry.alias}' is ignored")


@rule("partition-placement-unsupported", Consequence.stop, evidence="E03", until="1.9", fix="use Debezium 2.0 or later")
def partition_placement_unsupported(subject: Subject) -> Iterator[Violation]:
    """The target release supports the placement `partition`.

    Debezium supports it from 2.0 on.
    """
    for entry in subject.placement:
        if entry.place == "partition":
            yield Violation(
                subject.router_key(PLACEMENT), "the placement 'partition' is not supported before Debezium 2.0"
            )


@rule(
    "missing-column-option",
    Consequence.stop,
    evidence="D04",
    since="3.6",
    fix="set table.field.additional.missing=ignore",
)
def missing_column_option(subject: Subject) -> Iterator[Violation]:
    """The option for missing columns has the name of the target release.

    Debezium 3.6 renamed the option without an alias. With the old name the default applies: the task fails on the first
    row without the column.
    """
    old = subject.router_key("{}.fields.additional.error.on.missing")
    new = subject.router_key("{}.field.additional.missing")
    if subject.config.get(old, "").strip().lower() == "false" and new not in subject.config:
        yield Violation(
            old,
            "Debezium 3.6 and later ignore the option: a missing column stops the task",
            Edit(old, rename=new, value="ignore"),
        )


@rule(
    "debezium-context-headers",
    Consequence.advice,
    strict=True,
    evidence="D01",
    since="3.2.1",
    fix="set extended.headers.enabled=false if consumers rely on the exact set of headers",
)
def debezium_context_headers(subject: Subject) -> Iterator[Violation]:
    """The message has no context headers of Debezium.

    Debezium adds headers of its own, one of which changes with every restart. A consumer that expects exactly its
    headers fails, and a re-sent message differs from the first.
    """
    if subject.router and subject.placement and "extended.headers.enabled" not in subject.config:
        if subject.release >= Version.of("3.2.1") and subject.option("extended.headers.enabled"):
            yield Violation(
                subject.router_key(PLACEMENT),
                "extended.headers.enabled is not set: headers __debezium.context.* are added before id",
                unset="extended.headers.enabled",
            )
