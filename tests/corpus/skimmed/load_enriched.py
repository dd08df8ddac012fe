import json

import requests

connect = "http://connect:8083/connectors"
topic_in = "ticks_raw"
topic_out = "ticks_enriched"


def sink_ops():
    """Creates the JDBC sink of the second topic if there is none."""
    rs = requests.get(connect + "/" + topic_out).json()
    if 'error_code' in rs:
        payload = {
            "name": topic_out,
            "config": {
                "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
                "connection.attempts": 600,
                "connection.backoff.ms": 600000,
                "tasks.max": "1",
                "topics": topic_out,
                "connection.url": "jdbc:postgresql://postgres:5432/market",
                "connection.user": "market",
                "connection.password": "market",
                "dialect.name": "PostgreSqlDatabaseDialect",
                "batch.size": 20,
                "auto.evolve": "true",
                "auto.create": "true",
                "max.retries": 150,
                "retry.backoff.ms": 30000
            }
        }
        res = requests.post(connect, data=json.dumps(payload), headers={"Content-Type": "application/json"})
        print(res.json())


if __name__ == "__main__":
    sink_ops()
