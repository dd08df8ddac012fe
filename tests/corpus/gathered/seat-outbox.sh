#!/usr/bin/env bash
# Creates the outbox connector unless it exists. Needs RDS_HOST, RDS_USER and RDS_PASS.
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
NAME="seatrush-outbox"

: "${RDS_HOST:?}" "${RDS_USER:?}" "${RDS_PASS:?}"

if curl -sf "$CONNECT_URL/connectors/$NAME" > /dev/null; then
  echo "$NAME is registered already, nothing to do"
  exit 0
fi

curl -s -X POST "$CONNECT_URL/connectors" -H 'Content-Type: application/json' -d "$(cat <<JSON
{
  "name": "$NAME",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "$RDS_HOST",
    "database.port": "3306",
    "database.user": "$RDS_USER",
    "database.password": "$RDS_PASS",
    "database.server.id": "184060",
    "topic.prefix": "seatrush",
    "database.include.list": "seatrush",
    "table.include.list": "seatrush.outbox_events",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "schema-history.seatrush",
    "include.schema.changes": "false",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.timestamp": "created_at",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "seatrush.\${routedByValue}.events"
  }
}
JSON
)" | python3 -m json.tool
echo "registered; look for the topic seatrush.booking.events"
