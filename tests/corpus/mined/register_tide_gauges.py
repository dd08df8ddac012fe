import os

import requests
from dotenv import load_dotenv

load_dotenv()

host = os.getenv("GAUGE_HOST")
port = os.getenv("GAUGE_PORT")
user = os.getenv("GAUGE_USER")
password = os.getenv("GAUGE_PASSWORD")

connector = "gauges_source"


def configure():
    # Debezium source for the gauge readings in SQL Server
    body = {
        "name": f"{connector}",
        "config": {
            "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
            "database.hostname": f"{host}",
            "database.port": f"{port}",
            "database.user": f"{user}",
            "database.password": f"{password}",
            "database.names": "HARBOUR",
            "topic.prefix": "gauge",
            "table.include.list": "dbo.TIDE_READINGS",
            "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
            "schema.history.internal.kafka.topic": "harbour_ddl",
            "database.encrypt": "false",
            "slot.name": "gauges1",
            "key.converter.schemas.enable": "false",
            "value.converter.schemas.enable": "false",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "decimal.handling.mode": "string",
        },
    }
    try:
        answer = requests.post("http://connect-src:8083/connectors", json=body,
                               headers={"Content-Type": "application/json"})
        answer.raise_for_status()
        print(f"registered: {answer.json()}")
    except requests.exceptions.RequestException as err:
        print(f"not registered: {err}")


if __name__ == "__main__":
    configure()
