"""Durations and windows in PromQL. Pure."""

from outbox_kit.schema.model import Outbox

UNITS = (("d", 86_400), ("h", 3600), ("m", 60), ("s", 1))
SAMPLES = 4
"""Scrapes in a window, without which a rate over it is not reliable."""


def duration(seconds: int) -> str:
    """A duration as Prometheus writes it: `5m`, `90s`."""
    return next(f"{seconds // length}{unit}" for unit, length in UNITS if seconds % length == 0) if seconds else "0s"


def window(outbox: Outbox, seconds: int) -> str:
    """A window of at least so many seconds, and of some scrapes."""
    return duration(max(seconds, SAMPLES * outbox.monitoring.scrape_seconds))
