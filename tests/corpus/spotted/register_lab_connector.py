#!/usr/bin/env python3
"""Registers the source of the lab's outbox and waits until its task runs.

    uv run python tools/register_lab_connector.py
"""

from __future__ import annotations

import sys
import time

import httpx
import typer

app = typer.Typer()


def lab_source() -> dict[str, str]:
    """All messages go to one topic, ``lab.messages``; the consumer tells them apart by ``message_kind`` in the value."""
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "lab-pg",
        "database.port": "5432",
        "database.user": "lab",
        "database.password": "lab",
        "database.dbname": "lab",
        "topic.prefix": "lab",
        "plugin.name": "pgoutput",
        "slot.name": "lab_messages_slot",
        "publication.name": "lab_messages_pub",
        "table.include.list": "public.lab_messages",
        "tombstones.on.delete": "false",
        "transforms": "messages",
        "transforms.messages.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.messages.table.field.event.id": "id",
        "transforms.messages.table.field.event.key": "sample_id",
        "transforms.messages.table.field.event.type": "message_kind",
        "transforms.messages.table.field.event.payload": "content",
        "transforms.messages.table.fields.additional.placement": "message_kind:envelope:message_kind",
        "transforms.messages.table.expand.json.payload": "true",
        "transforms.messages.route.by.field": "sample_kind",
        "transforms.messages.route.topic.regex": ".*",
        "transforms.messages.route.topic.replacement": "lab.messages",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
    }


@app.command()
def register(connect: str = typer.Option("http://localhost:8083", envvar="CONNECT")):
    httpx.put(f"{connect}/connectors/lab-source/config", json=lab_source(), timeout=20).raise_for_status()
    until = time.time() + 120
    while time.time() < until:
        status = httpx.get(f"{connect}/connectors/lab-source/status", timeout=10).json()
        state = (status.get("tasks") or [{}])[0].get("state", "NONE")
        if state == "RUNNING":
            print("runs")
            return
        if state == "FAILED":
            print(status, file=sys.stderr)
            raise typer.Exit(1)
        time.sleep(2)
    raise typer.Exit(1)


if __name__ == "__main__":
    app()
