#!/usr/bin/env python3
"""Provision the outbox connector of one tenant: provision_outbox.py TENANT DB_HOST"""
import json
import sys
import urllib.request


def connector(tenant: str, db_host: str) -> dict:
    slug = tenant.replace("-", "_")
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": 1,
        "database.hostname": db_host,
        "database.port": 5432,
        "database.user": "debezium",
        # doubled braces: f-string; Connect sees ${file:...:password}
        "database.password": f"${{file:/secrets/{tenant}.properties:password}}",
        "database.dbname": slug,
        "topic.prefix": tenant,
        "plugin.name": "pgoutput",
        "slot.name": f"{slug}_outbox",
        "publication.name": f"{slug}_outbox",
        "publication.autocreate.mode": "filtered",
        "table.include.list": "public.outbox",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.route.topic.replacement": f"{tenant}.${{routedByValue}}",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    }


def main() -> None:
    tenant, db_host = sys.argv[1:3]
    request = urllib.request.Request(
        f"http://connect:8083/connectors/{tenant}-outbox/config",
        data=json.dumps(connector(tenant, db_host)).encode(),
        headers={"Content-Type": "application/json"},
        method="PUT",
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.status, json.load(response)["name"])


if __name__ == "__main__":
    main()
