#!/usr/bin/env python3
"""Put the outbox connector of the weather model on Kafka Connect."""

from __future__ import annotations

import sys
import time

import httpx
import typer

app = typer.Typer()


def connector_config() -> dict[str, str]:
    """One topic for all events (``weather.outbox_events``), whatever the aggregate."""
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "weather",
        "database.password": "weather",
        "database.dbname": "weather",
        "topic.prefix": "weather",
        "plugin.name": "pgoutput",
        "slot.name": "weather_slot",
        "publication.name": "weather_pub",
        "table.include.list": "public.outbox_events",
        "tombstones.on.delete": "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id": "id",
        "transforms.outbox.table.field.event.key": "aggregate_id",
        "transforms.outbox.table.field.event.type": "event_type",
        "transforms.outbox.table.field.event.payload": "payload",
        "transforms.outbox.table.fields.additional.placement": "event_type:envelope:event_type",
        "transforms.outbox.table.expand.json.payload": "true",
        "transforms.outbox.route.by.field": "aggregate_type",
        "transforms.outbox.route.topic.regex": ".*",
        "transforms.outbox.route.topic.replacement": "weather.outbox_events",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
    }


@app.command()
def put(
    connect: str = typer.Option("http://localhost:8083", envvar="CONNECT_URL"),
):
    r = httpx.put(
        f"{connect}/connectors/weather-connector/config",
        headers={"Content-Type": "application/json"},
        json=connector_config(),
        timeout=30,
    )
    r.raise_for_status()

    stop_at = time.time() + 180
    state = {}
    while time.time() < stop_at:
        state = httpx.get(f"{connect}/connectors/weather-connector/status", timeout=10).json()
        here = state.get("connector", {}).get("state")
        task = (state.get("tasks") or [{}])[0].get("state")
        if here == task == "RUNNING":
            print("running")
            return
        if "FAILED" in (here, task):
            break
        time.sleep(2)
    print(f"not running: {state}", file=sys.stderr)
    raise typer.Exit(1)


if __name__ == "__main__":
    app()
