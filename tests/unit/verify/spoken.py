"""Captured messages as a file of JSON holds them."""

from typing import Any

SCHEMA = """service: shop
database: {dialect: postgres}
events:
  - {type: OrderPlaced, aggregate: Order, payload: {type: object, properties: {total: {type: number}}}}
"""
IDS = [f"00000000-0000-4000-8000-{n:012}" for n in range(9)]


def message(n: int = 1, **changes: Any) -> dict[str, Any]:
    """One that nothing is wrong with."""
    headers = {"id": IDS[n], "eventType": "OrderPlaced", "aggregateType": "Order", "sequence": str(n)}
    return {"topic": "outbox.event.Order", "key": "7", "headers": headers, "value": {"total": 1.5}} | changes
