#!/bin/bash
# Registers the outbox connector on AWS. Unlike the local script it takes host, user and password of RDS from the environment.
#   DB_HOST=... DB_PASSWORD=... bash scripts/register-connector.aws.sh
set -euo pipefail

CONNECT_URL="http://localhost:8083"
NAME="seatline-outbox"
: "${DB_HOST:?DB_HOST is missing}"
: "${DB_USER:=admin}"
: "${DB_PASSWORD:?DB_PASSWORD is missing}"

for i in $(seq 1 20); do
  curl -sf "$CONNECT_URL/connectors" >/dev/null 2>&1 && break
  [ "$i" = 20 ] && { echo "no Kafka Connect"; exit 1; }
  sleep 3
done

if curl -sf "$CONNECT_URL/connectors/$NAME" >/dev/null 2>&1; then
  echo "'$NAME' is registered already"
  exit 0
fi

curl -s -X POST "$CONNECT_URL/connectors" -H 'Content-Type: application/json' -d "$(cat <<JSON
{
  "name": "$NAME",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "$DB_HOST",
    "database.port": "3306",
    "database.user": "$DB_USER",
    "database.password": "$DB_PASSWORD",
    "database.server.id": "184054",
    "topic.prefix": "seatline",
    "database.include.list": "seatline",
    "table.include.list": "seatline.outbox_events",
    "tombstones.on.delete": "false",
    "include.schema.changes": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "seatline.\${routedByValue}.events",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.timestamp": "created_at",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "schema.history.internal.kafka.topic": "history.seatline",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092"
  }
}
JSON
)" | python3 -m json.tool
