#!/usr/bin/env python3
import argparse
import json
import urllib.request


def config(service: str, host: str) -> dict:
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": host,
        "database.port": "5432",
        "database.user": f"${{file:/run/secrets/{service}.properties:user}}",
        "database.password": f"${{file:/run/secrets/{service}.properties:password}}",
        "database.dbname": service,
        "plugin.name": "pgoutput",
        "slot.name": f"{service}_outbox",
        "publication.name": f"{service}_outbox",
        "topic.prefix": service,
        "table.include.list": "public.outbox",
        "heartbeat.interval.ms": "30000",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        # Avro bytes of the application as they are; heartbeats as JSON
        "value.converter": "io.debezium.converters.BinaryDataConverter",
        "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.delegate.converter.type.schemas.enable": "false",
        "errors.tolerance": "none",
        "errors.retry.timeout": "-1",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.fields.additional.placement": "type:header:eventType,traceparent:header",
        "transforms.outbox.route.topic.replacement": f"{service}.${{routedByValue}}",
    }


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("service")
    p.add_argument("--host", required=True)
    p.add_argument("--connect", default="http://connect:8083")
    a = p.parse_args()
    request = urllib.request.Request(
        f"{a.connect}/connectors/{a.service}-outbox/config",
        data=json.dumps(config(a.service, a.host)).encode(),
        headers={"Content-Type": "application/json"},
        method="PUT",
    )
    with urllib.request.urlopen(request) as answer:
        print(answer.status)
