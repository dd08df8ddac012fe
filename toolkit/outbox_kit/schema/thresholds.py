"""The thresholds of one outbox, with the defaults that follow from it, and the conditions on them. Pure."""

from collections.abc import Iterator

from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.problem import SchemaProblem

SECTION = "monitoring"
LAG_SECONDS = 30
MISSED_HEARTBEATS = 3
LEAST_HEARTBEAT_SECONDS = 60
OF_SLOT = ("slot_share", "slot_bytes", "full_hours")
OF_RELAY = ("attempts",)
OF_LOG = ("heartbeat_seconds",)
OF_CONNECTOR = ("jmx",)


def has_heartbeat(outbox: OutboxFields) -> bool:
    """Whether a connector writes a row at an interval."""
    return outbox.delivery.by == "connector" and outbox.dialect.capture.uses_heartbeat_table


def has_slot(outbox: OutboxFields) -> bool:
    """Whether the delivery reads a replication slot."""
    return outbox.dialect.capture.uses_slot and not outbox.delivery.polls


def has_publication(outbox: OutboxFields) -> bool:
    """Whether the server passes rows of the table on by a publication."""
    return has_slot(outbox) and outbox.table.storage == "table"


def lag_seconds(outbox: OutboxFields) -> int:
    """The age of the oldest unpublished event, above which the outbox is late."""
    heartbeat = 2 * outbox.connect.heartbeat_ms // 1000 if has_heartbeat(outbox) else 0
    return outbox.monitoring.lag_seconds or max(LAG_SECONDS, 2 * outbox.monitoring.scrape_seconds, heartbeat)


def attempts(outbox: OutboxFields) -> int:
    """The attempts from which an event is reported."""
    return outbox.monitoring.attempts or outbox.delivery.attempts


def heartbeat_seconds(outbox: OutboxFields) -> int:
    """The age above which the last heartbeat is reported."""
    idle = round(outbox.dialect.capture.idle_seconds)
    missed = MISSED_HEARTBEATS * outbox.connect.heartbeat_ms // 1000 + idle
    return outbox.monitoring.heartbeat_seconds or max(missed, LEAST_HEARTBEAT_SECONDS)


def complaints(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The thresholds that can never be passed, or that are passed all the time."""
    yield from _of_absent_parts(outbox)
    yield from _below_an_interval(outbox)
    yield from _beyond_the_rows(outbox)
    monitoring, most = outbox.monitoring, outbox.delivery.attempts
    if outbox.delivery.by == "relay" and attempts(outbox) > most:
        expected = (
            f"expected at most delivery.attempts, {most}: the event is a dead letter then, and the alert never fires"
        )
        yield _invalid("attempts", monitoring.attempts, expected)


def _below_an_interval(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The ages that a figure reaches between two scrapes, or between two heartbeats."""
    monitoring, heartbeat = outbox.monitoring, outbox.connect.heartbeat_ms / 1000
    scrape = f"the scrape interval of {monitoring.scrape_seconds} s (monitoring.scrape_seconds)"
    for key in ("lag_seconds", "heartbeat_seconds", "verify_seconds"):
        value = getattr(monitoring, key)
        if value is None:
            continue
        if value <= monitoring.scrape_seconds:
            yield _invalid(key, value, f"expected more than {scrape}")
        elif key != "verify_seconds" and has_heartbeat(outbox) and value <= heartbeat:
            expected = f"expected more than the heartbeat interval of {heartbeat:g} s (connect.heartbeat_ms)"
            yield _invalid(key, value, expected)


def _beyond_the_rows(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The ages that no row reaches, because it is deleted before."""
    table = outbox.table
    if not table.keeps_rows or table.retention not in ("delete", "partition"):
        return
    kept = table.kept_hours * 3600
    for key in ("lag_seconds", "hold_seconds"):
        value = getattr(outbox.monitoring, key)
        if value is not None and value >= kept:
            expected = (
                f"expected less than {kept}: rows are deleted after {table.kept_title}, and the alert never fires"
            )
            yield _invalid(key, value, expected)


def _of_absent_parts(outbox: OutboxFields) -> Iterator[SchemaProblem]:
    """The thresholds of parts that this outbox does not have."""
    by_relay = outbox.delivery.by == "relay"
    absent = {
        **dict.fromkeys(OF_SLOT, "" if has_slot(outbox) else "a replication slot"),
        **dict.fromkeys(OF_RELAY, "" if by_relay else "delivery.by: relay"),
        **dict.fromkeys(OF_LOG, "" if has_heartbeat(outbox) else "a connector that writes heartbeats"),
        **dict.fromkeys(OF_CONNECTOR, "delivery.by: connector" if by_relay else ""),
    }
    for key, need in absent.items():
        if need and key in outbox.monitoring.model_fields_set and getattr(outbox.monitoring, key) not in (None, False):
            yield SchemaProblem(
                f"{SECTION}.{key} needs {need}, so that its alert never fires; remove the key", (SECTION, key)
            )


def _invalid(key: str, value: object, expected: str) -> SchemaProblem:
    return SchemaProblem(f"invalid {SECTION}.{key} '{value}': {expected}", (SECTION, key))
