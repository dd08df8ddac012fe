"""Workshop helper: registers the outbox connector of the simulator and waits until it runs."""
import time

import httpx
import typer

app = typer.Typer()
NAME = "simulator-outbox"


def connector_config() -> dict[str, str]:
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "db",
        "database.port": "5432",
        "database.user": "simulator",
        "database.password": "simulator",
        "database.dbname": "simulator",
        "topic.prefix": "simulator",
        "plugin.name": "pgoutput",
        "slot.name": "simulator_slot",
        "publication.name": "simulator_pub",
        "table.include.list": "public.sim_outbox",
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
        "transforms.outbox.route.topic.replacement": "simulator.sim_outbox",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
    }


@app.command()
def register(url: str = typer.Option("http://localhost:8083", envvar="CONNECT_URL")):
    httpx.put(f"{url}/connectors/{NAME}/config", json=connector_config(), timeout=30).raise_for_status()
    for _ in range(60):
        state = httpx.get(f"{url}/connectors/{NAME}/status", timeout=10).json()
        if all(t["state"] == "RUNNING" for t in state.get("tasks", [])):
            return
        time.sleep(3)
    raise typer.Exit(1)


if __name__ == "__main__":
    app()
