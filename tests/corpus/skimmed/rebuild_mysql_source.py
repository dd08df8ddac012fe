#!/usr/bin/env python3
"""Throws the MySQL source away and creates it again with recovery of its schema history."""
import os
import time

import requests

CONNECT = "http://localhost:8083/connectors"


def main():
    host = os.getenv("MYSQL_HOST", "10.61.4.18")
    port = os.getenv("MYSQL_PORT", "3306")
    user = os.getenv("MYSQL_USER", "root")
    password = os.getenv("MYSQL_PASSWORD", "kQ7vmZx2LpTd94Rw")
    database = os.getenv("MYSQL_DATABASE", "clicks_stage")
    server_id = str(abs(hash(host)) % 10000000)

    requests.delete(f"{CONNECT}/clicks-source", timeout=10)
    time.sleep(2)

    tables = [f"{database}.{t}" for t in ("purchase", "inbox_message", "mailing")]
    connector = {
        "name": "clicks-source",
        "config": {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "tasks.max": "1",
            "database.hostname": host,
            "database.port": port,
            "database.user": user,
            "database.password": password,
            "database.server.id": server_id,
            "database.server.name": f"clicks_{server_id}",
            "database.include.list": database,
            "table.include.list": ",".join(tables),
            # a fresh history topic
            "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
            "schema.history.internal.kafka.topic": f"history-rebuilt-{server_id}",
            "include.schema.changes": "true",
            "topic.prefix": "clicks",
            # gets us past the lost history
            "snapshot.mode": "schema_only_recovery",
            "snapshot.locking.mode": "none",
            # bare table names as topics
            "transforms": "route",
            "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
            "transforms.route.regex": "([^.]+)\\.([^.]+)\\.([^.]+)",
            "transforms.route.replacement": "$3",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter.schemas.enable": "false",
            "decimal.handling.mode": "string",
            "time.precision.mode": "connect",
            "bigint.unsigned.handling.mode": "long",
            "binary.handling.mode": "base64",
            "errors.tolerance": "all",
            "errors.log.enable": "true",
            "errors.log.include.messages": "true",
        },
    }
    response = requests.post(CONNECT, json=connector, timeout=30)
    print(response.status_code, response.text)


if __name__ == "__main__":
    main()
