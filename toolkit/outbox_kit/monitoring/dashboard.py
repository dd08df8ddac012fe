"""A dashboard of Grafana for one outbox, as plain values. Pure."""

import json
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.monitoring.alert import oldest_metric, selector, series
from outbox_kit.monitoring.promql import window
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.thresholds import has_heartbeat, has_publication, has_slot, heartbeat_seconds, lag_seconds
from outbox_kit.wire.connector_topics import server_name

SOURCE = {"type": "prometheus", "uid": "${datasource}"}
SCHEMA_VERSION = 39
WIDTH, HEIGHT, COLUMNS = 8, 7, 3


@dataclass(frozen=True)
class Panel:
    """A panel of a dashboard."""

    title: str
    unit: str
    """As Grafana names it."""
    queries: Mapping[str, str]
    """Expressions in PromQL by their legends."""
    limit: float | None = None
    """Above which a value is red."""
    text: str = ""
    """The panel's description."""


def dashboard(outbox: Outbox) -> str:
    """The dashboard, as JSON."""
    panels = []
    for number, panel in enumerate(panels_of(outbox)):
        place = {"x": number % COLUMNS * WIDTH, "y": number // COLUMNS * HEIGHT, "w": WIDTH, "h": HEIGHT}
        panels.append(_panel(number + 1, place, panel))
    document = {
        "uid": f"outbox-kit-{outbox.service}"[:40],
        "title": f"Outbox {outbox.service}",
        "tags": ["outbox-kit"],
        "timezone": "browser",
        "schemaVersion": SCHEMA_VERSION,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [_datasource()]},
        "panels": panels,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def panels_of(outbox: Outbox) -> Sequence[Panel]:
    """The panels of an outbox, the most important first."""
    return [
        *_progress(outbox),
        *_slot(outbox),
        *(_relay(outbox) if outbox.delivery.by == "relay" else _connector(outbox)),
        *_tables(outbox),
        *_verification(outbox),
    ]


def _progress(outbox: Outbox) -> Iterator[Panel]:
    service, over = outbox.service, window(outbox, 300)
    yield Panel("Oldest unpublished event", "s", {"age": series(oldest_metric(outbox), service)}, lag_seconds(outbox))
    if outbox.dialect.capture.measured and outbox.table.storage == "table":
        yield Panel("Pending events", "short", {"events": series("pending_events", service)}, outbox.monitoring.pending)
    progress = {}
    if outbox.dialect.capture.measured and outbox.table.storage == "table":
        progress["inserted"] = f"rate({series('inserted_rows_total', service, table='outbox')}[{over}])"
    if not outbox.delivery.polls:
        progress["log bytes"] = f"deriv({series('log_end_position', service)}[{over}])"
        progress["confirmed bytes"] = f"deriv({series('confirmed_position', service)}[{over}])"
    if progress:
        text = "Inserts, and the bytes by which the log and the confirmed position move."
        yield Panel("Progress per second", "short", progress, text=text)
    answered = {"{{system}}": series("up", service), "{{part}}": series("part_up", service)}
    yield Panel("Answers to the exporter", "bool", answered)
    yield Panel("Duration of a scrape", "s", {"exporter": series("scrape_seconds", service)})


def _slot(outbox: Outbox) -> Iterator[Panel]:
    if not has_slot(outbox):
        return
    service = outbox.service
    sizes = {name: series(f"slot_{name}_bytes", service) for name in ("retained", "unconfirmed", "safe", "cap")}
    yield Panel("WAL of the slot", "bytes", sizes, outbox.monitoring.slot_bytes)
    yield Panel("Status of the slot", "short", {"{{status}}": f"{series('slot_status', service)} == 1"})
    yield Panel(
        "Share of the limit", "percentunit", {"used": series("slot_used_share", service)}, outbox.monitoring.slot_share
    )
    yield Panel("Time until the limit", "s", {"time": f"{series('slot_full_seconds', service)} < Inf"})
    reading = {"is read": series("slot_active", service), "not read for (s)": series("slot_inactive_seconds", service)}
    yield Panel("Reader of the slot", "short", reading)
    if has_publication(outbox):
        published = {"{{publication}}": series("table_published", service)}
        yield Panel("Outbox table is in the publication", "bool", published)


def _connector(outbox: Outbox) -> Iterator[Panel]:
    service = outbox.service
    states = {
        "connector {{state}}": f"{series('connector_state', service)} == 1",
        "task {{task}} {{state}}": f"{series('task_state', service)} == 1",
    }
    yield Panel("Connector and task", "short", states)
    if has_heartbeat(outbox):
        yield Panel("Last heartbeat", "s", {"age": series("heartbeat_seconds", service)}, heartbeat_seconds(outbox))
    if outbox.dialect.capture.deletes_log:
        kept = {"retention": series("log_keep_seconds", service), "oldest event": series("oldest_seconds", service)}
        yield Panel("Retention of the binary log", "s", kept)
    if outbox.monitoring.jmx:
        connector, server = outbox.names.connector, server_name(outbox)
        over = window(outbox, 300)
        polled, written = (
            selector(f"kafka_connect_source_record_{name}_total", connector=connector) for name in ("poll", "write")
        )
        yield Panel(
            "Records per second", "short", {"polled": f"rate({polled}[{over}])", "written": f"rate({written}[{over}])"}
        )
        behind = selector("debezium_streaming_milli_seconds_behind_source", server=server)
        text = "It keeps its last value while no event arrives. Do not alert on it."
        yield Panel("Behind the source", "ms", {"{{server}}": behind}, text=text)
        queue = selector("debezium_streaming_queue_remaining_capacity", server=server)
        yield Panel("Free places in the queue", "short", {"{{server}}": queue})


def _relay(outbox: Outbox) -> Iterator[Panel]:
    service, over = outbox.service, window(outbox, 300)
    published, refused = (
        f"rate({series(f'relay_{name}_total', service)}[{over}])" for name in ("published", "refused")
    )
    yield Panel("Messages per second", "short", {"published": published, "refused": refused})
    states = {"{{instance}} connected": series("relay_connected", service)}
    if outbox.delivery.polls:
        states["running"] = series("relays", service)
    yield Panel("Relays", "short", states)
    failed = {
        name.replace("_", " "): series(name, service) for name in ("dead_letters", "waiting_events", "parked_keys")
    }
    yield Panel("Failed events", "short", failed, 1)
    yield Panel(
        "Oldest event in a relay", "s", {"{{instance}}": series("relay_oldest_seconds", service)}, lag_seconds(outbox)
    )


def _tables(outbox: Outbox) -> Iterator[Panel]:
    if not outbox.dialect.capture.measured:
        return
    service = outbox.service
    rows = {"{{table}}": series("table_rows", service)}
    if has_slot(outbox) or outbox.dialect.capture.uses_slot:
        rows["{{table}} dead"] = series("table_dead_rows", service)
    yield Panel("Rows", "short", rows)
    yield Panel("Size", "bytes", {"{{table}}": series("table_bytes", service)})
    transactions = {"{{kind}}": series("horizon_seconds", service)}
    yield Panel("Oldest open transaction", "s", transactions, outbox.monitoring.horizon_seconds)


def _verification(outbox: Outbox) -> Iterator[Panel]:
    if outbox.delivery.sink != "kafka":
        return
    service = outbox.service
    yield Panel("Verdict of verify follow", "short", {"{{verdict}}": f"{series('verdict', service)} == 1"})
    last = f"time() - {series('last_window_timestamp_seconds', service)}"
    yield Panel("Last verified window", "s", {"age": last}, outbox.monitoring.verify_seconds)


def _datasource() -> Mapping[str, Any]:
    return {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus", "refresh": 1}


def _panel(number: int, place: Mapping[str, int], panel: Panel) -> Mapping[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.limit is not None:
        steps.append({"color": "red", "value": panel.limit})
    targets = [
        {"refId": letter, "datasource": SOURCE, "expr": expression, "legendFormat": legend}
        for letter, (legend, expression) in zip(string.ascii_uppercase, panel.queries.items(), strict=False)
    ]
    return {
        "id": number,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.text,
        "datasource": SOURCE,
        "gridPos": dict(place),
        "fieldConfig": {
            "defaults": {"unit": panel.unit, "thresholds": {"mode": "absolute", "steps": steps}},
            "overrides": [],
        },
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": targets,
    }
