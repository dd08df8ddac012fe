"""Which columns of its table an outbox's event router reads, and for what, as the schema file says it. Pure."""

from outbox_kit.router.settings import Placement, RouterColumns
from outbox_kit.schema import routing
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import cloudevents

ROUTER_STEP = "outbox"  # the router's name among the transformations


def declared_columns(outbox: Outbox) -> RouterColumns:
    """What the generated options name. Of raw options, only one that names another id or key column is heeded.

    CloudEvents have headers that are copies of those two.
    """
    c, field = outbox.table.columns, outbox.dialect.capture.option_prefix
    event_id = _overridden(outbox, f"{field}.field.event.id", c.id)
    key = _overridden(outbox, f"{field}.field.event.key", routing.key_column(outbox.routing, c))
    return RouterColumns(
        id=event_id,
        key=key,
        payload=c.payload,
        route=routing.route_column(outbox.routing, c),
        timestamp=None,
        version=None,
        placements=_placements(outbox, event_id, key),
    )


def _overridden(outbox: Outbox, option: str, column: str) -> str:
    """The column that a raw option of the generated router names if the table has it, else the given one."""
    raw = outbox.connect.config.get(f"transforms.{ROUTER_STEP}.{option}", "").strip()
    return raw if raw in outbox.column_names else column


def _placements(outbox: Outbox, event_id: str, key: str) -> tuple[Placement, ...]:
    """The columns to copy beside the payload. event_id, key: the columns that become the header `id` and the key."""
    c = outbox.table.columns
    headers = {"eventType": c.type, "aggregateType": c.aggregate_type, "sequence": outbox.ordering.sequence}
    standard = (Placement(column, "header", name) for name, column in headers.items() if column is not None)
    extra = (Placement(x.name, x.to, x.alias or x.name) for x in outbox.table.extra if x.to)
    attributes = cloudevents.columns(outbox, event_id, key)
    return (*standard, *extra, *(Placement(column, "header", name) for name, column in attributes.items()))
