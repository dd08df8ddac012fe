"""The conditions on what publishes the events. No file is touched here."""

from collections.abc import Iterator

from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.names import TRANSACTION
from outbox_kit.schema.problem import SchemaProblem, quoted
from outbox_kit.schema.words import is_http_header


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
        return
    if sink == "http":
        yield from _http_headers(outbox)
    if outbox.delivery_guarantee == "exactly-once":
        expected = "expected at-least-once with delivery.by: relay"
        yield SchemaProblem(f"invalid delivery_guarantee 'exactly-once': {expected}", ("delivery_guarantee",))
    if outbox.delivery.source == "table":
        yield from _polled(outbox)
    elif not outbox.dialect.capture.uses_slot:
        title = outbox.dialect.title
        if outbox.dialect.capture.polled:
            expected = f"expected table for {title}; the relay reads the log of PostgreSQL only"
            yield SchemaProblem(f"invalid delivery.source 'log': {expected}", ("delivery", "source"))
        else:
            yield SchemaProblem(f"invalid delivery.by 'relay': expected connector for {title}", ("delivery", "by"))


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


def _by_position(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    place = ("delivery", "record")
    if outbox.table.existing:
        expected = "expected delete with table.existing: true"
        yield SchemaProblem(f"invalid delivery.record 'position': {expected}", place)
    if outbox.ordering.sequence is None:
        expected = "expected a column, by which the relay keeps the order"
        yield SchemaProblem(f"invalid ordering.sequence 'null': {expected}", ("ordering", "sequence"))
    if TRANSACTION in outbox.column_names:
        expected = "expected another name, because the relay adds a column of this name"
        yield SchemaProblem(f"invalid column name {quoted(TRANSACTION)}: {expected}", place)
