"""The conditions on what publishes the events. No file is touched here."""

from collections.abc import Iterator

from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.names import TRANSACTION
from outbox_kit.schema.problem import SchemaProblem, quoted
from outbox_kit.schema.words import is_http_header
from outbox_kit.versions import Version


def complaints(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The mistakes in `delivery`, and in what the rest of the schema file says with it."""
    sink = outbox.delivery.sink
    if outbox.delivery.exchange is not None and sink != "rabbitmq":
        problem = "delivery.exchange needs delivery.sink: rabbitmq; remove the key"
        yield SchemaProblem(problem, ("delivery", "exchange"))
    if outbox.delivery.by != "relay":
        if sink != "kafka":
            expected = "expected kafka with delivery.by: connector"
            yield SchemaProblem(f"invalid delivery.sink '{sink}': {expected}", ("delivery", "sink"))
        yield from _exactly_once(outbox)
        return
    if sink == "http":
        yield from _http_headers(outbox)
    if outbox.delivery_guarantee == "exactly-once" and (hindrance := _at_least_once(outbox)):
        expected = (
            f"expected at-least-once with {hindrance}; only a relay that reads the log of PostgreSQL and publishes to "
            "Kafka, or a connector, publishes exactly once"
        )
        yield SchemaProblem(f"invalid delivery_guarantee 'exactly-once': {expected}", ("delivery_guarantee",))
    if outbox.delivery.source == "table":
        yield from _polled(outbox)
    elif outbox.delivery.record != "position" and outbox.dialect.capture.uses_slot and not outbox.table.existing:
        expected = "expected position, or delivery.source: table; a relay that reads the log changes no rows"
        yield SchemaProblem(f"invalid delivery.record '{outbox.delivery.record}': {expected}", ("delivery", "record"))
    elif not outbox.dialect.capture.uses_slot:
        title = outbox.dialect.title
        if outbox.dialect.capture.polled:
            expected = f"expected table for {title}; the relay reads the log of PostgreSQL only"
            yield SchemaProblem(f"invalid delivery.source 'log': {expected}", ("delivery", "source"))
        else:
            yield SchemaProblem(f"invalid delivery.by 'relay': expected connector for {title}", ("delivery", "by"))


def _exactly_once(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """Kafka Connect rejects a connector that must deliver exactly once and does not support it."""
    since, release = outbox.dialect.capture.exactly_once, outbox.connect.debezium
    if outbox.delivery_guarantee == "exactly-once" and Version.of(release) < Version.of(since):
        expected = (
            f"expected at-least-once with connect.debezium '{release}'; the connector of {outbox.dialect.title} "
            f"supports exactly-once since Debezium {since}"
        )
        yield SchemaProblem(f"invalid delivery_guarantee 'exactly-once': {expected}", ("delivery_guarantee",))


def _at_least_once(outbox: OutboxFields) -> str:
    """Because of which key a relay publishes at least once only; empty if it can publish exactly once."""
    if outbox.delivery.sink != "kafka":
        return f"delivery.sink: {outbox.delivery.sink}"
    return "delivery.source: table" if outbox.delivery.source == "table" else ""


def _http_headers(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The headers of extra columns that HTTP cannot send."""
    for n, column in enumerate(outbox.table.extra):
        name = column.alias or column.name
        if column.to == "header" and name != "content-type" and not is_http_header(name):
            expected = "expected a name that an HTTP request may have, with delivery.sink: http"
            place = ("table", "extra", n, "as" if column.alias else "name")
            yield SchemaProblem(f"invalid header name {quoted(name)}: {expected}", place)


def _polled(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The conditions on a table that a relay reads."""
    records, record = outbox.dialect.capture.polled, outbox.delivery.record
    if not records:
        expected = f"expected connector for {outbox.dialect.title}"
        yield SchemaProblem(f"invalid delivery.by 'relay': {expected}", ("delivery", "by"))
        return
    if not outbox.table.keeps_rows:
        value = "log" if outbox.table.storage == "log" else outbox.table.retention
        expected = "expected a table that keeps its rows with delivery.source: table"
        yield SchemaProblem(f"invalid table '{value}': {expected}", ("delivery", "source"))
    if record not in records:
        expected = f"expected {' or '.join(records)} for {outbox.dialect.title}"
        yield SchemaProblem(f"invalid delivery.record '{record}': {expected}", ("delivery", "record"))
    elif record == "position":
        yield from _by_position(outbox)
    if record != "mark" and outbox.delivery.mark is not None:
        problem = f"delivery.mark needs delivery.record: mark, and it is {record}; remove the key, or set it to null"
        yield SchemaProblem(problem, ("delivery", "mark"))
    elif record == "mark" and record in records:
        yield from _by_mark(outbox)


def _by_position(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    place = ("delivery", "record")
    if outbox.table.existing:
        expected = "expected mark, with the table's columns in delivery.mark, or delete, with table.existing: true"
        yield SchemaProblem(f"invalid delivery.record 'position': {expected}", place)
    if outbox.ordering.sequence is None:
        expected = "expected a column, by which the relay keeps the order"
        yield SchemaProblem(f"invalid ordering.sequence 'null': {expected}", ("ordering", "sequence"))
    if TRANSACTION in outbox.column_names:
        expected = "expected another name, because the relay adds a column of this name"
        yield SchemaProblem(f"invalid column name {quoted(TRANSACTION)}: {expected}", place)


def _by_mark(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The conditions on the columns in which the relay records what it has published."""
    mark, place = outbox.mark, ("delivery", "mark")
    if mark is None:
        expected = "expected delivery.mark with columns of the existing table, such as {published_at: sent_at}"
        yield SchemaProblem(f"invalid delivery.record 'mark': {expected}", ("delivery", "record"))
        return
    if mark.published_at is None and mark.status is None:
        yield SchemaProblem("delivery.mark needs published_at or status, by which unpublished rows are found", place)
    used: dict[str, tuple[int | str, ...]] = {}
    for name, below in mark.places():
        at = (*place, *below) if outbox.delivery.mark else ("delivery", "record")
        if name in outbox.column_names:
            expected = "expected a column that is neither published nor declared in table.columns or table.extra"
            yield SchemaProblem(f"invalid column name {quoted(name)}: {expected}", at)
        elif name in used:
            yield SchemaProblem(f"the column {quoted(name)} is used twice", at, used[name])
        used.setdefault(name, at)
    status = mark.status
    values = [] if status is None else [status.pending, status.published, status.failed]
    for n, (key, value) in enumerate(zip(("pending", "published", "failed"), values, strict=False)):
        if value in values[:n]:
            problem = f"the status {quoted(value)} stands for two states; use another value"
            yield SchemaProblem(problem, (*place, "status", key))
    for key in () if outbox.table.existing else ("available_at", "expires_at"):
        if getattr(mark, key) is not None:
            yield SchemaProblem(f"delivery.mark.{key} needs table.existing: true; remove the key", (*place, key))
