"""Registers the ERP source. New tables are snapshotted through the Kafka signal topic."""
import os

import requests

TABLES = ["public.sale_order", "public.sale_order_line", "public.res_partner", "public.res_users"]


def _need(name):
    value = os.getenv(name)
    if not value:
        raise RuntimeError(f"{name} is not set")
    return value


def connector_config():
    prefix = os.getenv("CDC_PREFIX", "erpdemo")
    return {
        "name": os.getenv("CDC_CONNECTOR", "erp-source"),
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": _need("ERP_HOST"),
            "database.port": _need("ERP_PORT"),
            "database.user": _need("ERP_USER"),
            "database.password": _need("ERP_PASSWORD"),
            "database.dbname": _need("ERP_DB"),
            "topic.prefix": prefix,
            "table.include.list": ",".join(TABLES),
            # hashes and seeds stay in the database
            "column.exclude.list": "public.res_users.password,public.res_users.totp_secret",
            "plugin.name": "pgoutput",
            "slot.name": os.getenv("CDC_SLOT", "erp_slot"),
            "publication.autocreate.mode": "filtered",
            "tombstones.on.delete": "false",
            "decimal.handling.mode": "double",
            "topic.creation.default.replication.factor": "2",
            "topic.creation.default.partitions": "4",
            "snapshot.mode": "initial",
            # read-only: nothing of ours is written into the ERP's database
            "signal.enabled.channels": "kafka",
            "signal.kafka.topic": os.getenv("CDC_SIGNALS", f"{prefix}-signal"),
            "signal.kafka.bootstrap.servers": _need("BROKERS"),
            "read.only": "true",
            "heartbeat.interval.ms": "10000",
        },
    }


def main():
    body = connector_config()
    url = f"{_need('CONNECT_URL')}/connectors/{body['name']}/config"
    response = requests.put(url, json=body["config"], timeout=15)
    response.raise_for_status()


if __name__ == "__main__":
    main()
