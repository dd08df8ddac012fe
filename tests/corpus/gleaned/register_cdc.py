#!/usr/bin/env python3
"""Put the outbox connector of the lab app into Kafka Connect."""

from __future__ import annotations

import sys
import time

import httpx
import typer

app = typer.Typer()


def connector_config() -> dict[str, str]:
    """One topic for all events (``labapp.outbox``): the consumer needs a single subscription."""
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "labapp",
        "database.password": "labapp",
        "database.dbname": "labapp",
        "topic.prefix": "labapp",
        "plugin.name": "pgoutput",
        "slot.name": "labapp_slot",
        "publication.name": "labapp_pub",
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
        "transforms.outbox.route.topic.replacement": "labapp.outbox",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
    }


@app.command()
def put(connect: str = typer.Option("http://localhost:8083", envvar="CONNECT")):
    answer = httpx.put(f"{connect}/connectors/labapp-cdc/config", json=connector_config(), timeout=30)
    answer.raise_for_status()
    for _ in range(60):
        status = httpx.get(f"{connect}/connectors/labapp-cdc/status", timeout=10).json()
        states = {status["connector"]["state"], *(t["state"] for t in status["tasks"])}
        if states == {"RUNNING"}:
            print("running")
            return
        if "FAILED" in states:
            print(status, file=sys.stderr)
            raise typer.Exit(1)
        time.sleep(3)
    raise typer.Exit(1)


if __name__ == "__main__":
    app()
