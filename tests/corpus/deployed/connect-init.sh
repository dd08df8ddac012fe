#!/bin/sh
# Runs once in the connect-init container of the compose project.
set -eu

CONNECT="${CONNECT_URL:-http://kafka-connect:8083}"
NAME="${TRANSFER_CONNECTOR_NAME:-transfer-outbox}"

TRANSFER_DB_HOST="${TRANSFER_DB_HOST:-postgres}"
TRANSFER_DB_PORT="${TRANSFER_DB_PORT:-5432}"
TRANSFER_DB_NAME="${TRANSFER_DB_NAME:-transfers}"
TRANSFER_DB_USER="${TRANSFER_DB_USER:-transfers_user}"
TRANSFER_DB_PASSWORD="${TRANSFER_DB_PASSWORD:-transfers_password}"
TRANSFER_TOPIC="${KAFKA_TOPIC_TRANSFERS:-transfer.events}"

i=0
until curl -fsS "$CONNECT/connectors" >/dev/null 2>&1; do
  i=$((i + 1))
  [ "$i" -lt 90 ] || { echo "no Kafka Connect at $CONNECT"; exit 1; }
  sleep 2
done

cat > /tmp/config.json <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${TRANSFER_DB_HOST}",
  "database.port": "${TRANSFER_DB_PORT}",
  "database.user": "${TRANSFER_DB_USER}",
  "database.password": "${TRANSFER_DB_PASSWORD}",
  "database.dbname": "${TRANSFER_DB_NAME}",
  "topic.prefix": "transfer-cdc",
  "plugin.name": "pgoutput",
  "publication.name": "transfer_outbox_publication",
  "publication.autocreate.mode": "filtered",
  "slot.name": "transfer_outbox_slot",
  "slot.drop.on.stop": "false",
  "table.include.list": "public.transfer_outbox",
  "tombstones.on.delete": "false",
  "heartbeat.interval.ms": "10000",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.fields.additional.placement": "event_name:header:event_name,event_version:header:event_version,aggregate_type:header:aggregate_type,aggregate_id:header:aggregate_id,occurred_at:header:occurred_at",
  "transforms.outbox.route.topic.replacement": "${TRANSFER_TOPIC}"
}
JSON

code=$(curl -s -o /dev/null -w '%{http_code}' "$CONNECT/connectors/$NAME")
if [ "$code" = "200" ]; then
  curl -fsS -X PUT "$CONNECT/connectors/$NAME/config" -H 'Content-Type: application/json' --data-binary @/tmp/config.json
else
  printf '{"name": "%s", "config": %s}' "$NAME" "$(cat /tmp/config.json)" > /tmp/connector.json
  curl -fsS -X POST "$CONNECT/connectors" -H 'Content-Type: application/json' --data-binary @/tmp/connector.json
fi
echo "$NAME is registered"
