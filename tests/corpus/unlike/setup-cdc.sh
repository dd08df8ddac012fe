#!/bin/bash

# Registers the CDC connector for the MariaDB of the coaching API

until curl -f http://localhost:8083/connectors; do
  echo "Connect is not there yet..."
  sleep 5
done

BODY='{
  "name": "coach-mariadb",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "database",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "password",
    "database.server.id": "880054",
    "database.server.name": "coach-db",
    "database.include.list": "coach-dev",
    "database.history.kafka.bootstrap.servers": "kafka:29092",
    "database.history.kafka.topic": "dbhistory.coach",
    "include.schema.changes": "true",
    "transforms": "route",
    "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.route.regex": "([^.]+)\\.([^.]+)\\.([^.]+)",
    "transforms.route.replacement": "$3",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter.schemas.enable": "false",
    "snapshot.mode": "initial",
    "binlog.buffer.size": "8192",
    "max.batch.size": "2048",
    "max.queue.size": "8192",
    "poll.interval.ms": "1000"
  }
}'

curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d "$BODY"

echo "Topics: coach-db.coach-dev.{table}"
