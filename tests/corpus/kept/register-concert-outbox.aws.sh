#!/bin/bash
# Registers the outbox connector against RDS (the local stack has its own script).
# Run once on the instance after `docker compose -f docker-compose.aws.yml up -d`:
#   DB_ENDPOINT=... DB_PASSWORD=... bash scripts/register-concert-outbox.aws.sh
set -euo pipefail

NAME="encore-outbox-connector"
CONNECT_URL="http://localhost:8083"
: "${DB_ENDPOINT:?DB_ENDPOINT is not set}"
: "${DB_USERNAME:=admin}"
: "${DB_PASSWORD:?DB_PASSWORD is not set}"

echo "waiting for Connect ..."
for i in $(seq 1 20); do
  curl -sf "$CONNECT_URL/connectors" >/dev/null 2>&1 && break
  [ "$i" = 20 ] && { echo "no answer from Connect"; exit 1; }
  sleep 3
done

if curl -sf "$CONNECT_URL/connectors/$NAME" >/dev/null 2>&1; then
  echo "'$NAME' is there already, nothing to do"
  exit 0
fi

curl -s -X POST "$CONNECT_URL/connectors" -H 'Content-Type: application/json' -d "$(cat <<JSON
{
  "name": "$NAME",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "$DB_ENDPOINT",
    "database.port": "3306",
    "database.user": "$DB_USERNAME",
    "database.password": "$DB_PASSWORD",
    "database.server.id": "194402",
    "topic.prefix": "encore",
    "database.include.list": "encore",
    "table.include.list": "encore.outbox_events",
    "include.schema.changes": "false",
    "tombstones.on.delete": "false",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "schema-history.encore",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.field.event.timestamp": "created_at",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "encore.\${routedByValue}.events"
  }
}
JSON
)" | python3 -m json.tool
echo "done, see topic encore.booking.events"
