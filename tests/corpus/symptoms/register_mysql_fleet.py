"""Registers one connector per schema of the shared MySQL server (all syncs hit the same host).

Every few minutes one of them dies with: A slave with the same server_uuid/server_id as this
slave has connected to the master.
"""
import os
import requests

CONNECT = os.environ.get("CONNECT_URL", "http://connect.data.svc:8083")

depots = {
    "name": "depots",
    "config": {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "tasks.max": "1",
        "database.hostname": "mysql-shared.data.svc",
        "database.port": "3306",
        "database.user": os.environ["CDC_USER"],
        "database.password": os.environ["CDC_PASSWORD"],
        "database.server.id": "5400",
        "topic.prefix": "depots",
        "database.include.list": "depots",
        "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
        "schema.history.internal.kafka.topic": "ddl.depots",
    },
}

routes = {
    "name": "routes",
    "config": {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "tasks.max": "1",
        "database.hostname": "mysql-shared.data.svc",
        "database.port": "3306",
        "database.user": os.environ["CDC_USER"],
        "database.password": os.environ["CDC_PASSWORD"],
        "database.server.id": "5400",
        "topic.prefix": "routes",
        "database.include.list": "routes",
        "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
        "schema.history.internal.kafka.topic": "ddl.routes",
    },
}

for body in (depots, routes):
    answer = requests.post(f"{CONNECT}/connectors", json=body, timeout=30)
    print(body["name"], answer.status_code, answer.text)
