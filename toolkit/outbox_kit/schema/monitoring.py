"""The section `monitoring` of a schema file: the thresholds of alerts and of `lag`.

The fields' descriptions are product text: the reference is made of them.
"""

from pydantic import Field

from outbox_kit.schema.table import Part

MOST_COUNTED = 100_000
"""Unpublished events that are counted at most, so that a query is bounded."""


class Monitoring(Part):
    """The thresholds of the alerts that `gen-monitoring` writes, and of `lag`."""

    scrape_seconds: int = Field(15, ge=1, le=300)
    """Prometheus's scrape interval and evaluation interval for the outbox, in seconds."""
    hold_seconds: int = Field(120, ge=0, le=86_400)
    """Seconds for which `lag_seconds` or `pending` must be exceeded before the alert fires (Prometheus's `for`). A
    connector confirms its position once a minute by default (the worker's `offset.flush.interval.ms`), so that the
    age of the oldest unconfirmed event rises to a minute and falls again."""
    lag_seconds: int | None = Field(None, ge=1, le=30 * 86_400)
    """Age in seconds of the oldest unpublished event, above which the outbox is late. Default: 30, and at least two
    scrape intervals and two heartbeat intervals."""
    pending: int = Field(1000, ge=1, le=MOST_COUNTED)
    """Number of unpublished events, above which the outbox is late."""
    attempts: int | None = Field(None, ge=1, le=1000)
    """Attempts to publish an event, from which the event is reported. Default: `delivery.attempts`. Only with
    `delivery.by: relay`."""
    slot_share: float = Field(0.5, gt=0, lt=1)
    """Share of PostgreSQL's `max_slot_wal_keep_size` that the slot uses, above which it is reported."""
    slot_bytes: int = Field(10 * 1024**3, ge=1, le=2**60)
    """Bytes of WAL that the slot retains, above which it is reported. It must be less than `max_slot_wal_keep_size`,
    which `lag` compares."""
    full_hours: int = Field(4, ge=1, le=168)
    """Hours until the slot reaches `max_slot_wal_keep_size`, below which it is reported."""
    heartbeat_seconds: int | None = Field(None, ge=1, le=86_400)
    """Age of the last heartbeat in seconds, above which it is reported. Default: three heartbeat intervals, in
    MySQL and MariaDB 60 s more, and at least 60."""
    horizon_seconds: int = Field(3600, ge=1, le=30 * 86_400)
    """Age in seconds of a transaction that keeps the database from removing dead rows, above which it is reported."""
    inbox_rows: int = Field(10_000_000, ge=1, le=2**40)
    """Rows of the inbox table in the outbox's own database, above which it is reported."""
    verify_seconds: int = Field(600, ge=1, le=86_400)
    """Seconds without a window of `verify follow`, after which its silence is reported. It must be longer than the
    interval of the windows, 60 s by default."""
    jmx: bool = False
    """Whether Prometheus scrapes the workers' JMX exporter with the rules of `gen-monitoring`. If true, there are
    alerts on these metrics too."""
