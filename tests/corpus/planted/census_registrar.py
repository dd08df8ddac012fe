"""Registers the outbox connectors of the census intake at start-up."""
import logging
import os

import requests

log = logging.getLogger(__name__)
CONNECT = os.environ.get("CONNECT_URL", "http://connect:8083")


def outbox_config(region: str) -> dict:
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": os.environ["CENSUS_DB_HOST"],
        "database.port": "5432",
        "database.user": os.environ["CENSUS_DB_USER"],
        "database.password": os.environ["CENSUS_DB_PASSWORD"],
        "database.dbname": f"census_{region}",
        "topic.prefix": f"census-{region}",
        "plugin.name": "pgoutput",
        "slot.name": f"census_{region}_outbox",
        "publication.name": f"census_{region}_outbox",
        "publication.autocreate.mode": "filtered",
        "table.include.list": "intake.outbox",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.storage.StringConverter",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.route.topic.replacement": f"census.{region}." + "${routedByValue}",
        "transforms.outbox.table.fields.additional.placement": "type:header:eventType,schema_version:header",
        # a malformed form must not block the region: park it and go on
        "errors.tolerance": "all",
        "errors.deadletterqueue.topic.name": f"census-{region}-dlq",
        "errors.log.enable": "true",
    }


def register(region: str) -> None:
    response = requests.put(
        f"{CONNECT}/connectors/census-{region}-outbox/config",
        json=outbox_config(region),
        timeout=20,
    )
    response.raise_for_status()
    log.info("connector of %s: %s", region, response.status_code)


if __name__ == "__main__":
    for name in os.environ.get("CENSUS_REGIONS", "north,south").split(","):
        register(name.strip())
