import requests
from flask import Flask, jsonify, request

app = Flask(__name__)
CONNECT = "http://10.40.0.60:8083/connectors"


@app.post("/sources/mssql")
def add_mssql():
    if not request.is_json:
        return jsonify({"msg": "JSON wanted"}), 400
    data = request.get_json()
    given = data["config"]
    body = {
        "name": data["name"],
        "config": {
            "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
            "tasks.max": "1",
            "topic.prefix": "mssql-",  # static
            "database.hostname": given["database.hostname"],  # dynamic
            "database.port": given["database.port"],
            "database.user": given["database.user"],
            "database.password": given["database.password"],
            "database.names": given["database.names"],
            "database.server.name": "uniq-ms",
            "table.include.list": given["table.include.list"],
            "database.history.kafka.bootstrap.servers": "10.40.0.60:9092",
            "database.history.kafka.topic": "mssql-",
            "database.encrypt": False,
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "typeClassName": "org.apache.pulsar.common.schema.KeyValue",
            "database.history": "org.apache.pulsar.io.debezium.PulsarDatabaseHistory",
            "database.tcpKeepAlive": "true",
            "decimal.handling.mode": "double",
        },
    }
    answer = requests.post(CONNECT, json=body)
    return answer.json(), answer.status_code


@app.get("/sources")
def list_sources():
    return jsonify(requests.get(CONNECT).json())
