#!/usr/bin/env bash
# Creates the topics of the hostel (auto creation is off) and starts the connector.
set -euo pipefail
B=${BROKERS:-kafka-1:9092}

topic() { kafka-topics.sh --bootstrap-server "$B" --create --if-not-exists --topic "$1" "${@:2}"; }

topic hostel.hostel.room     --partitions 3 --replication-factor 3
topic hostel.hostel.stay     --partitions 3 --replication-factor 3
topic hostel                 --partitions 1 --replication-factor 3
# must never lose an entry, so no time limit
topic hostel.schema-history  --partitions 1 --replication-factor 3 --config cleanup.policy=compact

curl -fsS -X PUT -H 'Content-Type: application/json' "$CONNECT/connectors/hostel/config" -d "$(jq -n \
  --arg brokers "$B" '{
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "hostel-mysql",
    "database.port": "3306",
    "database.user": "${env:HOSTEL_USER}",
    "database.password": "${env:HOSTEL_PASSWORD}",
    "database.server.id": "19551",
    "topic.prefix": "hostel",
    "database.include.list": "hostel",
    "table.include.list": "hostel.room,hostel.stay",
    "schema.history.internal.kafka.bootstrap.servers": $brokers,
    "schema.history.internal.kafka.topic": "hostel.schema-history"
  }')"
