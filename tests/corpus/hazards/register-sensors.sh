#!/usr/bin/env bash
# Registers the connector for the partitioned reading tables (reading_1 ... reading_9999)
set -euo pipefail
CONNECT=${CONNECT:-http://connect.plant.local:8083}

curl -sf -X PUT -H 'Content-Type: application/json' \
  "$CONNECT/connectors/plant-readings/config" \
  --data '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "tsdb-0.plant.local",
    "database.port": "5432",
    "database.user": "${file:/opt/secrets/plant.properties:user}",
    "database.password": "${file:/opt/secrets/plant.properties:password}",
    "database.dbname": "plant",
    "topic.prefix": "plant",
    "plugin.name": "pgoutput",
    "slot.name": "plant_readings",
    "publication.name": "plant_readings",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "sensors\\.reading_[0-9]{1,4}",
    "snapshot.mode": "no_data",
    "interval.handling.mode": "string",
    "heartbeat.interval.ms": "10000"
  }'
echo
curl -sf "$CONNECT/connectors/plant-readings/status"
