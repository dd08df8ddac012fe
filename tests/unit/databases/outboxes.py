"""The smallest outbox of each database."""

from typing import Any

from outbox_kit.schema.model import Outbox


def outbox(dialect: str, **database: Any) -> Outbox:
    """One event, without a sequence. database: further keys of the schema file's `database`."""
    return Outbox.model_validate(
        {
            "service": "shop",
            "database": {"dialect": dialect, **database},
            "ordering": {"sequence": None},
            "events": [{"type": "Placed", "aggregate": "Order"}],
        }
    )
