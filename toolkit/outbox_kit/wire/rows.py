"""Sample rows of a schema file's events."""

import json
from collections.abc import Mapping
from typing import Any

from outbox_kit.errors import UsageProblem
from outbox_kit.router.events import RowColumn
from outbox_kit.schema.columns import Column
from outbox_kit.schema.columns import columns as columns_of
from outbox_kit.schema.fields import EventType, Header
from outbox_kit.schema.matching import matching
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.sample import FORMATS, NoSample, sample
from outbox_kit.wire.config_rows import SAMPLE_KEY, as_text
from outbox_kit.wire.effective import router_columns

DEFAULT = "default "
SAMPLES = {
    "text": "text",
    "integer": 0,
    "bigint": 1,
    "boolean": True,
    "uuid": FORMATS["uuid"],
    "objectid": "6564e2c80000000000000001",
    "instant": FORMATS["date-time"],
}


def of_event(outbox: Outbox, event: EventType, changes: Mapping[str, Any]) -> list[RowColumn]:
    """The row of an event: its payload made from its JSON Schema, its other columns filled plainly.

    changes: values by column that replace the sample's. Raises UsageProblem.
    """
    c = outbox.table.columns
    column_values = ((c.aggregate_type, event.aggregate), (c.aggregate_id, SAMPLE_KEY), (c.type, event.type))
    values: dict[str, Any] = {column: value for column, value in column_values if column is not None}
    if c.payload not in changes:
        values[c.payload] = _payload(event)
    if unknown := sorted(set(changes) - set(outbox.column_names)):
        fix = f"use its columns: {', '.join(outbox.column_names)}"
        raise UsageProblem(f"column '{unknown[0]}' not found in the table", fix=fix)
    values |= {**_of_headers(outbox), **changes}
    types = outbox.dialect.types
    return [
        RowColumn(
            x.name,
            types[x.kind],
            as_text(values.get(x.name, SAMPLES.get(x.kind))),
            optional=not x.required,
            default=None if outbox.table.existing else _default(outbox, x),
        )
        for x in columns_of(outbox)
    ]


def _default(outbox: Outbox, column: Column) -> str | None:
    """What the generated script has for a column's default."""
    clause = outbox.dialect.ddl.default_clauses.get(column.filled, "")
    return clause.removeprefix(DEFAULT) if clause.startswith(DEFAULT) else None


def _of_headers(outbox: Outbox) -> dict[str, str]:
    """A valid value of each extra column whose header has a rule."""
    allowed = {header.name: value for header in outbox.headers if (value := _valid(header))}
    extra = {column.name for column in outbox.table.extra}
    headers = router_columns(outbox).headers if allowed else {}
    return {column: allowed[name] for name, column in headers.items() if name in allowed and column in extra}


def _valid(header: Header) -> str | None:
    """A value that a header's rule allows: the first of its values, or a text that its pattern matches."""
    if header.values:
        return header.values[0]
    return matching(header.pattern) if header.pattern else None


def _payload(event: EventType) -> str | None:
    if event.tombstone:
        return None
    if not isinstance(event.payload, dict):
        return "{}"
    try:
        return json.dumps(sample(event.payload), ensure_ascii=False)
    except NoSample as cause:
        raise UsageProblem(
            f"no sample payload for '{event.type}'", why=str(cause), fix="give a row with --row-file"
        ) from None
