"""What the programs in Python have in common; it is put beside them as `shop`."""

import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

from box import events
from opentelemetry import trace

BUSINESS = "insert into work (consumer, message_id) values (%s, %s)"
PLACED = events.OrderPlaced({"orderId": "7", "at": datetime.now(UTC), "note": None, "lines": [{"sku": "a'\"ä"}]})


def traced() -> AbstractContextManager[Any]:
    """Within the span that the environment names."""
    _, trace_id, span_id, _ = os.environ["TRACEPARENT"].split("-")
    context = trace.SpanContext(int(trace_id, 16), int(span_id, 16), False, trace.TraceFlags(trace.TraceFlags.SAMPLED))
    return trace.use_span(trace.NonRecordingSpan(context))


def attempt(work: Callable[[], bool]) -> str:
    """What a handler has raised."""
    try:
        return str(work())
    except RuntimeError as error:
        return str(error)


def told(sent: object, handled: list[Any]) -> None:
    """Print what the test asks for. A payload that is too large must have been refused."""
    try:
        events.encoded(events.OrderPlaced({"orderId": "7" * 900_000, "at": datetime.now(UTC), "lines": []}))
    except ValueError:
        print(json.dumps({"sent": str(sent), "handled": handled}))
