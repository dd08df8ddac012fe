"""Schema files for every preset and each of its databases."""

from typing import Any

from outbox_kit import databases
from outbox_kit.schema import presets
from outbox_kit.schema.model import Outbox

TYPES = {
    "masstransit": "urn:message:Shop:OrderPlaced;urn:message:Shop:IEvent",
    "barrier": "committed",
}
KNOWN = [
    (name, dialect)
    for name in presets.listed()
    for dialect in presets.get(name).databases
    if dialect in databases.ALL and not databases.get(dialect).documents
]


def document(preset: str, dialect: str = "postgres", **more: Any) -> dict[str, Any]:
    event = {"type": TYPES.get(preset, "OrderPlaced"), "aggregate": "Order"}
    return {"service": "shop", "database": {"dialect": dialect}, "table": {"preset": preset}, "events": [event], **more}


def outbox(preset: str, dialect: str = "postgres", **more: Any) -> Outbox:
    return Outbox.model_validate(presets.spread(document(preset, dialect, **more)))
