"""Creates or updates the connector of the metering database."""
import os

import requests

CONNECT_URL = os.environ.get("CONNECT_URL", "http://localhost:8083")
NAME = "metering-cdc"

CONFIG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": os.environ["METERING_DB_HOST"],
    "database.port": "5432",
    "database.user": os.environ["METERING_DB_USER"],
    "database.password": os.environ["METERING_DB_PASSWORD"],
    "database.dbname": "metering",
    "topic.prefix": "metering",
    "plugin.name": "pgoutput",
    "slot.name": "metering_cdc",
    "publication.name": "metering_cdc",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "grid.meters,grid.meter_values",
    # both tables partitioned by the meter
    "message.key.columns": "grid.meters:meter_id,grid.meter_values:meter_id",
    "snapshot.fetch.size": "5000",
    "heartbeat.interval.ms": "10000",
}


def main() -> None:
    answer = requests.put(f"{CONNECT_URL}/connectors/{NAME}/config", json=CONFIG, timeout=30)
    answer.raise_for_status()
    print(answer.json()["name"], "deployed")


if __name__ == "__main__":
    main()
