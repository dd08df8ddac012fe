#!/usr/bin/env bash
# Runs in the container "setup" beside debezium/connect:2.5 and a ClickHouse sink.
# Nothing is created in ClickHouse, not even topics appear. What is missing?
set -euo pipefail

: "${CONNECTOR_NAME:=mysql-source}" "${HOST:=mysql-master}" "${PORT:=3306}" "${DBS:=fleet}"
: "${DATABASE_SERVER_ID:=5432}" "${DATABASE_SERVER_NAME:=SERVER5432}"
: "${KAFKA_BOOTSTRAP_SERVERS:=redpanda:9092}" "${KAFKA_TOPIC:=schema-changes.fleet}"

cat <<EOF | curl --request POST --url "http://debezium:8083/connectors" --header 'Content-Type: application/json' --data @-
{
  "name": "${CONNECTOR_NAME}",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "snapshot.mode": "schema_only",
    "snapshot.locking.mode": "none",
    "snapshot.delay.ms": 10000,
    "include.schema.changes": "true",
    "include.schema.comments": "true",
    "database.hostname": "${HOST}",
    "database.port": "${PORT}",
    "database.user": "${USER_NAME:-root}",
    "database.password": "${PASSWORD:-root}",
    "database.server.id": "${DATABASE_SERVER_ID}",
    "database.server.name": "${DATABASE_SERVER_NAME}",
    "database.whitelist": "${DBS}",
    "database.history.kafka.bootstrap.servers": "${KAFKA_BOOTSTRAP_SERVERS}",
    "database.history.kafka.topic": "${KAFKA_TOPIC}",
    "database.ssl.mode": "required",
    "topic.creation.default.replication.factor": 1,
    "topic.creation.default.partitions": 2,
    "provide.transaction.metadata": "true"
  }
}
EOF
