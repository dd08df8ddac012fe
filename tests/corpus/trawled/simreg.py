import time

import httpx
import typer

app = typer.Typer()


def connector_config() -> dict:
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "wsim",
        "database.password": "wsim",
        "database.dbname": "wsim",
        "topic.prefix": "wsim",
        "plugin.name": "pgoutput",
        "slot.name": "wsim_slot",
        "publication.name": "wsim_pub",
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
        "transforms.outbox.route.topic.replacement": "wsim.outbox_events",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
    }


@app.command()
def register(connect_url: str = typer.Option("http://localhost:8083", envvar="CONNECT_URL")):
    r = httpx.put(f"{connect_url}/connectors/wsim/config", json=connector_config(), timeout=30)
    r.raise_for_status()

    deadline = time.time() + 120
    while time.time() < deadline:
        blob = httpx.get(f"{connect_url}/connectors/wsim/status", timeout=10).json()
        if blob["connector"]["state"] == "RUNNING" and blob["tasks"]:
            print("running")
            return
        time.sleep(2)
    raise typer.Exit(1)


if __name__ == "__main__":
    app()
